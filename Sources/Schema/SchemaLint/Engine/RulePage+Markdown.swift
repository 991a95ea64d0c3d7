internal import SchemaModel
internal import SchemaReporting

extension RulePage {
  /// The page's file name.
  package var fileName: String { id + ".md" }

  /// The page in docs/rules, where what the rule rests on is a link.
  ///
  /// - Parameter lint: What is found in an example, and what `--fix` writes.
  package func markdown(_ lint: (Example) -> ExampleResult) -> String {
    page(restsOn: rule.basis.markdown(docs: "../"), lint)
  }

  /// The same for a terminal.
  package func text(_ lint: (Example) -> ExampleResult) -> String {
    page(restsOn: rule.basis.text, lint)
  }

  private func page(restsOn basis: String, _ lint: (Example) -> ExampleResult) -> String {
    var text = "# \(id)\n\n\(finds).\n\n"
    text += MarkdownText.table(
      ["category", "severity", "can be accepted", "`--fix`", "looks at", "rests on"],
      [
        [
          category.rawValue, rule.severity.rawValue, rule.isAcceptable ? "yes" : "no",
          isFixable ? "yes" : "no", scope.title, basis + rule.basis.shownMark,
        ]
      ])
    text += "\n" + purpose + "\n"
    if scope == .sources { text += "\n" + acceptance }
    for (index, example) in bad.enumerated() {
      text += "\n## Bad" + number(index, of: bad) + "\n\n" + files(example)
      let result = lint(example)
      text += "\n```text\n\(TextReport(sources: result.sources).render(result.findings))```\n"
      if !result.fixed.isEmpty {
        let command = scope == .sources ? "lint-code" : "lint"
        text += "\n`schemagen \(command) --fix` writes:\n\n"
        text += blocks(result.fixed.filter { !example.files.contains($0) })
      }
    }
    for (index, example) in good.enumerated() {
      text += "\n## Good" + number(index, of: good) + "\n\n" + files(example)
    }
    return text
  }

  /// Rows of the classification table are named after the change, other rules after what should hold.
  private var finds: String {
    self is any ChangePage ? "The change: \(rule.title)" : rule.title
  }

  /// What the pages about Swift code have in common.
  private var acceptance: String {
    """
    `schemagen lint-code` checks this rule. To accept a finding, write above the line or at its end:

    ```swift
    // schemagen:accept \(id): REASON
    ```

    The examples use a V1 with the models `Trip` and `Ticket`, and a V2 with only `Trip`.

    """
  }

  private func number(_ index: Int, of examples: [Example]) -> String {
    examples.count == 1 ? "" : " \(index + 1)"
  }

  private func files(_ example: Example) -> String {
    let shipped = example.shipped.map { block("\($0.path), as it was released", $0) }
    return (shipped + example.files.map { block($0.path, $0) }).joined(separator: "\n")
  }

  private func blocks(_ files: [SourceFile]) -> String {
    files.map { block($0.path, $0) }.joined(separator: "\n")
  }

  private func block(_ title: String, _ file: SourceFile) -> String {
    let suffix = file.path.split(separator: ".").last.map(String.init) ?? ""
    let language = ["json", "swift"].contains(suffix) ? suffix : "yaml"
    // A page is read by people: what nobody sees is shown as what it is.
    let text = file.text.visibleLines.joined(separator: "\n")
    return "`\(title)`\n\n```\(language)\n\(text)```\n"
  }
}

extension Basis {
  /// How sure it is, where that is in question: a guide's practice and the tool's own rules are what they are.
  fileprivate var shownMark: String {
    if case .fact = source { return " (\(mark.rawValue))" }
    return mark == .certain ? "" : " (\(mark.rawValue))"
  }
}
