internal import SchemaLint
internal import SchemaManifest
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSources

/// The findings of one file, split into accepted and remaining ones.
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
    let outcome = SourceAcceptances(source).apply(
      to: found.map(\.diagnostic), of: SourceChecks.rules, on: today)
    accepted = outcome.accepted
    remaining = outcome.remaining
  }

  /// The safe edits that fix reported findings.
  ///
  /// - Parameter findings: The reported findings, with their configured severities. A disabled finding is not
  ///   reported, so it is not fixed.
  func fixes(of findings: Set<Diagnostic>) -> [(finding: Diagnostic, edit: SourceEdit)] {
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

  /// The file after its safe fixes; nil if it has none or has syntax errors, or if the result would have syntax errors
  /// or still have the fixed findings.
  func fixed(_ checks: SourceChecks, _ findings: Set<Diagnostic>) -> SourceLint.FixedFile? {
    let fixes = fixes(of: findings)
    // Code with syntax errors may not mean what it seems to mean.
    guard !fixes.isEmpty, !source.hasErrors else { return nil }
    var bytes = source.file.bytes
    var end = bytes.count
    for (_, edit) in fixes.sorted(by: { $0.edit.range.lowerBound > $1.edit.range.lowerBound }) {
      guard edit.range.upperBound <= end else { return nil }
      bytes.replaceSubrange(edit.range, with: Array(edit.text.utf8))
      end = edit.range.lowerBound
    }
    let file = SourceFile(path: path, bytes: bytes)
    let after = SwiftSource(file)
    guard !after.hasErrors,
      checks.findings(in: after, role: role).count <= found.count - fixes.count
    else { return nil }
    return SourceLint.FixedFile(file: file, fixes: fixes.map { ($0.finding, $0.edit.text) })
  }
}
