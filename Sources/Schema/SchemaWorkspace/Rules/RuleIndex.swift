internal import SchemaLint
internal import SchemaModel
package import SchemaReporting

/// The list of all rules that have a page.
package enum RuleIndex {
  package static var markdown: String {
    var text = """
      # Rules

      `schemagen rules` generates these pages. To change one, edit the rule's file in `Sources/Schema/SchemaLint/Rules`, `Pages` or,
      for Swift code, `SourcePages`. Each rule's examples are its tests.


      """
    for category in RuleCategory.allCases {
      let rules = descriptions(category)
      guard !rules.isEmpty else { continue }
      text += "## \(category.title)\n\n"
      if category == .sources { text += "Found by `schemagen lint-code`.\n\n" }
      text += MarkdownText.table(
        ["rule", "severity", "`--fix`", "about"],
        rules.map {
          ["[\($0.id)](\($0.id).md)", $0.severity.rawValue, $0.isFixable ? "yes" : "", $0.title]
        })
      text += "\n"
    }
    let paged = Set(RuleCatalog.descriptions.map(\.id))
    let others = RuleCatalog.all.filter { $0.severity > .note && !paged.contains($0.id) }
      .sorted { $0.id < $1.id }
    text += "## Without a page\n\nNo manifest can show an example of these.\n\n"
    text += MarkdownText.table(
      ["rule", "severity", "about"], others.map { [$0.id, $0.severity.rawValue, $0.title] })
    return text
  }

  /// What there is to tell of a rule without a page: one that no manifest can be an example of.
  package static func shortPage(_ id: String) -> String? {
    RuleCatalog.all.first { $0.id == id }.map { rule in
      "# \(rule.id)\n\n\(rule.title).\n\nSeverity \(rule.severity.rawValue); rests on "
        + "\(rule.basis.text) (\(rule.basis.mark.rawValue)).\n"
    }
  }

  /// The list and the pages.
  package static var files: [(name: String, text: String)] {
    [("README.md", markdown)] + RuleCatalog.pages.map { ($0.fileName, $0.markdown(lint($0))) }
  }

  /// The list for a terminal.
  package static func text(on terminal: TerminalText = .plain) -> String {
    func cells(_ rule: RuleDescription) -> [String] {
      [rule.id, rule.severity.rawValue, rule.isFixable ? "fix" : "", rule.title]
    }
    let columns = TextColumns(RuleCatalog.descriptions.map(cells), on: terminal, indent: 2)
    return RuleCategory.allCases.map { category in
      let rules = descriptions(category)
      guard !rules.isEmpty else { return "" }
      return category.title + "\n"
        + rules.flatMap { columns.lines(cells($0)).map { "  \($0)\n" } }.joined() + "\n"
    }.joined()
  }

  /// The page of a rule, or what there is to tell of one without a page; nil where no rule is called so.
  package static func page(_ id: String) -> String? {
    RuleCatalog.rulesByID[id].map { $0.text(lint($0)) } ?? shortPage(id)
  }

  private static func lint(_ page: any RulePage) -> (Example) -> ExampleResult {
    { example in
      page.scope == .sources
        ? ExampleResult(written: example, of: page.rule)
        : ExampleRun(example).result(of: page.id)
    }
  }

  private static func descriptions(_ category: RuleCategory) -> [RuleDescription] {
    RuleCatalog.descriptions.filter { $0.category == category.rawValue }
  }
}
