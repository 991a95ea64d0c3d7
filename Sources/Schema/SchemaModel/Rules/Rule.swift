/// A kind of finding: its id, its severity, and the evidence for it.
package struct Rule: Sendable {
  /// The id consists of lower-case words with hyphens. It never changes after it is published.
  package var id: String
  package var severity: Diagnostic.Severity
  package var title: String
  package var basis: Basis
  /// Whether a reason under `accept:` may silence the rule. Findings that lead to wrong code cannot be accepted.
  package var isAcceptable: Bool

  package init(
    _ id: String, _ severity: Diagnostic.Severity, _ title: String, basis: Basis,
    isAcceptable: Bool = false
  ) {
    self.id = id
    self.severity = severity
    self.title = title
    self.basis = basis
    self.isAcceptable = isAcceptable
  }

  package init(_ id: String, _ title: String, basis: Basis, isAcceptable: Bool = false) {
    self.init(id, .error, title, basis: basis, isAcceptable: isAcceptable)
  }
}

extension Rule: Hashable {
  package static func == (lhs: Rule, rhs: Rule) -> Bool { lhs.id == rhs.id }
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
