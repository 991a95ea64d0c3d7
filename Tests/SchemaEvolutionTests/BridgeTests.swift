import SchemaModel
import Testing

@testable import SchemaEvolution

/// Steps that need a bridge: the bridge's structure, and that the framework can infer the rest.
@Suite struct BridgeTests {
  /// The bridge has the columns of the version after it, and the plan needs two versions that differ.
  @Test func anOptionalCopyOfWhatStays() throws {
    let evolution = try Manifests.evolution(
      Manifests.one("n: String"),
      Manifests.one("n: String, c: { type: String?, from: n, convert: $0 }"))
    #expect(evolution.errors == [])
    #expect(evolution.chain.map(\.isBridge) == [false, true, false])
    #expect(Set(evolution.identities.map(\.certain)).count == 3)
    let copy = evolution.model("A", in: "SchemaV2")?.property(named: "c")
    #expect(copy?.hashModifier == "V2")
  }

  private static func one(
    _ properties: String = "", _ keys: String = "", _ top: String = ""
  ) -> String { Manifests.one(properties, keys, top) }

  private static func models(_ models: String, _ top: String = "") -> String {
    "models:\n" + models.split(separator: "\n").map { "  \($0)\n" }.joined() + top
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var versions: [String]
    /// Bridges of each step.
    var bridges: [Int]

    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "conversion",
      versions: [
        one("x: Int"), one("y: { type: String, from: x, convert: 'String($0)', revert: '0' }"),
      ],
      bridges: [1]),
    Case(
      name: "conversion under one name",
      versions: [
        one("x: Int"), one("x: { type: String, from: x, convert: 'String($0)', revert: '0' }"),
      ],
      bridges: [2]),
    Case(
      name: "conversion under one name, twice",
      versions: [
        one("x: Int"), one("x: { type: String, from: x, convert: 'String($0)', revert: '0' }"),
        one("x: { type: Int, from: x, convert: 'Int($0) ?? 0', revert: '\"\"' }"),
      ],
      bridges: [2, 2]),
    Case(
      name: "conversion under one name, indexed and unique",
      versions: [
        one("x: Int", "unique: [[id, x]], index: [[x]]"),
        one(
          "x: { type: String, from: x, convert: 'String($0)', revert: '0' }",
          "unique: [[id, x]], index: [[x]]"),
      ],
      bridges: [2]),
    Case(name: "fill", versions: [one(), one("x: { type: UUID, fill: UUID() }")], bridges: [1]),
    Case(
      name: "fill of nils", versions: [one("x: Int?"), one("x: { type: Int, fill: 0 }")],
      bridges: [0]),
    Case(
      name: "fill of nils under a new name",
      versions: [one("x: Int?"), one("y: { type: Int, renamedFrom: x, fill: 0 }")], bridges: [0]),
    Case(
      name: "fill of nils under a new name beside a fill",
      versions: [
        one("x: Int?"),
        one("y: { type: Int, renamedFrom: x, fill: 0 }, z: { type: UUID, fill: UUID() }"),
      ], bridges: [1]),
    Case(
      name: "fill of what was transient",
      versions: [
        one("x: { type: Int?, transient: true }"), one("x: { type: Int, fill: 5 }"),
      ], bridges: [1]),
    Case(
      name: "fill of a Codable value",
      versions: [
        one("", "", "types: { T: { enum: String, cases: [a] } }"),
        one(
          "x: { type: T, default: T.a, fill: T.a }", "",
          "types: { T: { enum: String, cases: [a] } }"),
      ], bridges: [1]),
    Case(
      name: "split of a property",
      versions: [
        one("name: String"),
        one(
          """
          first: { type: String, from: name, convert: 'head($0)', revert: $0 },
          last: { type: String, from: name, convert: 'tail($0)' }
          """),
      ], bridges: [1]),
    Case(
      name: "split of a property that stays",
      versions: [
        one("name: String"),
        one("name: String, last: { type: String, from: name, convert: 'tail($0)' }"),
      ], bridges: [1]),
    Case(
      name: "merge of two properties",
      versions: [
        one("first: String, last: String"),
        one(
          "name: { type: String, from: [first, last], convert: '$0 + $1', revert: { first: $0, last: $0 } }"
        ),
      ], bridges: [1]),
    Case(
      name: "swap of two properties",
      versions: [
        one("x: Int, y: Int"),
        one(
          """
          x: { type: Int, from: y, convert: $0, revert: $0 },
          y: { type: Int, from: x, convert: $0, revert: $0 }
          """),
      ], bridges: [2]),
    Case(
      name: "external storage taken back",
      versions: [
        one("x: { type: Data?, externalStorage: true }"),
        one("x: { type: Data?, from: x, convert: $0, revert: $0 }"),
      ], bridges: [2]),
    Case(
      name: "rename beside a conversion under one name",
      versions: [
        one("x: Int, w: Int", "index: [[w], [x]]"),
        one(
          "x: { type: String, from: x, convert: 'String($0)', revert: '0' }, v: { type: Int, renamedFrom: w }",
          "index: [[v], [x]]"),
        one("x: String, u: { type: Int, renamedFrom: v }"),
      ], bridges: [2, 0]),
    Case(
      name: "relationship found by a function",
      versions: [
        Manifests.two("", ""),
        Manifests.two(
          "b: { relationship: B, inverse: items, fill: { function: findB } }",
          "items: { relationship: '[A]' }"),
      ], bridges: [1]),
    Case(
      name: "relationship found by a function, where the way back was there",
      versions: [
        Manifests.two("", "items: { relationship: '[A]' }"),
        Manifests.two(
          "b: { relationship: B, inverse: items, fill: { function: findB } }",
          "items: { relationship: '[A]' }",
          "accept: [{ rule: inverse-changed, element: B.items, reason: tried }]"),
      ], bridges: [1]),
    Case(
      name: "many made one by a function",
      versions: [
        Manifests.two(
          "items: { relationship: '[B]', inverse: owner }", "owner: { relationship: A? }"),
        Manifests.two(
          "items: { relationship: B?, from: items, convert: { function: chooseOne }, inverse: owner }",
          "owner: { relationship: A? }"),
      ], bridges: [2]),
    Case(
      name: "model renamed",
      versions: [
        one("x: Int, t: '[String]'"),
        models("C: { renamedFrom: A, properties: { id: Int, x: Int, t: '[String]' } }"),
      ], bridges: [1]),
    Case(
      name: "model renamed, with unique and self references",
      versions: [
        models(
          """
          A: { properties: { id: { type: Int, unique: true }, parent: { relationship: A?, inverse: children }, children: { relationship: '[A]' } }, unique: [[id, parent]] }
          """),
        models(
          """
          C: { renamedFrom: A, properties: { id: { type: Int, unique: true }, parent: { relationship: C?, inverse: children }, children: { relationship: '[C]' } }, unique: [[id, parent]] }
          """),
      ], bridges: [1]),
    Case(
      name: "model renamed, relationships in both directions",
      versions: [
        models(
          """
          User: { properties: { id: Int, habits: { relationship: '[Habit]', inverse: owner, deleteRule: cascade } } }
          Habit: { properties: { id: Int, owner: { relationship: User? } } }
          """),
        models(
          """
          User: { properties: { id: Int, habits: { relationship: '[HabitModel]', inverse: owner, deleteRule: cascade } } }
          HabitModel: { renamedFrom: Habit, properties: { id: Int, owner: { relationship: User? } } }
          """),
      ], bridges: [2]),
    Case(
      name: "model renamed, mandatory link to one that stays",
      versions: [
        models(
          """
          User: { properties: { id: Int, habits: { relationship: '[Habit]', inverse: owner } } }
          Habit: { properties: { id: Int, owner: { relationship: User } } }
          """),
        models(
          """
          Person: { renamedFrom: User, properties: { id: Int, habits: { relationship: '[Habit]', inverse: owner } } }
          Habit: { properties: { id: Int, owner: { relationship: Person } } }
          """),
      ], bridges: [2]),
    Case(
      name: "both models renamed, and the relationships",
      versions: [
        models(
          """
          User: { properties: { id: Int, habits: { relationship: '[Habit]', inverse: owner } } }
          Habit: { properties: { id: Int, owner: { relationship: User? } } }
          """),
        models(
          """
          Person: { renamedFrom: User, properties: { id: Int, routines: { relationship: '[Routine]', inverse: person, renamedFrom: habits } } }
          Routine: { renamedFrom: Habit, properties: { id: Int, person: { relationship: Person?, renamedFrom: owner } } }
          """),
      ], bridges: [1]),
    Case(
      name: "model renamed, and the relationship that leads to it",
      versions: [
        Manifests.two(
          "one: { relationship: B?, inverse: other }", "other: { relationship: '[A]' }"),
        models(
          """
          A: { properties: { id: Int, first: { relationship: C?, inverse: second, renamedFrom: one } } }
          C: { renamedFrom: B, properties: { id: Int, second: { relationship: '[A]', renamedFrom: other } } }
          """),
        models(
          """
          A: { properties: { id: Int, last: { relationship: C?, inverse: second, renamedFrom: first } } }
          C: { properties: { id: Int, second: { relationship: '[A]' } } }
          """),
      ], bridges: [1, 0]),
    Case(
      name: "many to many, one end renamed",
      versions: [
        models(
          """
          User: { properties: { id: Int, tags: { relationship: '[Tag]', inverse: users } } }
          Tag: { properties: { id: Int, users: { relationship: '[User]?' } } }
          """),
        models(
          """
          User: { properties: { id: Int, tags: { relationship: '[Label]', inverse: users } } }
          Label: { renamedFrom: Tag, properties: { id: Int, users: { relationship: '[User]?' } } }
          """),
      ], bridges: [2]),
    Case(
      name: "model renamed whose link had no way back, which now it has",
      versions: [
        models(
          """
          User: { properties: { id: Int, habits: { relationship: '[Habit]' } } }
          Habit: { properties: { id: Int } }
          """),
        models(
          """
          User: { properties: { id: Int, habits: { relationship: '[Routine]', inverse: owner } } }
          Routine: { renamedFrom: Habit, properties: { id: Int, owner: { relationship: User? } } }
          """,
          "accept: [{ rule: inverse-changed, element: User.habits, reason: tried }]"),
      ], bridges: [2]),
    Case(
      name: "model split, the source stays",
      versions: [
        one("street: String, city: String"),
        models(
          """
          A: { properties: { id: Int, address: { relationship: B? } } }
          B: { from: A, properties: { street: String, city: String } }
          """, "drops: { A.street: in B, A.city: in B }"),
      ], bridges: [1]),
    Case(
      name: "model split, the source goes",
      versions: [
        one("x: Int, y: Int"),
        models(
          """
          C: { from: A, properties: { id: Int, x: Int, d: { relationship: D? } } }
          D: { from: A, properties: { id: Int, y: Int } }
          """),
      ], bridges: [1]),
    Case(
      name: "models merged",
      versions: [
        models(
          """
          A: { properties: { id: Int, x: Int, tag: { relationship: T? } } }
          B: { properties: { id: Int, y: String, tag: { relationship: T? } } }
          T: { properties: { id: Int } }
          """),
        models(
          """
          C: { from: [A, B], properties: { id: Int, x: { type: Int, from: x, convert: $0, fill: 0 }, y: { type: String?, from: y, convert: $0, fill: nil }, tag: { relationship: T? } } }
          T: { properties: { id: Int } }
          """),
      ], bridges: [1]),
    Case(
      name: "subclass renamed",
      versions: [
        models(
          """
          P: { properties: { id: Int, title: String } }
          A: { inherits: P, properties: { x: Int } }
          """),
        models(
          """
          P: { properties: { id: Int, title: String } }
          C: { inherits: P, renamedFrom: A, properties: { x: Int } }
          """),
      ], bridges: [1]),
    Case(
      name: "unique with a strategy, beside a conversion under one name",
      versions: [
        one("x: Int, at: Date"),
        one(
          """
          x: { type: String, from: x, convert: 'String($0)', revert: '0', unique: true, dedupe: { latest: at } },
          at: Date
          """),
      ], bridges: [2]),
    Case(
      name: "new models beside a conversion",
      versions: [
        one("x: Int"),
        models(
          """
          A: { properties: { id: Int, y: { type: String, from: x, convert: 'String($0)', revert: '0' }, b: { relationship: B?, inverse: a } } }
          B: { properties: { id: { type: Int, unique: true }, a: { relationship: A } } }
          """),
      ], bridges: [1]),
    Case(
      name: "relationship moved to another inverse beside a fill",
      versions: [
        Manifests.two(
          "owner: { relationship: B? }", "items: { relationship: '[A]', inverse: owner }"),
        Manifests.two(
          "holder: { relationship: B? }, x: { type: UUID, fill: UUID() }",
          "items: { relationship: '[A]', inverse: holder }",
          """
          drops: { A.owner: { reason: gone, notCarriedTo: holder } }
          accept: [{ rule: inverse-changed, element: B.items, reason: tried }]
          """),
      ], bridges: [1]),
    Case(
      name: "attribute made a relationship beside a fill",
      versions: [
        Manifests.two("w: Int", ""), Manifests.two("x: { type: Int, renamedFrom: w }", ""),
        Manifests.two(
          "x: { relationship: B? }, u: { type: UUID, fill: UUID() }", "", "drops: { A.x: gone }"),
      ], bridges: [0, 1]),
    Case(
      name: "function for a relationship of a renamed model",
      versions: [
        Manifests.two("", ""),
        models(
          """
          C: { renamedFrom: A, properties: { id: Int, b: { relationship: B, fill: { function: findB } } } }
          B: { properties: { id: Int } }
          """),
      ], bridges: [1]),
    Case(
      name: "renamed model with a number of another type and a filled nil",
      versions: [
        one("x: Int, y: Int?"),
        models(
          "C: { renamedFrom: A, properties: { id: Int, x: Double, y: { type: Int, fill: 7 } } }",
          "accept: [{ rule: number-type-changed, element: C.x, reason: fine }]"),
      ], bridges: [1]),
    Case(
      name: "encoded values",
      versions: [
        one("mode: String"),
        one(
          "mode: { type: Data, default: Data(), encodes: '[String]', fallback: '[]', from: mode, convert: '[$0]', revert: '$0.first ?? \"\"' }"
        ),
      ], bridges: [2]),
  ]

  @Test(arguments: cases) func holds(_ example: Case) throws {
    let evolution = try Manifests.evolution(example.versions)
    #expect(evolution.errors == [])
    #expect(evolution.steps.map(\.plan.bridges) == example.bridges)
    #expect(Invariants.broken(evolution) == [])
  }

  @Test func conversionUnderOneName() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: Int"),
      Self.one("x: { type: String, from: x, convert: 'String($0)', revert: 'Int($0) ?? 0' }"))
    #expect(evolution.names == ["SchemaV1", "SchemaV1ToV2", "SchemaV1ToV2Step2", "SchemaV2"])
    #expect(evolution.model("A", in: "SchemaV1ToV2")?.properties.map(\.name) == ["id", "x", "xV2"])
    #expect(evolution.property("xV2", of: "A", in: "SchemaV1ToV2")?.type.description == "String?")
    #expect(evolution.model("A", in: "SchemaV1ToV2Step2")?.properties.map(\.name) == ["id", "xV2"])
    #expect(evolution.property("x", of: "A", in: "SchemaV2")?.originalName == "xV2")
    #expect(evolution.stages.map(\.part) == [.expand, .contract, .rename])
    #expect(evolution.stages.map(\.isCustom) == [false, true, false])
    let carry = evolution.steps[0].plan.rowUpdates[0]
    #expect(carry.assignments[0].property == "xV2")
    #expect(carry.assignments[0].text == "String(row.x)")
  }

  @Test func whatMustBeThereIsSaidWithItsType() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: Int?, c: Double"),
      Self.one(
        "x: Int?, y: { type: String, from: x, convert: '$0?.description' }, z: { type: Int, fill: '3' }, w: { type: Int?, from: x, convert: $0 }, f: { type: Double, from: c, convert: '$0 * 1.8 + 32' }, g: { type: Int, from: x, convert: '$0 * 2' }, h: { type: Int, from: x, convert: '$0 ?? 7' }, i: { type: Int, from: x, convert: '$0 ?? 7 * twice' }, m: { type: Mood, fill: Mood.glad }, n: { type: Mood, fill: Mood.best }, c: Double",
        "", "types: { Mood: { enum: String, cases: [glad, sad] } }"))
    let texts = evolution.steps[0].plan.rowUpdates[0].assignments.map(\.text)
    #expect(texts.contains("row.x?.description as String"))
    // The text shows the value, not an optional.
    #expect(texts.contains("3"))
    #expect(texts.contains("row.x"))
    #expect(texts.contains("row.c * 1.8 + 32"))
    #expect(texts.contains("(row.x * 2) as Int"))
    #expect(texts.contains("row.x ?? 7") && texts.contains("(row.x ?? 7 * twice) as Int"))
    #expect(texts.contains("Mood.glad") && texts.contains("Mood.best as Mood"))
  }

  /// Otherwise the framework takes the author's relationship for the inverse that leads from a new row to the old one.
  @Test func carriedLinksHaveAnInverseOfTheirOwn() throws {
    let evolution = try Manifests.evolution(
      "models: { A: { properties: { id: Int } } }",
      "models: { A: { properties: { id: Int } }, B: { from: A, properties: { id: Int, a: { relationship: A?, fill: { function: find } } } } }"
    )
    #expect(evolution.errors == [])
    let link = evolution.property("carriedToB", of: "A", in: "SchemaV1ToV2")?.relationship
    #expect(link?.inverse?.value == "carriedFromA")
    #expect(evolution.property("a", of: "B", in: "SchemaV1ToV2")?.relationship?.inverse == nil)
    #expect(evolution.property("carriedFromA", of: "B", in: "SchemaV2") == nil)
  }

  /// Two steps with the same changes have two bridges.
  @Test func oneStepTwice() throws {
    let again = Self.one(
      "x: { type: Int, from: x, convert: $0 + 1, revert: $0 - 1 }", "entity: Alpha")
    let evolution = try Manifests.evolution(Self.one("x: Int", "entity: Alpha"), again, again)
    #expect(evolution.errors == [])
    #expect(
      evolution.steps.map { $0.changes.map(\.kind) } == [
        [.attributeConverted], [.attributeConverted],
      ])
    #expect(evolution.steps.map { $0.routes.count } == [1, 1])
    let values = evolution.converters.map { $0["A"]?.toEntity.last?.text }
    #expect(values == ["(x + 1) + 1", "x + 1", "x"])
    #expect(Invariants.broken(evolution) == [])
  }

  @Test func takenBridgeNamesAreAvoided() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: Int, xV2: Int"),
      Self.one("x: { type: String, from: x, convert: 'String($0)', revert: '0' }, xV2: Int"))
    #expect(evolution.errors == [])
    #expect(evolution.property("xV2_", of: "A", in: "SchemaV1ToV2") != nil)
    #expect(Invariants.broken(evolution) == [])
  }

  @Test func subclassesCarryWhatTheyInherit() throws {
    let example = try #require(Self.cases.first { $0.name == "subclass renamed" })
    let plan = try Manifests.evolution(example.versions).steps[0].plan
    #expect(plan.transfers[0].values.map(\.property).sorted() == ["id", "title", "x"])
  }

  /// Inherited links cannot be set again beside their column, which is reported.
  @Test func inheritedLinksAreNotLost() throws {
    let parent = "P: { properties: { id: Int, peer: { relationship: P? } } }\n"
    let evolution = try Manifests.evolution(
      Self.models(parent + "A: { inherits: P, properties: { x: Int } }"),
      Self.models(parent + "C: { inherits: P, renamedFrom: A, properties: { x: Int } }"))
    #expect(evolution.findings == ["missing-source C"])
  }

  @Test func selfReferencesAreLinkedAnew() throws {
    let evolution = try Manifests.evolution(
      Self.one("parent: { relationship: A? }"),
      Self.models("C: { renamedFrom: A, properties: { id: Int, parent: { relationship: C? } } }"))
    #expect(
      evolution.steps[0].plan.relationshipUpdates == [
        RelationshipUpdate(
          model: "A", ownerLink: "carriedToC", source: "parent", target: "parent",
          destinationLink: "carriedToC", isMany: false, isSourceOptional: true,
          isTargetOptional: false)
      ])
  }

  /// Links whose inverse is new must be set from the side that had them.
  @Test func linksWithANewWayBackAreKept() throws {
    let example = try #require(
      Self.cases.first { $0.name == "model renamed whose link had no way back, which now it has" })
    let plan = try Manifests.evolution(example.versions).steps[0].plan
    #expect(plan.relationshipUpdates.map(\.source) == ["habits"])
  }

  /// The framework sets the other end of a pair.
  @Test func oneEndOfAPairIsSet() throws {
    let example = try #require(
      Self.cases.first { $0.name == "both models renamed, and the relationships" })
    let plan = try Manifests.evolution(example.versions).steps[0].plan
    #expect(plan.relationshipUpdates.map(\.source) == ["owner"])
    #expect(plan.relationshipUpdates.map(\.target) == ["person"])
  }

  /// A to-one link cannot become to-many while its rows are transferred.
  @Test(arguments: [
    """
    A: { properties: { id: Int, x: { relationship: '[C]' } } }
    C: { renamedFrom: B, properties: { id: Int } }
    """,
    """
    C: { renamedFrom: A, properties: { id: Int, x: { relationship: '[B]' } } }
    B: { properties: { id: Int } }
    """,
  ])
  func oneToManyWhileCarried(_ new: String) throws {
    let evolution = try Manifests.evolution(
      Manifests.two("x: { relationship: B? }", ""), Self.models(new))
    #expect(!evolution.errors.isEmpty)
  }

  /// An optional link needs a value to become mandatory.
  @Test func optionalToMandatoryWhileFollowed() throws {
    let evolution = try Manifests.evolution(
      Manifests.two("x: { relationship: B? }", ""),
      Self.models(
        """
        A: { properties: { id: Int, x: { relationship: C } } }
        C: { renamedFrom: B, properties: { id: Int } }
        """))
    #expect(evolution.findings == ["relationship-made-required A.x"])
  }

  static let rooms: [(versions: [String], hasRoom: Bool)] = [
    (["1.0.0", "1.0.1"], false), (["1.0.0", "1.1.0"], true), (["1.0.0", "2.0.0"], true),
    (["1.0.7", "1.1.0"], true),
  ]

  @Test(arguments: rooms) func bridgesNeedANumber(_ versions: [String], _ hasRoom: Bool) throws {
    let evolution = try Manifests.evolution(
      "version: \(versions[0])\n" + Self.one(),
      "version: \(versions[1])\n" + Self.one("x: { type: UUID, fill: UUID() }"))
    #expect(evolution.findings == (hasRoom ? [] : ["no-room-for-bridge -"]))
    if hasRoom { #expect(Invariants.broken(evolution) == []) }
  }

  // MARK: Original names

  @Test func originalNamesGoThroughBridges() throws {
    let evolution = try Manifests.evolution(
      Self.one("a: Int, x: Int"), Self.one("b: { type: Int, renamedFrom: a }, x: Int"),
      Self.one("b: Int, x: { type: String, from: x, convert: 'String($0)', revert: '0' }"),
      Self.one("c: { type: Int, renamedFrom: b }, y: { type: String, renamedFrom: x }"),
      Self.one("c: Int, y: String, z: Int?"))
    #expect(evolution.errors == [])
    for version in evolution.chain.dropFirst() {
      let model = try #require(version.schema.model(named: "A"))
      let renamed = try #require(model.properties.first { $0.name == "b" || $0.name == "c" })
      #expect(renamed.originalName == "a", "\(version.name)")
    }
    for version in ["SchemaV4", "SchemaV5"] {
      #expect(evolution.property("y", of: "A", in: version)?.originalName == "xV3")
    }
    #expect(Invariants.broken(evolution) == [])
  }

  @Test func originalNamesFromBeforeTheFirstManifest() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: { type: Int, originalName: w }"),
      Self.one("y: { type: Int, renamedFrom: x, originalName: w }"),
      Self.one("z: { type: Int, renamedFrom: y, originalName: w }"))
    #expect(evolution.errors == [])
    #expect(evolution.property("x", of: "A", in: "SchemaV1")?.originalName == "w")
    #expect(evolution.property("y", of: "A", in: "SchemaV2")?.originalName == "w")
    #expect(evolution.property("z", of: "A", in: "SchemaV3")?.originalName == "w")
  }

  /// A manifest that gives an original name must give the first one. The generated code always has the first one.
  @Test(arguments: [
    (
      "y: { type: Int, renamedFrom: x, originalName: x }",
      "z: { type: Int, renamedFrom: y, originalName: x }", ""
    ),
    (
      "y: { type: Int, renamedFrom: x, originalName: x }", "z: { type: Int, renamedFrom: y }", "A.z"
    ),
    ("y: { type: Int, renamedFrom: x }", "z: { type: Int, renamedFrom: y, originalName: x }", ""),
    (
      "y: { type: Int, renamedFrom: x }", "z: { type: Int, renamedFrom: y, originalName: y }",
      "A.z"
    ),
    (
      "y: { type: Int, renamedFrom: x, originalName: x }",
      "z: { type: Int, renamedFrom: y, originalName: y }", "A.z"
    ),
    ("x: { type: Int, originalName: v }", "x: { type: Int, originalName: v }", "A.x"),
  ])
  func originalNamesByHand(_ second: String, _ third: String, _ element: String) throws {
    let evolution = try Manifests.evolution(
      Self.one("x: Int"), Self.one("\(second), n: Int?"), Self.one("\(third), n: Int?, m: Int?"))
    let found = evolution.diagnostics.filter { $0.rule.id == "original-name-changed" }
    #expect(Set(found.compactMap(\.element)) == (element.isEmpty ? [] : [element]))
    #expect(evolution.errors.count == found.count)
    for version in evolution.chain {
      let model = try #require(version.schema.model(named: "A"))
      let property = try #require(model.properties.first { ["x", "y", "z"].contains($0.name) })
      #expect((property.originalName ?? property.name) == "x", "\(version.name)")
    }
  }

  /// A step does not know of a rename that only the original name declares.
  @Test func renamesAreSaid() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: Int"),
      Self.one(
        "y: { type: Int?, originalName: x }", "",
        "drops: { A.x: { reason: gone, notCarriedTo: y } }")
    )
    let finding = try #require(evolution.finding("original-name-changed"))
    #expect(finding.element == "A.y")
    #expect(finding.help.first?.contains("renamedFrom: x") == true)
  }

  /// If two properties of a version have one original name, the next migration fails.
  @Test(arguments: [
    (["x: Int", "y: { type: Int, renamedFrom: x }", "y: Int, x: Int?"], "A.x"),
    (["x: Int, y: { type: Int, originalName: x }"], "A.x"),
    (["x: { type: Int, originalName: w }, y: { type: Int, originalName: w }"], "A.y"),
    (
      ["x: Int", "y: { type: Int, renamedFrom: x }", "y: Int, x: { type: UUID, fill: UUID() }"],
      "A.x"
    ),
  ])
  func twoGoBackToOne(_ versions: [String], _ element: String) throws {
    let evolution = try Manifests.evolution(versions.map { Self.one($0) })
    #expect(evolution.findings == ["reused-name \(element)"])
    #expect(evolution.finding(.reusedName)?.message.contains("the next migration fails") == true)
    #expect(evolution.finding(.reusedName)?.location != nil)
  }

  /// A property that gets its old name back needs no original name, and a store that skips a release finds it too.
  @Test func renamedBack() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: Int"), Self.one("y: { type: Int, renamedFrom: x }"),
      Self.one("x: { type: Int, renamedFrom: y }"))
    #expect(evolution.property("x", of: "A", in: "SchemaV3")?.originalName == nil)
    #expect(evolution.errors == [])
    #expect(evolution.stops == [])
    #expect(Invariants.broken(evolution) == [])
  }

  /// An attribute that became a relationship does not continue the property with its old name.
  @Test(arguments: ["", ", u: { type: UUID, fill: UUID() }"])
  func whatBecameARelationshipIsNew(_ more: String) throws {
    let evolution = try Manifests.evolution(
      Manifests.two("w: Int", ""), Manifests.two("x: { type: Int, renamedFrom: w }", ""),
      Manifests.two("x: { relationship: B? }\(more)", "", "drops: { A.x: gone }"))
    #expect(evolution.property("x", of: "A", in: "SchemaV3")?.originalName == nil)
    #expect(evolution.errors == [])
  }
}
