internal import SchemaModel

/// Determines the rows that become rows of another model, and their values.
struct RowTransferPlanner {
  let pairing: StepPairing
  let layouts: TypeLayouts

  func transfers() -> [RowTransfer] {
    pairing.changed.filter { !$0.sources.isEmpty }.flatMap { target in
      pairing.sources(of: target).map { source in
        let whole = pairing.withInherited(source)
        return RowTransfer(
          source: source.name, target: target.name, link: RowTransfer.link(to: target.name),
          values: pairing.inherited(by: target).compactMap { copy(of: $0, from: whole) }
            + target.properties.compactMap { value(for: $0, from: whole) })
      }
    }
  }

  /// Copies an inherited value unchanged, because the superclass's own update comes later and covers all of its rows.
  private func copy(of property: Property, from source: Model) -> Assignment? {
    guard property.attribute != nil, !property.isTransient,
      let was = source.property(named: property.name), !was.isTransient, was.type == property.type
    else { return nil }
    return Assignment(property: property.name, value: .column(was.name), onlyWhereNil: false)
  }

  /// The value of an attribute of a transferred model; `nil` if the initialiser's default is used.
  private func value(for property: Property, from source: Model) -> Assignment? {
    guard !property.isTransient, let attribute = property.attribute else { return nil }
    let migration = property.migration
    func assignment(_ value: DerivedValue) -> Assignment {
      .storing(value, in: property.name, attribute, onlyWhereNil: false)
    }
    if let convert = migration.convert?.value {
      let sources = migration.from.compactMap { source.property(named: $0.value) }
      guard sources.count == migration.from.count else {
        return migration.fill.map { assignment(pairing.fill($0.value)) }
      }
      return assignment(
        .converted(sources.map(DerivedValue.property), by: convert, step: pairing.name))
    }
    let name = migration.renamedFrom?.value ?? migration.from.first?.value ?? property.name
    guard let was = source.property(named: name), let old = was.attribute else {
      return migration.fill.map { assignment(pairing.fill($0.value)) }
    }
    let substitute =
      migration.fill.map { pairing.fill($0.value) }
      ?? attribute.defaultValue.map(DerivedValue.expression)
    if old.encodes == attribute.encodes, old.type == attribute.type, old.former == attribute.former
    {
      return Assignment(property: property.name, value: .column(was.name), onlyWhereNil: false)
    }
    return DerivedValue.adapting(
      .property(was), from: old.valueType, to: attribute.valueType, substitute: substitute, layouts
    ).map(assignment)
  }
}
