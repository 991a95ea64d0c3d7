package import SchemaModel

extension Evolution {
  /// What an expression of a property's step can call a number: `$0`, `$0.price`; nil for a source whose elements have
  /// keys.
  package func numbers(
    for property: Property, of model: Model, in step: VersionStep
  ) -> [String: SwiftExpression.Number]? {
    let (old, pairing) = (history[step.from], pairings[step.from])
    let sources = pairing.origins(of: model).map(pairing.withInherited)
    var numbers: [String: SwiftExpression.Number] = [:]
    for (place, name) in property.migration.from.enumerated() {
      guard
        let type = sources.lazy.compactMap({ $0.property(named: name.value) }).first
          .flatMap({ $0.attribute?.valueType })
      else { continue }
      if case .dictionary = type.unwrapped { return nil }
      let element = Self.element(of: type)
      if let number = SwiftExpression.Number(element.description) { numbers["$\(place)"] = number }
      for field in old.type(named: element.description)?.fields ?? [] {
        numbers["$\(place).\(field.name)"] = SwiftExpression.Number(
          Self.element(of: field.type).description)
      }
    }
    return numbers
  }

  /// Of a list, what its closures see.
  private static func element(of type: TypeReference) -> TypeReference {
    switch type {
    case .optional(let wrapped): element(of: wrapped)
    case .array(let element): self.element(of: element)
    case .named("Set", let arguments): arguments.first.map(element) ?? type
    default: type
    }
  }
}
