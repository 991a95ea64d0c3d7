package import SchemaModel
internal import SchemaWorkspace

/// The findings of an adoption, in the order in which the user needs them.
package struct AdoptionReport: Sendable {
  /// Findings on which all the others depend.
  package let first: [Diagnostic]
  /// All other findings, with those of one kind grouped into one.
  package let others: [Diagnostic]
  package let omitted: Int

  /// The most findings of one kind that are shown in full.
  private static let most = 2
  private static let mostNames = 8

  package init(_ findings: [Diagnostic], isVerbose: Bool = false) {
    first = findings.filter { $0.rule == .classBesideVersion }
    let rest = findings.filter { $0.rule != .classBesideVersion }
    guard !isVerbose else {
      others = rest
      omitted = 0
      return
    }
    var shown: [Diagnostic] = []
    var left = 0
    for findings in Dictionary(grouping: rest, by: Kind.init).values.map(\.reportOrder) {
      guard findings.count > Self.most, findings[0].severity != .error else {
        shown += findings
        continue
      }
      var finding = findings[0]
      finding.help.append(Self.more(findings.dropFirst(), like: finding))
      left += findings.count - 1
      shown.append(finding)
    }
    others = shown.reportOrder
    omitted = left
  }

  /// What similar findings about different things have in common.
  private struct Kind: Hashable {
    var rule: String
    var severity: Diagnostic.Severity
    var help: [String]
    var related: [String]
    /// The message without the element at its beginning; empty if it does not begin with its element.
    var message: String

    init(_ finding: Diagnostic) {
      rule = finding.rule.id
      severity = finding.severity
      help = finding.help
      related = finding.related.map(\.message)
      let lead = finding.element.map { $0 + ": " } ?? ""
      message =
        !lead.isEmpty && finding.message.hasPrefix(lead)
        ? String(finding.message.dropFirst(lead.count)) : ""
    }
  }

  /// `12 more like it: Trip, Stop, …`. If all findings are about one element, the list has their lines.
  private static func more(_ findings: ArraySlice<Diagnostic>, like first: Diagnostic) -> String {
    var names: [String] = []
    for finding in findings {
      let place = finding.location.map { "\($0.file):\($0.line)" }
      let name = (finding.element == first.element ? place : finding.element ?? place) ?? ""
      if !name.isEmpty, !names.contains(name) { names.append(name) }
    }
    let list = names.prefix(mostNames).joined(separator: ", ")
    let rest = names.count > mostNames ? ", …" : ""
    return "\(findings.count) more like it" + (list.isEmpty ? "" : ": \(list)\(rest)")
  }
}
