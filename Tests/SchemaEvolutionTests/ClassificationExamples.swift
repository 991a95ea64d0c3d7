import SchemaModel
import Testing

@testable import SchemaEvolution

/// One row of the tests' own table: two versions, and the expected classification of their difference. It repeats the
/// facts on purpose, so that a mistake in the classification table fails a test.
struct ClassificationExample: Sendable, CustomTestStringConvertible {
  var kind: ChangeKind
  var element: String
  var mechanism: Mechanism
  var effect: DataEffect
  /// The finding for the change: its rule and severity.
  var finding: (rule: String, severity: Diagnostic.Severity)?
  /// Parts of the help.
  var help: [String]
  var old: String
  var new: String
  /// Other changes that inevitably come with it.
  var others: [ChangeKind]

  var testDescription: String { kind.rawValue }

  /// On systems before 26 a row may have another severity.
  var platforms: [Configuration.Platform: Int] { kind == .structFieldNullTrap ? [.iOS: 26] : [:] }

  var cloudKit: Configuration.CloudKit { kind == .renamedUnderCloudKit ? .private : .none }

  init(
    _ kind: ChangeKind, _ element: String, _ mechanism: Mechanism, _ effect: DataEffect,
    _ old: String, _ new: String, with others: [ChangeKind] = [],
    _ severity: Diagnostic.Severity? = nil, rule: String? = nil, help: [String] = []
  ) {
    self.kind = kind
    self.element = element
    self.mechanism = mechanism
    self.effect = effect
    self.old = old
    self.new = new
    self.others = others
    self.help = help
    finding = severity.map { (rule ?? kind.rawValue, $0) }
  }
}

extension ClassificationExample {
  private static func one(
    _ properties: String = "", _ keys: String = "", _ top: String = ""
  ) -> String { Manifests.one(properties, keys, top) }

  private static func two(_ a: String, _ b: String, _ top: String = "") -> String {
    Manifests.two(a, b, top)
  }

  private static func types(_ types: String, _ property: String = "x: T?") -> String {
    one(property, "", "types: { T: \(types) }")
  }

  private static let gone = "unacknowledged-drop"

  static let all: [ClassificationExample] =
    models + attributesThatMove + attributesThatStay + options + constraints + relationships
    + valueTypes

  static let models: [ClassificationExample] = [
    .init(.modelAdded, "B", .lightweight, .kept, one(), two("", "x: String")),
    .init(
      .modelRemoved, "B", .lightweight, .dropped, two("", "x: String"), one(), .error, rule: gone,
      help: ["drops: { B: \"why\" }", "renamedFrom: B"]),
    .init(
      .modelRenamed, "C", .custom, .kept, one("x: String"),
      "models: { C: { renamedFrom: A, properties: { id: Int, x: String } } }"),
    .init(
      .modelDerived, "B", .custom, .converted, one("x: String"),
      "models: { A: { properties: { id: Int, x: String } }, B: { from: A, properties: { id: Int, a: { relationship: A? } } } }"
    ),
    .init(
      .subclassAdded, "B", .lightweight, .kept, one(),
      "models: { A: { properties: { id: Int } }, B: { inherits: A, properties: { x: Int } } }"),
    .init(
      .superclassChanged, "B", .impossible, .atRisk,
      "models: { A: { properties: { id: Int } }, B: { inherits: A, properties: { x: Int } } }",
      "models: { A: { properties: { id: Int } }, B: { properties: { x: Int } } }", .error,
      help: ["from:"]),
  ]

  static let attributesThatMove: [ClassificationExample] = [
    .init(.optionalAttributeAdded, "A.x", .lightweight, .defaulted, one(), one("x: Int?")),
    .init(.defaultedAttributeAdded, "A.x", .lightweight, .defaulted, one(), one("x: Int = 0")),
    .init(
      .sharedDefault, "A.x", .lightweight, .defaulted, one(), one("x: Date = Date()"), .warning,
      help: ["x: { type: Date, default: Date(), fill: Date() }", "accept: [{ rule: shared-default"]),
    .init(
      .missingDefault, "A.x", .impossible, .atRisk, one(), one("x: Int"), .error,
      help: ["give a default", "x: { type: Int, fill: 0 }"]),
    .init(
      .nullTrap, "A.x", .impossible, .atRisk, types("{ enum: String, cases: [a] }", ""),
      types("{ enum: String, cases: [a] }", "x: T = T.a"), .error,
      help: ["make the attribute optional", "x: { type: T, default: T.a, fill: T.a }"]),
    .init(
      .requiredStructAdded, "A.x", .impossible, .atRisk,
      types("{ struct: { a: Int, b: Int? } }", ""),
      types("{ struct: { a: Int, b: Int? } }", "x: { type: T, default: 'T(a: 1)' }"), .error,
      help: ["make the attribute optional", "fill: 'T(a: 1)'"]),
    .init(
      .structOfOptionalsAdded, "A.x", .lightweight, .defaulted,
      types("{ struct: { a: Int? } }", ""),
      types("{ struct: { a: Int? } }", "x: { type: T, default: T() }")),
    .init(
      .attributeFilled, "A.x", .custom, .defaulted, one(), one("x: { type: UUID, fill: UUID() }")),
    .init(
      .attributeConverted, "A.y", .custom, .converted, one("x: Int"),
      one("y: { type: String, from: x, convert: 'String($0)', revert: 'Int($0) ?? 0' }")),
    .init(
      .attributeRemoved, "A.x", .lightweight, .dropped, one("x: Int"), one(), .error, rule: gone,
      help: ["drops: { A.x: \"why\" }", "renamedFrom: x"]),
    .init(
      .attributeRenamed, "A.y", .lightweight, .kept, one("x: Int"),
      one("y: { type: Int, renamedFrom: x }")),
    .init(
      .codableAttributeRenamed, "A.y", .impossible, .atRisk,
      types("{ enum: String, cases: [a] }"),
      types("{ enum: String, cases: [a] }", "y: { type: T?, renamedFrom: x }"), .error,
      help: ["platforms: { iOS: 26 }", "y: { type: T?, from: x, convert: $0 }"]),
    .init(
      .renamedUnderCloudKit, "A.y", .impossible, .atRisk, one("x: Int = 0"),
      one("y: { type: Int, default: 0, renamedFrom: x }"), .error,
      help: ["let the app fill it", "x: { type: Int, default: 0, entityProperty: y }"]),
    .init(
      .storedToTransient, "A.x", .lightweight, .dropped, one("x: Int?"),
      one("x: { type: Int?, transient: true }"), .error, rule: gone,
      help: ["drops: { A.x: \"why\" }"]),
    .init(
      .transientChanged, "A.x", .none, .kept, one(), one("x: { type: Int?, transient: true }")),
  ]

  static let attributesThatStay: [ClassificationExample] = [
    .init(.attributeMadeOptional, "A.x", .lightweight, .kept, one("x: Int"), one("x: Int?")),
    .init(
      .attributeMadeRequiredDefaulted, "A.x", .lightweight, .defaulted, one("x: Int?"),
      one("x: Int = 0"), with: [.defaultChanged]),
    .init(
      .attributeMadeRequiredFilled, "A.x", .custom, .defaulted, one("x: Int?"),
      one("x: { type: Int, fill: 0 }")),
    .init(
      .requiredWithoutFill, "A.x", .impossible, .atRisk, one("x: Int?"), one("x: Int"), .error,
      help: ["fill:", "x: { type: Int, fill: 0 }"]),
    .init(
      .enumMadeRequired, "A.x", .impossible, .atRisk, types("{ enum: String, cases: [a] }"),
      types("{ enum: String, cases: [a] }", "x: T = T.a"), with: [.defaultChanged], .error,
      help: ["keep the enum optional", "x: { type: T, default: T.a, fill: T.a }"]),
    .init(
      .valueTypeOptionality, "A.x", .none, .kept, types("{ enum: String, cases: [a] }", "x: T"),
      types("{ enum: String, cases: [a] }")),
    .init(
      .numberTypeChanged, "A.x", .lightweight, .converted, one("x: Int"), one("x: Double"),
      .warning, help: ["convert:", "accept: [{ rule: number-type-changed, element: A.x"]),
    .init(
      .numberRangeChanged, "A.x", .none, .atRisk, one("x: Int"), one("x: UInt"), .warning,
      help: [
        "x: { type: UInt, from: x, convert: 'UInt(exactly: $0) ?? 0' }",
        "accept: [{ rule: number-range-changed, element: A.x",
      ]),
    .init(.typeRespelled, "A.x", .none, .kept, one("x: Double"), one("x: TimeInterval")),
    .init(
      .typeChanged, "A.x", .impossible, .atRisk, one("x: Int"), one("x: String"), .error,
      help: ["x: { type: String, from: x, convert: String($0) }"]),
    .init(
      .arrayElementChanged, "A.x", .impossible, .atRisk, one("x: '[String]'"), one("x: '[Int]'"),
      .error, help: ["x: { type: '[Int]', from: x, convert: … }"]),
    .init(
      .attributeBecameValueType, "A.x", .lightweight, .dropped,
      types("{ enum: String, cases: [a] }", "x: String"), types("{ enum: String, cases: [a] }"),
      .error, rule: gone,
      help: ["drops: { A.x: \"why\" }", "newX: { type: T?, from: x, convert: 'T(rawValue: $0)' }"]),
    .init(
      .attributeBecameRelationship, "A.x", .lightweight, .dropped, two("x: Int?", ""),
      two("x: { relationship: B? }", ""), .error, rule: gone, help: ["drops: { A.x: \"why\" }"]),
    .init(.defaultChanged, "A.x", .none, .kept, one("x: Int = 0"), one("x: Int = 1")),
  ]

  static let options: [ClassificationExample] = [
    .init(
      .externalStorageAdded, "A.x", .lightweight, .kept, one("x: Data?"),
      one("x: { type: Data?, externalStorage: true }")),
    .init(
      .externalStorageRemoved, "A.x", .impossible, .atRisk,
      one("x: { type: Data?, externalStorage: true }"), one("x: Data?"), .error,
      help: ["x: { type: Data?, from: x, convert: $0 }"]),
    .init(
      .preserveValueChanged, "A.x", .lightweight, .kept, one("x: Int"),
      one("x: { type: Int, preserveValueOnDeletion: true }")),
    .init(
      .cloudEncryptionChanged, "A.x", .none, .kept, one("x: Int"),
      one("x: { type: Int, allowsCloudEncryption: true }"), .warning,
      help: ["CloudKit", "accept: [{ rule: cloud-encryption-changed"]),
    .init(
      .attributeOptionChanged, "A.x", .none, .kept, one("x: Int"),
      one("x: { type: Int, spotlight: true }")),
    .init(
      .transformerChanged, "A.x", .none, .atRisk, one("x: { type: Data?, transformable: T1 }"),
      one("x: { type: Data?, transformable: T2 }"), .error,
      help: ["accept: [{ rule: transformer-changed"]),
    .init(
      .hashModifierChanged, "A.x", .lightweight, .kept, one("x: Int"),
      one("x: { type: Int, hashModifier: a }")),
    .init(
      .hashModifierIgnored, "A.x", .none, .kept, types("{ enum: String, cases: [a] }"),
      types("{ enum: String, cases: [a] }", "x: { type: T?, hashModifier: a }")),
    .init(
      .originalNameChanged, "A.x", .none, .dropped, one("x: { type: Int, originalName: w }"),
      one("x: Int"), .error, help: ["keep the first shipped name"]),
    .init(
      .encodedTypeChanged, "A.x", .none, .atRisk,
      one("x: { type: Data, encodes: String, fallback: '\"\"' }"),
      one("x: { type: Data, encodes: '[String]', fallback: '[]' }"), with: [.encodingChanged],
      .error, help: ["from:", "accept: [{ rule: encoded-type-changed"]),
    .init(
      .encodingChanged, "A.x", .none, .kept,
      one("x: { type: Data, encodes: Int, fallback: 0 }"),
      one("x: { type: Data, encodes: Int, fallback: 1 }")),
  ]

  static let constraints: [ClassificationExample] = [
    .init(
      .uniqueAdded, "A.x", .impossible, .atRisk, one("x: Int"),
      one("x: { type: Int, unique: true }"),
      .error, help: ["x: { type: Int, unique: true, dedupe: { latest: … } }"]),
    .init(
      .uniqueDeduped, "A.x", .custom, .dropped, one("x: Int"),
      one("x: { type: Int, unique: true, dedupe: { latest: id } }")),
    .init(
      .uniqueRemoved, "A.x", .lightweight, .kept, one("x: { type: Int, unique: true }"),
      one("x: Int")),
    .init(
      .compoundUniqueAdded, "A", .impossible, .atRisk, one("x: Int"),
      one("x: Int", "unique: [[id, x]]"), .error, help: ["dedupe:"]),
    .init(
      .compoundUniqueDeduped, "A", .custom, .dropped, one("x: Int"),
      one("x: Int", "unique: [{ keys: [id, x], dedupe: { earliest: id } }]")),
    .init(
      .compoundUniqueImplied, "A", .lightweight, .kept, one("x: { type: Int, unique: true }"),
      one("x: { type: Int, unique: true }", "unique: [[id, x]]")),
    .init(
      .compoundUniqueRemoved, "A", .lightweight, .kept, one("x: Int", "unique: [[id, x]]"),
      one("x: Int")),
    .init(.indexAdded, "A", .lightweight, .kept, one("x: Int"), one("x: Int", "index: [[x]]")),
    .init(.indexRemoved, "A", .lightweight, .kept, one("x: Int", "index: [[x]]"), one("x: Int")),
  ]

  static let relationships: [ClassificationExample] = [
    .init(
      .relationshipAdded, "A.x", .lightweight, .defaulted, two("", ""),
      two("x: { relationship: B? }", "")),
    .init(
      .mandatoryRelationship, "A.x", .impossible, .atRisk, two("", ""),
      two("x: { relationship: B }", ""), .error,
      help: ["make the relationship optional", "x: { relationship: B, fill: { function: x } }"]),
    .init(
      .relationshipFilled, "A.x", .custom, .converted, two("", ""),
      two("x: { relationship: B, inEntity: omit, fill: { function: findB } }", "")),
    .init(
      .relationshipLinked, "A.x", .custom, .converted, one("y: String"),
      "models: { A: { properties: { id: Int, y: String, x: { relationship: B } } }, B: { from: A, properties: { id: Int } } }",
      with: [.modelDerived]),
    .init(
      .relationshipRemoved, "A.x", .lightweight, .dropped, two("x: { relationship: B? }", ""),
      two("", ""), .error, rule: gone, help: ["drops: { A.x: \"why\" }"]),
    .init(
      .relationshipRenamed, "A.y", .lightweight, .kept, two("x: { relationship: B? }", ""),
      two("y: { relationship: B?, renamedFrom: x }", "")),
    .init(
      .relationshipMadeOptional, "A.x", .lightweight, .kept, two("x: { relationship: B }", ""),
      two("x: { relationship: B? }", "")),
    .init(
      .relationshipMadeRequired, "A.x", .impossible, .atRisk, two("x: { relationship: B? }", ""),
      two("x: { relationship: B }", ""), .error,
      help: ["keep the relationship optional", "fill: { function: x }"]),
    .init(
      .toManyOptionality, "A.x", .lightweight, .kept, two("x: { relationship: '[B]' }", ""),
      two("x: { relationship: '[B]?' }", "")),
    .init(
      .toOneToMany, "A.x", .lightweight, .kept,
      two("x: { relationship: B?, inverse: y }", "y: { relationship: '[A]' }"),
      two("x: { relationship: '[B]', inverse: y }", "y: { relationship: '[A]' }")),
    .init(
      .toOneToManyNewInverse, "A.x", .impossible, .atRisk, two("x: { relationship: B? }", ""),
      two("x: { relationship: '[B]', inverse: y }", "y: { relationship: '[A]' }"),
      with: [.relationshipAdded], .error,
      help: ["one version earlier", "from: x, convert: { function: x } }"]),
    .init(
      .toOneToManyNoInverse, "A.x", .impossible, .atRisk, two("x: { relationship: B? }", ""),
      two("x: { relationship: '[B]' }", ""), .error,
      help: ["one version earlier", "from: x, convert: { function: x } }"]),
    .init(
      .relationshipMadeExclusive, "A.x", .lightweight, .atRisk,
      two("x: { relationship: '[B]', inverse: y }", "y: { relationship: '[A]' }"),
      two("x: { relationship: '[B]' }", "y: { relationship: '[A]' }"),
      with: [.relationshipMadeExclusive], .error,
      help: ["to-many inverse", "accept: [{ rule: relationship-made-exclusive"]),
    .init(
      .toManyToOne, "A.x", .impossible, .atRisk, two("x: { relationship: '[B]' }", ""),
      two("x: { relationship: B? }", ""), .error,
      help: ["x: { relationship: B?, from: x, convert: { function: x } }"]),
    .init(
      .destinationChanged, "A.x", .impossible, .atRisk, two("x: { relationship: B? }", ""),
      two("x: { relationship: A? }", ""), .error, help: ["convert: { function: x }"]),
    .init(
      .destinationFollowed, "A.x", .custom, .kept, two("x: { relationship: B? }", "y: String"),
      """
      models:
        A: { properties: { id: Int, x: { relationship: C? } } }
        C: { renamedFrom: B, properties: { id: Int, y: String } }
      """, with: [.modelRenamed]),
    .init(
      .inverseChanged, "A.x", .lightweight, .kept,
      two(
        "x: { relationship: B?, inverse: y }", "y: { relationship: A? }, z: { relationship: A? }"),
      two(
        "x: { relationship: B?, inverse: z }", "y: { relationship: A? }, z: { relationship: A? }"),
      with: [.inverseChanged, .relationshipMadeExclusive], .warning,
      help: ["real store", "accept: [{ rule: inverse-changed"]),
    .init(
      .deleteRuleChanged, "A.x", .none, .kept, two("x: { relationship: B? }", ""),
      two("x: { relationship: B?, deleteRule: cascade }", "")),
    .init(
      .relationshipWidened, "A.x", .lightweight, .kept,
      two("x: { relationship: '[B]', maximum: 3 }", ""),
      two("x: { relationship: '[B]', maximum: 5 }", "")),
    .init(
      .relationshipNarrowed, "A.x", .lightweight, .atRisk, two("x: { relationship: '[B]' }", ""),
      two("x: { relationship: '[B]', maximum: 5 }", ""), .error,
      help: ["accept: [{ rule: relationship-narrowed"]),
  ]

  static let valueTypes: [ClassificationExample] = [
    .init(.valueTypeAdded, "T", .none, .kept, one(), types("{ enum: String, cases: [a] }", "")),
    .init(.valueTypeRemoved, "T", .none, .kept, types("{ enum: String, cases: [a] }", ""), one()),
    .init(
      .valueTypeChanged, "T", .impossible, .atRisk, types("{ enum: none, cases: [a] }"),
      types("{ struct: { a: Int } }"), .error, help: ["another name"]),
    .init(
      .valueCodingChanged, "T", .none, .kept, types("{ opaque: true, coding: a0 }"),
      types("{ opaque: true, coding: b0 }")),
    .init(
      .enumCaseAdded, "T.b", .none, .kept, types("{ enum: String, cases: [a] }"),
      types("{ enum: String, cases: [a, b] }")),
    .init(
      .enumCaseRemoved, "T.b", .none, .atRisk, types("{ enum: String, cases: [a, b] }"),
      types("{ enum: String, cases: [a] }"), .error,
      help: [
        "drops: { T.b: { reason: \"why\", replacedBy: … } }",
        "if no row holds the case: drops: { T.b",
      ]),
    .init(
      .enumCaseRenamed, "T.b", .none, .kept, types("{ enum: Int, cases: { a: 1 } }"),
      types("{ enum: Int, cases: { b: { rawValue: 1, renamedFrom: a } } }")),
    .init(
      .enumCaseCarried, "T.b", .custom, .converted, types("{ enum: String, cases: [a, c] }"),
      types("{ enum: String, cases: [b: { renamedFrom: a }, c] }")),
    .init(
      .enumCaseReplaced, "T.b", .custom, .converted, types("{ enum: String, cases: [a, b] }"),
      types("{ enum: String, cases: [a] }")
        + "\ndrops: { T.b: { reason: it is a, replacedBy: a } }"),
    .init(
      .plainEnumCaseAdded, "T.b", .lightweight, .kept, types("{ enum: none, cases: [a] }"),
      types("{ enum: none, cases: [a, b] }")),
    .init(
      .plainEnumCaseRemoved, "T.b", .lightweight, .dropped, types("{ enum: none, cases: [a, b] }"),
      types("{ enum: none, cases: [a] }"), .error, rule: gone, help: ["drops: { T.b: \"why\" }"]),
    .init(
      .enumCasesRenamed, "A.x", .none, .kept,
      one("x: T?", "", "types: { T: { enum: String, cases: [a, b] } }"),
      one("x: U?", "", "types: { U: { enum: String, cases: { c: b, d: a } } }"),
      with: [.valueTypeAdded, .valueTypeRemoved], .warning,
      help: ["compare each value", "accept: [{ rule: enum-cases-renamed, element: A.x"]),
    .init(
      .rawValueChanged, "T.a", .none, .atRisk, types("{ enum: Int, cases: { a: 1 } }"),
      types("{ enum: Int, cases: { a: 2 } }"), .error,
      help: [
        "keep the raw value", "to give the rows the new raw value: cases: { ",
        "accept: [{ rule: raw-value-changed",
      ]),
    .init(
      .structFieldAddedOptional, "T.b", .lightweight, .defaulted, types("{ struct: { a: Int } }"),
      types("{ struct: { a: Int, b: Int? } }")),
    .init(
      .structFieldAdded, "T.b", .impossible, .atRisk, types("{ struct: { a: Int } }", "x: T"),
      types("{ struct: { a: Int, b: Int = 0 } }", "x: T"), .error,
      help: ["make the field optional", "another name"]),
    .init(
      .structFieldNullTrap, "T.b", .lightweight, .atRisk, types("{ struct: { a: Int } }"),
      types("{ struct: { a: Int, b: Int } }"), .error,
      help: ["optional", "accept: [{ rule: struct-field-null-trap"]),
    .init(
      .structFieldRemoved, "T.b", .lightweight, .dropped, types("{ struct: { a: Int, b: Int } }"),
      types("{ struct: { a: Int } }"), .error, rule: gone, help: ["drops: { T.b: \"why\" }"]),
    .init(
      .structFieldChanged, "T.a", .impossible, .atRisk, types("{ struct: { a: Int } }"),
      types("{ struct: { a: String } }"), .error, help: ["another name"]),
    .init(
      .structFieldNumberChanged, "T.a", .lightweight, .converted, types("{ struct: { a: Int } }"),
      types("{ struct: { a: Double } }"), .warning,
      help: ["accept: [{ rule: struct-field-number-changed"]),
    .init(
      .structFieldMadeOptional, "T.a", .lightweight, .kept, types("{ struct: { a: Int } }"),
      types("{ struct: { a: Int? } }")),
    .init(
      .structFieldMadeRequired, "T.a", .impossible, .atRisk, types("{ struct: { a: Int? } }"),
      types("{ struct: { a: Int } }"), .error, help: ["keep the field optional"]),
    .init(
      .structFieldDefaultChanged, "T.a", .none, .kept, types("{ struct: { a: Int = 0 } }"),
      types("{ struct: { a: Int = 1 } }")),
    .init(
      .initializerDefaultChanged, "A.x", .none, .kept, one("x: Int"),
      one("x: { type: Int, init: 1 }")),
    .init(
      .entityMappingChanged, "A.x", .none, .kept, one("x: Int"),
      one("x: { type: Int, entityProperty: y }")),
    .init(
      .documentationChanged, "A.x", .none, .kept, one("x: Int"),
      one("x: { type: Int, doc: More. }")),
  ]
}
