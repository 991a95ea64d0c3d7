/// The kinds of changes in the classification table. Raw values are rule ids.
package enum ChangeKind: String, Hashable, Sendable, CaseIterable {
  // Models
  case modelAdded = "model-added"
  case modelRemoved = "model-removed"
  case modelRenamed = "model-renamed"
  case modelDerived = "model-derived"
  case subclassAdded = "subclass-added"
  case superclassChanged = "superclass-changed"

  // Attributes that are added, removed or renamed
  case optionalAttributeAdded = "optional-attribute-added"
  case defaultedAttributeAdded = "defaulted-attribute-added"
  case sharedDefault = "shared-default"
  case missingDefault = "missing-default"
  case nullTrap = "null-trap"
  case requiredStructAdded = "required-struct-added"
  case structOfOptionalsAdded = "struct-of-optionals-added"
  case attributeFilled = "attribute-filled"
  case attributeConverted = "attribute-converted"
  case attributeRemoved = "attribute-removed"
  case attributeRenamed = "attribute-renamed"
  case codableAttributeRenamed = "codable-attribute-renamed"
  case renamedUnderCloudKit = "renamed-under-cloudkit"
  case storedToTransient = "stored-to-transient"
  case transientChanged = "transient-changed"

  // Attributes that continue
  case attributeMadeOptional = "attribute-made-optional"
  case attributeMadeRequiredDefaulted = "attribute-made-required-defaulted"
  case attributeMadeRequiredFilled = "attribute-made-required-filled"
  case requiredWithoutFill = "required-without-fill"
  case enumMadeRequired = "enum-made-required"
  case valueTypeOptionality = "value-type-optionality"
  case numberTypeChanged = "number-type-changed"
  case numberRangeChanged = "number-range-changed"
  case typeRespelled = "type-respelled"
  case typeChanged = "type-changed"
  case arrayElementChanged = "array-element-changed"
  case attributeBecameValueType = "attribute-became-value-type"
  case attributeBecameRelationship = "attribute-became-relationship"
  case defaultChanged = "default-changed"
  case externalStorageAdded = "external-storage-added"
  case externalStorageRemoved = "external-storage-removed"
  case preserveValueChanged = "preserve-value-changed"
  case cloudEncryptionChanged = "cloud-encryption-changed"
  case attributeOptionChanged = "attribute-option-changed"
  case transformerChanged = "transformer-changed"
  case hashModifierChanged = "hash-modifier-changed"
  case hashModifierIgnored = "hash-modifier-ignored"
  case originalNameChanged = "original-name-changed"
  case encodedTypeChanged = "encoded-type-changed"
  case encodingChanged = "encoding-changed"

  // Constraints and indexes
  case uniqueAdded = "unique-added"
  case uniqueDeduped = "unique-deduped"
  case uniqueRemoved = "unique-removed"
  case compoundUniqueAdded = "compound-unique-added"
  case compoundUniqueDeduped = "compound-unique-deduped"
  case compoundUniqueImplied = "compound-unique-implied"
  case compoundUniqueRemoved = "compound-unique-removed"
  case indexAdded = "index-added"
  case indexRemoved = "index-removed"

  // Relationships
  case relationshipAdded = "relationship-added"
  case mandatoryRelationship = "mandatory-relationship"
  case relationshipFilled = "relationship-filled"
  case relationshipLinked = "relationship-linked"
  case relationshipRemoved = "relationship-removed"
  case relationshipRenamed = "relationship-renamed"
  case relationshipMadeOptional = "relationship-made-optional"
  case relationshipMadeRequired = "relationship-made-required"
  case toManyOptionality = "to-many-optionality"
  case toOneToMany = "to-one-to-many"
  case toOneToManyNewInverse = "to-one-to-many-new-inverse"
  case toOneToManyNoInverse = "to-one-to-many-no-inverse"
  case toManyToOne = "to-many-to-one"
  case relationshipMadeExclusive = "relationship-made-exclusive"
  case destinationChanged = "destination-changed"
  case destinationFollowed = "destination-followed"
  case inverseChanged = "inverse-changed"
  case deleteRuleChanged = "delete-rule-changed"
  case relationshipWidened = "relationship-widened"
  case relationshipNarrowed = "relationship-narrowed"

  // Value types
  case valueTypeAdded = "value-type-added"
  case valueTypeRemoved = "value-type-removed"
  case valueTypeChanged = "value-type-changed"
  case valueCodingChanged = "value-coding-changed"
  case enumCaseAdded = "enum-case-added"
  case enumCaseRemoved = "enum-case-removed"
  case enumCaseRenamed = "enum-case-renamed"
  case enumCaseCarried = "enum-case-carried"
  case enumCaseReplaced = "enum-case-replaced"
  case plainEnumCaseAdded = "plain-enum-case-added"
  case plainEnumCaseRemoved = "plain-enum-case-removed"
  case enumCasesRenamed = "enum-cases-renamed"
  case rawValueChanged = "raw-value-changed"
  case structFieldAddedOptional = "struct-field-added-optional"
  case structFieldAdded = "struct-field-added"
  case structFieldNullTrap = "struct-field-null-trap"
  case structFieldRemoved = "struct-field-removed"
  case structFieldChanged = "struct-field-changed"
  case structFieldNumberChanged = "struct-field-number-changed"
  case structFieldMadeOptional = "struct-field-made-optional"
  case structFieldMadeRequired = "struct-field-made-required"
  case structFieldDefaultChanged = "struct-field-default-changed"

  // Changes that are not stored
  case initializerDefaultChanged = "initializer-default-changed"
  case entityMappingChanged = "entity-mapping-changed"
  case documentationChanged = "documentation-changed"

  /// Whether old rows hold NULL in the property, although its type is not optional. Reading NULL traps.
  var leavesNull: Bool { self == .nullTrap || self == .enumMadeRequired }
}

/// How the framework migrates from one version to the next.
package enum Mechanism: String, Hashable, Sendable, CaseIterable, Comparable {
  case none
  case lightweight
  case custom
  /// No stage is safe, and the manifest must say more.
  case impossible

  package static func < (lhs: Mechanism, rhs: Mechanism) -> Bool {
    allCases.firstIndex(of: lhs)! < allCases.firstIndex(of: rhs)!
  }
}

/// The effect of a change on the values in old rows.
package enum DataEffect: String, Hashable, Sendable, CaseIterable {
  case kept
  case defaulted
  case converted
  case dropped
  case atRisk = "at risk"
}
