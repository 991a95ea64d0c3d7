import SchemaModel
import Testing

@testable import SchemaEvolution

/// The review of a step: what must be decided, acknowledged or corrected, and the edits that do so.
@Suite struct ReviewTests {
  static let undeclared: [(a: String, b: String, isPaired: Bool)] = [
    ("x: { relationship: B? }", "y: { relationship: '[A]' }", true),
    ("x: { relationship: B? }", "y: { relationship: A? }", true),
    ("x: { relationship: B?, inverse: y }", "y: { relationship: '[A]' }", false),
    ("x: { relationship: B }", "y: { relationship: '[A]' }", false),
    ("x: { relationship: B? }, z: { relationship: B? }", "y: { relationship: '[A]' }", false),
    ("x: { relationship: B? }, z: { relationship: A? }", "", false),
  ]

  /// Undeclared relationships that the framework pairs are reported.
  @Test(arguments: undeclared)
  func undeclaredInversesAreFound(_ a: String, _ b: String, _ isPaired: Bool) throws {
    let evolution = try Manifests.evolution(Manifests.two(a, b))
    #expect(evolution.findings == (isPaired ? ["inferred-inverse A.x"] : []))
    #expect(evolution.finding(.inferredInverse)?.help.first?.contains("inverse: y") ?? true)
  }

  private static func one(
    _ properties: String = "", _ keys: String = "", _ top: String = ""
  ) -> String { Manifests.one(properties, keys, top) }

  /// A misspelt name is one finding; the findings that follow from it are not reported.
  @Test(arguments: [
    ("title: String", "name: { type: String, renamedFrom: titel }", "unknown-source A.name"),
    (
      "title: String", "name: { type: Int, from: titel, convert: $0.count }",
      "unknown-source A.name"
    ),
  ])
  func slipsAreToldOnce(_ old: String, _ new: String, _ finding: String) throws {
    let evolution = try Manifests.evolution(Self.one(old), Self.one(new))
    #expect(evolution.findings == [finding])
    // A name that cannot be the misspelt one is reported as usual.
    let other = try Manifests.evolution(Self.one(old + ", note: Int"), Self.one(new))
    #expect(other.findings == ["unacknowledged-drop A.note", finding])
  }

  /// A suggestion must not give new values to a property that may be renamed.
  @Test func noExampleLosesWhatMayBeRenamed() throws {
    let evolution = try Manifests.evolution(
      Self.one("displayName: String"), Self.one("displayTitle: String"))
    #expect(
      evolution.findings == ["ambiguous-rename A.displayTitle", "missing-default A.displayTitle"])
    let help = try #require(evolution.finding("missing-default")?.help)
    #expect(
      help.first
        == "decide first whether the element was renamed: if 'displayName' is its old name, "
        + "write 'renamedFrom: displayName'"
    )
    #expect(!help.contains { $0.contains("for example") }, "\(help)")
  }

  @Test func slipsInNamesOfModelsAndCases() throws {
    let models = try Manifests.evolution(
      "models: { Trip: { properties: { a: Int } } }",
      "models: { Journey: { renamedFrom: Tripp, properties: { a: Int } } }")
    #expect(models.findings == ["unknown-source Journey"])
    func cases(_ cases: String) -> String {
      "models: { A: { properties: { k: K? } } }\ntypes: { K: { enum: String, cases: \(cases) } }"
    }
    let enums = try Manifests.evolution(
      cases("[open, closed]"), cases("[open, done: { renamedFrom: clsed }]"))
    #expect(enums.findings == ["unknown-source K.done"])
  }

  /// The edit that a help line suggests, after its colon.
  private func edit(_ help: String) throws -> String {
    let range = try #require(help.firstRange(of: /(with|write): +/))
    return String(help[range.upperBound...])
  }

  static let renames: [(old: String, new: String, isConversion: Bool)] = [
    ("displayName: String", "displayTitle: String", false),
    ("displayName: String", "displayTitle: String?", false),
    ("displayName: String?", "displayTitle: { type: String, default: '\"\"' }", false),
    (
      "createdAt: { type: Date, preserveValueOnDeletion: true }",
      "createdOn: { type: Date, preserveValueOnDeletion: true, doc: 'Day, or more: see \"x\"' }",
      false
    ),
    (
      "image: { type: Data?, externalStorage: true }",
      "imageData: { type: Data?, externalStorage: true, hashModifier: a1 }", false
    ),
    (
      "colour: { type: Data?, transformable: T1 }",
      "colourValue: { type: Data?, transformable: T1 }", false
    ),
    (
      "payload: { type: Data, encodes: '[String: Int]', fallback: '[:]', default: Data() }",
      "payloadData: { type: Data, encodes: '[String: Int]', fallback: '[:]', default: Data() }",
      false
    ),
    ("itemCount: Int", "itemCounter: { type: Double, default: 0 }", true),
    ("names: '[String]'", "nameList: '[String]'", false),
    ("parent: { relationship: A? }", "parentRow: { relationship: A?, deleteRule: cascade }", false),
    (
      "links: { relationship: '[A]', minimum: 1, maximum: 5 }",
      "linkList: { relationship: '[A]', minimum: 1, maximum: 5 }", false
    ),
  ]

  /// Both suggested edits settle the question, and the one that keeps values changes nothing else.
  @Test(arguments: renames)
  func ambiguousRename(_ old: String, _ new: String, _ isConversion: Bool) throws {
    let evolution = try Manifests.evolution(Self.one(old), Self.one(new))
    let finding = try #require(evolution.finding(.ambiguousRename))
    #expect(finding.severity == .error)
    #expect(finding.help.count == 2)
    #expect(evolution.findings.filter { !$0.hasPrefix("missing-default") }.count == 1)

    // If values are converted, the author has to write the conversion.
    let keep = try edit(finding.help[0]).replacing("…", with: "Double($0)")
    let kept = try Manifests.evolution(Self.one(old), Self.one(keep))
    #expect(kept.errors == [])
    #expect(kept.steps[0].changes.contains { $0.kind == .attributeRemoved } == false)
    let wanted = try #require(evolution.history[1].models[0].properties.last)
    let got = try #require(kept.history[1].models[0].properties.last)
    #expect(got.withoutStep == wanted.withoutStep)
    #expect((got.migration.convert != nil) == isConversion)

    let drop = try edit(finding.help[1])
    let dropped = try Manifests.evolution(Self.one(old), Self.one(new, "", drop))
    // A new required attribute still needs a default.
    #expect(dropped.errors.filter { !$0.hasPrefix("missing-default") } == [])
  }

  /// A to-one link that becomes to-many keeps its rows with the function that the help names.
  @Test(arguments: ["", ", inverse: y"]) func oneBecomesManyByAFunction(_ inverse: String) throws {
    let old = Manifests.two("x: { relationship: B? }", "")
    let other = inverse.isEmpty ? "" : "y: { relationship: '[A]' }"
    let evolution = try Manifests.evolution(
      old, Manifests.two("x: { relationship: '[B]'\(inverse) }", other))
    let finding = try #require(evolution.diagnostics.first { $0.element == "A.x" })
    let edit = try #require(finding.help.last?.split(separator: "for example: ").last)
    let carried = try Manifests.evolution(old, Manifests.two(String(edit), other))
    #expect(carried.errors == [])
    #expect(carried.steps[0].changes.map(\.kind).contains(.relationshipFilled))
    #expect(Invariants.broken(carried) == [])
  }

  /// The renamed property may be the less similar of two.
  @Test func othersMayBeIt() throws {
    let evolution = try Manifests.evolution(
      Self.one("itemCount: Int"),
      Self.one("itemCounter: { type: Int, default: 0 }, z: { type: Int, default: 0 }"))
    let help = try #require(evolution.finding(.ambiguousRename)?.help)
    #expect(help.count == 3)
    #expect(
      help[1]
        == "if 'z' is its new name, write: z: { type: Int, default: 0, renamedFrom: itemCount }")
  }

  /// If the type differs too, the suggested edit converts the values.
  @Test func renameWithTypeChange() throws {
    let evolution = try Manifests.evolution(
      Self.one("itemCount: Int"), Self.one("itemCounter: String"))
    let finding = try #require(evolution.finding(.ambiguousRename))
    #expect(
      finding.help[0].hasSuffix(
        "itemCounter: { type: String, from: itemCount, convert: String($0) }"))
  }

  @Test func unlikeThingsAreNoQuestion() throws {
    let evolution = try Manifests.evolution(Self.one("colour: String"), Self.one("weight: Double?"))
    #expect(evolution.findings == ["unacknowledged-drop A.colour"])
  }

  @Test func ambiguousModelRename() throws {
    let old = "models: { HabitModel: { properties: { id: Int, title: String, note: String? } } }"
    let body = "properties: { id: Int, title: String, note: String? } }"
    let evolution = try Manifests.evolution(old, "models: { Habit: { \(body) }")
    let finding = try #require(evolution.finding(.ambiguousRename))
    #expect(finding.element == "Habit")
    #expect(try edit(finding.help[0]) == "Habit: { renamedFrom: HabitModel, … }")
    let kept = try Manifests.evolution(old, "models: { Habit: { renamedFrom: HabitModel, \(body) }")
    #expect(kept.errors == [])
    #expect(kept.steps[0].plan.transfers.count == 1)
    let drop = try edit(finding.help[1])
    let dropped = try Manifests.evolution(old, "models: { Habit: { \(body) }\n\(drop)")
    #expect(dropped.errors == [])
  }

  @Test("A source that the conversion does not use is reported")
  func unusedSources() throws {
    func found(_ convert: String) throws -> [String] {
      try Manifests.evolution(
        Self.one("a: String, b: String, c: String?"),
        Self.one(
          "d: { type: String, from: [a, b, c], convert: '\(convert)', revert: { a: $0, b: $0, c: $0 } }"
        )
      ).findings
    }
    #expect(try found("$0 + $1") == ["unused-hint A.d"])
    #expect(try found("$0 + $1 + \"$2\"") == ["unused-hint A.d"], "what a text says is no use")
    #expect(try found("$0 + $1 + ($2 ?? \"\")").isEmpty)
    #expect(try found("[$0, $1, $2 ?? \"\"].filter { !$0.isEmpty }.joined()").isEmpty)
  }

  @Test("A relationship to a merged model cannot replace one to a source model")
  func relationshipsToAMergedModel() throws {
    let old = """
      models:
        Trip: { properties: { title: String, flights: { relationship: "[Flight]", inverse: trip, deleteRule: cascade },
          trains: { relationship: "[Train]", inverse: trip, deleteRule: cascade } } }
        Flight: { properties: { leaves: Date, trip: { relationship: Trip? } } }
        Train: { properties: { leaves: Date, trip: { relationship: Trip? } } }
      """
    func merged(_ sources: String) throws -> Evolution {
      try Manifests.evolution(
        old,
        """
        models:
          Trip: { properties: { title: String, rides: { relationship: "[Ride]", inverse: trip, deleteRule: cascade } } }
          Ride: { \(sources), properties: { leaves: Date, trip: { relationship: Trip? } } }
        drops: { Trip.flights: each ride knows its trip, Trip.trains: each ride knows its trip }
        """)
    }
    #expect(try merged("from: [Flight, Train]").errors == [])
    #expect(try merged("renamedFrom: Flight").finding(.ambiguousRename) != nil)
  }

  @Test func inferredOnlyWarns() throws {
    let evolution = try Manifests.evolution(
      Self.one("displayName: String?"), Self.one("displayTitle: String?"), policy: .inferred)
    #expect(evolution.finding(.ambiguousRename)?.severity == .warning)
    #expect(evolution.errors == [])
  }

  /// Hints without effect, wrong hints, and hints that cannot be followed.
  static let hints: [(old: String, new: String, findings: [String])] = [
    (one("x: Int"), one("x: { type: Int, fill: 0 }"), ["unused-hint A.x"]),
    (one("x: Int?"), one("x: { type: Int?, fill: 0 }"), ["unused-hint A.x"]),
    (one("x: Int"), one("x: { type: Int, renamedFrom: x }"), ["unused-hint A.x"]),
    (
      one("x: { type: Int, unique: true }"),
      one("x: { type: Int, unique: true, dedupe: { latest: id } }"), ["unused-hint A.x"]
    ),
    (
      one("x: Int, y: Int", "unique: [[id, x]]"),
      one("x: Int, y: Int", "unique: [{ keys: [id, x], dedupe: { latest: y } }]"),
      ["unused-hint A"]
    ),
    (one("x: Int"), one("x: Int", "", "drops: { A.x: gone }"), ["unused-hint A.x"]),
    (one("x: Int"), one("x: Int", "", "drops: { A.y: gone }"), ["unused-hint A.y"]),
    (
      one("x: Int?"), one("y: { type: Int?, renamedFrom: xx }", "", "drops: { A.x: gone }"),
      ["unknown-source A.y"]
    ),
    (
      one("x: Int?"), one("y: { type: Int?, from: xx, convert: $0 }", "", "drops: { A.x: gone }"),
      ["unknown-source A.y"]
    ),
    (one(), Manifests.two("", "").replacing("B: {", with: "B: { from: AA,"), ["unknown-source B"]),
    (
      one(), Manifests.two("", "").replacing("B: {", with: "B: { renamedFrom: A,"),
      ["unused-hint B"]
    ),
    (
      Manifests.two("", "x: Int"),
      "models: { B: { renamedFrom: A, properties: { id: Int } } }",
      ["unacknowledged-drop B", "unused-hint B"]
    ),
    (one(), Manifests.two("", "x: { type: Int, fill: 0 }"), ["unused-hint B.x"]),
    (
      one("x: Int, y: Int"), one("x: { type: Int, renamedFrom: y }"),
      ["reused-name A.x", "unacknowledged-drop A.x"]
    ),
    (one("x: Int"), one("x: Int = 0, y: { type: Int, renamedFrom: x }"), ["reused-name A.y"]),
    (
      one("x: Int"), one("y: { type: Int, renamedFrom: x }, z: { type: Int, renamedFrom: x }"),
      ["reused-name A.z"]
    ),
    (
      one("x: Int, y: Int"),
      one("x: { type: Int, renamedFrom: y }, y: { type: Int, renamedFrom: x }"),
      ["reused-name A.x", "reused-name A.y"]
    ),
    (one("x: Int"), one("y: { type: String, from: x }"), ["missing-source A.y"]),
    (one("x: Int?"), one("y: { type: Int, from: x }"), ["missing-source A.y"]),
    (one("x: Int?"), one("y: { type: Int, from: x, convert: $0 }"), ["missing-source A.y"]),
    (one("x: Int?"), one("y: { type: Int, from: x, convert: $0 ?? 0 }"), []),
    (one("x: Int"), one("y: { type: Int, from: x, revert: $0 }"), []),
    (one("x: Int"), one("y: { type: Int?, from: x, revert: $0 ?? 0 }"), []),
    (
      one("x: Int"),
      one("x: Double", "", "accept: [{ rule: number-type-changed, element: A.x, reason: ok }]"),
      []
    ),
    (
      one("x: Int"),
      one("x: Double", "", "accept: [{ rule: number-type-changed, element: A.y, reason: ok }]"),
      ["number-type-changed A.x", "unused-acceptance A.y"]
    ),
    (
      one("x: Int"),
      one("x: Int?", "", "accept: [{ rule: number-type-changed, element: A.x, reason: ok }]"),
      ["unused-acceptance A.x"]
    ),
    (
      one(), one("x: Int", "", "accept: [{ rule: missing-default, element: A.x, reason: ok }]"),
      ["missing-default A.x"]
    ),
    (
      one("x: Int"),
      one(
        "", "", "drops: { A.x: gone }\naccept: [{ rule: missing-inverse, element: A, reason: ok }]"),
      []
    ),
    (
      one("x: { type: Int?, transient: true }"), one("y: { type: Int?, renamedFrom: x }"),
      ["unused-hint A.y"]
    ),
  ]

  @Test(arguments: hints)
  func hint(_ old: String, _ new: String, _ findings: [String]) throws {
    let evolution = try Manifests.evolution(old, new)
    #expect(evolution.findings == findings, "\(evolution.diagnostics.map(\.message))")
    for diagnostic in evolution.diagnostics {
      #expect(diagnostic.location != nil)
      #expect(!diagnostic.help.isEmpty || diagnostic.rule.id == Rule.unknownSource.id)
    }
  }

  /// An expectation, and the message about it.
  private static let expectations: [(expectation: String, message: String)] = [
    ("no A without note", ""), ("no A without owner", ""),
    ("no A without others", ""), ("no A without base", ""), ("no Sub without base", ""),
    ("{ A: new.y == old.x }", ""), ("{ A: new.base == old.base }", ""),
    ("{ Sub: new.base == old.base && new.own == old.own }", ""),
    ("{ A: new.kind == .b || old.kind == new.kind }", ""),
    ("{ A: new.`default` == old.`default` }", ""),
    ("{ A: '\"new.zebra\".isEmpty || new.y == 1' }", ""),
    ("{ A: '[1, 2].map { new.y + $0 }.isEmpty || Helper.new.zebra' }", ""),
    ("{ A: '\"\\(new.y)\" == \"\\(old.x)\"' }", ""), ("{ A: Double(new.y) == Double(old.x) }", ""),
    ("{ A: '[0, 1].allSatisfy { new.y > $0 }' }", ""),
    ("{ A: 'pair(old: new.y, new: 1) == 1' }", ""),
    ("{ A: new == old.x }", "'new' is a whole row, which cannot be compared"),
    (
      "{ A: '[new.y].allSatisfy { old in old > 1 }' }",
      "'old' is a whole row, which cannot be compared"
    ),
    ("{ A: '\"\\(new.zebra)\".isEmpty' }", "'A' has no property 'zebra' in V2"),
    (
      "no A without note, no A without note", "'no A without note' appears twice"
    ),
    ("{ A: new.shown == 1 }", "'new.shown' is not stored"), ("no A without photo", ""),
    (
      "{ A: new.photo == nil }",
      "'new.photo', which may be stored outside its row, cannot be compared"
    ),
    ("no B without id", "V2 has no model 'B'"),
    ("no Gone without id", "V2 has no model 'Gone'"),
    ("no A without zebra", "'A' has no property 'zebra' in V2"),
    ("no A without shown", "'A.shown' is not stored"),
    ("{ A: 1 == 1 }", "'1 == 1' does not mention a row"),
    ("{ A: new.day < Date() }", "'new.day < Date()' may give a different value each time"),
    ("{ A: new.x == 1 }", "'A' has no property 'x' in V2"),
    ("{ A: new.y == old.y }", "'A' has no property 'y' in V1"),
    ("{ New: new.id == old.id }", "'New' is new: there is no 'old'"),
    (
      "{ Both: new.id == old.id }",
      "a row of 'Both' comes from 'First' and 'Second', and 'old' could be any of them"
    ),
    ("{ Both: new.id > 0 }", ""),
    ("{ A: new.owner == old.owner }", "'new.owner', a relationship, cannot be compared"),
    (
      "{ A: new.list == old.list }",
      "'new.list', of a type that an expectation cannot read, cannot be compared"
    ),
    (
      "{ A: new.place == old.place }",
      "'new.place', of a type that an expectation cannot read, cannot be compared"
    ),
  ]

  @Test("An expectation must use existing properties of comparable types", arguments: expectations)
  func expectation(_ expectation: String, _ message: String) throws {
    func version(_ a: String, _ models: String, _ top: String) -> String {
      """
      models:
        A: { inherits: Root, properties: { id: Int, \(a), note: String?, photo: { type: Data?, externalStorage: true }, day: Date, kind: Kind, list: "[Int]", place: Place, default: Int, shown: { type: Int, default: 0, transient: true }, owner: { relationship: Owner?, inverse: others }, others: { relationship: "[Owner]" } } }
        Owner: { properties: { name: String, others: { relationship: "[A]" } } }
        Root: { properties: { base: Int? } }
        Sub: { inherits: Root, properties: { own: Int } }
        \(models)
      types:
        Kind: { enum: String, cases: [a, b] }
        Place: { struct: { x: Int } }
      \(top)
      """
    }
    let old = version(
      "x: Int",
      "First: { properties: { id: Int } }\n  Second: { properties: { id: Int } }\n  Gone: { properties: { id: Int } }",
      "")
    let new = version(
      "y: { type: Int, renamedFrom: x }",
      "Both: { from: [First, Second], properties: { id: Int } }\n  New: { properties: { id: Int } }",
      "drops: { Gone: gone }\nexpect: [\(expectation)]")
    let found = try Manifests.evolution(old, new).diagnostics.filter {
      $0.rule == .brokenExpectation
    }
    #expect(found.first?.message ?? "" == message)
    for finding in found {
      #expect(finding.location?.file == "V2.yaml" && !finding.help.isEmpty)
    }
  }

  @Test func unknownSourcesAreGuessed() throws {
    let evolution = try Manifests.evolution(
      Self.one("createdAt: Date"),
      Self.one(
        "created: { type: Date, renamedFrom: createdat }", "", "drops: { A.createdAt: gone }"))
    #expect(evolution.finding(.unknownSource)?.help == ["did you mean 'createdAt'?"])
    let model = try Manifests.evolution(
      "models: { HabitModel: { properties: { id: Int } } }",
      "models: { Habit: { renamedFrom: HabitModle, properties: { id: Int } } }",
      policy: .inferred)
    #expect(model.finding(.unknownSource)?.help == ["did you mean 'HabitModel'?"])
  }

  @Test func unusedDropIsGuessed() throws {
    let evolution = try Manifests.evolution(
      Self.one("colour: Int"), Self.one("", "", "drops: { A.color: gone }"))
    #expect(evolution.finding(.unusedHint)?.help.first == "did you mean 'A.colour'?")
    #expect(evolution.findings == ["unacknowledged-drop A.colour", "unused-hint A.color"])
  }

  /// With the help for a reused name, a bridge keeps the values.
  @Test func reusedNameThroughABridge() throws {
    let old = Self.one("x: Int, y: Int")
    let evolution = try Manifests.evolution(old, Self.one("x: { type: Int, renamedFrom: y }"))
    let finding = try #require(evolution.finding(.reusedName))
    #expect(finding.help[1].hasSuffix("x: { type: Int, from: y, convert: $0, revert: $0 }"))
    let carried = try Manifests.evolution(
      old,
      Self.one(
        "x: { type: Int, from: y, convert: $0, revert: $0 }", "",
        "drops: { A.x: { reason: gone, revert: '0' } }"))
    #expect(carried.errors == [])
    #expect(carried.names == ["SchemaV1", "SchemaV1ToV2", "SchemaV1ToV2Step2", "SchemaV2"])
    #expect(Invariants.broken(carried) == [])
  }

  /// Drops of a renamed model's properties use their old names.
  @Test func renamedModelDrops() throws {
    let old = Self.one("x: Int, y: Int = 0")
    let new = "models: { C: { renamedFrom: A, properties: { id: Int, x: Int } } }"
    #expect(try Manifests.evolution(old, new).findings == ["unacknowledged-drop A.y"])
    let acknowledged = try Manifests.evolution(old, new + "\ndrops: { A.y: gone }")
    #expect(acknowledged.errors == [])
  }

  /// Properties that no part of a split model takes are dropped, which must be acknowledged.
  @Test func splitModelDrops() throws {
    let evolution = try Manifests.evolution(
      Self.one("x: Int, y: Int, z: Int"),
      """
      models:
        C: { from: A, properties: { id: Int, x: Int, d: { relationship: D? } } }
        D: { from: A, properties: { id: Int, w: { type: Int, from: y, convert: $0 } } }
      """)
    #expect(evolution.findings == ["unacknowledged-drop A.z"])
  }

  /// Links are dropped with the rows that they lead to: one question with one answer, which a rename may settle too.
  @Test("Confirming the drop of a model confirms the drop of relationships to it")
  func relationshipsGoWithTheirDestination() throws {
    let old = Manifests.two(
      "bs: { relationship: '[B]' }, b: { relationship: B?, inverse: a }",
      "a: { relationship: A? }")
    let pending = try Manifests.evolution(old, Self.one())
    #expect(pending.findings == ["unacknowledged-drop B"])
    let settled = try Manifests.evolution(old, Self.one("", "", "drops: { B: on the server }"))
    #expect(settled.errors == [])
    let reasons = settled.steps[0].changes.map {
      "\($0.element): \($0.acknowledgement?.text ?? "-")"
    }
    #expect(reasons == ["B: on the server", "A.b: on the server", "A.bs: on the server"])
    let both = try Manifests.evolution(
      old, Self.one("", "", "drops: { B: on the server, A.b: nobody looked }"))
    #expect(both.errors == [])
    #expect(both.steps[0].changes.map(\.acknowledgement).contains(.reason("nobody looked")))
    // If the model may be renamed, its links may continue too.
    let renamed = try Manifests.evolution(
      old, "models: { A: { properties: { id: Int } }, B2: { properties: { id: Int } } }")
    #expect(renamed.findings.count == 3, "\(renamed.findings)")
    let kept = try Manifests.evolution(old, Manifests.two("", "a: { relationship: A? }"))
    #expect(
      kept.findings == [
        "inverse-changed B.a", "unacknowledged-drop A.b", "unacknowledged-drop A.bs",
      ])
  }

  @Test("The drop of a subclass says which model also loses the subclass's rows")
  func rowsOfASubclass() throws {
    func version(_ more: String, _ top: String = "") -> String {
      "models: { A: { properties: { id: Int } }\(more) }\n\(top)"
    }
    let old = version(
      ", B: { inherits: A, properties: { x: Int } }, C: { inherits: B, properties: { y: Int } }")
    let evolution = try Manifests.evolution(
      old, version("", "drops: { B: gone, C: gone }"), platforms: [.iOS: 26])
    #expect(evolution.errors == [])
    let detail = "the model's rows are also rows of A, and are dropped there too"
    #expect(evolution.steps[0].changes.map(\.detail) == [detail, detail])
    // The help for each of the two.
    let removed = try Manifests.evolution(old, version(""), platforms: [.iOS: 26])
    #expect(removed.findings == ["unacknowledged-drop B", "unacknowledged-drop C"])
    let finding = try #require(removed.finding(.unacknowledgedDrop))
    #expect(finding.message.hasSuffix("; " + detail))
    #expect(finding.help[2].hasSuffix(": B: { inherits: A, properties: {} }"), "\(finding.help)")
    let kept = try Manifests.evolution(
      old, version(", B: { inherits: A, properties: {} }", "drops: { C: gone, B.x: gone }"),
      platforms: [.iOS: 26])
    #expect(kept.errors == [])
    let plain = try Manifests.evolution(
      old,
      "models: { D: { renamedFrom: A, properties: { id: Int } } }\ndrops: { B.x: gone, C.x: gone, C.y: gone }",
      platforms: [.iOS: 26])
    #expect(plain.errors == [])
    #expect(plain.steps[0].plan.transfers.map { "\($0.source) → \($0.target)" } == ["A → D"])
    let all = try Manifests.evolution(
      old,
      "models: { D: { properties: { id: Int } } }\ndrops: { A: { reason: gone, notCarriedTo: D }, B: gone, C: gone }",
      platforms: [.iOS: 26])
    #expect(all.errors == [])
    #expect(all.steps[0].changes.map(\.detail) == ["", "", "", ""])
  }

  @Test func printedScalarsAreRead() throws {
    let texts = ["$0", "\"a: b\"", "it's", "[1, 2]", "- 1", "a # b", "x?", "two\nlines \\"]
    for text in texts {
      let version = try Manifests.versions([
        Self.one("", "doc: \(ManifestEdit.scalar(text))")
      ])[0]
      #expect((version.models[0].documentation ?? "") == text)
    }
  }

  /// The row to keep is found by comparing values, so their type must have an order.
  @Test(arguments: [
    ("d: Date?", true), ("d: Double", true), ("d: String?", true), ("d: Bool", false),
    ("d: UUID", false), ("d: 'Level?'", false), ("d: { relationship: B? }", false),
  ]) func dedupeNeedsAnOrder(_ property: String, _ isOrdered: Bool) throws {
    func version(_ id: String) -> String {
      """
      models: { A: { properties: { id: \(id), \(property) } }, B: { properties: { id: Int } } }
      types: { Level: { enum: String, cases: [a] } }

      """
    }
    let evolution = try Manifests.evolution(
      version("Int"), version("{ type: Int, unique: true, dedupe: { latest: d } }"))
    #expect(evolution.errors.isEmpty == isOrdered, "\(evolution.errors)")
    if !isOrdered { #expect(evolution.findings == ["unorderable A.d"]) }
  }

  /// Duplicates are equal in the unique property, so it cannot decide which of them stays.
  @Test func dedupeNeedsAnotherProperty() throws {
    func findings(_ properties: String, _ uniques: String = "") throws -> [String] {
      try Manifests.evolution(
        "models: { A: { properties: { id: Int, at: Date } } }\n",
        "models: { A: { properties: { \(properties) }\(uniques) } }\n"
      ).findings
    }
    let id = "id: { type: Int, unique: true, dedupe: { latest: id } }, at: Date"
    #expect(try findings(id) == ["unorderable A.id"])
    let both = ", unique: [{ keys: [id, at], dedupe: { earliest: at } }]"
    #expect(try findings("id: Int, at: Date", both) == [])
    #expect(try findings(id.replacing("latest: id", with: "latest: at")) == [])
  }

  /// Values that every old row would share, or that conversions may make equal, break a unique constraint.
  @Test(arguments: [
    (
      "", "x: { type: String, default: '\"\"', unique: true, dedupe: { latest: id } }",
      "unique-added A.x"
    ),
    (
      "", "x: { type: String, fill: '\"a\"', unique: true, dedupe: { latest: id } }",
      "unique-added A.x"
    ),
    ("", "x: { type: UUID, fill: UUID(), unique: true }", ""),
    ("", "x: { type: Int?, unique: true, dedupe: { latest: id } }", "unused-hint A.x"),
    (
      "x: { type: String, unique: true }",
      "x: { type: Int, unique: true, from: x, convert: 'Int($0) ?? 0', revert: 'String($0)' }",
      "unique-added A.x"
    ),
    (
      "x: { type: String, unique: true }",
      "x: { type: Int, unique: true, from: x, convert: 'Int($0) ?? 0', revert: 'String($0)', dedupe: { latest: id } }",
      ""
    ),
    (
      "x: { type: String, unique: true }",
      "y: { type: String, unique: true, from: x, convert: $0, revert: $0 }", ""
    ),
    (
      "x: { type: String?, unique: true }", "x: { type: String, unique: true, default: '\"\"' }",
      "unique-added A.x"
    ),
    (
      "x: String",
      "x: { type: String, unique: true, dedupe: { latest: at } }, at: Date = Date.distantPast",
      "unorderable A.at"
    ),
  ])
  func uniqueValuesStayDistinct(_ old: String, _ new: String, _ finding: String) throws {
    let evolution = try Manifests.evolution(Self.one(old), Self.one(new))
    #expect(evolution.findings == (finding.isEmpty ? [] : [finding]), "\(evolution.errors)")
  }

  /// Deleting a duplicate also deletes links that cannot be found from the row that stays.
  @Test(arguments: [
    ("to: { relationship: 'A?' }", "", ["link-to-duplicate A.x"]),
    ("to: { relationship: 'A?', inverse: back }", "back: { relationship: '[B]' }", []),
    ("to: { relationship: '[A]' }", "", ["link-to-duplicate A.x"]),
    ("y: Int", "next: { relationship: 'A?' }", ["link-to-duplicate A.x"]),
  ])
  func linksToEqualRowsHaveAnInverse(_ link: String, _ back: String, _ findings: [String]) throws {
    func version(_ x: String) -> String {
      "models: { A: { properties: { \(x), at: Date, \(back) } }, B: { properties: { \(link) } } }\n"
    }
    let evolution = try Manifests.evolution(
      version("x: String"), version("x: { type: String, unique: true, dedupe: { latest: at } }"))
    #expect(evolution.errors.isEmpty == findings.isEmpty)
    #expect(
      evolution.findings.filter { $0.hasPrefix("link-to") } == findings, "\(evolution.errors)")
  }

  /// A property unique in a part of the key is unique in all of it, as long as the part's values stay the same.
  @Test(arguments: [
    ("x: { type: Int, unique: true }", "x: Int", "unique: [[id, x]]", ""),
    ("x: { type: Int, unique: true }", "y: { type: Int, renamedFrom: x }", "unique: [[id, y]]", ""),
    ("x: Int, y: Int", "x: Int, y: Int", "unique: [[id, x, y]]", "compound-unique-added A"),
    (
      "x: { type: Double, unique: true }", "x: Int", "unique: [[id, x]]", "compound-unique-added A"
    ),
    (
      "x: { type: Int?, unique: true }", "x: Int = 0", "unique: [[id, x]]",
      "compound-unique-added A"
    ),
    (
      "x: { type: Int, unique: true }", "x: { type: Int, from: x, convert: $0 / 2, revert: $0 }",
      "unique: [[id, x]]", "compound-unique-added A"
    ),
  ])
  func aUniquePartNeedsNoDedupe(
    _ old: String, _ new: String, _ unique: String, _ finding: String
  ) throws {
    let evolution = try Manifests.evolution(Self.one(old), Self.one(new, unique))
    #expect(evolution.findings.contains("compound-unique-added A") == !finding.isEmpty)
    #expect(evolution.steps[0].plan.dedupes == [])
  }

  @Test(
    "A step's description shows its conversion, shortened visibly if long",
    arguments: [
      ("{ type: Int, from: x, convert: 'Int($0) ?? 0', revert: String($0) }", ", by Int($0) ?? 0"),
      ("{ type: String, from: x, convert: $0, revert: $0 }", ""),
      (
        "{ type: Int, from: x, convert: { function: y }, revert: String($0) }",
        ", by the function 'y'"
      ),
      (
        "{ type: Int, from: x, convert: 'Int($0.filter(\\.isNumber)) ?? Int($0.count) ?? 0', revert: String($0) }",
        ", by Int($0.filter(\\.isNumber)) ?? Int($0.count) ?? 0"
      ),
      (
        "{ type: Int, from: x, convert: 'Int($0) ?? \(String(repeating: "1", count: 200))', revert: String($0) }",
        ", by Int($0) ?? \(String(repeating: "1", count: 149))… (in full in V2.yaml)"
      ),
    ])
  func conversionsAreShown(_ property: String, _ shown: String) throws {
    let evolution = try Manifests.evolution(Self.one("x: String"), Self.one("y: \(property)"))
    let detail = try #require(evolution.steps[0].changes.first?.detail)
    #expect(detail == "x: String → y: \(property.contains("Int,") ? "Int" : "String")\(shown)")
  }

  @Test(
    "A removal and an addition become one change if another state of the version has the conversion"
  )
  func conversionsOfAnotherState() throws {
    let said = "y: { type: Int, from: x, convert: 'Int($0) ?? 0', revert: String($0) }"
    let history = try Manifests.evolution(Self.one("x: String"), Self.one(said)).history
    let copy = history[1].withoutStep.takingConversions(of: history[1], from: history[0])
    let changes = SchemaDiffer().changes(from: history[0], to: copy)
    #expect(changes.map(\.kind) == [.attributeConverted])
    #expect(changes[0].detail == "x: String → y: Int, by Int($0) ?? 0")
    #expect(
      history[1].withoutStep.takingConversions(of: history[1], from: history[1])
        == history[1].withoutStep)
  }

  @Test func newKeysOfAConstraintAreNotLookedUpInOldRows() throws {
    let compound = { (keys: String) in "unique: [{ keys: [\(keys)], dedupe: { latest: id } }]" }
    let mixed = try Manifests.evolution(
      Self.one("a: String"), Self.one("a: String, b: String = \"\"", compound("a, b")))
    #expect(mixed.errors == [])
    #expect(mixed.steps[0].plan.dedupes.map { $0.keys.map(\.name) } == [["a"]])
    let optional = try Manifests.evolution(
      Self.one("a: String"), Self.one("a: String, b: String?", compound("a, b")))
    #expect(optional.steps[0].plan.dedupes.isEmpty)
    let new = try Manifests.evolution(
      Self.one(), Self.one("a: Int = 0, b: Int = 0", compound("a, b")))
    #expect(new.findings == ["compound-unique-added A"])
  }

  @Test func whatCannotBeAcceptedSaysSo() throws {
    let evolution = try Manifests.evolution(
      Manifests.one(),
      Manifests.one(
        "x: Int", "", "accept: [{ rule: missing-default, element: A.x, reason: why }]\n"))
    #expect(evolution.finding("missing-default")?.help.last == "this rule cannot be accepted")
  }

  /// A suggestion to replace a line contains everything that the line has.
  @Test func examplesKeepTheStep() throws {
    let evolution = try Manifests.evolution(
      Manifests.one("x: Int, z: Int"),
      Manifests.one(
        "y: { type: String, unique: true, from: [x, z], convert: 'f($0, $1)', "
          + "revert: { x: g($0), z: '0' }, fill: '\"\"' }"))
    let help = try #require(evolution.finding("unique-added")?.help.last)
    #expect(
      help
        == "for example: y: { type: String, unique: true, from: [x, z], convert: 'f($0, $1)', "
        + "revert: { x: g($0), z: 0 }, fill: '\"\"', dedupe: { latest: … } }")
  }

  @Test(
    "The help for a removed property suggests every new property that could take its values"
  )
  func successors() throws {
    func model(_ properties: String) -> String {
      "models: { T: { properties: { \(properties) } } }"
    }
    let evolution = try Manifests.evolution(
      model("title: String"),
      model("amount: Int = 0, label: String = \"\", name: { type: String?, default: nil }"))
    let finding = try #require(evolution.finding(.unacknowledgedDrop))
    #expect(
      finding.help == [
        "if 'label' is its new name, write: label: { type: String, default: '\"\"', renamedFrom: title }",
        "if 'name' is its new name, write: name: { type: String?, default: nil, renamedFrom: title }",
        "to drop it, write: drops: { T.title: { reason: \"why\", notCarriedTo: [label, name] } }",
      ], "\(finding.help)")
    let none = try Manifests.evolution(model("title: String"), model("amount: Int = 0"))
    #expect(
      try #require(none.finding(.unacknowledgedDrop)).help.last
        == "if the property has another name now, write 'renamedFrom: title' at that property")
  }

  @Test("A renamed property with another type uses 'from:', not 'renamedFrom:'")
  func renamedToAnotherType() throws {
    let evolution = try Manifests.evolution(
      Self.one("length: Double"), Self.one("text: { type: String, renamedFrom: length }"))
    let finding = try #require(evolution.finding("type-changed"))
    #expect(
      finding.help == [
        "in place of 'renamedFrom:', write 'from: length' and 'convert:' with an expression",
        "for example: text: { type: String, from: length, convert: String($0) }",
      ], "\(finding.help)")
    // Without the rename, the same answer is suggested at once.
    let gone = try Manifests.evolution(Self.one("length: Double"), Self.one("text: String"))
    #expect(
      gone.finding(.unacknowledgedDrop)?.help.first
        == "if 'text' is made from the old property, write: text: { type: String, from: length, convert: String($0) }"
    )
  }

  @Test("The suggested conversion to cents keeps all values and never traps")
  func cents() throws {
    for (old, new, convert) in [
      ("Double", "Int", "'Int(exactly: ($0 * 100).rounded()) ?? 0'"),
      ("Double?", "Int?", "'$0.flatMap { Int(exactly: ($0 * 100).rounded()) }'"),
      ("Double?", "Int", "'$0.flatMap { Int(exactly: ($0 * 100).rounded()) } ?? 0'"),
    ] {
      let evolution = try Manifests.evolution(
        Self.one("price: \(old)"), Self.one("priceInCents: \(new)"))
      let help = try #require(evolution.finding(.ambiguousRename)?.help)
      #expect(help.contains { $0.contains("convert: \(convert) }") }, "\(help)")
    }
  }

  @Test("The help for a property that may move to a new model offers 'from:' and a drop")
  func partsOfRows() throws {
    func version(_ trip: String, _ rest: String = "") -> String {
      "models: { Trip: { properties: { title: String, \(trip) } }\(rest) }\n"
    }
    let old = version("street: String")
    let address = ", Address: { properties: { street: String, trip: { relationship: Trip? } } }"
    let new = version("address: { relationship: Address?, inverse: trip }", address)
    let help = try #require(try Manifests.evolution(old, new).finding(.unacknowledgedDrop)?.help)
    #expect(
      help == [
        "if rows of 'Address' take over its values, write: from: Trip at 'Address'",
        "to drop it, write: drops: { Trip.street: { reason: \"why\", notCarriedTo: Address } }",
      ], "\(help)")
    let dropped = try Manifests.evolution(old, new + "drops: { Trip.street: nobody used it }\n")
    #expect(dropped.findings == ["ambiguous-rename Trip.street"])
    let told = try Manifests.evolution(
      old,
      new + "drops: { Trip.street: { reason: nobody used it, notCarriedTo: Address } }\n")
    #expect(told.findings == [])
    let taken = try Manifests.evolution(
      old, new.replacing("Address: { properties", with: "Address: { from: Trip, properties"))
    #expect(taken.findings == [])
  }
}
