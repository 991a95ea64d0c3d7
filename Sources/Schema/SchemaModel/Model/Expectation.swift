/// What the author asserts about a step: about a model's rows after it, and the rows that they come from.
package struct Expectation: Equatable, Sendable {
  package enum Claim: Equatable, Sendable {
    /// Every row has a value, or a link, in this property.
    case present(String)
    /// This holds for every row, `new`, and its source row, `old`.
    case holds(SwiftExpression)
  }

  /// A model of the version that the step leads to.
  package var model: Located<String>
  private var located: Located<Claim>

  /// - Parameter location: The location of the property or the expression.
  package init(model: Located<String>, _ claim: Claim, at location: SourceLocation? = nil) {
    self.model = model
    located = Located(claim, at: location)
  }

  package var claim: Claim { located.value }

  package var location: SourceLocation? { located.location }

  /// The expectation as a manifest writes it.
  package var text: String {
    switch claim {
    case .present(let property): "no \(model.value) without \(property)"
    case .holds(let expression): "\(model.value): \(expression)"
    }
  }

  /// The properties that an expression names in the old row and in the new row, each once.
  package var names: (old: Set<String>, new: Set<String>) {
    guard case .holds(let expression) = claim else { return ([], []) }
    return (expression.members(of: "old"), expression.members(of: "new"))
  }
}
