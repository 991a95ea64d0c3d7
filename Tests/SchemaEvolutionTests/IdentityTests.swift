import SchemaModel
import Testing

@testable import SchemaEvolution

/// To the framework every version must differ from the others, and a shipped version must never change.
@Suite struct IdentityTests {
  private static func one(
    _ properties: String = "", _ keys: String = "", _ top: String = ""
  ) -> String { Manifests.one(properties, keys, top) }

  /// Differences that the framework does not hash.
  static let unseen: [(old: String, new: String)] = [
    (one("x: Int = 0"), one("x: Int = 1")),
    (one("x: Double"), one("x: TimeInterval")),
    (one("x: Int", "index: [[x]]"), one("x: Int", "index: [[id]]")),
    (one("x: Int"), one("x: Int", "index: [[x]]")),
    (one("x: Int"), one("x: Int", "index: [{ rtree: [id, x] }]")),
    (one("x: Int"), one("x: { type: Int, allowsCloudEncryption: true }")),
    (one("x: Int"), one("x: { type: Int, spotlight: true }")),
    (one("x: Int"), one("x: { type: Int, entityProperty: y }")),
    (
      Manifests.two("x: { relationship: B? }", ""),
      Manifests.two("x: { relationship: B?, deleteRule: cascade }", "")
    ),
    (
      one("x: T?", "", "types: { T: { enum: String, cases: [a] } }"),
      one("x: T?", "", "types: { T: { enum: String, cases: [a, b] } }")
    ),
    (one("x: Int"), one("x: Int", "entity: Alpha")),
    (
      one("x: T", "", "types: { T: { enum: String, cases: [a] } }"),
      one("x: T?", "", "types: { T: { enum: String, cases: [a] } }")
    ),
    (one("x: Int"), one("x: Int64")),
    // It is not certain whether the framework keeps one or both of two equal constraints.
    (
      one("x: { type: Int, unique: true }"), one("x: { type: Int, unique: true }", "unique: [[x]]")
    ),
  ]

  /// More rows of docs/facts/identity.md#changes-that-leave-the-identity-untouched, which the review refuses or
  /// carries through a bridge.
  static let neutral: [(old: String, new: String)] = [
    (one("x: Int"), one("x: Int, y: { type: Int, transient: true, default: 0 }")),
    (one("x: T?", "", enumeration("T")), one("x: T", "", enumeration("T"))),
    (one("x: T?", "", enumeration("T")), one("x: U?", "", enumeration("U"))),
    (
      one("x: T?", "", "types: { T: { enum: String, cases: [a] } }"),
      one("x: T?", "", "types: { T: { enum: String, cases: { a: b } } }")
    ),
    (
      one("x: T?", "", "types: { T: { struct: { a: Int } } }"),
      one("y: { type: T?, renamedFrom: x }", "", "types: { T: { struct: { a: Int } } }")
    ),
    (
      one("x: T?", "", "types: { T: { struct: { a: Int? } } }"),
      one("x: U?", "", "types: { U: { struct: { a: Int? } } }")
    ),
    (
      one("x: T", "", "types: { T: { struct: { a: Int? } } }"),
      one("x: T?", "", "types: { T: { struct: { a: Int? } } }")
    ),
    (one("x: \"[String]\""), one("x: \"[Int]\"")),
    (one("x: \"[String]\""), one("x: { type: Data, transformable: T }")),
    (
      one("x: \"[T]\"", "", "types: { T: { struct: { a: Int } } }"),
      one("x: \"[U]\"", "", "types: { U: { struct: { b: Int } } }")
    ),
    (one("x: \"[T]\"", "", "types: { T: { struct: { a: Int } } }"), one("x: Data")),
    // If a type is unknown, it may be the same.
    (
      one("x: T?", "", "types: { T: { opaque: true } }"),
      one("x: T?", "", "types: { T: { struct: { a: Int } } }")
    ),
  ]

  private static func enumeration(_ name: String) -> String {
    "types: { \(name): { enum: String, cases: [a] } }"
  }

  /// Differences that are hashed, although they may not look so: no modifier is needed.
  static let seen: [(old: String, new: String)] = [
    (one("x: Data?"), one("x: { type: Data?, externalStorage: true }")),
    (one("x: Int"), one("x: { type: Int, preserveValueOnDeletion: true }")),
    (
      one("x: T?", "", "types: { T: { struct: { a: Int } } }"),
      one("x: T?", "", "types: { T: { struct: { a: Int, b: Int? } } }")
    ),
    (
      one("x: T", "", "types: { T: { struct: { a: Int } } }"),
      one("x: T?", "", "types: { T: { struct: { a: Int } } }")
    ),
    (
      one("x: T?", "", "types: { T: { enum: none, cases: [a] } }"),
      one("x: T?", "", "types: { T: { enum: none, cases: [a, b] } }")
    ),
    (
      Manifests.two("x: { relationship: \"[B]\" }", ""),
      Manifests.two("x: { relationship: \"[B]?\" }", "")
    ),
    (
      Manifests.two("x: { relationship: B? }", ""),
      Manifests.two("x: { relationship: B?, inverse: y }", "y: { relationship: \"[A]\" }")
    ),
    (one("x: String?"), one("x: T?", "", enumeration("T"))),
  ]

  @Test(arguments: seen) func seenDifferencesNeedNone(_ old: String, _ new: String) throws {
    let history = try Manifests.versions([old, new])
    let reader = IdentityReader(history)
    #expect(reader.identity(of: history[0]).certain != reader.identity(of: history[1]).certain)
    let evolution = try Manifests.evolution(old, new)
    let marked = evolution.chain.flatMap(\.schema.models).flatMap(\.properties).filter {
      $0.hashModifier != nil
    }
    #expect(marked == [])
  }

  @Test(arguments: unseen + neutral) func unseenDifferencesAreOneVersion(
    _ old: String, _ new: String
  ) throws {
    let history = try Manifests.versions([old, new])
    let reader = IdentityReader(history)
    #expect(reader.identity(of: history[0]).certain == reader.identity(of: history[1]).certain)
  }

  /// On an enum or a struct a modifier changes nothing that is hashed.
  @Test func modifiersStandWhereTheyAreHashed() throws {
    let types = "types: { T: { enum: String, cases: [a] }, S: { struct: { v: Int? } } }"
    let evolution = try Manifests.evolution(
      "models: { A: { properties: { a: T?, b: S?, c: \"[T]\", d: Int } } }\n" + types,
      "models: { A: { properties: { a: T?, b: S?, c: \"[T]\", d: Int }, index: [[a]] } }\n" + types)
    #expect(evolution.errors == [])
    #expect(evolution.property("a", of: "A", in: "SchemaV2")?.hashModifier == nil)
    #expect(evolution.property("c", of: "A", in: "SchemaV2")?.hashModifier == "V2")
    let none = try Manifests.evolution(
      "models: { A: { properties: { a: T?, b: S? } } }\n" + types,
      "models: { A: { properties: { a: T?, b: S? }, index: [[a]] } }\n" + types)
    #expect(none.findings == ["empty-version -"])
  }

  /// docs/facts/migration.md#exceptions-that-swift-cannot-catch; `StagedMigrationTests` makes the framework raise them.
  @Test func exceptionsAreNamed() throws {
    let (a, b) = (
      "models: { A: { properties: { x: Int } } }",
      "models: { A: { properties: { x: Int, y: Int? } } }"
    )
    let type = "types: { T: { enum: String, cases: [a] } }\n"
    let only = "models: { A: { properties: { t: T? } } }\n" + type
    for (manifests, exception) in [
      ([a, b, b], "Duplicate version checksums detected"),
      ([a, a, b], "Duplicate version checksums across stages detected"),
      (
        [only, only + "hooks: [after]\n"],
        "The current model reference and the next model reference cannot be equal"
      ),
    ] {
      let found = try Manifests.evolution(manifests).diagnostics.filter { $0.severity == .error }
      #expect(found.count == 1 && found[0].message.contains("\"\(exception)\""), "\(found)")
    }
  }

  @Test(arguments: unseen) func unseenDifferencesGetAModifier(_ old: String, _ new: String) throws {
    let evolution = try Manifests.evolution(old, new)
    #expect(evolution.errors == [] && evolution.isSound)
    #expect(Set(evolution.identities.map(\.certain)).count == 2)
    let marked = evolution.chain[1].schema.models.flatMap(\.properties).filter {
      $0.hashModifier != nil
    }
    #expect(marked.map(\.hashModifier) == ["V2"])
    #expect(
      evolution.chain[0].schema.models.flatMap(\.properties).allSatisfy { $0.hashModifier == nil })
  }

  @Test(arguments: [
    (one("x: Int"), one("x: { type: Int, doc: More. }")),
    (one("x: Int"), one("x: Int", "doc: More.")),
    (one("x: Int"), one("x: Int")),
    (one("x: Int"), one("x: Int", "", "summary: Nothing new")),
    (one("x: Int"), one("x: Int", "", "types: { T: { enum: String, cases: [a] } }")),
  ])
  func nothingToMark(_ old: String, _ new: String) throws {
    #expect(try Manifests.evolution(old, new).findings == ["empty-version -"])
  }

  @Test func theThirdIsAsTheFirst() throws {
    let evolution = try Manifests.evolution(
      Self.one(), Self.one("x: Int?"), Self.one("", "", "drops: { A.x: gone }"))
    #expect(evolution.errors == [])
    #expect(evolution.property("id", of: "A", in: "SchemaV3")?.hashModifier == "V3")
    #expect(Invariants.broken(evolution) == [])
  }

  @Test func modelsThatComeAndGo() throws {
    let evolution = try Manifests.evolution(
      Self.one(), Manifests.two("", ""), Self.one("", "", "drops: { B: gone }"),
      Manifests.two("", ""), Self.one("", "", "drops: { B: gone }"))
    #expect(evolution.errors == [])
    #expect(Invariants.broken(evolution) == [])
  }

  @Test func defaultsThereAndBack() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: Int = 0"), Self.one("x: Int = 1"), Self.one("x: Int = 0"), Self.one("x: Int = 1")
    )
    #expect(evolution.errors == [])
    let modifiers = evolution.chain.map { $0.schema.models[0].property(named: "x")?.hashModifier }
    #expect(modifiers == [nil, "V2", "V3", "V4"])
  }

  /// Later versions keep a modifier: otherwise they could equal the version before it.
  @Test func modifiersStick() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: Int"), Self.one("x: Int", "index: [[x]]"),
      Self.one("x: Int, y: Int?", "index: [[x]]"),
      Self.one("z: { type: Int, renamedFrom: x }, y: Int?", "index: [[z]]"),
      Self.one("z: Int, y: Int?, w: { type: UUID, fill: UUID() }", "index: [[z]]"))
    #expect(evolution.errors == [])
    #expect(evolution.names.count == 6)
    let modifiers = evolution.chain.map { version in
      let model = version.schema.models[0]
      return (model.property(named: "x") ?? model.property(named: "z"))?.hashModifier
    }
    #expect(modifiers == [nil, "V2", "V2", "V2", "V2", "V2"])
  }

  /// A migration builds the indexes of all models, so an index needs a modifier only if nothing else changes.
  @Test func indexesAloneAskForNone() throws {
    let evolution = try Manifests.evolution(
      Manifests.two("x: Int", "x: Int"),
      """
      models:
        A: { properties: { id: Int, x: Int, y: Int? }, index: [[x]] }
        B: { properties: { id: Int, x: Int }, index: [[x]] }
      """)
    #expect(evolution.model("A", in: "SchemaV2")?.properties.compactMap(\.hashModifier) == [])
    #expect(evolution.property("x", of: "B", in: "SchemaV2")?.hashModifier == nil)
  }

  @Test func explicitModifiersAreRespected() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: { type: Int, default: 0, hashModifier: mine }"),
      Self.one("x: { type: Int, default: 1, hashModifier: mine }"),
      Self.one("x: { type: Int, default: 2, hashModifier: other }"))
    #expect(evolution.errors == [])
    #expect(evolution.property("x", of: "A", in: "SchemaV1")?.hashModifier == "mine")
    #expect(evolution.property("x", of: "A", in: "SchemaV2")?.hashModifier == "mine")
    #expect(evolution.property("id", of: "A", in: "SchemaV2")?.hashModifier == "V2")
    #expect(evolution.property("x", of: "A", in: "SchemaV3")?.hashModifier == "other")
    #expect(evolution.property("id", of: "A", in: "SchemaV3")?.hashModifier == "V2")
  }

  /// An author's modifier that equals the resolver's choice must not make two versions equal.
  @Test func modifiersThatCollide() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: { type: Int, default: 0, hashModifier: V2 }"),
      Self.one("x: { type: Int, default: 0 }"),
      Self.one("x: { type: Int, default: 0, hashModifier: V2 }"))
    #expect(evolution.errors == [])
    #expect(Invariants.broken(evolution) == [])
  }

  /// If every property already has an author's modifier, that is reported instead of overwriting one.
  @Test func nothingIsLeftToMark() throws {
    let evolution = try Manifests.evolution(
      "models: { A: { properties: { x: { type: Int, default: 0, hashModifier: a } } } }",
      "models: { A: { properties: { x: { type: Int, default: 1, hashModifier: a } } } }")
    #expect(evolution.findings == ["empty-version -"])
    #expect(evolution.property("x", of: "A", in: "SchemaV2")?.hashModifier == "a")
  }

  @Test func orderDoesNotMatter() throws {
    let first = try Manifests.versions([
      """
      models:
        A: { properties: { id: Int, x: Int = 0, b: { relationship: B?, inverse: a } }, unique: [[id], [x, id]], index: [[x], [id]] }
        B: { properties: { id: Int, a: { relationship: A? } } }
      """
    ])[0]
    let second = try Manifests.versions([
      """
      models:
        B: { properties: { a: { relationship: A? }, id: Int } }
        A: { index: [[id], [x]], unique: [[x, id], [id]], properties: { b: { inverse: a, relationship: B? }, x: Int = 0, id: Int } }
      """
    ])[0]
    let reader = IdentityReader([first, second])
    #expect(reader.identity(of: first) == reader.identity(of: second))
    #expect(first.canonical == second.canonical)
    #expect(SchemaDiffer().differences(from: first, to: second) == [])
  }

  /// A version that only moves keys stores nothing new.
  @Test func movedKeysAreNoVersion() throws {
    let evolution = try Manifests.evolution(Self.one("x: Int, y: Int"), Self.one("y: Int, x: Int"))
    #expect(evolution.findings == ["empty-version -"])
  }

  /// Traits that enter the checksum change the identity, and others do not.
  @Test(arguments: ClassificationExample.all)
  func agreesWithTheTable(_ example: ClassificationExample) throws {
    let old = try Manifests.versions([example.old])[0]
    let new = try Manifests.versions([example.old, example.new])[1]
    let reader = IdentityReader([old, new])
    let isSame = reader.identity(of: old).certain == reader.identity(of: new).certain
    let sameAnyway: Set<ChangeKind> = [.indexAdded, .indexRemoved]
    // The engine sees none of these changes, although rows are at risk. The field's owner is optional in the examples.
    let unseen: Set<ChangeKind> = [
      .enumMadeRequired, .arrayElementChanged, .structFieldMadeOptional, .structFieldMadeRequired,
      .enumCaseCarried, .enumCaseReplaced,
    ]
    let expected =
      example.mechanism == .none || sameAnyway.contains(example.kind)
      || unseen.contains(example.kind)
    #expect(isSame == expected)
  }

  /// An entity is copied from the version before only if it would be equal, which it is not if a superclass, a type or
  /// the model at the other end changed it.
  @Test func identitiesDoNotDependOnTheVersionBefore() throws {
    func manifest(_ a: String, _ c: String, _ field: String, _ link: String) -> String {
      """
      models:
        A: { properties: { id: Int, \(a) } }
        B: { inherits: A, properties: { y: Int } }
        C: { properties: { \(c) t: T?, d: { relationship: D? } } }
        D: { properties: { id: Int, \(link) } }
      types: { T: { struct: { a: Int?, \(field) } } }
      """
    }
    let history = try Manifests.versions([
      manifest("", "", "", ""), manifest("x: Int?", "", "", ""),
      manifest("x: Int?", "", "b: Int?", ""),
      manifest("x: Int?", "", "b: Int?", "c: { relationship: C? }"),
      manifest("x: Int?", "v: { type: Data, transformable: V },", "b: Int?", ""),
      manifest("x: Int?", "v: Data,", "b: Int?", ""), manifest("", "", "", ""),
    ])
    let reader = IdentityReader(history)
    let each = history.map(reader.identity)
    #expect(reader.identities(of: history) == each)
    let changed = zip(each, each.dropFirst()).map { old, new in
      new.models.filter { old.models[$0.key] != $0.value }.keys.sorted()
    }
    #expect(changed == [["A", "B"], ["C"], ["C", "D"], ["C", "D"], [], ["A", "B", "C"]])
  }

  /// A version may exist only to change rows (SwiftData Migration and Versioned Schema: custom stages for cleanup).
  @Test func hooksAloneMakeAVersion() throws {
    let same = Manifests.one("x: Int")
    #expect(try Manifests.evolution(same, same).findings == ["empty-version -"])
    let evolution = try Manifests.evolution(same, same + "hooks: [before]\n")
    #expect(evolution.errors == [])
    #expect(evolution.identities[0].certain != evolution.identities[1].certain)
    #expect(evolution.stages.map(\.isCustom) == [true])
  }
}
