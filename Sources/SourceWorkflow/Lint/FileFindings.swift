internal import SchemaDiagnostics
internal import SchemaLint
internal import SchemaManifest
internal import SchemaModel
internal import SchemaWorkflow
internal import SwiftSources

/// What is found in one file, less what its comments accept.
struct FileFindings: Sendable {
  let remaining: [Diagnostic]
  let accepted: [AcceptedFinding]
  private let source: SwiftSource
  private let role: SourceRole
  private let found: [SourceFinding]

  var path: String { source.file.path }

  init(
    _ source: SwiftSource, _ role: SourceRole, _ checks: SourceChecks, _ today: CalendarDay
  ) {
    self.source = source
    self.role = role
    found = checks.findings(in: source, role: role)
    let comments = SourceAcceptances(source)
    let book = AcceptanceBook(comments.acceptances, in: source.file.path)
    let outcome = book.apply(to: found.map(\.diagnostic))
    let isOver = { (acceptance: Acceptance) in acceptance.until.map { $0.value < today } ?? false }
    accepted = outcome.accepted.filter { !isOver($0.acceptance) }
    remaining =
      outcome.remaining + outcome.accepted.filter { isOver($0.acceptance) }.map(\.finding)
      + comments.diagnostics + comments.acceptances.filter(isOver).map(Diagnostic.expired)
      + book.unused(outcome, of: Set(SourceChecks.rules.map(\.id)))
  }

  /// What can be mended for certain.
  ///
  /// - Parameter findings: What is reported, with the severities that it has there: what is switched off is not mended.
  func repairs(of findings: Set<Diagnostic>) -> [(finding: Diagnostic, edit: SourceEdit)] {
    let open = Set(remaining)
    return found.compactMap { finding in
      finding.edit.flatMap { edit in
        let levels: [Diagnostic.Severity] = [.note, .warning, .error]
        let isReported = levels.contains { severity in
          var reported = finding.diagnostic
          reported.severity = severity
          return findings.contains(reported)
        }
        return open.contains(finding.diagnostic) && isReported
          ? (finding: finding.diagnostic, edit: edit) : nil
      }
    }
  }

  /// The file after its certain repairs; nil where there are none, or where it would not be sound afterwards.
  func mended(_ checks: SourceChecks, _ findings: Set<Diagnostic>) -> SourceLint.MendedFile? {
    let repairs = repairs(of: findings)
    // What does not parse means something else than it seems to.
    guard !repairs.isEmpty, !source.hasErrors else { return nil }
    var bytes = source.file.bytes
    var end = bytes.count
    for (_, edit) in repairs.sorted(by: { $0.edit.range.lowerBound > $1.edit.range.lowerBound }) {
      guard edit.range.upperBound <= end else { return nil }
      bytes.replaceSubrange(edit.range, with: Array(edit.text.utf8))
      end = edit.range.lowerBound
    }
    let file = SourceFile(path: path, bytes: bytes)
    let after = SwiftSource(file)
    guard !after.hasErrors,
      checks.findings(in: after, role: role).count <= found.count - repairs.count
    else { return nil }
    return SourceLint.MendedFile(file: file, repairs: repairs.map { ($0.finding, $0.edit.text) })
  }
}

/// Comments of a Swift file that accept what is found at their line.
private struct SourceAcceptances {
  private(set) var acceptances: [Acceptance] = []
  /// About comments that accept nothing.
  private(set) var diagnostics: [Diagnostic] = []

  init(_ source: SwiftSource) {
    let known = Set(SourceChecks.rules.map(\.id))
    for comment in source.comments(beginningWith: AcceptanceComment.word) {
      switch AcceptanceComment.read(comment.text, sign: "//", subject: comment.subject) {
      case .failure(let failure):
        diagnostics.append(
          Diagnostic(
            .malformedAcceptance, failure.message, at: comment.location, help: [failure.help]))
      case .success(let read):
        guard known.contains(read.rule) else {
          diagnostics.append(
            Diagnostic(
              .unknownID, "no rule about Swift code is called '\(read.rule)'",
              at: comment.location, help: Suggestion.help(for: read.rule, among: known)))
          continue
        }
        acceptances.append(
          Acceptance(
            rule: Located(read.rule, at: comment.location), target: .line(read.subject),
            reason: read.reason, until: read.until.map { Located($0, at: comment.location) }))
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func expired(_ acceptance: Acceptance) -> Diagnostic {
    let day = acceptance.until.map { "\($0.value)" } ?? ""
    return Diagnostic(
      .expiredAcceptance,
      "what was accepted until \(day) is accepted no longer: \(acceptance.reason)",
      at: acceptance.until?.location,
      help: ["mend what is found", "or give it another day, if the reason still holds"])
  }
}
