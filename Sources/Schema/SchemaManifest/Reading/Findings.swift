internal import SchemaModel

/// The findings of reading one file so far.
struct Findings {
  /// The most suggestions for one file. Each compares a name with all candidates, and a person reads only the first
  /// few.
  static let mostSuggestions = 50
  static let mostCandidates = 5_000

  private(set) var diagnostics: [Diagnostic]
  private var suggestionsLeft = Self.mostSuggestions

  init(_ diagnostics: [Diagnostic] = []) { self.diagnostics = diagnostics }

  mutating func report(
    _ rule: Rule, _ message: String, element: ElementPath? = nil, at location: SourceLocation?,
    related: [Diagnostic.Related] = [], help: [String] = [], correction: Correction? = nil,
    severity: Diagnostic.Severity? = nil
  ) {
    diagnostics.append(
      Diagnostic(
        rule, message, element: element, at: location, related: related, help: help,
        correction: correction, severity: severity))
  }

  mutating func suggestion<Candidates: Collection<String>>(
    for name: String, among candidates: @autoclosure () -> Candidates
  ) -> String? {
    guard suggestionsLeft > 0 else { return nil }
    suggestionsLeft -= 1
    let candidates = candidates()
    guard candidates.count <= Self.mostCandidates else { return nil }
    return Suggestion.nearest(to: name, among: candidates)
  }
}
