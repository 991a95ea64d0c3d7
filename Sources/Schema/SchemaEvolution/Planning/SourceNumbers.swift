package import SchemaModel

extension Evolution {
  /// The numbers that an expression in a property's step can use, such as `$0` and `$0.price`. Returns `nil` if a
  /// source is a dictionary.
  package func numbers(
    for property: Property, of model: Model, in step: VersionStep
  ) -> [String: SwiftExpression.Number]? {
    var numbers: [String: SwiftExpression.Number] = [:]
    for (argument, type) in sourceTypes(for: property, of: model, in: step) {
      if case .dictionary = type.unwrapped { return nil }
      let element = Self.element(of: type)
      if let number = SwiftExpression.Number(element.description) { numbers[argument] = number }
      for field in step.old.type(named: element.description)?.fields ?? [] {
        numbers["\(argument).\(field.name)"] = SwiftExpression.Number(
          Self.element(of: field.type).description)
      }
    }
    return numbers
  }

  package func sourceTypes(
    for property: Property, of model: Model, in step: VersionStep
  ) -> [String: TypeReference] {
    let pairing = step.pairing
    let sources = pairing.origins(of: model).map(pairing.withInherited)
    var types: [String: TypeReference] = [:]
    for (place, name) in property.migration.from.enumerated() {
      types["$\(place)"] =
        sources.lazy.compactMap({ $0.property(named: name.value) }).first?.attribute?.valueType
    }
    return types
  }

  private static func element(of type: TypeReference) -> TypeReference {
    switch type {
    case .optional(let wrapped): element(of: wrapped)
    case .array(let element): self.element(of: element)
    case .named("Set", let arguments): arguments.first.map(element) ?? type
    default: type
    }
  }
}
