package import SchemaModel

/// One row of the classification table: the meaning of a kind of change for the store and its rows.
package struct Classification: Sendable {
  package var kind: ChangeKind
  package var title: String
  package var mechanism: Mechanism
  package var effect: DataEffect
  package var reason: String
  package var basis: Basis
  /// The severity of the finding; `nil` if the change needs no attention.
  package var severity: Diagnostic.Severity?
  package var isAcceptable: Bool
  /// Whether an entry of `drops:` must confirm the change.
  package var needsAcknowledgement: Bool
  /// Whether `policy: strict` makes the change a custom stage.
  package var isCustomWhenStrict: Bool
  package var wayOut: String?

  package var rule: Rule {
    Rule(kind.rawValue, severity ?? .note, title, basis: basis, isAcceptable: isAcceptable)
  }
}

/// The framework's handling of each kind of change. The classifier, the tables of docs/classification.md and the tests
/// are all derived from this table.
package enum ClassificationTable {
  package static let rows: [Classification] = [
    // MARK: Models
    row(
      .modelAdded, "add a model", .lightweight, .kept,
      "the engine creates an empty table and touches no row",
      .fact(.migration, "add-model", .certain)),
    row(
      .modelRemoved, "remove a model", .lightweight, .dropped,
      "the engine drops the table with all its rows, and the history up to the last entry about one of them",
      .fact(.migration, "removed-model-cuts-history", .likely),
      acknowledged: true, strict: true,
      wayOut:
        "acknowledge the loss under 'drops:' with a reason, or copy the rows into another model with 'from:'"
    ),
    row(
      .modelRenamed, "rename a model", .custom, .kept,
      "a model cannot have an original name: a bridge version copies its rows",
      .fact(.migration, "rename-model", .certain)),
    row(
      .modelDerived, "split or merge models", .custom, .converted,
      "a bridge version makes the rows from rows of other models while old and new tables are on disk",
      .fact(.migration, "bridge-copies-on-disk", .likely)),
    row(
      .subclassAdded, "add a subclass", .lightweight, .kept,
      "the engine adds the subentity's columns to the parent's table (26+)",
      .fact(.migration, "add-subclass", .certain)),
    row(
      .superclassChanged, "change a model's superclass", .impossible, .atRisk,
      "the engine may not infer this change: it infers a new parent of one model and the removal of a subclass, but "
        + "refuses a common parent of two models (error 134140, underlying error 134190); whether it infers properties "
        + "that move down is unverified",
      .fact(.migration, "two-roots-under-one-parent", .likely), .error,
      wayOut: "add a new model with the new superclass and copy the rows with 'from:'"),

    // MARK: Attributes that come, go or change their name
    row(
      .optionalAttributeAdded, "add an optional attribute", .lightweight, .defaulted,
      "old rows get nil", .fact(.migration, "add-optional-attribute", .certain)),
    row(
      .defaultedAttributeAdded, "add an attribute with a default", .lightweight, .defaulted,
      "old rows get the default, one constant for all of them",
      .fact(.migration, "add-attribute-with-default", .certain)),
    row(
      .sharedDefault, "add an attribute whose default differs each time", .lightweight, .defaulted,
      "the default is evaluated once: every old row gets the same date, identifier or setting",
      .fact(.migration, "shared-default", .certain), .warning, acceptable: true,
      wayOut: "write 'fill:' to give each row its own value, or accept the change with a reason"),
    row(
      .missingDefault, "add a required attribute without a default", .impossible, .atRisk,
      "the migration fails with error 134110 as soon as one row exists; a default in init does not help",
      .fact(.migration, "add-required-attribute", .certain), .error,
      wayOut:
        "give a default, make the attribute optional, or write 'fill:' or 'from:' and 'convert:'"),
    row(
      .nullTrap, "add a required Codable enum", .impossible, .atRisk,
      "the store opens with NULL in old rows, even with a default, and reading NULL traps",
      .fact(.migration, "add-required-enum", .likely), .error,
      wayOut:
        "make the attribute optional, or write 'fill:' so that a bridge version writes each row"),
    row(
      .requiredStructAdded, "add a required Codable struct with a required field", .impossible,
      .atRisk,
      "the migration fails with error 134110 as soon as one row exists: no default reaches a struct's fields",
      .fact(.migration, "add-required-struct", .likely), .error,
      wayOut:
        "make the attribute optional, or write 'fill:' so that a bridge version writes each row"),
    row(
      .structOfOptionalsAdded, "add a required Codable struct whose fields are all optional",
      .lightweight, .defaulted, "every field is nil in old rows, whatever the default says",
      .fact(.migration, "add-required-struct-of-optionals", .likely)),
    row(
      .attributeFilled, "add an attribute with a fill", .custom, .defaulted,
      "each old row gets its own value in a bridge version, before the attribute is required",
      .fact(.migration, "bridge-copies-on-disk", .likely)),
    row(
      .attributeConverted, "convert values into an attribute", .custom, .converted,
      "a bridge version holds old and new columns; it copies the values before the engine drops the old columns",
      .fact(.migration, "bridge-copies-on-disk", .likely)),
    row(
      .attributeRemoved, "remove an attribute", .lightweight, .dropped,
      "the engine drops the column with all its values",
      .fact(.migration, "remove-attribute", .certain),
      acknowledged: true, strict: true,
      wayOut: "acknowledge the loss under 'drops:' with a reason, or copy the values with 'from:'"),
    row(
      .attributeRenamed, "rename an attribute", .lightweight, .kept,
      "originalName tells the engine the old column name",
      .fact(.migration, "rename-with-original-name", .certain), strict: true),
    row(
      .codableAttributeRenamed, "rename an enum or struct attribute, for systems before 26",
      .impossible, .atRisk,
      "before iOS 26 the engine looks for the columns under the attribute's current name: the values are lost",
      .fact(.migration, "rename-composite", .likely), .error,
      wayOut:
        "copy the values to a new name with 'from:' and 'convert:', or write 'platforms: { iOS: 26 }' in "
        + "schemagen.yaml if the app runs on no older system"),
    row(
      .renamedUnderCloudKit, "rename a property of a store that syncs", .impossible, .atRisk,
      "with CloudKit the engine refuses a rename: error 134110, 'Properties cannot be renamed'",
      .fact(.migration, "cloudkit-renames-are-refused", .likely), .error,
      wayOut:
        "keep the name in the store; if the app needs another one, add an optional property and let the app fill "
        + "it: a copy with 'from:' leaves the cloud's values behind"),
    row(
      .storedToTransient, "make a stored attribute transient or ephemeral", .lightweight, .dropped,
      "the engine drops the column with all its values",
      .fact(.migration, "stored-to-transient", .likely),
      acknowledged: true, strict: true,
      wayOut: "acknowledge the loss under 'drops:' with a reason"),
    row(
      .transientChanged, "change a property that is transient or ephemeral", .none, .kept,
      "no store holds such a property", .fact(.identity, "ephemeral-is-transient", .certain)),

    // MARK: Attributes that stay
    row(
      .attributeMadeOptional, "make a required attribute optional", .lightweight, .kept,
      "every old value is still valid", .fact(.migration, "required-to-optional", .certain)),
    row(
      .attributeMadeRequiredDefaulted, "make an optional attribute required, with a default",
      .lightweight, .defaulted, "nils take the default, one constant for all of them",
      .fact(.migration, "optional-to-required-with-default", .certain)),
    row(
      .attributeMadeRequiredFilled, "make an optional attribute required, with a fill", .custom,
      .defaulted, "nils are filled before the attribute becomes required",
      .fact(.migration, "bridge-copies-on-disk", .likely)),
    row(
      .requiredWithoutFill, "make an optional attribute required", .impossible, .atRisk,
      "the migration fails as soon as one row holds nil",
      .fact(.migration, "optional-to-required", .likely), .error,
      wayOut: "write 'fill:' with the value for nils, or give a default"),
    row(
      .enumMadeRequired, "make an optional Codable enum required", .impossible, .atRisk,
      "the engine sees no change, even with a default: nils stay, and reading nil traps",
      .fact(.migration, "enum-to-required", .likely), .error,
      wayOut: "keep the enum optional, or write 'fill:' with the value for nils"),
    row(
      .valueTypeOptionality,
      "make an enum optional; change whether a struct of optional fields is optional", .none, .kept,
      "the engine sees only the columns of the type's parts, and they are optional anyway",
      .fact(.identity, "composite-by-leaves", .certain)),
    row(
      .numberTypeChanged, "change one number type into another", .lightweight, .converted,
      "the engine copies the number as it is: a fraction is cut off when read, and no range is checked",
      .fact(.migration, "number-types", .likely), .warning, acceptable: true, strict: true,
      wayOut:
        "write 'from:' and 'convert:' to convert in your own way, or accept the change with a reason"
    ),
    row(
      .numberRangeChanged,
      "change an integer type into one with the same storage and another range",
      .none, .atRisk,
      "the engine sees no change and checks no range: a number that does not fit the new type, such as a negative one, is read as a different number",
      .fact(.identity, "type-uint", .likely), .warning, acceptable: true,
      wayOut:
        "write 'from:' and 'convert:' with a conversion that cannot trap, such as 'clamping:', or accept the change "
        + "with a reason"
    ),
    row(
      .typeRespelled, "change a type to another that is stored the same way", .none, .kept,
      "the store knows only the stored type, not its Swift name",
      .fact(.identity, "same-type-number-neutral", .certain)),
    row(
      .typeChanged, "change an attribute's type", .impossible, .atRisk,
      "the engine cannot infer this change: error 134140, underlying error 134190",
      .fact(.migration, "other-type-change", .likely),
      .error,
      wayOut: "write 'from:' with the property's own name and 'convert:' with an expression"),
    row(
      .arrayElementChanged, "change the element type of an array", .impossible, .atRisk,
      "the engine sees no change: old rows keep archives of the old elements, which do not decode",
      .fact(.identity, "neutral-and-dangerous", .likely), .error,
      wayOut: "write 'from:' with the property's own name and 'convert:' with an expression"),
    row(
      .attributeBecameValueType, "turn a plain attribute into an enum or struct, or back",
      .lightweight, .dropped,
      "the engine silently drops the old property and adds a new one, even if both are strings",
      .fact(.migration, "plain-to-composite", .likely), acknowledged: true, strict: true,
      wayOut:
        "copy the values with 'from:' and 'convert:', or acknowledge the loss under 'drops:' with a reason"
    ),
    row(
      .attributeBecameRelationship, "turn an attribute into a relationship, or back", .lightweight,
      .dropped, "the engine silently drops the old property and adds a new one",
      .fact(.migration, "attribute-to-relationship", .likely), acknowledged: true, strict: true,
      wayOut:
        "acknowledge the loss under 'drops:' with a reason, or give the new property another name"),
    row(
      .defaultChanged, "change a default", .none, .kept,
      "the default is not part of the version's identity; rows keep what they hold",
      .fact(.identity, "default-not-hashed", .certain)),
    row(
      .externalStorageAdded, "store an attribute externally", .lightweight, .kept,
      "the engine moves nothing: existing values stay in the row, new ones may go into files",
      .fact(.migration, "add-external-storage", .likely)),
    row(
      .externalStorageRemoved, "store an attribute internally again", .impossible, .atRisk,
      "the engine cannot infer this change: error 134140, underlying error 134190",
      .fact(.migration, "remove-external-storage", .likely), .error,
      wayOut:
        "write 'from:' with the property's own name and 'convert: $0': a bridge version copies the values"
    ),
    row(
      .preserveValueChanged, "change preserveValueOnDeletion", .lightweight, .kept,
      "the option is part of the version's identity; values stay",
      .fact(.migration, "preserve-value", .likely)),
    row(
      .cloudEncryptionChanged, "change allowsCloudEncryption", .none, .kept,
      "the option has no effect in the store; CloudKit never lets it change",
      .fact(.migration, "cloud-encryption-has-no-local-effect", .certain),
      .warning, acceptable: true,
      wayOut:
        "with CloudKit, add a new attribute instead; without CloudKit, accept the change with a reason"
    ),
    row(
      .attributeOptionChanged, "change an option that does not affect storage", .none, .kept,
      "spotlight is not part of the version's identity, nor is externalStorage of anything but Data",
      .fact(.identity, "external-storage-only-on-data", .likely)),
    row(
      .transformerChanged, "change a value transformer, or the type that it writes", .none, .atRisk,
      "old rows hold bytes of the old transformer, or archives that name the old class",
      .fact(.swiftData, "transformer-values-are-opaque", .unverified), .error, acceptable: true,
      wayOut: "accept the change with a reason if the new code reads what the old code wrote"),
    row(
      .hashModifierChanged, "change a hashModifier", .lightweight, .kept,
      "a hashModifier gives the version another identity and changes nothing else",
      .fact(.identity, "hash-modifier-is-hashed", .certain)),
    row(
      .hashModifierIgnored, "change a hashModifier of an enum or struct", .none, .kept,
      "the hashModifier reaches none of the type's columns, so the version's identity stays the same",
      .fact(.identity, "hash-modifier-on-composite", .certain)),
    row(
      .originalNameChanged, "change or omit an originalName", .none, .dropped,
      "the engine no longer finds the column, not even in a store of the previous version: its values are lost",
      .fact(.migration, "omitted-original-name-everywhere", .likely), .error,
      wayOut: "keep the first shipped name in every later version"),
    row(
      .encodedTypeChanged, "change the type that is stored as JSON", .none, .atRisk,
      "old rows keep their bytes: the new type may read other values from them; if it cannot read them, a property with "
        + "'encodes:' returns its fallback, and any other property may trap",
      .guide(.schemaMigration, "Phase 2, conversion methods"), .error, acceptable: true,
      wayOut: "write 'from:' and 'convert:', or accept the change with a reason"),
    row(
      .encodingChanged, "change the fallback for unreadable JSON", .none, .kept,
      "rows keep their values; only reading unreadable JSON changes",
      .guide(.schemaMigration, "Phase 2, conversion methods")),

    // MARK: Constraints and indexes
    row(
      .uniqueAdded, "make an attribute unique", .impossible, .atRisk,
      "the migration fails with error 134110, 'UNIQUE constraint failed', when two rows hold the same value",
      .fact(.migration, "unique-violation", .likely), .error,
      wayOut: "write 'dedupe:' to choose which of several equal rows stays"),
    row(
      .uniqueDeduped, "make an attribute unique, with a dedupe strategy", .custom, .dropped,
      "one of several equal rows stays, before the constraint is created",
      .fact(.migration, "add-unique", .certain)),
    row(
      .uniqueRemoved, "make an attribute no longer unique", .lightweight, .kept,
      "the engine drops the constraint", .fact(.migration, "remove-unique", .certain)),
    row(
      .compoundUniqueAdded, "add a unique constraint", .impossible, .atRisk,
      "the migration fails with error 134110, 'UNIQUE constraint failed', when two rows are equal in all its properties",
      .fact(.migration, "unique-violation", .likely), .error,
      wayOut: "write 'dedupe:' in the constraint to choose which of several equal rows stays"),
    row(
      .compoundUniqueDeduped, "add a unique constraint, with a dedupe strategy", .custom, .dropped,
      "one of several equal rows stays, before the constraint is created",
      .fact(.migration, "add-unique", .certain)),
    row(
      .compoundUniqueImplied, "add a unique constraint, part of which was already unique",
      .lightweight, .kept, "no two rows can be equal in all its properties",
      .fact(.migration, "add-unique", .certain)),
    row(
      .compoundUniqueRemoved, "remove a unique constraint", .lightweight, .kept,
      "the engine drops the constraint", .fact(.migration, "remove-unique", .certain)),
    row(
      .indexAdded, "add an index", .lightweight, .kept,
      "any migration builds all indexes; if nothing else triggers a migration, a hashModifier does",
      .fact(.migration, "index-needs-a-migration", .likely)),
    row(
      .indexRemoved, "remove an index", .lightweight, .kept,
      "any migration drops the index; if nothing else triggers a migration, a hashModifier does",
      .fact(.migration, "index-needs-a-migration", .likely)),

    // MARK: Relationships
    row(
      .relationshipAdded, "add an optional or to-many relationship", .lightweight, .defaulted,
      "old rows have no links", .fact(.migration, "add-relationship", .certain)),
    row(
      .mandatoryRelationship, "add a mandatory relationship", .impossible, .atRisk,
      "the migration fails as soon as one row exists, even with a default in Swift",
      .fact(.migration, "add-mandatory-relationship", .likely), .error,
      wayOut:
        "make the relationship optional, or write 'from:' or 'fill:' with a function that finds its target"
    ),
    row(
      .relationshipFilled, "add a relationship with a function that finds its target", .custom,
      .converted, "the function is called for each row in a bridge version",
      .fact(.migration, "bridge-copies-on-disk", .likely)),
    row(
      .relationshipLinked, "add a relationship between rows made from one row", .custom, .converted,
      "the step makes the two rows from one old row while all three are on disk, and links them",
      .fact(.migration, "bridge-copies-on-disk", .likely)),
    row(
      .relationshipRemoved, "remove a relationship", .lightweight, .dropped,
      "the engine forgets which rows belonged together",
      .fact(.migration, "remove-relationship", .certain),
      acknowledged: true, strict: true,
      wayOut: "acknowledge the loss under 'drops:' with a reason"),
    row(
      .relationshipRenamed, "rename a relationship", .lightweight, .kept,
      "originalName tells the engine the relationship's old name",
      .fact(.migration, "rename-with-original-name", .certain),
      strict: true),
    row(
      .relationshipMadeOptional, "make a relationship optional", .lightweight, .kept,
      "every old link is still valid", .fact(.migration, "required-to-optional", .certain)),
    row(
      .relationshipMadeRequired, "make a relationship mandatory", .impossible, .atRisk,
      "the migration fails as soon as one row has no link",
      .fact(.migration, "relationship-made-mandatory", .likely), .error,
      wayOut: "keep the relationship optional, or write 'fill:' with a function that finds a target"
    ),
    row(
      .toManyOptionality, "change whether a to-many relationship is optional", .lightweight, .kept,
      "a store does not distinguish no links from nil",
      .fact(.migration, "to-many-optionality", .likely)),
    row(
      .toOneToMany, "turn a to-one relationship into a to-many one", .lightweight, .kept,
      "the inverse stays: the one link becomes the first of many",
      .fact(.migration, "to-one-to-to-many", .certain)),
    row(
      .toOneToManyNewInverse, "turn a to-one relationship into a to-many one with a new inverse",
      .impossible, .atRisk,
      "with an inverse that is new in the same step, every link is lost silently",
      .fact(.migration, "to-one-to-to-many-new-inverse", .likely), .error,
      wayOut:
        "give the relationship its inverse one version earlier, or write 'from:' with the property's own name and "
        + "'convert: { function: … }'"),
    row(
      .toOneToManyNoInverse, "turn a to-one relationship into a to-many one without an inverse",
      .impossible, .atRisk,
      "without an inverse the migration fails: 'Unsupported relationship migration'",
      .fact(.migration, "to-one-to-to-many-no-inverse", .likely), .error,
      wayOut:
        "give the relationship an inverse one version earlier, or write 'from:' with the property's own name and "
        + "'convert: { function: … }'"),
    row(
      .toManyToOne, "turn a to-many relationship into a to-one one", .impossible, .atRisk,
      "the engine cannot infer this change: error 134140, underlying error 134190",
      .fact(.migration, "to-many-to-to-one", .likely),
      .error,
      wayOut:
        "write 'from:' with the property's own name and 'convert: { function: … }' to choose one link"
    ),
    row(
      .relationshipMadeExclusive, "make a relationship exclusive", .lightweight, .atRisk,
      "the row at the other end stores the link: if several rows led to that row, only one still does",
      .fact(.migration, "one-owner-per-row", .likely), .error, acceptable: true,
      wayOut:
        "give the relationship a to-many inverse, or accept the change with a reason if no two rows lead to the same "
        + "row"),
    row(
      .destinationChanged, "change a relationship's destination", .impossible, .atRisk,
      "the engine copies the old keys as they are: links lead to rows of the other model with the same keys",
      .fact(.migration, "destination-change", .likely), .error,
      wayOut:
        "write 'from:' and 'convert: { function: … }', or give the new relationship another name"),
    row(
      .destinationFollowed, "follow a renamed model with a relationship", .custom, .kept,
      "the bridge version that transfers the model's rows sets the links again",
      .fact(.migration, "bridge-copies-on-disk", .likely)),
    row(
      .inverseChanged, "change a relationship's inverse", .lightweight, .kept,
      "the inverse's name is part of the version's identity; links are mapped by the property's name",
      .fact(.migration, "inverse-name-change", .likely), .warning, acceptable: true,
      wayOut: "try the migration on a copy of a real store, and accept the change with a reason"),
    row(
      .deleteRuleChanged, "change a delete rule", .none, .kept,
      "the delete rule is not part of the version's identity; no row changes",
      .fact(.identity, "delete-rule-not-hashed", .certain)),
    row(
      .relationshipWidened, "widen a relationship's bounds", .lightweight, .kept,
      "the bounds are part of the version's identity; every old row is still allowed",
      .fact(.identity, "counts-are-hashed", .certain)),
    row(
      .relationshipNarrowed, "narrow a relationship's bounds", .lightweight, .atRisk,
      "rows with fewer or more links than the new bounds allow fail to validate",
      .fact(.migration, "count-change", .likely), .error, acceptable: true,
      wayOut: "accept the change with a reason if no row can be outside the new bounds"),

    // MARK: Value types
    row(
      .valueTypeAdded, "declare a value type", .none, .kept,
      "a type alone stores nothing", .fact(.identity, "types-alone-store-nothing", .certain)),
    row(
      .valueTypeRemoved, "remove a value type", .none, .kept,
      "a type alone stores nothing", .fact(.identity, "types-alone-store-nothing", .certain)),
    row(
      .valueTypeChanged, "replace a value type with one that has other columns", .impossible,
      .atRisk,
      "the columns of old stores are not those of the new type: the engine drops their values, or does not open the store",
      .fact(.migration, "change-value-type-kind", .likely), .error,
      wayOut:
        "declare the new type under another name, and convert the values into properties with new names"
    ),
    row(
      .valueCodingChanged, "change the code with which a type encodes itself", .none, .kept,
      "a person has confirmed that the new code reads what the old code wrote",
      .fact(.identity, "struct-leaves", .likely)
    ),
    row(
      .enumCaseAdded, "add a case to an enum with raw values", .none, .kept,
      "no old row holds the new case", .fact(.identity, "enum-cases-neutral", .certain)),
    row(
      .enumCaseRemoved, "remove a case of an enum with raw values", .none, .atRisk,
      "the engine sees no change; old rows that hold the case may not decode",
      .fact(.migration, "raw-value-change", .likely), .error, acceptable: true,
      wayOut:
        "keep the case, or say what becomes of the rows that hold it"
    ),
    row(
      .enumCaseRenamed, "rename a case of an enum and keep its raw value", .none, .kept,
      "rows hold the raw value, which stays", .fact(.identity, "enum-cases-neutral", .certain)),
    row(
      .enumCaseCarried, "rename a case of an enum and its raw value", .custom, .converted,
      "the engine sees no change: each row that holds the old raw value gets the new one before the version changes",
      .fact(.identity, "enum-cases-neutral", .certain)),
    row(
      .enumCaseReplaced, "replace a case of an enum by another", .custom, .converted,
      "the engine sees no change: each row that holds the case gets the other case before the version changes",
      .fact(.identity, "enum-cases-neutral", .certain)),
    row(
      .plainEnumCaseAdded, "add a case to an enum without raw values", .lightweight, .kept,
      "each case is a column: the engine adds a column",
      .fact(.migration, "plain-enum-cases", .likely)),
    row(
      .plainEnumCaseRemoved, "remove or rename a case of an enum without raw values", .lightweight,
      .dropped,
      "each case is a column: the engine drops the column, and rows that hold the case are left without a value",
      .fact(.migration, "plain-enum-cases", .likely), acknowledged: true,
      wayOut: "keep the case, or acknowledge its removal under 'drops:' if no row holds the case"),
    row(
      .enumCasesRenamed, "replace an enum with one that shares no case names", .none, .kept,
      "rows keep their values, and each is read as the case that now has that value: the names do not show whether that case means the same",
      .fact(.identity, "enum-cases-neutral", .certain), .warning, acceptable: true,
      wayOut: "compare each value with the case that reads it, and accept the change with a reason"),
    row(
      .rawValueChanged, "change a raw value", .none, .atRisk,
      "the engine sees no change; old rows hold the old raw value and may not decode",
      .fact(.migration, "raw-value-change", .likely), .error, acceptable: true,
      wayOut:
        "keep the raw value, change it in the rows with 'renamedFrom:', or accept the change with a reason"
    ),
    row(
      .structFieldAddedOptional, "add an optional field to a Codable struct", .lightweight,
      .defaulted, "the engine matches fields by path; old rows hold nil",
      .fact(.migration, "add-optional-field", .likely)),
    row(
      .structFieldAdded, "add a required field to a Codable struct that a required property holds",
      .impossible, .atRisk,
      "the migration fails with error 134110 as soon as one row exists: no default reaches a field",
      .fact(.migration, "add-required-field", .likely), .error,
      wayOut: "make the field optional, or declare the struct under another name and convert"),
    row(
      .structFieldNullTrap,
      "add a required field to a Codable struct that only optional properties hold, or a field of an enum type",
      .lightweight, .atRisk,
      "old rows hold NULL in the field, and reading the struct from such a row may trap",
      .fact(.migration, "add-required-field-in-optional", .likely), .error, acceptable: true,
      wayOut: "make the field optional, or accept the change with a reason"),
    row(
      .structFieldRemoved, "remove a field of a Codable struct", .lightweight, .dropped,
      "the engine drops the field with all its values",
      .fact(.migration, "remove-field", .likely),
      acknowledged: true,
      wayOut: "acknowledge the loss under 'drops:' with a reason"),
    row(
      .structFieldChanged, "change the type of a Codable struct's field", .impossible, .atRisk,
      "the engine cannot infer this change: error 134140, underlying error 134190",
      .fact(.migration, "change-field-type", .likely), .error,
      wayOut: "add a field of another name, or declare the struct under another name and convert"),
    row(
      .structFieldNumberChanged, "change the number type of a Codable struct's field", .lightweight,
      .converted,
      "the engine copies the number as it is: a fraction is cut off when read, and no range is checked",
      .fact(.migration, "change-field-type", .likely), .warning, acceptable: true,
      wayOut: "add a field of another name instead, or accept the change with a reason"),
    row(
      .structFieldMadeOptional, "make a field of a Codable struct optional", .lightweight, .kept,
      "every old value is still valid", .fact(.migration, "element-matching", .likely)),
    row(
      .structFieldMadeRequired, "make a field of a Codable struct required", .impossible, .atRisk,
      "as soon as one row holds nil in the field, the migration fails, or reading the row traps",
      .fact(.migration, "field-to-required", .likely), .error,
      wayOut: "keep the field optional, or declare the struct under another name and convert"),
    row(
      .structFieldDefaultChanged, "change a field's default", .none, .kept,
      "rows keep what they hold", .fact(.migration, "field-default", .likely)),

    // MARK: What no store sees
    row(
      .initializerDefaultChanged, "change a default in the initialiser", .none,
      .kept, "code that makes rows changes, the store does not",
      .fact(.identity, "not-hashed", .certain)),
    row(
      .entityMappingChanged, "change how a model maps to its entity", .none, .kept,
      "converters change, the store does not",
      .guide(.schemaMigration, "Phase 4, backward compatibility")),
    row(
      .documentationChanged, "change documentation", .none, .kept,
      "comments change, the store does not", .fact(.identity, "not-hashed", .certain)),
  ]

  package static subscript(kind: ChangeKind) -> Classification { byKind[kind]! }

  // A test checks that every kind has exactly one row.
  private static let byKind: [ChangeKind: Classification] = Dictionary(
    uniqueKeysWithValues: rows.map { ($0.kind, $0) })

  private static func row(
    _ kind: ChangeKind, _ title: String, _ mechanism: Mechanism, _ effect: DataEffect,
    _ reason: String, _ basis: Basis, _ severity: Diagnostic.Severity? = nil,
    acceptable: Bool = false, acknowledged: Bool = false, strict: Bool = false,
    wayOut: String? = nil
  ) -> Classification {
    Classification(
      kind: kind, title: title, mechanism: mechanism, effect: effect, reason: reason, basis: basis,
      severity: severity, isAcceptable: acceptable, needsAcknowledgement: acknowledged,
      isCustomWhenStrict: strict, wayOut: wayOut)
  }
}
