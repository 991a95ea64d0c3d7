internal import SchemaModel

/// Determines which of several duplicates is kept.
struct DeduplicationPlanner {
  let pairing: StepPairing
  let changes: [SchemaChange]

  func dedupes(_ plan: StepPlan) -> [Deduplication] {
    // `willMigrate` sees the rows of this version. In a bridge they have old and new links.
    let version =
      plan.bridges > 0 ? BridgeBuilder(pairing: pairing, plan: plan).expanded() : pairing.old
    return pairing.changed.flatMap { model -> [Deduplication] in
      var dedupes: [Deduplication] = []
      for property in model.properties {
        guard let strategy = property.attribute?.dedupe, isNewlyUnique(model, property) else {
          continue
        }
        dedupes.append(deduplication(model, [property.name], strategy, plan, version))
      }
      for unique in model.uniques {
        guard let strategy = unique.dedupe else { continue }
        let new = unique.names.filter { isNewConstant($0, model) }
        // A row with nil among the key's values equals no other row.
        let isNil = new.contains { model.property(named: $0)?.type.isOptional ?? false }
        guard !isNil else { continue }
        dedupes.append(
          deduplication(model, unique.names.filter { !new.contains($0) }, strategy, plan, version))
      }
      return dedupes
    }
  }

  /// Whether a property is new and the engine gives it the same value in all rows. No two rows differ in such a
  /// property, and `willMigrate` may not see it.
  private func isNewConstant(_ name: String, _ model: Model) -> Bool {
    guard model.sources.isEmpty, let was = pairing.predecessor(of: model) else { return false }
    return was.property(named: name) == nil
      && model.property(named: name).map(\.migration.isEmpty) ?? false
  }

  private func isNewlyUnique(_ model: Model, _ property: Property) -> Bool {
    !model.sources.isEmpty
      || changes.contains {
        $0.kind == .uniqueDeduped && $0.element == ElementPath(model.name, property.name)
      }
  }

  private func deduplication(
    _ model: Model, _ keys: [String], _ strategy: Dedupe, _ plan: StepPlan,
    _ version: SchemaVersion
  ) -> Deduplication {
    let was = pairing.predecessor(of: model)
    let isCarried = !model.sources.isEmpty
    func column(_ name: String) -> String {
      guard !isCarried, let property = model.property(named: name) else { return name }
      if let bridge = plan.bridgeNames[model.name]?[name] { return bridge }
      return property.migration.renamedFrom?.value ?? name
    }
    func isOptional(_ name: String) -> Bool {
      let column = column(name)
      if !isCarried, let property = was?.property(named: column) { return property.type.isOptional }
      let property = model.property(named: name)
      return !isCarried || (property?.type.isOptional ?? true)
    }
    let strategy: Dedupe =
      switch strategy {
      case .latest(let name): .latest(by: column(name))
      case .earliest(let name): .earliest(by: column(name))
      case .function: strategy
      }
    return Deduplication(
      model: model.name,
      keys: keys.map { Deduplication.Key(name: column($0), isOptional: isOptional($0)) },
      strategy: strategy, relationships: links(of: model, in: version, plan))
  }

  /// The relationships of duplicates, including inherited ones, without links to the rows that the duplicates become.
  private func links(
    of model: Model, in version: SchemaVersion, _ plan: StepPlan
  ) -> [Deduplication.Link] {
    guard let row = version.model(named: model.name) else { return [] }
    let carried = Set(plan.transfers.filter { $0.source == model.name }.map(\.link))
    let lineage = [row] + row.ancestors { version.model(named: $0) }
    return lineage.flatMap(\.properties).compactMap { property in
      guard let relationship = property.relationship, !carried.contains(property.name) else {
        return nil
      }
      let inverse = relationship.inverse.flatMap {
        version.model(named: relationship.destination.value)?.property(named: $0.value)?
          .relationship?.cardinality
      }
      let isEmptied =
        switch relationship.deleteRule {
        case .nullify, .noAction: false
        // A row that requires an owner is deleted with the duplicate, unless the kept row takes the required row over.
        case .cascade, .deny: relationship.cardinality.isMany || inverse != .one
        }
      return Deduplication.Link(
        name: property.name, cardinality: relationship.cardinality,
        isShared: inverse?.isMany ?? true, isEmptied: isEmptied)
    }
  }
}
