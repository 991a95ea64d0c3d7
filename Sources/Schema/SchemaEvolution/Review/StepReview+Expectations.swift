package import SchemaModel

/// Reviews expectations: whether they name elements that exist.
extension StepReview {
  func expectations() -> [Diagnostic] {
    var said: Set<String> = []
    return new.expectations.flatMap { expectation in
      guard said.insert(expectation.text).inserted else {
        return [
          broken(
            expectation, "'\(expectation.text)' appears twice", help: ["remove one of the lines"])
        ]
      }
      return findings(expectation)
    }
  }

  private func findings(_ expectation: Expectation) -> [Diagnostic] {
    let name = expectation.model.value
    guard let model = pairing.newModels[name] else {
      return [
        broken(
          expectation, "\(new.number.name) has no model '\(name)'", isOfModel: true,
          help: Suggestion.help(for: name, among: pairing.newModels.keys)
            + ["name a model of this version, or remove the line"])
      ]
    }
    let origins = pairing.origins(of: model)
    switch expectation.claim {
    case .present(let property):
      return place(of: property, in: model, of: new).map { property in
        property.isStored
          ? []
          : [
            broken(
              expectation, "'\(name).\(property.name)' is not stored", help: ["remove the line"])
          ]
      } ?? [unknown(property, expectation, model, new)]
    case .holds(let expression):
      return findings(expectation, expression, model, origins)
    }
  }

  private func findings(
    _ expectation: Expectation, _ expression: SwiftExpression, _ model: Model, _ origins: [Model]
  ) -> [Diagnostic] {
    let names = expectation.names
    var found: [Diagnostic] = []
    let whole = ["old", "new"].filter { row in
      expression.uses(of: row).contains(nil)
    }
    for row in whole {
      found.append(
        broken(
          expectation, "'\(row)' is a whole row, which cannot be compared",
          help: [
            "name a property of the row, as in '\(row).\(model.properties.first?.name ?? "id")'"
          ]))
    }
    if names.new.isEmpty, names.old.isEmpty, whole.isEmpty {
      found.append(
        broken(
          expectation, "'\(expression)' does not mention a row",
          help: ["a row before the step is 'old', and after it 'new': new.cents == old.price * 100"]
        ))
    }
    if expression.isVolatile {
      found.append(
        broken(
          expectation, "'\(expression)' may give a different value each time",
          help: ["compare only values of the old and the new row"]))
    }
    for name in names.new.sorted() {
      found += unusable(name, "new", expectation, model, new)
    }
    guard !names.old.isEmpty else { return found }
    guard let origin = origins.first, origins.count == 1 else {
      let sources = origins.map { "'\($0.name)'" }.enumeration
      return found + [
        broken(
          expectation,
          origins.isEmpty
            ? "'\(model.name)' is new: there is no 'old'"
            : "a row of '\(model.name)' comes from \(sources), and 'old' could be any of them",
          help: ["use only 'new'"])
      ]
    }
    for name in names.old.sorted() { found += unusable(name, "old", expectation, origin, old) }
    return found
  }

  private func place(of name: String, in model: Model, of version: SchemaVersion) -> Property? {
    version.properties(of: model).first { $0.name == name }
  }

  private func unusable(
    _ name: String, _ row: String, _ expectation: Expectation, _ model: Model,
    _ version: SchemaVersion
  ) -> [Diagnostic] {
    guard let property = place(of: name, in: model, of: version) else {
      return [unknown(name, expectation, model, version)]
    }
    guard property.isStored else {
      return [
        broken(
          expectation, "'\(row).\(name)' is not stored",
          help: ["remove the property from the expression"])
      ]
    }
    // The row may contain only the name of a file.
    let isOutside = property.attribute?.options.contains(.externalStorage) ?? false
    guard version.comparedType(of: property) == nil || isOutside else { return [] }
    let kind =
      isOutside
      ? "which may be stored outside its row"
      : property.relationship == nil
        ? "of a type that an expectation cannot read" : "a relationship"
    return [
      broken(
        expectation, "'\(row).\(name)', \(kind), cannot be compared",
        help: [
          property.relationship == nil
            ? "numbers, strings, dates, data and enums with raw values can be compared"
            : "require that each row has a link: no \(expectation.model.value) without \(name)"
        ])
    ]
  }

  private func unknown(
    _ name: String, _ expectation: Expectation, _ model: Model, _ version: SchemaVersion
  ) -> Diagnostic {
    broken(
      expectation, "'\(model.name)' has no property '\(name)' in \(version.number.name)",
      help: Suggestion.help(for: name, among: version.properties(of: model).map(\.name))
        + ["name a property that exists, or remove the line"])
  }

  private func broken(
    _ expectation: Expectation, _ message: String, isOfModel: Bool = false, help: [String]
  ) -> Diagnostic {
    Diagnostic(
      .brokenExpectation, message, element: ElementPath(expectation.model.value),
      at: isOfModel ? expectation.model.location : expectation.location, help: help)
  }
}

extension SchemaVersion {
  package func properties(of model: Model) -> [Property] {
    model.inheritedProperties { self.model(named: $0) } + model.properties
  }

  /// The type of a property's column in expectations. For an enum it is the raw type. `nil` if the property does not
  /// have exactly one column, or if only SwiftData can read the column's bytes.
  package func comparedType(of property: Property) -> StorageType.Primitive? {
    switch columnStorage(of: property) {
    case .primitive(let primitive), .rawEnum(let primitive): primitive
    case .composite, .archived, .transformable, nil: nil
    }
  }

  /// The storage of a property's value; `nil` if the value is not stored, or is stored as JSON.
  package func columnStorage(of property: Property) -> StorageType? {
    guard property.isStored, let attribute = property.attribute, attribute.encodes == nil else {
      return nil
    }
    // The function is called for every property, so it only indexes one declaration.
    let name = attribute.type.unwrapped.description
    let own = StorageType.Primitive.bySwiftName[name] == nil ? type(named: name) : nil
    return StorageTypes(types: own.map { [$0] } ?? []).storage(
      of: attribute.type, transformable: attribute.transformer != nil)
  }
}
