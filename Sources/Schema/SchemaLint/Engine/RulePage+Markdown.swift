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
    page(restsOn: rule.basis.address, lint)
  }

  private func page(restsOn basis: String, _ lint: (Example) -> ExampleResult) -> String {
    var text = "# \(id)\n\n\(finds).\n\n\(properties(restsOn: basis))\n\n\(purpose)\n"
    if scope == .sources { text += "\n" + acceptance }
    var above: [String: String] = [:]
    for (index, example) in badExamples.enumerated() {
      text += "\n## Bad" + number(index, of: bad) + "\n\n" + files(example, &above)
      let result = lint(example)
      // Without snippets: the file stands above.
      text += "\n```text\n\(TextReport().render(result.findings))```\n"
      if !result.fixed.isEmpty {
        let command = scope == .sources ? "lint-code" : "lint"
        let fixed = result.fixed.filter { !example.files.contains($0) }
        text += "\n`schemagen \(command) --fix` writes:\n\n"
        text += blocks(fixed.map { ($0.path, $0) }, &above)
      }
    }
    for (index, example) in goodExamples.enumerated() {
      text += "\n## Good" + number(index, of: good) + "\n\n" + files(example, &above)
    }
    return text
  }

  /// What the list of rules does not say: where it looks, what it rests on, and what can be done about a finding.
  private func properties(restsOn basis: String) -> String {
    let accepted = rule.isAcceptable ? "Can be accepted." : "Cannot be accepted."
    let text =
      "Severity: \(rule.severity.rawValue) (\(category.rawValue)). Looks at \(scope.title); rests on "
      + "\(basis)\(rule.basis.shownMark). \(accepted)"
    return isFixable ? text + " `--fix` corrects it." : text
  }

  /// Rows of the classification table are named after the change, other rules after what should hold.
  private var finds: String {
    self is any ChangePage ? "The change: \(rule.title)" : rule.title
  }

  /// What the pages about Swift code have in common.
  private var acceptance: String {
    """
    `schemagen lint-code` finds it; `// schemagen:accept \(id): REASON`, above the line or at its end, accepts it.
    In the examples V1 has the models `Trip` and `Ticket`, V2 only `Trip`.

    """
  }

  private func number(_ index: Int, of examples: [Example]) -> String {
    examples.count == 1 ? "" : " \(index + 1)"
  }

  private func files(_ example: Example, _ above: inout [String: String]) -> String {
    let shipped = example.shipped.map { ("\($0.path), as it was released", $0) }
    return blocks(shipped + example.files.map { ($0.path, $0) }, &above)
  }

  /// A block for each file. One that stands above in the same form is only named.
  ///
  /// - Parameter above: The text last shown under each title.
  private func blocks(
    _ files: [(title: String, file: SourceFile)], _ above: inout [String: String]
  ) -> String {
    var named: [String] = []
    var shown: [String] = []
    for (title, file) in files {
      if above[title] == file.text {
        named.append("`\(title)`")
      } else {
        above[title] = file.text
        shown.append(block(title, file))
      }
    }
    let names = named.isEmpty ? [] : [named.joined(separator: ", ") + " as above.\n"]
    return (names + shown).joined(separator: "\n")
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
