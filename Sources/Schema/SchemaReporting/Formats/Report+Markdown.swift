internal import SchemaModel

extension Report {
  /// A table of findings and, folded, their help, for `$GITHUB_STEP_SUMMARY`.
  ///
  /// - Parameter limit: The maximum size in bytes. GitHub refuses a step's summary larger than a mebibyte.
  func markdown(limit: Int = 1_048_576) -> String {
    let findings = findings.map(relative)
    let pages = Dictionary(uniqueKeysWithValues: rules.map { ($0.id, $0.documentation) })
    var document = FittedDocument()
    document.add("finding", findings.map { (0, $0) }) { findings in
      let heads: [Inline] = ["Severity", "Rule", "Element", "Place", "Message"]
      return [.table(Table(heads, findings.map { Self.row($0, pages[$0.rule.id] ?? nil) }))]
    }
    let detailed = findings.filter { !$0.help.isEmpty || !$0.related.isEmpty }
    document.add("explanation", detailed.map { (1, $0) }) {
      [.folded("What to do", [.findings($0)])]
    }
    return document.markdown(limit) { parts, left in
      let missing = left.joined(separator: ", ")
      return [.heading("schemagen: \(headline)")] + parts.joined()
        + (left.isEmpty
          ? []
          : [.paragraph("\("Left out: \(missing).", .strong) A text report shows all of them.")])
    }
  }

  private var headline: String {
    let counts = [
      (count(.error), "error"), (count(.warning), "warning"), (count(.note), "note"),
    ].filter { $0.0 > 0 }.map { counted($0, $1) }
    return
      ((findings.isEmpty ? ["no findings"] : counts)
      + (accepted.isEmpty ? [] : ["\(accepted.count) accepted"])).joined(separator: ", ")
  }

  private static func row(_ finding: Diagnostic, _ page: String?) -> [Inline] {
    let mark =
      switch finding.severity {
      case .note: "ℹ️"
      case .warning: "⚠️"
      case .error: "❌"
      }
    return [
      "\(mark) \(finding.severity.rawValue)",
      page.map { "\(Inline(finding.rule.id), to: $0)" } ?? Inline(finding.rule.id),
      finding.element.map(Inline.code) ?? "", finding.location.map { .code($0.place) } ?? "",
      Inline(finding.message),
    ]
  }
}

extension SourceLocation {
  package var place: String { "\(file):\(line):\(column)" }
}
