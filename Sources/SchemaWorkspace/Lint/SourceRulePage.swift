package import SchemaLint
internal import SchemaModel
internal import SchemaReporting

/// A rule about Swift code as a page of documentation, made from the rule's own file.
///
/// What is found in the examples is written down in them, since finding it takes swift-syntax; tests hold it to what is
/// found.
package struct SourceRulePage: Sendable {
  private let rule: any SourceRule

  package init(_ rule: any SourceRule) { self.rule = rule }

  /// The page's file name.
  package var name: String { rule.id + ".md" }

  /// The page in docs/rules, where what the rule rests on is a link.
  package var markdown: String { page(restsOn: rule.rule.basis.markdown(docs: "../")) }

  /// The same for a terminal.
  package var text: String { page(restsOn: rule.rule.basis.text) }

  private func page(restsOn basis: String) -> String {
    var text = "# \(rule.id)\n\n\(rule.rule.title).\n\n"
    text += "| category | severity | can be accepted | `--fix` | looks at | rests on |\n"
    text += "|---|---|---|---|---|---|\n"
    text += "| \(RuleCategory.sources.rawValue) | \(rule.rule.severity.rawValue) "
    text += "| \(rule.rule.isAcceptable ? "yes" : "no") | \(rule.isFixable ? "yes" : "no") "
    text += "| Swift code | \(basis)\(rule.rule.basis.shownMark) |\n\n"
    text += rule.purpose + "\n\n"
    text += """
      `schemagen lint-code` finds it. To accept it, write above the line or behind it:

      ```swift
      // schemagen:accept \(rule.id): REASON
      ```

      In the examples there are a V1 with the models `Trip` and `Ticket`, and a V2 with `Trip` alone.

      """
    for (index, example) in rule.bad.enumerated() {
      text += "\n## Bad" + number(index, of: rule.bad) + "\n\n" + files(example.files)
      let sources = Dictionary(example.files.map { ($0.path, $0.text) }) { first, _ in first }
      let report = TextReport(sources: sources).render(example.diagnostics(of: rule.rule))
      text += "\n```text\n\(report)```\n"
      if !example.fixed.isEmpty {
        text += "\n`schemagen lint-code --fix` writes:\n\n" + files(example.fixed)
      }
    }
    for (index, example) in rule.good.enumerated() {
      text += "\n## Good" + number(index, of: rule.good) + "\n\n" + files(example.files)
    }
    return text
  }

  private func number(_ index: Int, of examples: [SourceExample]) -> String {
    examples.count == 1 ? "" : " \(index + 1)"
  }

  private func files(_ files: [SourceFile]) -> String {
    files.map { "`\($0.path)`\n\n```swift\n\($0.text)```\n" }.joined(separator: "\n")
  }
}
