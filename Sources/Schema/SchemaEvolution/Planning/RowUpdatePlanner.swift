internal import SchemaModel

/// Determines new values for rows that stay in their model.
struct RowUpdatePlanner {
  let pairing: StepPairing
  let formers: [FormerEnum]
  let layouts: TypeLayouts

  func updates(_ bridgeNames: [String: [String: String]]) -> [RowUpdate] {
    let cases = caseUpdates()
    var updates = assignments(bridgeNames)
    for index in updates.indices { updates[index].cases = cases[updates[index].model] ?? [] }
    let known = Set(updates.map(\.model))
    for (model, cases) in cases where !known.contains(model) {
      updates.append(RowUpdate(model: model, assignments: [], cases: cases))
    }
    return cases.isEmpty ? updates : updates.sorted { $0.model < $1.model }
  }

  /// The updates of raw values, by model. No update replaces a raw value that another update sets, so repeating the
  /// updates is harmless.
  private func caseUpdates() -> [String: [CaseUpdate]] {
    var found: [String: [CaseUpdate]] = [:]
    for former in formers {
      let carried = CasePairing(former.type, from: pairing.old, to: pairing.new).carried
      guard !carried.isEmpty else { continue }
      for model in pairing.new.models {
        for name in columns(of: former, in: model) {
          found[model.name, default: []] += carried.compactMap { successor in
            guard let old = former.name(ofCase: successor.old.storedText),
              let new = former.name(ofCase: successor.new.storedText)
            else { return nil }
            return CaseUpdate(property: name, type: former.name, old: old, new: new)
          }
        }
      }
    }
    return found
  }

  /// The columns of a former enum, with their names in the version that `willMigrate` sees. They are columns of
  /// existing rows, and of new rows that are copies.
  private func columns(of former: FormerEnum, in model: Model) -> [String] {
    guard model.sources.isEmpty else {
      let copied = pairing.pairs(of: model).flatMap(\.properties.continued).filter { was, now in
        was.attribute?.former == former.name && now.attribute?.former == former.name
      }
      return Set(copied.map(\.new.name)).sorted()
    }
    let continued = pairing.pair(of: model)?.properties.continued ?? []
    return continued.map(\.old).filter { $0.attribute?.former == former.name }.map(\.name)
  }

  private func assignments(_ bridgeNames: [String: [String: String]]) -> [RowUpdate] {
    pairing.changed.compactMap { model in
      if !model.sources.isEmpty { return relations(of: model) }
      guard let pair = pairing.pair(of: model), pair.old.name == model.name else { return nil }
      let properties = pair.properties
      var assignments: [Assignment] = []
      for (sources, property) in properties.converted {
        let column = bridgeNames[model.name]?[property.name] ?? property.name
        assignments += conversion(property, column, sources).map { [$0] } ?? []
      }
      for property in properties.added {
        guard let fill = property.migration.fill?.value else { continue }
        assignments.append(filling(property, property.name, fill))
      }
      for (was, property) in properties.continued {
        // A continued column is filled under its old name, because it is renamed afterwards.
        guard let fill = property.migration.fill?.value, was.type.isOptional else { continue }
        assignments.append(filling(property, was.name, fill))
      }
      return assignments.isEmpty ? nil : RowUpdate(model: model.name, assignments: assignments)
    }
  }

  /// Calls the app's functions for the relationships of a transferred model, once for each new row.
  private func relations(of model: Model) -> RowUpdate? {
    let assignments = model.properties.compactMap { property -> Assignment? in
      guard property.relationship != nil else { return nil }
      if case .function(let name)? = property.migration.convert?.value {
        return relating(property, property.name, name, onlyWhereNil: false)
      }
      guard case .function? = property.migration.fill?.value, let fill = property.migration.fill
      else {
        return nil
      }
      return filling(property, property.name, fill.value)
    }
    return assignments.isEmpty || pairing.sources(of: model).isEmpty
      ? nil : RowUpdate(model: model.name, assignments: assignments)
  }

  private func conversion(
    _ property: Property, _ column: String, _ sources: [Property]
  ) -> Assignment? {
    guard let attribute = property.attribute else {
      guard case .function(let name)? = property.migration.convert?.value else { return nil }
      return relating(property, column, name, onlyWhereNil: false)
    }
    let arguments = sources.map(DerivedValue.property)
    let convert = property.migration.convert?.value
    let value =
      convert.map { DerivedValue.converted(arguments, by: $0, step: pairing.name) }
      ?? sources.first.map { layouts.value(.property($0), of: $0, as: attribute) }
    guard let value else { return nil }
    return .storing(
      required(value, by: convert, attribute), in: column, attribute, onlyWhereNil: false)
  }

  /// Adds the type to the manifest's expression for a required value. The bridge's column accepts nil, so the compiler
  /// must report an optional value before a customer's migration does.
  private func required(
    _ value: DerivedValue, by conversion: Conversion?, _ attribute: Attribute
  ) -> DerivedValue {
    guard !attribute.type.isOptional, attribute.encodes == nil else { return value }
    if case .function = conversion { return value }
    return isCase(conversion, of: attribute.type) ? value : .required(value, attribute.type)
  }

  private func isCase(_ conversion: Conversion?, of type: TypeReference) -> Bool {
    guard case .expression(let expression)? = conversion else { return false }
    return pairing.new.types.contains { declaration in
      guard .named(declaration.name) == type,
        case .enumeration(_, let cases) = declaration.kind
      else { return false }
      return cases.contains { "\(type).\($0.name)" == expression.text }
    }
  }

  private func filling(_ property: Property, _ column: String, _ fill: Conversion) -> Assignment {
    guard let attribute = property.attribute else {
      if case .function(let name) = fill {
        // An empty to-many relationship is not nil, so the function is called for every row.
        let isNilable = property.relationship?.cardinality != .many
        return relating(property, column, name, onlyWhereNil: isNilable)
      }
      return Assignment(property: column, value: pairing.fill(fill), onlyWhereNil: true)
    }
    return .storing(
      required(pairing.fill(fill), by: fill, attribute), in: column, attribute,
      onlyWhereNil: true)
  }

  private func relating(
    _ property: Property, _ column: String, _ function: String, onlyWhereNil: Bool
  ) -> Assignment {
    Assignment(
      property: column, value: .related(function: function, step: pairing.name),
      onlyWhereNil: onlyWhereNil, canThrow: true)
  }
}
