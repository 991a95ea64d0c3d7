internal import RehearsalHarness
internal import SchemaEvolution
internal import SchemaModel

/// Plans, for each pair of versions, the expected result for rows and values.
struct PathPlanner {
  let evolution: Evolution
  let rowLineage: RowLineage
  let tracer: ValueTracer

  init(_ evolution: Evolution, _ rowLineage: RowLineage) {
    self.evolution = evolution
    self.rowLineage = rowLineage
    tracer = ValueTracer(rowLineage: rowLineage)
  }

  func paths(_ pairs: [(from: Int, to: Int)]) -> [PlannedPath] {
    concurrentMap(pairs.count) { index in path(from: pairs[index].from, to: pairs[index].to) }
  }

  private func path(from: Int, to: Int) -> PlannedPath {
    var flows: [RowFlow] = []
    var drops: [PlannedDrop] = []
    for model in rowLineage.lookups[from].models.keys.sorted() {
      let rowPaths = rowLineage.rowPaths(of: model, from: from, to: to)
      if let lost = rowPaths.first, lost.end < to {
        flows.append(RowFlow(source: model, target: nil, identity: .kept))
        drops.append(drop(lost.model(at: lost.end), nil, of: model, at: lost.end))
        continue
      }
      flows += rowPaths.map(flow)
      drops += droppedProperties(of: model, rowPaths)
    }
    flows.sort { ($0.source, $0.target ?? "") < ($1.source, $1.target ?? "") }
    let hooks = Array(evolution.steps[from..<to]).filter { !$0.plan.hooks.isEmpty }.map(\.title)
    return PlannedPath(
      from: from, to: to, flows: flows, drops: drops, hooks: hooks, makes: makes(from, to))
  }

  private func makes(_ from: Int, _ to: Int) -> [String]? {
    var found: Set<String> = []
    for version in (from + 1)..<(to + 1) {
      let lookup = rowLineage.lookups[version]
      for property in lookup.models.values.flatMap(\.properties) {
        let conversions = [property.migration.convert, property.migration.fill]
        guard let relationship = property.relationship,
          conversions.contains(where: { if case .function? = $0?.value { true } else { false } })
        else { continue }
        for model in lookup.family(of: relationship.destination.value) {
          for path in rowLineage.rowPaths(of: model, from: version, to: to) where path.end == to {
            found.insert(path.model(at: to))
          }
        }
      }
    }
    return found.isEmpty ? nil : found.sorted()
  }

  private func flow(_ rowPath: RowPath) -> RowFlow {
    let target = rowPath.model(at: rowPath.end)
    let fields = rowLineage.lookups[rowPath.end].properties(of: target)
      .filter { $0.isStored }
      .map { tracer.expectation(for: $0, on: rowPath, at: rowPath.end) }
      .sorted { $0.property < $1.property }
    return RowFlow(
      source: rowPath.models[0], target: target, identity: rowPath.isMade ? .made : .kept,
      fields: fields, merges: merges(on: rowPath), entityFields: entityFields(on: rowPath))
  }

  // MARK: Equal rows

  private func merges(on rowPath: RowPath) -> [PlannedMerge] {
    (rowPath.start..<rowPath.end).flatMap { version -> [PlannedMerge] in
      let step = evolution.steps[version]
      let model = rowPath.model(at: version + 1)
      let merges = step.plan.dedupes.enumerated().compactMap { number, dedupe -> PlannedMerge? in
        guard rowLineage.lookups[version + 1].isModel(model, within: dedupe.model) else {
          return nil
        }
        func expectation(_ column: String) -> FieldExpectation? {
          property(column: column, of: dedupe.model, at: version + 1).map {
            tracer.expectation(for: $0, on: rowPath, at: version + 1)
          }
        }
        var order: FieldExpectation?
        var keepsGreatest = false
        switch dedupe.strategy {
        case .latest(let by):
          order = expectation(by)
          keepsGreatest = true
        case .earliest(let by): order = expectation(by)
        case .function: break
        }
        return PlannedMerge(
          version: rowLineage.history[version + 1].number.name, model: dedupe.model, number: number,
          keys: dedupe.keys.compactMap { expectation($0.name) }, order: order,
          keepsGreatest: keepsGreatest)
      }
      return merges
        + mergesByCode(of: model, on: rowPath, at: version + 1, after: step.plan.dedupes.count)
    }
  }

  private func mergesByCode(
    of model: String, on rowPath: RowPath, at version: Int, after count: Int
  ) -> [PlannedMerge] {
    let (step, lookup) = (evolution.steps[version - 1], rowLineage.lookups[version])
    return step.constraintsLeftToCode.enumerated().compactMap { number, constraint in
      guard lookup.isModel(model, within: constraint.model) else { return nil }
      return PlannedMerge(
        version: step.new.number.name, model: constraint.model,
        number: count + number,
        keys: constraint.properties.compactMap { lookup.property($0, of: constraint.model) }
          .map { tracer.expectation(for: $0, on: rowPath, at: version) },
        order: nil, keepsGreatest: false)
    }
  }

  /// The newer version's property for a column that `willMigrate` sees.
  private func property(column: String, of model: String, at version: Int) -> Property? {
    let lookup = rowLineage.lookups[version]
    let bridged = evolution.steps[version - 1].plan.bridgeNames[model]?.first {
      $0.value == column
    }?.key
    if let bridged { return lookup.property(bridged, of: model) }
    let isCarried = !(lookup.models[model]?.sources.isEmpty ?? true)
    let renamed = lookup.properties(of: model).first { $0.migration.renamedFrom?.value == column }
    if !isCarried, let renamed { return renamed }
    return lookup.property(column, of: model)
  }

  // MARK: Drops

  private func droppedProperties(of model: String, _ rowPaths: [RowPath]) -> [PlannedDrop] {
    let start = rowPaths[0].start
    return rowLineage.lookups[start].properties(of: model).filter { $0.isStored }
      .sorted { $0.name < $1.name }
      .compactMap { property in
        let ends = rowPaths.map { lastPlace(of: property.name, on: $0) }
        // A property that reaches the end on one path is not lost.
        guard let last = ends.max(by: { $0.version < $1.version }),
          last.version < rowPaths[0].end
        else { return nil }
        return drop(last.model, last.property, of: model, property.name, at: last.version)
      }
  }

  /// The last version on the path with the property's values, and the model and the property that hold them there.
  private func lastPlace(
    of property: String, on rowPath: RowPath
  ) -> (version: Int, model: String, property: String) {
    var names = [property]
    for version in rowPath.start..<rowPath.end {
      let next = names.flatMap { rowLineage.successors(of: $0, on: rowPath, at: version) }.map(
        \.name)
      if next.isEmpty { return (version, rowPath.model(at: version), names[0]) }
      names = next
    }
    return (rowPath.end, rowPath.model(at: rowPath.end), names[0])
  }

  private func drop(
    _ last: String, _ lastProperty: String?, of model: String, _ property: String? = nil,
    at version: Int
  ) -> PlannedDrop {
    let element =
      lastProperty.map {
        ElementPath(owner(of: $0, in: last, at: version), $0)
      } ?? ElementPath(last)
    let next = rowLineage.history[version + 1]
    let word =
      word(for: element, in: next)
      ?? destination(of: lastProperty, in: last, at: version).flatMap { gone in
        next.drops.first { $0.element.value == gone }?.acknowledgement
      }
    var reason: String?
    if case .reason(let text) = word { reason = text }
    return PlannedDrop(
      entity: model, property: property, step: evolution.steps[version].title, reason: reason,
      isUnconfirmed: word == .unconfirmed)
  }

  /// The destination of a relationship. If its rows are dropped, the links are dropped too.
  private func destination(
    of property: String?, in model: String, at version: Int
  ) -> ElementPath? {
    property.flatMap { rowLineage.lookups[version].property($0, of: model)?.relationship }
      .map { ElementPath($0.destination.value) }
  }

  /// The model under which the author acknowledges the drop of a property. It is the model that declares the property
  /// or, if the rows move to another model, the rows' own model.
  private func owner(of property: String, in model: String, at version: Int) -> String {
    let isThere = rowLineage.lookups[version + 1].models[model] != nil
    return isThere ? rowLineage.lookups[version].owner(of: property, in: model) : model
  }

  private func word(for element: ElementPath, in version: SchemaVersion) -> Acknowledgement? {
    version.drops.first { $0.element.value == element }?.acknowledgement
      ?? version.acceptances.first { $0.element == element.description }.map { .reason($0.reason) }
      ?? (evolution.configuration.policy == .inferred ? .reason("policy: inferred") : nil)
  }

  // MARK: Converters

  private func entityFields(on rowPath: RowPath) -> [EntityFieldExpectation]? {
    let target = rowPath.model(at: rowPath.end)
    guard let old = evolution.versions[rowPath.start].converters[rowPath.models[0]],
      let new = evolution.versions[rowPath.end].converters[target], old.entity == new.entity,
      let entity = evolution.entities.first(where: { $0.name == old.entity })
    else { return nil }
    let last = rowLineage.history.count - 1
    // There is a converter only if the rows have exactly one path to the newest version.
    let whole = rowLineage.rowPaths(of: rowPath.models[0], from: rowPath.start, to: last)
    guard let way = whole.first, whole.count == 1, way.end == last else { return nil }
    return entity.fields.compactMap { field in
      let property = rowLineage.lookups[last].property(field.property, of: entity.model)
      guard let property else { return nil }
      let told = [old, new].allSatisfy { converter in
        let value = converter.toEntity.first { $0.label == field.name }
        if case .unspecified? = value?.note { return false }
        return value != nil
      }
      let trace = tracer.expectation(for: property, on: way, at: last)
      guard told, trace.isReproducible, !trace.isLink || trace.fate != .converted,
        !trace.isLink || trace.fate != .filled, !losesRows(trace, on: rowPath),
        !isFilledByFunction(trace),
        // If a number does not fit, the engine and Swift convert it differently.
        !trace.steps.contains(where: { if case .cast = $0 { true } else { false } })
      else { return nil }
      return EntityFieldExpectation(
        name: field.name, isUnordered: property.relationship?.cardinality.isMany ?? false)
    }
  }

  /// Whether the path drops rows to which a relationship leads, such as the rows of a subclass.
  private func losesRows(_ trace: FieldExpectation, on rowPath: RowPath) -> Bool {
    let start = rowLineage.lookups[rowPath.start]
    return trace.isLink
      && trace.origins.contains { origin in
        guard
          let relationship = start.property(origin, of: rowPath.models[0])?.relationship
        else { return false }
        return start.family(of: relationship.destination.value).contains { model in
          rowLineage.rowPaths(of: model, from: rowPath.start, to: rowPath.end)
            .allSatisfy { $0.end < rowPath.end }
        }
      }
  }

  /// Whether a function without arguments fills the value. The function may return another value each time.
  private func isFilledByFunction(_ trace: FieldExpectation) -> Bool {
    let fills =
      [trace.constant]
      + trace.steps.map { if case .nullBecomes(let constant) = $0 { constant } else { nil } }
    return fills.contains { $0?.isFunction ?? false }
  }
}
