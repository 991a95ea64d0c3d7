package import SchemaModel

extension Evolution {
  /// What may hold of a step, for a rehearsal to find out: that rows stay, that what they have they keep, and what each
  /// converted value is. In the order of the manifest; what is asserted already is left out.
  package func proposals(of step: VersionStep) -> [Expectation] {
    let (old, new) = (history[step.from], history[step.to])
    let asserted = Set(new.expectations.map(\.text))
    return new.models.flatMap { model -> [Expectation] in
      let origins = origins(of: model, in: step)
      guard !origins.isEmpty else { return [] }
      var found = [Expectation(model: Located(model.name), .unchangedCount)]
      for property in new.properties(of: model) where property.isStored {
        if property.attribute?.type.isOptional
          ?? (property.relationship?.cardinality.isMany == false)
        {
          found.append(Expectation(model: Located(model.name), .present(property.name)))
        }
        if let origin = origins.first, origins.count == 1,
          let claim = claim(of: property, model, origin, old, new, step)
        {
          found.append(Expectation(model: Located(model.name), .holds(claim)))
        }
      }
      return found.filter { !asserted.contains($0.text) }
    }
  }

  /// That a value is what it was, or what the manifest's expression makes of it; nil where values cannot be compared.
  private func claim(
    of property: Property, _ model: Model, _ origin: Model, _ old: SchemaVersion,
    _ new: SchemaVersion, _ step: VersionStep
  ) -> SwiftExpression? {
    guard new.comparedType(of: property) != nil else { return nil }
    let before = Dictionary(old.properties(of: origin), keyedBy: \.name)
    if let former = former(of: property.name, in: model, step), let was = before[former],
      old.comparedType(of: was) == new.comparedType(of: property),
      was.attribute?.type.unwrapped == property.attribute?.type.unwrapped
    {
      return try? SwiftExpression("new.\(property.name) == old.\(former)")
    }
    guard case .expression(let conversion)? = property.migration.convert?.value,
      property.migration.from.allSatisfy({ source in
        before[source.value].map { old.comparedType(of: $0) != nil } ?? false
      }), !conversion.isVolatile
    else { return nil }
    let sources = property.migration.from.compactMap { try? SwiftExpression("old.\($0.value)") }
    return try? SwiftExpression("new.\(property.name) == (\(conversion.applied(to: sources)))")
  }
}
