package import SchemaLint
internal import SchemaModel
internal import SchemaReporting

/// A rule as a page of documentation, made from the rule's own file.
package struct RulePage: Sendable {
  private let rule: any LintRule

  package init(_ rule: any LintRule) { self.rule = rule }

  /// The page's file name.
  package var name: String { rule.id + ".md" }

  /// The page in docs/rules, where what the rule rests on is a link.
  package var markdown: String { page(restsOn: rule.rule.basis.markdown(docs: "../")) }

  /// The same for a terminal.
  package var text: String { page(restsOn: rule.rule.basis.text) }

  private func page(restsOn basis: String) -> String {
    var text = "# \(rule.id)\n\n\(finds).\n\n"
    text += "| category | severity | can be accepted | `--fix` | looks at | rests on |\n"
    text += "|---|---|---|---|---|---|\n"
    text += "| \(rule.category.rawValue) | \(rule.rule.severity.rawValue) "
    text += "| \(rule.rule.isAcceptable ? "yes" : "no") | \(rule.isFixable ? "yes" : "no") "
    text += "| \(looksAt) | \(basis)\(rule.rule.basis.shownMark) |\n\n"
    text += rule.purpose + "\n"
    for (index, example) in rule.bad.enumerated() {
      text += "\n## Bad" + number(index, of: rule.bad) + "\n\n" + files(example)
      let run = ExampleRun(example)
      text +=
        "\n```text\n\(TextReport(sources: run.lint.sources).render(run.findings(of: rule.id)))```\n"
      if let fixed = run.fixed(rule.id) {
        text += "\n`schemagen lint --fix` writes:\n\n" + self.fixed(fixed.files, from: example)
      }
    }
    for (index, example) in rule.good.enumerated() {
      text += "\n## Good" + number(index, of: rule.good) + "\n\n" + files(example)
    }
    return text
  }

  /// Rows of the classification table are named after the change, other rules after what should hold.
  private var finds: String {
    rule is any ChangeRule
      ? "What changes: \(rule.rule.title)" : rule.rule.title
  }

  private var looksAt: String {
    switch rule.scope {
    case .version: "the newest version"
    case .step: "steps to versions that have not shipped"
    case .history: "the whole folder"
    }
  }

  private func number(_ index: Int, of examples: [Example]) -> String {
    examples.count == 1 ? "" : " \(index + 1)"
  }

  private func files(_ example: Example) -> String {
    let shipped = example.shipped.map { ("\($0.path), as it was released", $0) }
    let now = example.files.map { ($0.path, $0) }
    return (shipped + now).map { title, file in block(title, file) }.joined(separator: "\n")
  }

  private func fixed(_ files: [SourceFile], from example: Example) -> String {
    files.filter { file in !example.files.contains(file) }.map { block($0.path, $0) }
      .joined(separator: "\n")
  }

  private func block(_ title: String, _ file: SourceFile) -> String {
    let language = file.path.hasSuffix(".json") ? "json" : "yaml"
    // A page is read by people: what nobody sees is shown as what it is.
    let text = file.text.visibleLines.joined(separator: "\n")
    return "`\(title)`\n\n```\(language)\n\(text)```\n"
  }
}

extension Basis {
  /// How sure it is, where that is in question: a guide's practice and the tool's own rules are what they are.
  var shownMark: String {
    if case .fact = source { return " (\(mark.rawValue))" }
    return mark == .certain ? "" : " (\(mark.rawValue))"
  }
}

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
    [("README.md", markdown)] + RuleCatalog.pages.map { (RulePage($0).name, RulePage($0).markdown) }
      + RuleCatalog.sourcePages.map { (SourceRulePage($0).name, SourceRulePage($0).markdown) }
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
    }.joined() + "schemagen explain RULE tells more.\n"
  }

  /// The page of a rule, or what there is to tell of one without a page; nil where no rule is called so.
  package static func page(_ id: String) -> String? {
    if let rule = RuleCatalog.rulesByID[id] { return RulePage(rule).text }
    if let rule = RuleCatalog.sourcePages.first(where: { $0.id == id }) {
      return SourceRulePage(rule).text
    }
    return shortPage(id)
  }

  private static func descriptions(_ category: RuleCategory) -> [RuleDescription] {
    RuleCatalog.descriptions.filter { $0.category == category.rawValue }
  }
}
