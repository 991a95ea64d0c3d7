import SchemaModel
import Testing

@testable import SchemaEvolution

/// Every row of the classification table, each with an example.
@Suite struct ClassificationTests {
  @Test func everyKindHasOneRowAndOneExample() {
    #expect(ClassificationTable.rows.map(\.kind) == ChangeKind.allCases)
    let examples = ClassificationExample.all.map(\.kind.rawValue).sorted()
    #expect(examples == ChangeKind.allCases.map(\.rawValue).sorted())
  }

  @Test(arguments: ClassificationExample.all)
  func isClassified(_ example: ClassificationExample) throws {
    let evolution = try Manifests.evolution(
      example.old, example.new, cloudKit: example.cloudKit, platforms: example.platforms)
    let changes = evolution.steps[0].changes
    let kinds = changes.map(\.kind.rawValue).sorted()
    #expect(kinds == ([example.kind] + example.others).map(\.rawValue).sorted())
    let change = try #require(changes.first { $0.kind == example.kind })
    #expect(change.element.description == example.element)
    #expect(change.mechanism == example.mechanism)
    #expect(change.effect == example.effect)
    #expect(!change.reason.isEmpty)
  }

  @Test(arguments: ClassificationExample.all)
  func isReported(_ example: ClassificationExample) throws {
    let evolution = try Manifests.evolution(
      example.old, example.new, cloudKit: example.cloudKit, platforms: example.platforms)
    // Another test covers versions that look the same to a store.
    let found = evolution.diagnostics.filter { $0.rule != .emptyVersion }
    guard let finding = example.finding else {
      #expect(found.map(\.message) == [])
      return
    }
    let diagnostic = try #require(
      found.first { $0.rule.id == finding.rule && $0.element == example.element })
    #expect(diagnostic.severity == finding.severity)
    #expect(diagnostic.location != nil)
    for help in example.help {
      #expect(
        diagnostic.help.contains { $0.contains(help) },
        "'\(help)' is not in \(diagnostic.help)")
    }
  }

  /// A finding that can be accepted is then not reported; others stay.
  @Test(arguments: ClassificationExample.all)
  func isAcceptedOrNot(_ example: ClassificationExample) throws {
    guard let finding = example.finding, finding.rule == example.kind.rawValue else { return }
    let entries = try Manifests.evolution(
      example.old, example.new, cloudKit: example.cloudKit, platforms: example.platforms
    ).diagnostics.map {
      "{ rule: \($0.rule.id), element: \($0.element ?? "-"), reason: known }"
    }
    let accepting = example.new + "\naccept: [\(entries.joined(separator: ", "))]"
    let evolution = try Manifests.evolution(
      example.old, accepting, cloudKit: example.cloudKit, platforms: example.platforms)
    let remains = evolution.diagnostics.contains { $0.rule.id == finding.rule }
    #expect(remains != ClassificationTable[example.kind].isAcceptable)
  }

  @Test(
    "Before iOS 26 a new field of an optional struct fails, unless it is an enum"
  )
  func nullTrapBefore26() throws {
    func version(_ fields: String, _ rest: String = "") -> String {
      Manifests.one(
        "x: T?", "",
        "types: { T: { struct: { \(fields) } }, E: { enum: String, cases: [a] } }\n\(rest)")
    }
    let accepting = "accept: [{ rule: struct-field-null-trap, element: T.b, reason: known }]\n"
    func finding(
      _ field: String, _ platforms: [Configuration.Platform: Int], _ rest: String = ""
    ) throws -> Diagnostic? {
      try Manifests.evolution(
        version("a: Int"), version("a: Int, b: \(field)", rest), platforms: platforms
      ).finding("struct-field-null-trap")
    }
    for platforms in [[:], [.iOS: 17], [.iOS: 26, .macOS: 15]]
      as [[Configuration.Platform: Int]]
    {
      let found = try #require(try finding("Int", platforms, accepting))
      #expect(found.severity == .error && found.message.contains("134110"))
      #expect(found.help.contains { $0.contains("platforms: { iOS: 26 }") }, "\(found.help)")
      #expect(!found.help.contains { $0.contains("accept: [") })
      #expect(try finding("E", platforms, accepting) == nil)
    }
    #expect(try finding("Int", [.iOS: 26])?.help.last?.contains("accept: [") == true)
    #expect(try finding("Int", [.iOS: 26], accepting) == nil)
  }

  @Test(arguments: ClassificationExample.all)
  func policiesDiffer(_ example: ClassificationExample) throws {
    let inferred = try Manifests.evolution(
      example.old, example.new, policy: .inferred,
      cloudKit: example.cloudKit, platforms: example.platforms)
    if example.finding?.rule == Rule.unacknowledgedDrop.id {
      #expect(inferred.finding(.unacknowledgedDrop)?.severity == .warning)
      #expect(inferred.errors == [])
    }
    let strict = try Manifests.evolution(
      example.old, example.new, policy: .strict,
      cloudKit: example.cloudKit, platforms: example.platforms)
    let change = try #require(strict.steps[0].changes.first { $0.kind == example.kind })
    let strictKinds: Set<ChangeKind> = [
      .attributeBecameValueType, .modelRemoved, .attributeRemoved, .attributeRenamed,
      .storedToTransient, .numberTypeChanged,
      .attributeBecameRelationship, .relationshipRemoved, .relationshipRenamed,
    ]
    #expect(change.mechanism == (strictKinds.contains(example.kind) ? .custom : example.mechanism))
    #expect(strict.steps[0].plan.isCustomByPolicy == strictKinds.contains(example.kind))
  }

  /// The inferred migration of each pair agrees with the table, and the plan holds the invariants.
  @Test(arguments: ClassificationExample.all)
  func holdsTogether(_ example: ClassificationExample) throws {
    let evolution = try Manifests.evolution(
      example.old, example.new, policy: .inferred,
      cloudKit: example.cloudKit, platforms: example.platforms)
    #expect(Invariants.broken(evolution) == [])
    // Inference does not decide these.
    let others: Set<ChangeKind> = [
      .superclassChanged, .uniqueAdded, .compoundUniqueAdded, .valueTypeChanged,
      .structFieldAdded, .structFieldChanged, .structFieldMadeRequired, .codableAttributeRenamed,
      .renamedUnderCloudKit,
    ]
    guard !others.contains(example.kind), evolution.history.count == 2 else { return }
    let isCustom = evolution.steps[0].plan.isCustom
    #expect(isCustom == (example.mechanism == .custom || example.others.contains(.modelRenamed)))
    guard example.mechanism == .impossible else { return }
    let old = evolution.chain[0].schema
    let new = evolution.chain[1].schema
    let failures = new.models.flatMap { model -> [String] in
      guard let was = old.model(named: model.name) else { return [] }
      return Inference.provenances(
        from: StoredModel(was, StorageTypes(version: old)),
        to: StoredModel(model, StorageTypes(version: new))
      ).values.filter { if case .failure = $0 { true } else { false } }.map(\.description)
    }
    #expect(!failures.isEmpty)
  }

  @Test(arguments: ClassificationExample.all)
  func acknowledgedDropsAreSilent(_ example: ClassificationExample) throws {
    guard example.finding?.rule == Rule.unacknowledgedDrop.id else { return }
    let evolution = try Manifests.evolution(
      example.old,
      example.new + "\ndrops: { \(example.element): not needed }")
    #expect(evolution.errors == [])
    let change = try #require(evolution.steps[0].changes.first { $0.kind == example.kind })
    #expect(change.acknowledgement == .reason("not needed"))
    #expect(!evolution.steps[0].plan.isCustom)
  }

  /// Versions with one property `x` and the type `T`, and the kinds of their differences.
  static let valueTypes: [(old: String, new: String, types: [String], kinds: [ChangeKind])] = [
    // The fields of an enum are optional, with raw values and without; so are those of a struct of optionals.
    ("x: T", "x: T?", ["enum: none, cases: [a]"], [.valueTypeOptionality]),
    ("x: T?", "x: T", ["enum: none, cases: [a]"], [.enumMadeRequired]),
    (
      "x: T?", "x: { type: T, fill: T.a }", ["enum: none, cases: [a]"],
      [.attributeMadeRequiredFilled]
    ),
    ("x: T", "x: T?", ["struct: { a: Int? }"], [.valueTypeOptionality]),
    ("x: T?", "x: T", ["struct: { a: Int? }"], [.valueTypeOptionality]),
    ("x: T", "x: T?", ["struct: { a: Int }"], [.attributeMadeOptional]),
    ("x: T?", "x: { type: T, default: 'T(a: 1)' }", ["struct: { a: Int }"], [.requiredWithoutFill]),
    (
      "x: T?", "x: { type: T, fill: 'T(a: 1)' }", ["struct: { a: Int }"],
      [.attributeMadeRequiredFilled]
    ),
    // A default does not reach an enum's or struct's columns.
    ("", "x: { type: T?, default: T.a }", ["enum: String, cases: [a]"], [.optionalAttributeAdded]),
    ("", "x: { type: T?, default: 'T(a: 1)' }", ["struct: { a: Int }"], [.optionalAttributeAdded]),
    ("", "x: T", ["struct: { a: U }", "enum: String, cases: [a]"], [.structOfOptionalsAdded]),
    ("", "x: T", ["struct: { a: U }", "struct: { b: Int? }"], [.structOfOptionalsAdded]),
    ("", "x: T", ["struct: { a: U }", "struct: { b: Int }"], [.requiredStructAdded]),
    ("", "x: T", ["enum: none, cases: [a]"], [.nullTrap]),
    ("", "x: T", ["opaque: true"], [.nullTrap]),
    // An enum's or struct's columns are not an attribute's column: one is dropped and the other added.
    ("x: String", "x: T?", ["enum: String, cases: [a]"], [.attributeBecameValueType]),
    ("x: String", "x: T", ["enum: String, cases: [a]"], [.attributeBecameValueType, .nullTrap]),
    ("x: T", "x: String = \"\"", ["enum: String, cases: [a]"], [.attributeBecameValueType]),
    (
      "x: T", "x: String", ["enum: String, cases: [a]"],
      [.attributeBecameValueType, .missingDefault]
    ),
    (
      "x: Data", "x: T", ["struct: { a: Int }"], [.attributeBecameValueType, .requiredStructAdded]
    ),
    ("x: '[Int]'", "x: T?", ["struct: { a: Int }"], [.attributeBecameValueType]),
    // One enum replaces another: the engine sees only raw values.
    (
      "x: T", "x: U", ["enum: String, cases: [a]", "enum: String, cases: [a, b]"], [.typeRespelled]
    ),
    (
      "x: U", "x: T", ["enum: String, cases: [a]", "enum: String, cases: [a, b]"],
      [.rawValueChanged]
    ),
    (
      "x: T", "x: U",
      ["enum: Int, cases: { a: 1, b: 2 }", "enum: Int, cases: { c: 0, b: 1, a: 2 }"],
      [.rawValueChanged]
    ),
    // The raw value's former name belongs to another case now.
    (
      "x: T", "x: U", ["enum: Int, cases: { a: 1, b: 2 }", "enum: Int, cases: { b: 1, c: 2 }"],
      [.rawValueChanged]
    ),
    (
      "x: T", "x: U", ["enum: Int, cases: { a: 1, b: 2 }", "enum: Int, cases: { c: 1, b: 2 }"],
      [.typeRespelled]
    ),
    // A name spelled in another way is the same name; without a name, nothing is known.
    (
      "x: T", "x: U", ["enum: String, cases: [a, b_c]", "enum: String, cases: { A: b_c, BC: a }"],
      [.rawValueChanged]
    ),
    (
      "x: T", "x: U", ["enum: String, cases: [a, b]", "enum: String, cases: { c: b, d: a }"],
      [.enumCasesRenamed]
    ),
    (
      "x: '[String: T]'", "x: '[String: U]'",
      ["enum: Int, cases: { a: 1 }", "enum: String, cases: [a]"],
      [.encodedTypeChanged]
    ),
    ("x: '[String: T]'", "x: '[String: Int]'", ["enum: Int, cases: { a: 1 }"], [.typeChanged]),
    ("x: T", "x: U", ["struct: { a: Int }", "struct: { a: Int }"], [.typeRespelled]),
    (
      "x: T", "x: U",
      [
        "struct: { a: V }", "struct: { a: W }", "enum: Int, cases: { a: 1, b: 2 }",
        "enum: Int, cases: { b: 1, a: 2 }",
      ], [.rawValueChanged]
    ),
    ("x: T", "x: U", ["struct: { a: Int }", "struct: { b: Int }"], [.valueTypeChanged]),
    ("x: T", "x: U", ["struct: { a: Int }", "enum: none, cases: [a]"], [.valueTypeChanged]),
    // JSON is one column of bytes.
    ("x: '[T]'", "x: '[U]'", ["struct: { a: Int }", "struct: { b: Int }"], [.encodedTypeChanged]),
    ("x: Data", "x: '[T]'", ["struct: { a: Int }"], [.encodedTypeChanged]),
    ("x: String", "x: '[T]'", ["struct: { a: Int }"], [.typeChanged]),
    // An array of structs is JSON in one column, which its default reaches.
    ("", "x: '[T]'", ["struct: { a: Int }"], [.missingDefault]),
    ("", "x: { type: '[T]', default: '[]' }", ["struct: { a: Int }"], [.defaultedAttributeAdded]),
  ]

  @Test(arguments: valueTypes)
  func valueTypesAreTold(
    _ old: String, _ new: String, _ types: [String], _ kinds: [ChangeKind]
  ) throws {
    let declared = zip(["T", "U", "V", "W"], types).map { "\($0): { \($1) }" }.joined(
      separator: ", ")
    let evolution = try Manifests.evolution(
      Manifests.one(old, "", "types: { \(declared) }"),
      Manifests.one(new, "", "types: { \(declared) }"))
    let found = evolution.steps[0].changes.map(\.kind).filter { $0 != .defaultChanged }
    #expect(found == kinds)
  }

  /// A type of another kind drops columns only if it has some.
  @Test(arguments: [
    ("T", [ChangeKind.valueTypeChanged]), ("T?", [.valueTypeChanged]),
    ("\"[T]\"", [.encodedTypeChanged]), ("\"[String: T]?\"", [.encodedTypeChanged]),
    ("{ type: Data, encodes: T }", [.encodedTypeChanged]),
  ])
  func kindsOfTypesAreTold(_ held: String, _ kinds: [ChangeKind]) throws {
    let evolution = try Manifests.evolution(
      Manifests.one("x: \(held)", "", "types: { T: { struct: { a: Int } } }"),
      Manifests.one("x: \(held)", "", "types: { T: { opaque: true } }"))
    #expect(evolution.steps[0].changes.map(\.kind) == kinds)
  }

  /// The meaning of a field's change depends on how rows store the struct.
  static let fields: [(property: String, old: String, new: String, kinds: [ChangeKind])] = [
    ("x: T", "a: Int", "a: Int, b: Int?", [.structFieldAddedOptional]),
    ("x: T", "a: Int", "a: Int, b: Int", [.structFieldAdded]),
    ("x: T?", "a: Int", "a: Int, b: Int", [.structFieldNullTrap]),
    ("x: T", "a: Int", "a: Int, b: E", [.structFieldNullTrap]),
    ("x: U", "a: Int", "a: Int, b: Int", [.structFieldAdded]),
    ("x: V", "a: Int", "a: Int, b: Int", [.structFieldNullTrap]),
    ("x: T?, y: T", "a: Int", "a: Int, b: Int", [.structFieldAdded]),
    ("x: '[T]'", "a: Int", "a: Int, b: Int", [.encodedTypeChanged]),
    ("x: { type: Data?, encodes: U }", "a: Int", "a: Int, b: Int", [.encodedTypeChanged]),
    ("x: { type: Data?, encodes: T }", "a: Int", "a: String", [.encodedTypeChanged]),
    ("x: Int", "a: Int", "a: Int, b: Int", [.valueTypeAdded]),
    ("x: T", "a: Int", "a: Int64", [.typeRespelled]),
    ("x: T", "a: Int", "a: UInt", [.numberRangeChanged]),
    ("x: T", "a: Int", "a: Double?", [.structFieldNumberChanged, .structFieldMadeOptional]),
    ("x: T", "a: Date", "a: Double", [.structFieldChanged]),
    ("x: T", "a: E", "a: String", [.structFieldChanged]),
    ("x: T", "a: L", "a: M", [.rawValueChanged]), ("x: T", "a: L", "a: N", [.typeRespelled]),
    ("x: T", "a: Int?", "a: Int", [.structFieldMadeRequired]),
  ]

  @Test(arguments: fields)
  func fieldsAreTold(
    _ property: String, _ old: String, _ new: String, _ kinds: [ChangeKind]
  ) throws {
    func version(_ fields: String) -> String {
      Manifests.one(
        property, "",
        "types: { T: { struct: { \(fields) } }, U: { struct: { t: T } }, V: { struct: { t: T? } }, "
          + "E: { enum: String, cases: [a] }, L: { enum: Int, cases: { a: 1, b: 2 } }, "
          + "M: { enum: Int, cases: { b: 1, a: 2 } }, N: { enum: Int, cases: { a: 1, b: 2 } } }")
    }
    let evolution = try Manifests.evolution(version(old), version(new))
    #expect(evolution.steps[0].changes.map(\.kind) == kinds)
  }

  /// Cases of an enum without raw values are columns only if a property stores it that way.
  @Test(arguments: [("x: T", true), ("x: S?", true), ("x: '[T]'", false), ("x: Int", false)])
  func casesAreColumns(_ property: String, _ areColumns: Bool) throws {
    func version(_ cases: String) -> String {
      Manifests.one(
        property, "",
        "types: { T: { enum: none, cases: [\(cases)] }, S: { struct: { t: T } } }")
    }
    let evolution = try Manifests.evolution(version("a, b"), version("a, c"))
    let renamed: [ChangeKind] =
      areColumns
      ? [.plainEnumCaseRemoved, .plainEnumCaseAdded] : [.enumCaseRemoved, .enumCaseAdded]
    #expect(Set(evolution.steps[0].changes.map(\.kind)) == Set(renamed))
  }

  /// Columns that the engine does not rename, by a rename or after a bridge.
  static let columns: [(old: String, new: String, cloud: [ChangeKind], before26: [ChangeKind])] = [
    (
      "x: Int = 0", "y: { type: Int, default: 0, renamedFrom: x }", [.renamedUnderCloudKit],
      [.attributeRenamed]
    ),
    (
      "x: T?", "y: { type: T?, renamedFrom: x }", [.renamedUnderCloudKit],
      [.codableAttributeRenamed]
    ),
    (
      "x: T?", "y: { type: T?, from: x, convert: $0, revert: $0 }", [.attributeConverted],
      [.attributeConverted]
    ),
    (
      "x: String?", "x: { type: T?, from: x, convert: 'T(rawValue: $0)', revert: $0.rawValue }",
      [.attributeConverted, .renamedUnderCloudKit], [.attributeConverted, .codableAttributeRenamed]
    ),
    (
      "x: Int?", "x: { type: String?, from: x, convert: 'String($0)', revert: 'Int($0)' }",
      [.attributeConverted, .renamedUnderCloudKit], [.attributeConverted]
    ),
    (
      "x: { relationship: A? }", "y: { relationship: A?, renamedFrom: x }", [.renamedUnderCloudKit],
      [.relationshipRenamed]
    ),
  ]

  @Test(arguments: columns)
  func columnsAreRenamedOrNot(
    _ old: String, _ new: String, _ cloud: [ChangeKind], _ before26: [ChangeKind]
  ) throws {
    let types = "types: { T: { enum: String, cases: [a] } }"
    let (first, second) = (Manifests.one(old, "", types), Manifests.one(new, "", types))
    func kinds(
      _ cloudKit: Configuration.CloudKit, _ platforms: [Configuration.Platform: Int]
    ) throws -> [ChangeKind] {
      try Manifests.evolution(first, second, cloudKit: cloudKit, platforms: platforms)
        .steps[0].changes.map(\.kind)
    }
    #expect(try kinds(.private, [.iOS: 26]) == cloud)
    #expect(try kinds(.none, [:]) == before26)
    #expect(try kinds(.none, [.iOS: 26, .macOS: 15]) == before26)
    let modern = before26.filter { $0 != .codableAttributeRenamed }
    #expect(try kinds(.none, [.iOS: 26]) == (modern.isEmpty ? [.attributeRenamed] : modern))
    // The model's own configuration does not sync.
    var local = Configuration()
    local.cloudKit = .private
    local.cloud.local = [Located("A")]
    let evolution = AnalysisPipeline(
      history: try Manifests.versions([first, second]), configuration: local,
      shipped: ShippedVersions(), hooks: [:]
    ).run()
    #expect(evolution.steps[0].changes.map(\.kind) == before26)
  }

  /// A store with traits that CloudKit refuses did not sync, so a rename that shipped then does not concern CloudKit.
  @Test func aRenameThatShippedBeforeTheStoreSyncedStays() throws {
    func isRefused(
      _ more: String,
      shipped: Set<VersionNumber> = [VersionNumber(1, 0, 0), VersionNumber(2, 0, 0)]
    ) throws -> Bool {
      let old = "models: { A: { properties: { \(more), x: String? } } }"
      let new =
        "models: { A: { properties: { \(more), y: { type: String?, renamedFrom: x } } } }"
      return try Manifests.evolution(
        [old, new], cloudKit: .private, shipped: ShippedVersions(released: shipped)
      ).diagnostics.contains { $0.rule.id == "renamed-under-cloudkit" }
    }
    #expect(try !isRefused("n: String"))
    #expect(try !isRefused("n: { type: String?, unique: true }"))
    #expect(try isRefused("n: String?"))
    #expect(try isRefused("n: String", shipped: [VersionNumber(1, 0, 0)]))
  }

  /// Error codes are those that Core Data throws (docs/facts/migration.md#errors).
  @Test func codesAreThoseThatAreThrown() {
    for row in ClassificationTable.rows {
      #expect(!row.reason.contains("134111"), "\(row.kind)")
      #expect(!row.reason.contains("134506"), "\(row.kind)")
      #expect(row.reason.contains("134140") == row.reason.contains("134190"), "\(row.kind)")
    }
    for kind in [ChangeKind.typeChanged, .externalStorageRemoved, .toManyToOne] {
      #expect(ClassificationTable[kind].reason.contains("134140"), "\(kind)")
    }
    for kind in [ChangeKind.uniqueAdded, .compoundUniqueAdded, .missingDefault] {
      #expect(ClassificationTable[kind].reason.contains("134110"), "\(kind)")
    }
  }

  static let details: [(old: String, new: String, kinds: [ChangeKind])] = [
    ("x: Int?", "x: String", [.requiredWithoutFill, .typeChanged]),
    ("x: Int?", "x: Double", [.numberTypeChanged, .requiredWithoutFill]),
    ("x: Int", "x: Bool?", [.attributeMadeOptional, .numberTypeChanged]),
    ("x: Int = 0", "x: Int64 = 0", [.typeRespelled]),
    ("x: '[String]'", "x: '[Int]'", [.arrayElementChanged]),
    ("x: '[String]?'", "x: { type: '[String]?', transformable: T }", [.transformerChanged]),
    (
      "x: '[Int]?'", "x: { type: Data?, transformable: T }",
      [.transformerChanged, .arrayElementChanged]
    ),
    ("x: { type: Int, ephemeral: true }", "x: Int = 0", [.defaultedAttributeAdded]),
    ("x: { type: Int, ephemeral: true }", "x: Int", [.missingDefault]),
    ("x: Int", "x: { type: Int, ephemeral: true }", [.storedToTransient]),
    ("", "x: { type: Int, ephemeral: true }", [.transientChanged]),
    ("x: { type: Int, ephemeral: true }", "", [.transientChanged]),
    (
      "x: { type: Int, ephemeral: true }", "x: { type: Int?, transient: true }", [.transientChanged]
    ),
    ("x: { type: Int, ephemeral: true }", "x: { type: UUID, fill: UUID() }", [.attributeFilled]),
    ("x: Data", "x: { type: Data, codable: true }", [.typeChanged]),
    ("x: Int", "x: { type: Int, externalStorage: true }", [.attributeOptionChanged]),
    ("x: { type: Int, externalStorage: true }", "x: Int", [.attributeOptionChanged]),
    ("x: String", "x: '[String]'", [.typeChanged]),
    ("x: Date", "x: Double", [.typeChanged]),
    ("x: Data?", "x: { type: Data?, transformable: T }", [.typeChanged]),
    ("", "x: { type: UUID, unique: true, fill: UUID() }", [.attributeFilled]),
    ("", "x: { type: UUID, unique: true, fill: 'f(0)' }", [.attributeFilled, .uniqueAdded]),
    ("", "x: { type: Int?, unique: true }", [.optionalAttributeAdded]),
    ("", "x: { type: Int, unique: true, default: 0 }", [.defaultedAttributeAdded, .uniqueAdded]),
    ("x: { type: Int?, transient: true }", "x: Int?", [.optionalAttributeAdded]),
    ("x: { type: Int, default: 0, transient: true }", "x: Int", [.missingDefault]),
    ("x: { type: Int?, transient: true }", "", [.transientChanged]),
    ("", "x: Int? = nil", [.optionalAttributeAdded]),
    ("x: Int? = 5", "x: Int? = nil", [.defaultChanged]),
  ]

  @Test(arguments: details)
  func saysBoth(_ old: String, _ new: String, _ kinds: [ChangeKind]) throws {
    let evolution = try Manifests.evolution(Manifests.one(old), Manifests.one(new))
    let noise: Set<ChangeKind> =
      kinds == [.defaultChanged] ? [] : [.defaultChanged, .transientChanged]
    #expect(Invariants.broken(evolution) == [])
    let found = evolution.steps[0].changes.map(\.kind).filter {
      !noise.contains($0) || kinds == [$0]
    }
    #expect(Set(found) == Set(kinds))
  }
}
