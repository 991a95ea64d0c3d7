package import SchemaModel

/// Writes all data of a run as one object. `format` rises when a key changes its meaning or is removed; new keys may
/// come at any time. A key without a value is left out.
struct JSONReporter {
  let report: Report

  private struct Document: Encodable {
    var format = 1
    var tool: Tool
    var summary: Summary
    var findings: [FindingEntry]
    var accepted: [FindingEntry]
  }

  private struct Tool: Encodable {
    var name = "schemagen"
    var version: String
  }

  private struct Summary: Encodable {
    var errors: Int
    var warnings: Int
    var notes: Int
    var accepted: Int
  }

  func render() -> String {
    let rules = Dictionary(uniqueKeysWithValues: report.rules.map { ($0.id, $0) })
    return JSONText.encode(
      Document(
        tool: Tool(version: report.toolVersion),
        summary: Summary(
          errors: report.count(.error), warnings: report.count(.warning),
          notes: report.count(.note), accepted: report.accepted.count),
        findings: report.findings.map { finding($0, rules[$0.rule.id]) },
        accepted: report.accepted.map {
          finding($0.finding, rules[$0.finding.rule.id], reason: $0.reason)
        }))
  }

  private func finding(
    _ finding: Diagnostic, _ rule: RuleDescription?, reason: String? = nil
  ) -> FindingEntry {
    var entry = FindingEntry(finding, path: report.relativePath)
    if let basis = rule?.basis { entry.basis = FindingEntry.Basis(basis) }
    entry.category = rule?.category
    entry.documentation = rule?.documentation
    entry.reason = reason
    return entry
  }
}

/// A finding in a report for machines.
package struct FindingEntry: Encodable {
  struct Related: Encodable {
    var message: String
    var file: String
    var line: Int
    var column: Int
    var length: Int
  }

  struct Basis: Encodable {
    var source: String
    var mark: String

    init(_ basis: SchemaModel.Basis) {
      source = basis.text
      mark = basis.mark.rawValue
    }
  }

  var rule: String
  var severity: String
  var message: String
  var element: String?
  var file: String?
  var line: Int?
  var column: Int?
  var length: Int?
  var help: [String]
  var related: [Related]
  var basis: Basis
  var category: String?
  var documentation: String?
  var reason: String?

  /// - Parameter path: Maps a location's path to the one to show.
  package init(_ finding: Diagnostic, path: (String) -> String = { $0 }) {
    rule = finding.rule.id
    severity = finding.severity.rawValue
    message = finding.message
    element = finding.element
    file = finding.location.map { path($0.file) }
    line = finding.location?.line
    column = finding.location?.column
    length = finding.location?.length
    help = finding.help
    related = finding.related.map { related in
      Related(
        message: related.message, file: path(related.location.file), line: related.location.line,
        column: related.location.column, length: related.location.length)
    }
    basis = Basis(finding.rule.basis)
  }
}
