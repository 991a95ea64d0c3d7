internal import SchemaLint
internal import SchemaManifest
package import SchemaModel
internal import SchemaWorkspace
internal import SwiftAdoption
package import SwiftSources

/// The comments of a Swift file that accept findings on the lines below them.
package struct SourceAcceptances {
  private var acceptances: [Acceptance] = []
  private var diagnostics: [Diagnostic] = []
  private let file: SourceFile

  package init(_ source: SwiftSource) {
    file = source.file
    // The rules of all commands are known here, because a comment may be for a rule that another command checks.
    let known = Set((SourceChecks.rules + RuleCatalog.detection + [.storeMoved]).map(\.id))
    for comment in source.comments(beginningWith: AcceptanceComment.word)
    where !AnswerComment.isMeant(comment.text) {
      switch AcceptanceComment.read(comment.text, sign: "//", subject: comment.subject) {
      case .failure(let failure):
        diagnostics.append(
          Diagnostic(
            .malformedAcceptance, failure.message, at: comment.location, help: [failure.help]))
      case .success(let read):
        // Comments in the app's classes can also accept findings about manifests. A snapshot records those comments.
        if Self.manifestRules.contains(read.rule) { continue }
        guard known.contains(read.rule) else {
          diagnostics.append(
            Diagnostic(
              .unknownRule, "no rule about Swift code is called '\(read.rule)'",
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

  /// Rules about manifests. A comment in the app's classes accepts a finding of such a rule for the manifest that the
  /// classes are written into.
  package static let manifestRules: Set<String> = {
    let swift = Set((SourceChecks.rules + RuleCatalog.detection).map(\.id))
    return Set(RuleCatalog.rulesByID.keys).subtracting(swift)
  }()

  /// The line of the declaration below a comment, after its attributes on separate lines.
  private static func declaration(
    from line: Int, in text: [Substring], _ found: Set<Int>
  ) -> Int {
    var line = line
    while !found.contains(line), line <= text.count,
      text[line - 1].drop(while: { $0 == " " || $0 == "\t" }).hasPrefix("@")
    {
      line += 1
    }
    return line
  }

  /// Splits a file's findings into remaining and accepted ones, and adds findings about the comments.
  ///
  /// - Parameter rules: The rules that were checked.
  package func apply(
    to findings: [Diagnostic], of rules: [Rule], on today: CalendarDay
  ) -> (remaining: [Diagnostic], accepted: [AcceptedFinding]) {
    let wanted = Set(rules.map(\.id))
    let lines = Set(findings.compactMap { $0.location?.line })
    let text =
      acceptances.isEmpty ? [] : file.text.split(separator: "\n", omittingEmptySubsequences: false)
    let acceptances = acceptances.filter { wanted.contains($0.rule.value) }.map { entry in
      var entry = entry
      if case .line(let line) = entry.target {
        entry.target = .line(Self.declaration(from: line, in: text, lines))
      }
      return entry
    }
    let book = AcceptanceMatcher(acceptances, in: file.path)
    let outcome = book.apply(to: findings)
    let isOver = { (acceptance: Acceptance) in acceptance.until.map { $0.value < today } ?? false }
    let remaining =
      outcome.remaining + outcome.accepted.filter { isOver($0.acceptance) }.map(\.finding)
      + diagnostics + acceptances.filter(isOver).map(Diagnostic.expired)
      + book.unused(outcome, of: wanted)
    return (remaining, outcome.accepted.filter { !isOver($0.acceptance) })
  }
}

extension Diagnostic {
  fileprivate static func expired(_ acceptance: Acceptance) -> Diagnostic {
    let day = acceptance.until.map { "\($0.value)" } ?? ""
    return Diagnostic(
      .expiredAcceptance,
      "the acceptance ended on \(day); its reason was: \(acceptance.reason)",
      at: acceptance.until?.location,
      help: ["fix the finding", "or set a later day, if the reason still holds"])
  }
}
