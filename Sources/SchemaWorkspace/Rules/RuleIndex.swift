internal import SchemaLint
internal import SchemaModel
internal import SchemaReporting

/// The list of all rules that have a page.
package enum RuleIndex {
  package static var markdown: String {
    var text = """
      # Rules

      Made by `schemagen rules`; the files in `Sources/SchemaLint/Rules` and `Pages` and, for Swift code, `SourcePages` are
      where to change something. Each rule's examples are its tests.


      """
    for category in RuleCategory.allCases {
      let rules = descriptions(category)
      guard !rules.isEmpty else { continue }
      text += "## \(category.title)\n\n"
      if category == .sources { text += "Found by `schemagen lint-code`.\n\n" }
      text += "| rule | severity | `--fix` | about |\n|---|---|---|---|\n"
      for rule in rules {
        text += "| [\(rule.id)](\(rule.id).md) | \(rule.severity.rawValue) "
        text += "| \(rule.isFixable ? "yes" : "") | \(rule.title) |\n"
      }
      text += "\n"
    }
    let paged = Set(RuleCatalog.descriptions.map(\.id))
    let others = RuleCatalog.all.filter { $0.severity > .note && !paged.contains($0.id) }
      .sorted { $0.id < $1.id }
    text += "## Without a page\n\nNo manifest can be an example of these.\n\n"
    text += "| rule | severity | about |\n|---|---|---|\n"
    for rule in others { text += "| \(rule.id) | \(rule.severity.rawValue) | \(rule.title) |\n" }
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
  package static var text: String {
    let width = RuleCatalog.descriptions.map(\.id.count).max() ?? 0
    return RuleCategory.allCases.map { category in
      let rules = descriptions(category)
      guard !rules.isEmpty else { return "" }
      let lines = rules.map { rule in
        let gap = String(repeating: " ", count: width - rule.id.count)
        let severity = rule.severity.rawValue
        let mark = rule.isFixable ? "fix" : "   "
        return "  \(rule.id)\(gap)  \(severity)\(String(repeating: " ", count: 7 - severity.count))"
          + "  \(mark)  \(rule.title)\n"
      }
      return category.title + "\n" + lines.joined() + "\n"
    }.joined() + "schemagen explain RULE explains a rule.\n"
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
