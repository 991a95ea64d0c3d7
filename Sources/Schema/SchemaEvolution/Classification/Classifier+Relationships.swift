internal import SchemaModel

extension Classifier {
  func relationshipChanges(
    _ element: ElementPath, _ old: Relationship, _ new: Relationship, _ property: Property,
    _ aspect: PropertyAspect
  ) -> [SchemaChange] {
    func one(_ kind: ChangeKind, _ detail: String = "") -> [SchemaChange] {
      [change(kind, element, detail, at: property.location)]
    }
    switch aspect {
    case .destination:
      let detail = "\(old.destination.value) → \(new.destination.value)"
      let successors = pairing.successors(of: old.destination.value).map(\.name)
      guard successors.contains(new.destination.value) else {
        return one(.destinationChanged, detail)
      }
      return one(.destinationFollowed, detail) + bridgeRenaming(property, of: element.owner)
    case .cardinality:
      return one(cardinalityChange(old, new, property), "\(old.type) → \(new.type)")
    case .inverse:
      let (wasMany, isMany) = (old.cardinality.isMany, new.cardinality.isMany)
      // If a to-one relationship becomes to-many, the finding about the cardinality covers the inverse, too.
      guard !isSameInverse(old, new), wasMany || !isMany else { return [] }
      let detail = "\(old.inverse?.value ?? "none") → \(new.inverse?.value ?? "none")"
      return one(
        isMadeExclusive(old, new) && wasMany == isMany
          ? .relationshipMadeExclusive : .inverseChanged, detail)
    case .deleteRule:
      return one(.deleteRuleChanged, "\(old.deleteRule.rawValue) → \(new.deleteRule.rawValue)")
    case .relationshipUnique: return one(new.isUnique ? .uniqueAdded : .uniqueRemoved)
    case .bounds: return one(narrows(old, new) ? .relationshipNarrowed : .relationshipWidened)
    default: return []
    }
  }

  private func cardinalityChange(
    _ old: Relationship, _ new: Relationship, _ property: Property
  ) -> ChangeKind {
    switch (old.cardinality.isMany, new.cardinality.isMany) {
    case (true, true): return .toManyOptionality
    case (false, true):
      if new.inverse == nil { return .toOneToManyNoInverse }
      if !isSameInverse(old, new) { return .toOneToManyNewInverse }
      return isMadeExclusive(old, new) ? .relationshipMadeExclusive : .toOneToMany
    case (true, false): return .toManyToOne
    case (false, false):
      if new.cardinality == .optionalOne { return .relationshipMadeOptional }
      return property.migration.fill == nil ? .relationshipMadeRequired : .relationshipFilled
    }
  }

  /// Whether both relationships have the same property as their inverse. In the newer version this property may be
  /// renamed, and the inverse may be declared at the other end.
  private func isSameInverse(_ old: Relationship, _ new: Relationship) -> Bool {
    guard let was = old.inverse?.value, let now = new.inverse?.value else {
      return old.inverse == nil && new.inverse == nil
    }
    if was == now { return true }
    guard let destination = pairing.newModels[new.destination.value],
      let inverse = destination.property(named: now)
    else { return false }
    return inverse.migration.renamedFrom?.value == was
  }

  private func isMadeExclusive(_ old: Relationship, _ new: Relationship) -> Bool {
    !isExclusive(old, in: pairing.oldModels) && isExclusive(new, in: pairing.newModels)
  }

  /// Whether no two rows can lead to the same row. A to-many relationship without an inverse is a column of the
  /// destination's rows, which holds one row (docs/facts/store-format.md#to-many-without-inverse).
  private func isExclusive(_ relationship: Relationship, in models: [String: Model]) -> Bool {
    if relationship.isUnique { return true }
    guard let inverse = relationship.inverse?.value else { return relationship.cardinality.isMany }
    let destination = models[relationship.destination.value]
    let end = destination?.effectiveProperties(among: models).last { $0.name == inverse }
    return end?.relationship?.cardinality.isMany != true
  }

  /// Whether the bounds become narrower. Zero and nil are not bounds.
  private func narrows(_ old: Relationship, _ new: Relationship) -> Bool {
    let oldMaximum = old.maximum.flatMap { $0 == 0 ? nil : $0 } ?? .max
    let newMaximum = new.maximum.flatMap { $0 == 0 ? nil : $0 } ?? .max
    return newMaximum < oldMaximum || (new.minimum ?? 0) > (old.minimum ?? 0)
  }
}
