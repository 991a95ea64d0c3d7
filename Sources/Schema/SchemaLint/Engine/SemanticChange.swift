internal import SchemaEvolution

/// Which part of a version's number must change, according to the Schema Change Guidelines.
enum SemanticChange: Comparable {
  /// No change in the store or a domain entity.
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
