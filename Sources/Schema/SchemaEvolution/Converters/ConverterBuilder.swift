internal import SchemaModel

/// Builds the converters between the rows of every version and the current entities.
struct ConverterBuilder {
  private(set) var converters: [[String: Converter]]
  private(set) var diagnostics: [Diagnostic] = []
  /// The properties whose converted values are restored as defaults, each reported once: `3 Trip.length`.
  private var defaulted: Set<String> = []

  private let graph: HistoryGraph
  private let kinds: Configuration.Converters
  private var history: [SchemaVersion] { graph.history }

  init(_ graph: HistoryGraph, _ entities: [Entity], _ kinds: Configuration.Converters) {
    self.graph = graph
    self.kinds = kinds
    converters = Array(repeating: [:], count: graph.history.count)
    guard kinds != .none else { return }
    let entities = Dictionary(entities, keyedBy: \.name)
    let unchanged = unchangedModels()
    for index in history.indices.reversed() {
      for model in history[index].models {
        // A model that does not change in the next version has that version's converter.
        if index + 1 < history.count, unchanged[index].contains(model.name) {
          converters[index][model.name] = converters[index + 1][model.name]
          converters[index][model.name]?.update = nil
          continue
        }
        guard let path = ModelPath(of: model, from: index, in: graph),
          let entity = path.newest.entity.flatMap({ entities[$0] })
        else { continue }
        converters[index][model.name] = converter(path, entity, at: index)
      }
    }
  }

  /// For each step, the models that do not change and whose destinations do not change either. Empty if an attribute is
  /// made from linked rows, because linked rows may differ between versions.
  private func unchangedModels() -> [Set<String>] {
    let convertsLinks = graph.steps.contains { step in
      step.changed.flatMap(step.pairs).flatMap(\.properties.converted).contains { sources, new in
        new.attribute != nil && sources.contains { $0.relationship != nil }
      }
    }
    return graph.steps.map { step in
      convertsLinks
        ? []
        : step.unchanged.filter { name in
          guard let model = step.newModels[name], model.superclass == nil else { return false }
          return model.properties.compactMap(\.relationship).allSatisfy {
            step.isUnchanged($0.destination.value)
          }
        }
    }
  }

  private mutating func converter(
    _ path: ModelPath, _ entity: Entity, at index: Int
  ) -> Converter {
    var converter = Converter(
      model: path.models[0].name, entity: entity.name, toEntity: toEntity(path, entity, at: index),
      fromEntity: [])
    guard kinds == .both else { return converter }
    addWayBack(path, entity, at: index, to: &converter)
    if index == history.count - 1 { converter.update = update(path.newest, entity, at: index) }
    return converter
  }

  private mutating func toEntity(
    _ path: ModelPath, _ entity: Entity, at index: Int
  ) -> [ConvertedValue] {
    let conversion = ForwardConversion(graph: graph, path: path)
    let newest = path.newest
    let properties = graph.properties(of: newest, at: history.count - 1)
    return entity.fields.map { field in
      guard let property = properties.first(where: { $0.name == field.property }) else {
        return ConvertedValue(label: field.name, value: .nothing)
      }
      guard let traced = conversion.value(of: property) else {
        diagnostics.append(
          Diagnostic(
            .noWayForward,
            "\(history[index].number.name)'s '\(path.models[0].name)' has no value for '\(newest.entity ?? "").\(field.name)'",
            element: ElementPath(newest.name, property.name), at: property.location,
            help: waysForward(property, conversion)))
        return ConvertedValue(label: field.name, value: .nothing)
      }
      return ConvertedValue(label: field.name, value: traced.value, note: traced.note)
    }
  }

  private func waysForward(_ property: Property, _ conversion: ForwardConversion) -> [String] {
    let way =
      if property.relationship != nil {
        "make the relationship optional"
      } else if conversion.isMadeOfLinks(property) {
        "give the property a default, for rows of versions that do not have the property"
      } else {
        "convert the values in the step that changed the property's type: 'from:' and 'convert:'"
      }
    // A property that is left out of the entity needs a value from elsewhere in `fromEntity(_:)`.
    let isFound =
      kinds == .toEntity || property.type.isOptional || property.attribute?.substitute != nil
    return isFound ? [way, "or omit the property from the entity: inEntity: omit"] : [way]
  }

  private mutating func addWayBack(
    _ path: ModelPath, _ entity: Entity, at index: Int, to converter: inout Converter
  ) {
    let conversion = BackwardConversion(graph: graph, entity: entity, path: path)
    let model = path.models[0]
    for property in graph.properties(of: model, at: index) where !property.isTransient {
      switch conversion.value(of: property) {
      case .value(let value, let note):
        converter.fromEntity.append(
          ConvertedValue(label: property.name, value: value, note: note))
      case .defaulted(let value, let note, let successor, let version):
        if defaulted.insert("\(version) \(path.models[version - index].name).\(property.name)")
          .inserted
        {
          diagnostics.append(
            defaultComesBack(property, model, at: index, into: successor, version))
        }
        converter.fromEntity.append(
          ConvertedValue(label: property.name, value: value, note: note))
      case .initializersDefault: converter.unlinked.append(property.name)
      case .impossible(let version):
        diagnostics.append(noWayBack(property, model, at: index, goneIn: version))
      }
    }
  }

  /// The values and links that a row of the newest version takes from an entity. The row's `id` identifies the row, and
  /// stays.
  private func update(_ model: Model, _ entity: Entity, at index: Int) -> EntityUpdate? {
    var update = EntityUpdate(values: [], links: [], kept: [])
    for property in graph.properties(of: model, at: index) where !property.isTransient {
      guard let field = entity.fields.first(where: { $0.property == property.name }),
        field.name != "id"
      else {
        update.kept.append(property.name)
        continue
      }
      switch property.kind {
      case .attribute(let attribute):
        update.values.append(
          ConvertedValue(
            label: property.name,
            value: .storing(.field(field.name), as: attribute, canThrow: true)))
      case .relationship:
        update.links.append(LinkUpdate(property: property, field: field))
      }
    }
    return update.values.isEmpty && update.links.isEmpty ? nil : update
  }

  private func defaultComesBack(
    _ property: Property, _ model: Model, at index: Int, into successor: Property, _ version: Int
  ) -> Diagnostic {
    let value = property.attribute?.substitute?.text ?? ""
    func edit(_ revert: String) -> String {
      let sources = successor.migration.from.map(\.value)
      let revert =
        sources.count < 2
        ? revert
        : "{ "
          + sources.map { "\($0): \($0 == property.name ? ManifestEdit.scalar(revert) : "…")" }
          .joined(separator: ", ") + " }"
      return ManifestEdit.property(successor, adding: [("revert", revert)])
    }
    let element = ElementPath(model.name, property.name)
    return Diagnostic(
      .noWayBack,
      "fromEntity(_:) of \(history[index].number.name) would write the default \(value) into '\(element)': nothing "
        + "says how '\(successor.name)' becomes that value again",
      element: element, at: property.location,
      help: [
        "in \(history[version].number.name) say how: " + edit("…"),
        "or confirm the default: " + edit(value),
        "or leave fromEntity(_:) out: 'converters: toEntity' in schemagen.yaml",
      ])
  }

  private func noWayBack(
    _ property: Property, _ model: Model, at index: Int, goneIn version: Int?
  ) -> Diagnostic {
    let element = ElementPath(model.name, property.name)
    var help: [String] = []
    if let version {
      let name = history[version].number.name
      help.append(
        history[version].drops.contains { $0.element.value == element }
          ? "in \(name) write: drops: { \(element): { reason: \"why\", revert: … } }"
          : "in \(name) write 'revert:' at the property that takes the values, for example revert: '$0 ?? …'"
      )
    } else {
      let destination = property.relationship.flatMap {
        graph.models[history.count - 1][$0.destination.value]
      }
      help.append(
        destination?.entity == nil
          ? "make the relationship optional"
          : "make the relationship optional, or write 'inEntity: value'")
    }
    help.append("or leave fromEntity(_:) out: 'converters: toEntity' in schemagen.yaml")
    return Diagnostic(
      .noWayBack,
      "fromEntity(_:) of \(history[index].number.name) has no value for '\(element)'",
      element: element, at: property.location, help: help)
  }
}
