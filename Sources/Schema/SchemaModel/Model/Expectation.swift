/// An author's assertion about a step: about a model's rows after the step, and the rows that they come from.
package struct Expectation: Equatable, Sendable {
  package enum Claim: Equatable, Sendable {
    /// Every row has a value or, for a relationship, a linked row in this property.
    case present(String)
    case holds(SwiftExpression)
  }

  package var model: Located<String>
  private var located: Located<Claim>

  package init(model: Located<String>, _ claim: Claim, at location: SourceLocation? = nil) {
    self.model = model
    located = Located(claim, at: location)
  }

  package var claim: Claim { located.value }

  package var location: SourceLocation? { located.location }

  package var text: String {
    switch claim {
    case .present(let property): "no \(model.value) without \(property)"
    case .holds(let expression): "\(model.value): \(expression)"
    }
  }

  /// The properties that the expression names in the old row and in the new row.
  package var names: (old: Set<String>, new: Set<String>) {
    guard case .holds(let expression) = claim else { return ([], []) }
    return (expression.members(of: "old"), expression.members(of: "new"))
  }
}
