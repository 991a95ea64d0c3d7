internal import ManagedModels
internal import RehearsalHarness
internal import SchemaEvolution
internal import SchemaModel

/// Makes the rows of one version: ordinary rows, and adversarial rows of each category.
struct RowMaker {
  let evolution: Evolution
  let rowLineage: RowLineage
  let version: Int
  let seed: UInt64
  let categories: Set<AdversarialCategory>

  private var lookup: VersionIndex { rowLineage.lookups[version] }

  func make() -> (rows: [PlannedRow], series: [PlannedSeries], limits: [String]) {
    let uniqueness = UniquenessReader(
      evolution: evolution, rowLineage: rowLineage, version: version)
    let rules = uniqueness.rules()
    let coming = uniqueness.coming()
    var drafts = RowDrafts()
    for entity in lookup.models.keys.sorted() { drafts.drafts += self.drafts(of: entity, coming) }
    let exclusive = self.exclusive()
    var linker = LinkMaker(
      lookup: lookup, drafts: drafts, hasCycles: categories.contains(.cycles),
      exclusive: Set(exclusive))
    linker.link()
    drafts = linker.drafts
    let future = coming.filter { !$0.isDeduped }.map {
      UniqueRule(
        entities: [$0.entity], properties: $0.origins, nullsAreEqual: $0.nullsAreEqual)
    }
    drafts.settle(rules + future, lookup)
    let (series, seriesLimits) = series(of: drafts, rules, coming)
    let exclusiveLimits = exclusive.map {
      "\(lookup.version.number.name): no two rows lead to the same row by '\($0)', because a later version does not allow it"
    }
    let limits = linker.limits + exclusiveLimits + seriesLimits + valueLimits()
    return (drafts.drafts.map(\.row), series, limits)
  }

  // MARK: Links

  /// Relationships, as `Model.property` and sorted, in which a later version no longer allows several rows to lead to
  /// the same row. The generator rejects such a step until a person confirms that no two rows lead to the same row.
  private func exclusive() -> [String] {
    lookup.models.keys.sorted().flatMap { name in
      lookup.models[name]!.properties.compactMap { property in
        guard let relationship = property.relationship, !lookup.isExclusive(relationship) else {
          return nil
        }
        let becomesSo = lookup.family(of: name).contains { entity in
          becomes(property.name, of: entity) {
            $0.relationship.map(rowLineage.lookups[$1].isExclusive) ?? false
          }
        }
        return becomesSo ? "\(name).\(property.name)" : nil
      }
    }
  }

  /// Whether a later version has a property that is made from `property` and satisfies `holds`, which gets the property
  /// and the version's index.
  private func becomes(
    _ property: String, of entity: String, _ holds: (Property, Int) -> Bool
  ) -> Bool {
    rowLineage.rowPaths(of: entity, from: version, to: rowLineage.history.count - 1).contains {
      rowPath in
      var names: Set = [property]
      return (rowPath.start..<rowPath.end).contains { place in
        let successors = names.flatMap { rowLineage.successors(of: $0, on: rowPath, at: place) }
        names = Set(successors.map(\.name))
        return successors.contains { holds($0, place + 1) }
      }
    }
  }

  // MARK: Rows of one entity

  private func drafts(of entity: String, _ coming: [ComingConstraint]) -> [RowDraft] {
    let properties = lookup.properties(of: entity)
    let numerals = numerals(of: entity, properties)
    var found = (1...ordinaryCount(properties)).map { number in
      draft(entity, properties, numerals, label: "\(entity) \(number)", number: number)
    }
    for category in AdversarialCategory.allCases where categories.contains(category) {
      let variants =
        category == .removedCases ? max(1, goneCount(properties)) : category.variants
      for variant in 1...variants {
        let label = "\(entity) \(category.rawValue)" + (variants > 1 ? " \(variant)" : "")
        let number = found.count + 1
        let ordinary = draft(
          entity, properties, numerals, label: label, number: number, category)
        if let nasty = nasty(ordinary, properties, variant) { found.append(nasty) }
      }
    }
    if categories.contains(.duplicates) {
      for (index, constraint) in coming.filter({ $0.entity == entity && $0.isDeduped }).enumerated()
      {
        found += duplicates(of: found[0], properties, numerals, constraint, index, found.count)
      }
    }
    return found
  }

  /// The number of rows that is enough for each case of each enum to occur.
  private func ordinaryCount(_ properties: [Property]) -> Int {
    max(3, cases(properties).map(\.kept.count).max() ?? 0)
  }

  private func goneCount(_ properties: [Property]) -> Int {
    properties.map { gone($0).count }.max() ?? 0
  }

  private func gone(_ property: Property) -> [ValueMaker.GoneValue] {
    guard property.isStored, let attribute = property.attribute else { return [] }
    return ValueMaker(lookup: lookup, random: SplitMix64(seed: seed))
      .gone(attribute, named: property.name)
  }

  private func cases(_ properties: [Property]) -> [VersionIndex.Cases] {
    properties.compactMap { $0.attribute.flatMap { lookup.cases(of: $0.type) } }
  }

  /// The string properties from which a later version makes numbers. The conversion gives numbers only if some strings
  /// hold a number.
  private func numerals(of entity: String, _ properties: [Property]) -> Set<String> {
    let texts = properties.filter { property in
      guard let attribute = property.attribute else { return false }
      return property.isStored && attribute.encodes == nil
        && attribute.type.unwrapped.description == "String"
    }
    return Set(
      texts.map(\.name).filter { name in
        becomes(name, of: entity) { successor, _ in
          successor.attribute.map { NumberType.isNumber($0.valueType.unwrapped) } ?? false
        }
      })
  }

  private func draft(
    _ entity: String, _ properties: [Property], _ numerals: Set<String>, label: String,
    number: Int, _ category: AdversarialCategory? = nil
  ) -> RowDraft {
    var values: [String: PlannedValue] = [:]
    for property in properties where property.isStored {
      guard let attribute = property.attribute else { continue }
      // Each value has a separate random sequence, so a property that a version adds does not change other values.
      var maker = ValueMaker(
        lookup: lookup, random: SplitMix64(seed: seed, name: "\(label).\(property.name)"))
      let made =
        numerals.contains(property.name)
        ? maker.numeral(named: property.name, number: number)
        : maker.ordinary(attribute, named: property.name, number: number)
      values.merge(made) { first, _ in first }
    }
    let row = PlannedRow(
      entity: entity, label: label, category: category?.rawValue, values: values)
    return RowDraft(row: row, category: category, ordinary: values)
  }

  private func nasty(
    _ ordinary: RowDraft, _ properties: [Property], _ variant: Int
  ) -> RowDraft? {
    guard let category = ordinary.category else { return nil }
    var draft = ordinary
    let entity = draft.row.entity
    switch category {
    case .duplicates, .cycles: return nil
    case .removedCases: return removed(draft, properties, variant)
    case .orphans: return properties.contains { $0.relationship != nil } ? draft : nil
    case .nilOptionals:
      let optional = properties.filter { $0.type.isOptional && $0.isStored }
      for property in optional { draft.clear(property.name) }
      return optional.isEmpty ? nil : draft
    default: break
    }
    if category == .unknownRawValue {
      guard !isMandatory(properties) else { return nil }
      draft.row.isReadable = false
    }
    var isNasty = false
    for property in properties where property.isStored {
      guard let attribute = property.attribute,
        category != .unknownRawValue || isNeverRead(property.name, of: entity)
      else { continue }
      var maker = ValueMaker(
        lookup: lookup, random: SplitMix64(seed: seed, name: "\(draft.row.label).\(property.name)!")
      )
      guard
        let values = maker.nasty(attribute, named: property.name, category, number: variant)
      else { continue }
      isNasty = true
      draft.clear(property.name)
      draft.row.values.merge(values) { _, nasty in nasty }
    }
    return isNasty ? draft : nil
  }

  private func removed(
    _ draft: RowDraft, _ properties: [Property], _ variant: Int
  ) -> RowDraft? {
    var draft = draft
    for property in properties {
      let all = gone(property)
      guard !all.isEmpty else { continue }
      let gone = all[(variant - 1) % all.count]
      draft.clear(gone.place)
      draft.row.values[gone.slot] = .stored(gone.value)
      draft.row.cases[gone.place] = gone.name
    }
    draft.row.isReadable = false
    return draft.row.cases.isEmpty ? nil : draft
  }

  private func isMandatory(_ properties: [Property]) -> Bool {
    properties.contains { $0.relationship?.cardinality == .one }
  }

  /// Whether no code on any path reads a property: no conversion, no copying of the row, no function of the app.
  private func isNeverRead(_ property: String, of entity: String) -> Bool {
    let last = rowLineage.history.count - 1
    guard
      evolution.steps[version...].allSatisfy({ $0.plan.hooks.isEmpty && $0.plan.dedupes.isEmpty })
    else { return false }
    let tracer = ValueTracer(rowLineage: rowLineage)
    return (version..<last).allSatisfy { place in
      rowLineage.rowPaths(of: entity, from: version, to: place + 1).allSatisfy { rowPath in
        if rowPath.isMade { return false }
        guard rowPath.end == place + 1 else { return true }
        return rowLineage.lookups[rowPath.end].properties(of: rowPath.model(at: rowPath.end))
          .allSatisfy { target in
            let trace = tracer.expectation(for: target, on: rowPath, at: rowPath.end)
            return !trace.origins.contains(property)
              || trace.fate == .preserved && target.migration.from.isEmpty
                && !trace.steps.contains(where: \.readsValues)
          }
      }
    }
  }

  private func duplicates(
    of first: RowDraft, _ properties: [Property], _ numerals: Set<String>,
    _ constraint: ComingConstraint, _ index: Int, _ count: Int
  ) -> [RowDraft] {
    (1...2).map { copy in
      let label = "\(first.row.entity) duplicates \(index * 2 + copy)"
      var draft = draft(
        first.row.entity, properties, numerals, label: label, number: count + copy, .duplicates)
      for name in constraint.origins {
        draft.clear(name)
        for (slot, value) in first.row.values where slot == name || slot.hasPrefix(name + ".") {
          draft.row.values[slot] = value
        }
      }
      return draft
    }
  }

  // MARK: Many rows

  /// For each entity that a step copies or changes, more rows than fit into one batch.
  private func series(
    of drafts: RowDrafts, _ rules: [UniqueRule], _ coming: [ComingConstraint]
  ) -> (series: [PlannedSeries], limits: [String]) {
    var found: [PlannedSeries] = []
    var limits: [String] = []
    for entity in lookup.models.keys.sorted() {
      let steps = stepsWithRowWork(of: entity)
      guard !steps.isEmpty,
        let first = drafts.drafts.first(where: {
          $0.row.entity == entity && $0.category == nil
        })
      else { continue }
      let constraints =
        rules.filter { $0.entities.contains(entity) }.map(\.properties)
        + coming.filter { $0.entity == entity }.map(\.origins)
      let slots = constraints.map { names in
        names.filter { isDistinguishable($0, of: entity) }
      }
      guard slots.allSatisfy({ !$0.isEmpty }), !hasExclusiveLink(entity) else {
        limits.append(
          "\(lookup.version.number.name): kill tests use few rows of '\(entity)', because many cannot be made"
        )
        continue
      }
      var row = first.row
      row.label = "\(entity) series"
      row.links = row.links.filter { name, _ in
        lookup.property(name, of: entity)?.relationship?.cardinality == .one
      }
      var distinct = Set(slots.flatMap { $0 })
      // A distinct string shows whether a row has another row's value.
      distinct.formUnion(
        lookup.properties(of: entity).filter { $0.type.unwrapped.description == "String" }
          .prefix(1).map(\.name).filter { isDistinguishable($0, of: entity) })
      for slot in distinct {
        // The copies' numbers are far from the numbers in other rows.
        switch row.values[slot] {
        case .stored(.integer): row.values[slot] = .stored(.integer(1_000_000))
        case .stored(.real(let value)): row.values[slot] = .stored(.real(value + 1_000_000))
        default: break
        }
      }
      found.append(
        PlannedSeries(
          row: row, copies: evolution.configuration.batchSize * 5 / 2 + 1,
          distinct: distinct.sorted(), steps: steps))
    }
    return (found, limits)
  }

  private func stepsWithRowWork(of entity: String) -> [Int] {
    (version..<rowLineage.history.count - 1).filter { index in
      let plan = evolution.steps[index].plan
      let touched = plan.transfers.map(\.source) + plan.rowUpdates.map(\.model)
      return rowLineage.rowPaths(of: entity, from: version, to: index).contains { rowPath in
        rowPath.end == index
          && rowLineage.lookups[index].lineage(of: rowPath.model(at: index)).contains {
            touched.contains($0.name)
          }
      }
    }
  }

  private func isDistinguishable(_ property: String, of entity: String) -> Bool {
    guard let attribute = lookup.property(property, of: entity)?.attribute,
      attribute.encodes == nil, case .primitive(let primitive) = lookup.storage(of: attribute)
    else { return false }
    return ![.bool, .url, .int16].contains(primitive)
  }

  private func hasExclusiveLink(_ entity: String) -> Bool {
    lookup.properties(of: entity).contains { property in
      guard let relationship = property.relationship, relationship.cardinality == .one else {
        return false
      }
      let inverse = relationship.inverse.flatMap {
        lookup.property($0.value, of: relationship.destination.value)?.relationship
      }
      return relationship.isUnique || inverse?.cardinality.isMany == false
    }
  }

  // MARK: Limits

  private func valueLimits() -> [String] {
    lookup.models.keys.sorted().flatMap { entity in
      lookup.models[entity]!.properties.compactMap { property -> String? in
        guard let attribute = property.attribute, property.isStored,
          attribute.defaultValue == nil, !attribute.type.isOptional
        else { return nil }
        var maker = ValueMaker(lookup: lookup, random: SplitMix64(seed: seed))
        let values = maker.ordinary(attribute, named: property.name, number: 1)
        guard values.values.contains(.modelDefault) else { return nil }
        return
          "\(lookup.version.number.name): rows have no value for '\(entity).\(property.name)', because it has no default, "
          + "and schemagen cannot make values of the app's type '\(attribute.valueType)'"
      }
    }
  }
}

extension ValueStep {
  fileprivate var readsValues: Bool {
    switch self {
    case .caseBecomes: true
    case .nullBecomes(let constant): constant.isFill
    case .cast, .conversion: false
    }
  }
}

extension RowDraft {
  mutating func clear(_ property: String) {
    row.values = row.values.filter { $0.key != property && !$0.key.hasPrefix(property + ".") }
  }
}
