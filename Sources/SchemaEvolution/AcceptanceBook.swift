internal import SchemaDiagnostics
internal import SchemaModel

/// What an author has accepted, and whether it was there to be accepted.
struct AcceptanceBook {
  private let acceptances: [Acceptance]

  init(_ acceptances: [Acceptance]) { self.acceptances = acceptances }

  /// Rules whose findings come from elsewhere; an entry for one of them cannot be judged here.
  static let foreign: Set<String> = ["version-gap"]

  /// The findings that nobody accepted, and a finding for each entry that accepts nothing.
  func apply(to diagnostics: [Diagnostic]) -> [Diagnostic] {
    var used: Set<Int> = []
    var remaining: [Diagnostic] = []
    for diagnostic in diagnostics {
      let matches = acceptances.indices.filter {
        acceptances[$0].rule.value == diagnostic.rule.id
          && acceptances[$0].element.value == diagnostic.element
      }
      if matches.isEmpty || !diagnostic.rule.isAcceptable {
        var diagnostic = diagnostic
        if !matches.isEmpty { diagnostic.help.append("'accept:' cannot silence this rule") }
        remaining.append(diagnostic)
        // The entry is not unused: it asks for what cannot be granted.
        for index in matches { used.insert(index) }
      } else {
        used.formUnion(matches)
      }
    }
    for index in acceptances.indices
    where !used.contains(index) && !Self.foreign.contains(acceptances[index].rule.value) {
      let entry = acceptances[index]
      let help = Suggestion.help(
        for: entry.rule.value, among: ClassificationTable.rows.map(\.kind.rawValue))
      remaining.append(
        Diagnostic(
          .unusedHint,
          "no finding '\(entry.rule.value)' about '\(entry.element.value)' is there to accept",
          element: entry.element.value, at: entry.rule.location,
          help: help + ["else remove the entry"]))
    }
    return remaining
  }
}
