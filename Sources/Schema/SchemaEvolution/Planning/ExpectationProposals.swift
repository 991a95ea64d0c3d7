package import SchemaModel

extension Evolution {
  /// What may hold of a step, for a rehearsal to find out: that rows stay, what each value is, and where that cannot be
  /// compared, that what rows have they keep. In the order of the manifest; what is asserted already is left out.
  package func proposals(of step: VersionStep) -> [Expectation] {
    let (old, new) = (history[step.from], history[step.to])
    let asserted = Set(new.expectations.map(\.text))
    return new.models.flatMap { model -> [Expectation] in
      let origins = origins(of: model, in: step)
      guard !origins.isEmpty else { return [] }
      var found = [Expectation(model: Located(model.name), .unchangedCount)]
      let properties = new.properties(of: model)
      let former = origins.count == 1 ? old.properties(of: origins[0]) : []
      let before = Dictionary(former, keyedBy: \.name)
      let fractions = Self.fractions("old", former).union(Self.fractions("new", properties))
      for property in properties where property.isStored {
        if origins.count == 1,
          let claim = claim(of: property, model, before, old, new, step)?.withoutTraps(fractions)
        {
          found.append(Expectation(model: Located(model.name), .holds(claim)))
        } else if property.attribute?.type.isOptional
          ?? (property.relationship?.cardinality.isMany == false)
        {
          found.append(Expectation(model: Located(model.name), .present(property.name)))
        }
      }
      return found.filter { !asserted.contains($0.text) }
    }
  }

  /// That a value is what it was, or what the manifest's expression makes of it; nil where values cannot be compared.
  private func claim(
    of property: Property, _ model: Model, _ before: [String: Property], _ old: SchemaVersion,
    _ new: SchemaVersion, _ step: VersionStep
  ) -> SwiftExpression? {
    guard isCompared(property, in: new) else { return nil }
    if let former = former(of: property.name, in: model, step), let was = before[former],
      isCompared(was, in: old),
      old.comparedType(of: was) == new.comparedType(of: property),
      was.attribute?.type.unwrapped == property.attribute?.type.unwrapped
    {
      return try? SwiftExpression("new.\(property.name) == old.\(former)")
    }
    guard case .expression(let conversion)? = property.migration.convert?.value,
      property.migration.from.allSatisfy({ source in
        before[source.value].map { isCompared($0, in: old) } ?? false
      }), !conversion.isVolatile
    else { return nil }
    let sources = property.migration.from.map { SwiftExpression.name("old.\($0.value)") }
    return try? SwiftExpression("new.\(property.name) == (\(conversion.applied(to: sources)))")
  }

  /// Whether an expectation can compare its values. A former enum is another type than today's, and of data that is kept
  /// outside of its row the row has the name.
  private func isCompared(_ property: Property, in version: SchemaVersion) -> Bool {
    let name = property.type.unwrapped.description
    return version.comparedType(of: property) != nil
      && property.attribute?.options.contains(.externalStorage) == false
      && !formers.contains { $0.type == name && version.number < $0.until }
  }

  /// What of the rows that an expectation names is a fraction: `old.price`.
  package func fractions(of expectation: Expectation, _ step: VersionStep) -> Set<String> {
    let (old, new) = (history[step.from], history[step.to])
    guard let model = pairings[step.from].newModels[expectation.model.value] else { return [] }
    let origin = origins(of: model, in: step).first
    return Self.fractions("new", new.properties(of: model))
      .union(origin.map { Self.fractions("old", old.properties(of: $0)) } ?? [])
  }

  private static func fractions(_ row: String, _ properties: [Property]) -> Set<String> {
    Set(
      properties.filter { NumberType.floats.contains($0.type.description) }.map {
        "\(row).\($0.name)"
      })
  }
}

extension SwiftExpression {
  /// The same without what may trap; nil where that cannot be said in other words.
  fileprivate func withoutTraps(_ fractions: Set<String>) -> SwiftExpression? {
    guard trap == nil else { return nil }
    guard let cast = cast(ofFractions: fractions) else { return self }
    let safe = text.replacing(cast.text, with: cast.safe)
    guard let made = try? SwiftExpression(safe), made.cast(ofFractions: fractions) == nil else {
      return nil
    }
    return made
  }
}
