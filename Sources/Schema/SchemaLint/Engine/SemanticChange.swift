internal import SchemaEvolution

/// What a change asks of a version's number, as the Schema Change Guidelines number schemas.
enum SemanticChange: Comparable {
  /// Nothing that a store or a domain entity sees.
  case none
  case additive
  case breaking

  init(_ change: SchemaChange) {
    if change.effect == .dropped || change.effect == .converted || change.effect == .atRisk {
      self = .breaking
      return
    }
    switch change.kind {
    case .modelRenamed, .attributeRenamed, .relationshipRenamed, .superclassChanged,
      .attributeMadeRequiredFilled, .attributeMadeRequiredDefaulted, .uniqueAdded,
      .compoundUniqueAdded, .destinationFollowed, .inverseChanged, .toOneToMany:
      self = .breaking
    case .documentationChanged, .initializerDefaultChanged,
      .defaultChanged, .deleteRuleChanged, .entityMappingChanged,
      .transientChanged, .encodingChanged, .valueTypeAdded, .valueTypeRemoved,
      .hashModifierChanged, .typeRespelled, .structFieldDefaultChanged, .attributeOptionChanged:
      self = .none
    default: self = .additive
    }
  }
}
