internal import SchemaModel

/// Reviews whether rows that are transferred to another model get all values that they need.
extension StepReview {
  /// Reports required properties of a transferred model that get no value by name, by a rename or a conversion, by
  /// default or by a fill.
  func missingSources(_ model: Model) -> [Diagnostic] {
    guard pairing.predecessor(of: model) == nil else { return [] }
    let links = pairing.partLinks
    return pairing.sources(of: model).flatMap { source in
      model.properties.compactMap { property -> Diagnostic? in
        if property.relationship != nil,
          links.isLinked(ElementPath(model.name, property.name), from: source.name)
        {
          return nil
        }
        guard !property.isTransient, property.migration.from.isEmpty, property.migration.fill == nil
        else {
          return nil
        }
        let name = property.migration.renamedFrom?.value ?? property.name
        let same = source.property(named: name)
        if let same, same.type.unwrapped == property.type.unwrapped,
          property.type.isOptional || !same.type.isOptional
            || property.attribute?.defaultValue != nil, carries(property)
        {
          return nil
        }
        if same == nil,
          property.attribute?.defaultValue != nil || property.type.isOptional
            || property.relationship?.cardinality.isMany == true
        {
          return nil
        }
        // A relationship to another transferred model is set again.
        if let was = same?.relationship, let now = property.relationship,
          pairing.successors(of: was.destination.value).contains(where: {
            $0.name == now.destination.value
          }), was.cardinality == now.cardinality
        {
          return nil
        }
        return Diagnostic(
          .missingSource,
          "'\(model.name).\(property.name)' has no value for a row of '\(source.name)'",
          element: ElementPath(model.name, property.name), at: property.location,
          help: [
            "name the property that the value comes from: "
              + answers.property(property, [("from", "…"), ("convert", "$0")]),
            "or give the property a value: "
              + answers.property(property, [("fill", "…")]),
          ])
      }
    }
  }

  /// Whether values in the older version's columns are valid for the newer version's property.
  private func carries(_ property: Property) -> Bool {
    guard property.attribute?.isInColumns == true else { return true }
    return layouts.carries(property.type, into: new.number)
  }

  /// Reports values that are copied although their types differ. Values without `convert:` are copied.
  func copies(_ property: Property, of model: Model, _ sources: [Model]) -> [Diagnostic] {
    let convert = property.migration.convert?.value
    // `$0` copies the value, which may still be nil.
    let isPlain = convert == .expression(.name("$0"))
    guard !property.migration.from.isEmpty, convert == nil || isPlain else { return [] }
    let types = property.migration.from.flatMap { from in
      sources.compactMap { $0.property(named: from.value) }
    }.map { $0.attribute?.valueType ?? $0.type }
    let own = property.attribute?.valueType ?? property.type
    if property.migration.from.count == 1, property.attribute != nil,
      types.allSatisfy({ $0 == own || $0.optionalized == own }), carries(property)
    {
      return []
    }
    if isPlain {
      guard types.count == 1, types[0].isOptional, !own.isOptional, types[0].unwrapped == own,
        property.attribute != nil
      else { return [] }
    }
    let shown = types.map(\.description).joined(separator: ", ")
    return [
      Diagnostic(
        .missingSource,
        "'from' gives \(shown.isEmpty ? "nothing" : shown), but nothing converts it to \(own)",
        element: ElementPath(model.name, property.name),
        at: property.migration.from.first?.location,
        help: [
          "convert it: "
            + answers.property(
              property,
              [
                ("from", property.migration.from.first?.value ?? "…"),
                ("convert", types.count == 1 ? conversion(from: types[0], to: own) : "…"),
              ])
        ])
    ]
  }

  /// Reports relationships that change from to-one to to-many in the step that sets them again. The change needs a step
  /// of its own.
  func unlinkable(_ model: Model, _ sources: [Model]) -> [Diagnostic] {
    model.properties.compactMap { property in
      guard let now = property.relationship, property.migration.convert == nil else { return nil }
      let name = property.migration.renamedFrom?.value ?? property.name
      let was = sources.lazy.compactMap { $0.property(named: name)?.relationship }.first
      guard let was, !was.cardinality.isMany, now.cardinality.isMany,
        !model.sources.isEmpty
          || pairing.successors(of: was.destination.value).contains(where: {
            $0.name == now.destination.value
          })
      else { return nil }
      return Diagnostic(
        .missingSource,
        "'\(model.name).\(property.name)' cannot become to-many while rows are transferred",
        element: ElementPath(model.name, property.name), at: property.location,
        help: ["keep the relationship to-one in this version, and make it to-many in the next"])
    }
  }

  /// Reports rows that would lose values of inherited properties.
  func uninherited(_ model: Model) -> [Diagnostic] {
    guard !model.sources.isEmpty, model.superclass != nil else { return [] }
    let inherited = pairing.inherited(by: model)
    return pairing.sources(of: model).flatMap { source -> [Diagnostic] in
      let whole = pairing.withInherited(source)
      return inherited.compactMap { property in
        guard !property.isTransient else { return nil }
        let was = whole.property(named: property.name)
        if property.relationship == nil {
          if was?.type == property.type, was?.isTransient == false { return nil }
          if was == nil, property.type.isOptional || property.attribute?.defaultValue != nil {
            return nil
          }
        } else if was == nil, property.relationship?.cardinality != .one {
          return nil
        }
        return Diagnostic(
          .missingSource,
          "a row of '\(model.name)' made from one of '\(source.name)' would lose '\(property.name)', "
            + "which it inherits",
          element: ElementPath(model.name), at: model.superclass?.location ?? model.location,
          help: [
            "keep the model's name",
            "or move '\(property.name)' from the superclass into its subclasses first",
          ])
      }
    }
  }

  /// Reports rows from several sources that may be equal in a unique property.
  func carriedUniques(_ model: Model) -> [Diagnostic] {
    guard pairing.predecessor(of: model)?.name != model.name else { return [] }
    let sources = pairing.origins(of: model)
    guard !sources.isEmpty else { return [] }
    return model.properties.compactMap { property in
      guard let attribute = property.attribute, attribute.options.contains(.unique),
        attribute.dedupe == nil
      else { return nil }
      let name = property.migration.renamedFrom?.value ?? property.name
      let wasUnique = sources.allSatisfy {
        $0.property(named: name)?.attribute?.options.contains(.unique) ?? false
      }
      if wasUnique, sources.count == 1, property.migration.from.isEmpty { return nil }
      let element = ElementPath(model.name, property.name)
      if changes.contains(where: { $0.kind == .uniqueAdded && $0.element == element }) {
        return nil
      }
      if case .expression(let fill)? = property.migration.fill?.value, fill.isVolatile {
        return nil
      }
      let row = ClassificationTable[.uniqueAdded]
      return Diagnostic(
        row.rule,
        "'\(model.name).\(property.name)': transferred rows may hold the same value",
        element: element, at: property.location,
        help: [
          "choose which stays: "
            + answers.property(property, [("dedupe", "{ latest: … }")])
        ])
    }
  }
}
