internal import SchemaModel

/// Works out which rows become rows of another model, and with which values.
struct RowTransferPlanner {
  let pairing: HopPairing

  func moves() -> [ModelMove] {
    pairing.changed.filter { !$0.sources.isEmpty }.flatMap { target in
      pairing.sources(of: target).map { source in
        let whole = pairing.withInherited(source)
        return ModelMove(
          source: source.name, target: target.name, link: ModelMove.link(to: target.name),
          values: pairing.inherited(by: target).compactMap { copy(of: $0, from: whole) }
            + target.properties.compactMap { value(for: $0, from: whole) })
      }
    }
  }

  /// An inherited value is copied as it is: the ancestor's own step comes later and goes over all its rows.
  private func copy(of property: Property, from source: Model) -> Assignment? {
    guard property.attribute != nil, !property.isTransient,
      let was = source.property(named: property.name), !was.isTransient, was.type == property.type
    else { return nil }
    return Assignment(property: property.name, value: .column(was.name), onlyWhereNil: false)
  }

  /// What an attribute of a carried model is made of; nil where the initialiser's default serves.
  private func value(for property: Property, from source: Model) -> Assignment? {
    guard !property.isTransient, let attribute = property.attribute else { return nil }
    let hop = property.hop
    func assignment(_ value: DerivedValue) -> Assignment {
      .storing(value, in: property.name, attribute, onlyWhereNil: false)
    }
    if let convert = hop.convert?.value {
      let sources = hop.from.compactMap { source.property(named: $0.value) }
      guard sources.count == hop.from.count else {
        return hop.fill.map { assignment(pairing.fill($0.value)) }
      }
      return assignment(
        .converted(sources.map(DerivedValue.property), by: convert, step: pairing.ownedName))
    }
    let name = hop.renamedFrom?.value ?? hop.from.first?.value ?? property.name
    guard let was = source.property(named: name), let old = was.attribute else {
      return hop.fill.map { assignment(pairing.fill($0.value)) }
    }
    let substitute =
      hop.fill.map { pairing.fill($0.value) } ?? attribute.defaultValue.map(DerivedValue.expression)
    if old.encodes == attribute.encodes, old.type == attribute.type {
      return Assignment(property: property.name, value: .column(was.name), onlyWhereNil: false)
    }
    return DerivedValue.adapting(
      .property(was), from: old.valueType, to: attribute.valueType, substitute: substitute
    ).map(assignment)
  }
}
