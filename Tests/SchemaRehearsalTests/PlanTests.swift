import Foundation
import ManagedModels
import RehearsalHarness
import SchemaEvolution
import SchemaManifest
import SchemaModel
import TestSupport
import Testing

@testable import SchemaRehearsal

@Suite struct PlanTests {
  /// Every property of every target has one expectation, and every property of every source is accounted for.
  @Test(arguments: Checkout.references) func everythingIsAccountedFor(_ folder: String) throws {
    let evolution = try Histories.evolution(folder)
    let plan = RehearsalPlanner(evolution).plan()
    let count = evolution.history.count
    #expect(plan.paths.count == count * (count - 1) / 2)
    for path in plan.paths {
      let from = evolution.history[path.from]
      let to = evolution.history[path.to]
      #expect(Set(path.flows.map(\.source)) == Set(from.models.map(\.name)))
      for flow in path.flows {
        guard let target = flow.target else { continue }
        #expect(flow.fields.map(\.property) == Self.stored(target, to).sorted())
        #expect(Set(flow.fields.flatMap(\.origins)).isSubset(of: Self.stored(flow.source, from)))
      }
      for model in from.models {
        let flows = path.flows.filter { $0.source == model.name }
        let drops = path.drops.filter { $0.entity == model.name }
        if flows.contains(where: { $0.target == nil }) {
          #expect(flows.count == 1)
          #expect(drops.map(\.property) == [nil])
          continue
        }
        let reached = Set(flows.flatMap(\.fields).flatMap(\.origins))
        let dropped = drops.compactMap(\.property)
        #expect(reached.isDisjoint(with: dropped))
        #expect(reached.union(dropped) == Set(Self.stored(model.name, from)))
      }
    }
  }

  private static func stored(_ model: String, _ version: SchemaVersion) -> [String] {
    guard let model = version.model(named: model) else { return [] }
    let own = model.properties.filter { !$0.isTransient }.map(\.name)
    return own + (model.superclass.map { stored($0.value, version) } ?? [])
  }

  /// Every drop in the examples has a reason.
  @Test(arguments: Checkout.references) func dropsHaveReasons(_ folder: String) throws {
    let plan = try RehearsalPlanner(Histories.evolution(folder)).plan()
    let silent = Set(
      plan.paths.flatMap(\.drops).filter { $0.reason == nil }.map { "\($0.element) in \($0.step)" })
    #expect(silent == [])
  }

  @Test(arguments: Checkout.references) func rowsFitTheirVersion(_ folder: String) throws {
    let evolution = try Histories.evolution(folder)
    let plan = RehearsalPlanner(evolution).plan()
    for (version, planned) in zip(evolution.history, plan.versions) {
      let labels = planned.rows.map(\.label)
      #expect(Set(labels).count == labels.count)
      for model in version.models {
        let rows = planned.rows.filter { $0.entity == model.name }
        #expect(rows.count { $0.category == nil } >= 3)
        for row in rows {
          #expect(Set(row.links.values.joined()).isSubset(of: labels))
          for property in model.properties where property.relationship?.cardinality == .one {
            #expect(row.links[property.name]?.count == 1)
          }
          for property in model.properties where Self.mustHaveValue(property) {
            #expect(
              row.values.contains { slot, value in
                (slot == property.name || slot.hasPrefix(property.name + "."))
                  && value != .stored(.null)
              }, "\(planned.name) '\(row.label)'.\(property.name)")
          }
        }
        let unique = model.properties.filter {
          $0.attribute?.options.contains(.unique) ?? false
        }.map { [$0.name] }
        for names in unique + model.uniques.map(\.names) {
          let keys = rows.map { row in names.map { row.values[$0] } }
          let whole = keys.filter { !$0.contains(.stored(.null)) && !$0.contains(nil) }
          #expect(Set(whole).count == whole.count, "\(planned.name) \(model.name) \(names)")
        }
      }
    }
  }

  /// Both ends of a one-to-one relationship are set, even in cycles, since no app writes only one of them.
  @Test func pairsLeadBack() throws {
    let version =
      "models: { A: { properties: { id: Int, b: { relationship: A?, inverse: c }, c: { relationship: A? } } } }\n"
    let plan = try Histories.plan([version])
    let rows = Dictionary(uniqueKeysWithValues: plan.versions[0].rows.map { ($0.label, $0) })
    #expect(rows.values.contains { $0.category == "cycles" })
    for row in rows.values {
      for (name, inverse) in [("b", "c"), ("c", "b")] {
        for partner in row.links[name] ?? [] {
          #expect(rows[partner]?.links[inverse] == [row.label], "\(row.label).\(name)")
        }
      }
    }
  }

  /// Several rows lead to one row, unless a later version, which was accepted, allows only one.
  @Test(arguments: [
    ("B?", "[B]", ""),
    (
      "[B]", "[B]",
      """
      accept: [{ rule: relationship-made-exclusive, element: A.b, reason: known }]
      drops: { B.a: known }
      """
    ),
  ]) func rowsShareTheirPartner(_ old: String, _ new: String, _ accepted: String) throws {
    func version(_ type: String, _ inverse: String) -> String {
      """
      models:
        A: { properties: { name: String, b: { relationship: '\(type)'\(inverse) } } }
        B: { properties: { name: String, \(inverse.isEmpty ? "" : "a: { relationship: '[A]' }") } }

      """
    }
    let inverse = ", inverse: a"
    let plan = try Histories.plan([
      version(old, inverse), version(new, accepted.isEmpty ? inverse : "") + accepted,
    ])
    let partners = plan.versions[0].rows.flatMap { $0.entity == "A" ? $0.links["b"] ?? [] : [] }
    #expect(partners.count > 3)
    #expect((Set(partners).count < partners.count) == accepted.isEmpty)
    #expect(plan.limits.contains { $0.contains("'A.b'") } != accepted.isEmpty)
  }

  private static func version(
    _ cases: String, raw: String = "String", _ more: String = ""
  ) -> String {
    """
    models: { A: { properties: { id: Int, mood: Mood = Mood.calm } } }
    types: { Mood: { enum: \(raw), cases: \(cases) } }
    \(more)

    """
  }

  /// Rows of a version have each of its cases, and no later ones.
  @Test(arguments: ["String", "none"]) func rowsHoldTheCasesOfTheirVersion(_ raw: String) throws {
    let plan = try Histories.plan([
      Self.version("[calm, angry, lost]", raw: raw),
      Self.version("[calm, angry]", raw: raw, "drops: { Mood.lost: nobody had chosen it }"),
      Self.version("[calm, angry, glad]", raw: raw),
    ])
    func cases(_ version: Int) -> Set<String> {
      let rows = plan.versions[version].rows
      return Set(
        ["calm", "angry", "lost", "glad"].filter { name in
          rows.contains {
            raw == "none"
              ? $0.values["mood.\(name)"] != nil
              : $0.values["mood.rawValue"] == .stored(.text(name))
          }
        })
    }
    #expect(cases(0) == ["calm", "angry", "lost"])
    #expect(cases(1) == ["calm", "angry"])
    #expect(cases(2) == ["calm", "angry", "glad"])
    let removed = plan.versions[0].rows.filter { $0.category == "removed-cases" }
    #expect(removed.map(\.cases) == [["mood": "lost"]])
    #expect(removed.allSatisfy { !$0.isReadable })
  }

  /// A step's code that changes cases, fills or copies reads the property, and would crash on a row without a case.
  @Test(arguments: [
    (["mood: Mood?", "mood: Mood?", "mood: Mood?"], "[calm, cross: { renamedFrom: lost }]", 2),
    (["mood: Mood?", "mood: { type: Mood, fill: Mood.calm }", "mood: Mood"], "[calm, lost]", 1),
    (["mood: Mood?", "mood: Mood?", "mood: Mood?"], "[calm, lost]", 0),
    (
      ["mood: Mood?", "like: { type: Mood?, from: mood, convert: $0 }", "like: Mood?"],
      "[calm, lost]", 1
    ),
  ])
  func unknownRawValuesAreNotRead(
    _ properties: [String], _ cases: String, _ read: Int
  ) throws {
    let plan = try Histories.plan(
      properties.enumerated().map { index, property in
        let added = index == 0 ? "" : ", x\(index): Int?"
        return """
          models: { A: { properties: { id: Int\(index == 2 ? ", x1: Int?" : "")\(added), \(property) } } }
          types: { Mood: { enum: String, cases: \(index == 2 ? cases : "[calm, lost]") } }

          """
      })
    let holding = plan.versions.map { version in
      version.rows.contains { $0.category == "unknown-raw-value" }
    }
    #expect(holding == (0..<3).map { $0 >= read })
  }

  /// Rows with renamed or replaced cases are made like others, since the code reads them.
  @Test func casesThatRowsLeave() throws {
    let plan = try Histories.plan([
      Self.version("[calm, angry, lost]"),
      Self.version(
        "[calm, cross: { renamedFrom: angry }]",
        "drops: { Mood.lost: { reason: it is calm, replacedBy: calm } }"),
      Self.version("[quiet: { renamedFrom: calm }, cross]").replacing(
        "Mood.calm", with: "Mood.quiet"),
    ])
    let rows = plan.versions[0].rows
    #expect(!rows.contains { $0.category == "removed-cases" })
    #expect(
      Set(rows.filter { $0.category == nil }.compactMap { $0.values["mood.rawValue"] })
        == [.stored(.text("calm")), .stored(.text("angry")), .stored(.text("lost"))])
    func steps(_ from: Int, _ to: Int) throws -> [ValueStep] {
      let path = try #require(plan.paths.first { $0.from == from && $0.to == to })
      let mood = try #require(path.flows[0].fields.first { $0.property == "mood" })
      #expect(mood.gone.isEmpty)
      return mood.steps
    }
    let first = ValueStep.caseBecomes([
      CaseChange(old: .text("angry"), new: .text("cross")),
      CaseChange(old: .text("lost"), new: .text("calm")),
    ])
    let second = ValueStep.caseBecomes([CaseChange(old: .text("calm"), new: .text("quiet"))])
    #expect(try steps(0, 1) == [first])
    #expect(try steps(0, 2) == [first, second])
    #expect(try steps(1, 2) == [second])
  }

  /// The same for an enum with many cases.
  @Test func rowsHoldEveryCase() throws {
    let names = (0..<40).map { "case\($0)" }
    let plan = try Histories.plan([Self.version("[calm, \(names.joined(separator: ", "))]")])
    let held = Set(plan.versions[0].rows.compactMap { $0.values["mood.rawValue"] })
    #expect(held.isSuperset(of: names.map { .stored(.text($0)) }))
  }

  @Test("Strings that become numbers in any later version have rows with numerals")
  func numerals() throws {
    func version(_ minutes: String) -> String {
      "models: { A: { properties: { id: Int, note: String, minutes: \(minutes) } } }"
    }
    let plan = try Histories.plan([
      version("String"), version("String?"),
      version("{ type: Int, from: minutes, convert: 'Int($0 ?? \"\") ?? 0' }"),
    ])
    for planned in plan.versions.prefix(2) {
      func texts(_ property: String) -> [String] {
        planned.rows.filter { $0.category == nil }.compactMap { row in
          if case .stored(.text(let text)) = row.values[property] { text } else { nil }
        }
      }
      #expect(texts("minutes").count == 3)
      #expect(texts("minutes").contains { Int($0) != nil })
      #expect(texts("minutes").contains { Int($0) == nil && Double($0) != nil })
      #expect(texts("minutes").contains { Double($0) == nil })
      #expect(texts("note").allSatisfy { Double($0) == nil })
    }
  }

  /// An unconfirmed drop is distinguished from one with a reason and from one without a record.
  @Test func unconfirmedDrops() throws {
    let plan = try Histories.plan(
      [
        "models: { A: { properties: { id: Int, x: Int, bs: { relationship: '[B]' } } }, B: { properties: { id: Int } } }",
        "models: { A: { properties: { id: Int } } }\ndrops: { B: unconfirmed, A.x: never read }",
      ], isShipped: true)
    let path = try #require(plan.path(from: 0, to: 1))
    #expect(
      path.drops.map { "\($0.element) \($0.reason ?? "-") \($0.isUnconfirmed)" } == [
        "A.bs - true", "A.x never read false", "B - true",
      ])
  }

  /// Links that are dropped with their model or subclass.
  @Test func linksToRowsThatGo() throws {
    let plan = try Histories.plan([
      """
      models:
        A: { properties: { id: Int, bs: { relationship: '[B]' } } }
        B: { properties: { id: Int } }
      """,
      """
      models: { A: { properties: { id: Int } } }
      drops: { B: on the server }
      """,
    ])
    let path = try #require(plan.path(from: 0, to: 1))
    #expect(
      path.drops.map { "\($0.element) \($0.reason ?? "-")" } == [
        "A.bs on the server", "B on the server",
      ])
  }

  /// Rows linked to dropped rows lose the links, and entities are expected to hold fewer.
  @Test(arguments: [true, false]) func rowsOfASubclassThatGoes(_ goes: Bool) throws {
    let video = "  Video: { inherits: Step, properties: { length: Int? } }"
    let models = """
      models:
        Recipe: { entity: Dish, properties: { id: Int, steps: { relationship: '[Step]', inEntity: identifiers } } }
        Step: { properties: { id: Int } }
      """
    let plan = try Histories.plan([
      models + "\n" + video,
      models.replacing("Dish, properties: {", with: "Dish, properties: { note: String?,")
        + (goes ? "\ndrops: { Video: nobody watched }" : "\n" + video),
    ])
    let path = try #require(plan.path(from: 0, to: 1))
    #expect(path.drops.map(\.element) == (goes ? ["Video"] : []))
    let recipe = try #require(path.flows.first { $0.source == "Recipe" })
    #expect(
      recipe.entityFields?.map(\.name) == (goes ? ["note", "id"] : ["note", "id", "steps"]))
  }

  private static func mustHaveValue(_ property: Property) -> Bool {
    guard let attribute = property.attribute else { return false }
    return !property.isTransient && !attribute.type.isOptional
  }

  @Test func sameAgain() throws {
    let evolution = try Histories.evolution("Tests/Support/Fixtures/Everything")
    let first = try RehearsalJSON.encode(RehearsalPlanner(evolution).plan())
    #expect(try RehearsalJSON.encode(RehearsalPlanner(evolution).plan()) == first)
    #expect(try RehearsalJSON.encode(RehearsalPlanner(evolution, seed: 7).plan()) != first)
    let plan = try RehearsalJSON.decode(RehearsalPlan.self, from: first)
    #expect(try RehearsalJSON.encode(plan) == first)
  }

  /// Short histories first, since the plan of a long one takes a second.
  private static let evolutions = Result {
    try (Checkout.references + ["Tests/Support/Fixtures/EveryChange"]).map {
      try Histories.evolution($0)
    }
    .sorted { $0.history.count < $1.history.count }
  }

  private static func categories(of plan: RehearsalPlan) -> Set<String> {
    Set(plan.versions.flatMap(\.rows).compactMap(\.category))
  }

  /// Each category makes rows in some history, and none if it is switched off.
  @Test(arguments: AdversarialCategory.allCases) func categories(
    _ category: AdversarialCategory
  ) throws {
    for evolution in try Self.evolutions.get() {
      let only = Self.categories(of: RehearsalPlanner(evolution, categories: [category]).plan())
      guard !only.isEmpty else { continue }
      #expect(only == [category.rawValue])
      let others = Set(AdversarialCategory.allCases).subtracting([category])
      let without = Self.categories(of: RehearsalPlanner(evolution, categories: others).plan())
      #expect(!without.contains(category.rawValue))
      return
    }
    Issue.record("no history has rows of \(category)")
  }

  // MARK: Lineage

  private static func describe(_ field: FieldExpectation) -> String {
    let origin = field.origins.isEmpty ? "" : " \(field.origins.joined(separator: "+"))"
    let constant = field.constant.map { " \($0.text)\($0.isShared ? " for all" : "")" } ?? ""
    let steps = field.steps.map { step in
      switch step {
      case .cast(let from, let to, let element): " cast\(element) \(from)>\(to)"
      case .nullBecomes(let constant): " ?? \(constant.text)"
      case .caseBecomes(let changes):
        changes.map { " \($0.old)>\($0.new)" }.joined()
      case .conversion(let text): " {\(text)}"
      }
    }.joined()
    return "\(field.fate.rawValue)\(origin)\(constant)\(steps)"
  }

  static let lineages: [(versions: [String], expected: [String: String])] = [
    (["x: Int", "x: Int?"], ["x": "preserved x"]),
    (["x: Int", "y: { type: Int, renamedFrom: x }", "y: Int?"], ["y": "preserved x"]),
    (["x: Int", "x: Int, y: Int?"], ["x": "preserved x", "y": "added"]),
    (["", "y: Int = 3"], ["y": "defaulted 3 for all"]),
    (["", "y: { type: Int, fill: '4' }"], ["y": "filled 4"]),
    (["", "y: Int?", "y: Int = 5"], ["y": "defaulted 5 for all"]),
    (["x: Int?", "x: Int = 5"], ["x": "preserved x ?? 5"]),
    (["x: Int?", "x: { type: Int, fill: '6' }"], ["x": "preserved x ?? 6"]),
    (["x: Int", "x: Double"], ["x": "converted x cast integer64>double"]),
    (
      ["x: Int, z: Int", "y: { type: String, from: [x, z], convert: '\"\\($0)\\($1)\"' }"],
      ["y": "converted x+z {\"\\($0)\\($1)\"}"]
    ),
    (["x: Data?", "y: { type: Data?, from: x, convert: $0 }"], ["y": "preserved x"]),
    (
      [
        "x: Int", "y: { type: String, from: x, convert: String($0) }",
        "z: { type: String, renamedFrom: y }",
      ],
      ["z": "converted x {String($0)}"]
    ),
    (
      ["", "y: Int = 1", "y: { type: Double, default: 2 }"],
      ["y": "defaulted 1 for all cast integer64>double"]
    ),
  ]

  @Test(arguments: lineages) func lineage(
    _ versions: [String], _ expected: [String: String]
  ) throws {
    let plan = try Histories.plan(
      versions.map { "models: { A: { properties: { id: Int, \($0) } } }\n" })
    let flow = try #require(plan.path(from: 0, to: versions.count - 1)?.flows.first)
    let found = flow.fields.filter { $0.property != "id" }.map {
      ($0.property, Self.describe($0))
    }
    #expect(Dictionary(found) { first, _ in first } == expected)
  }

  @Test(
    "A rehearsal expects an inverse to mirror the links that a function sets",
    arguments: [true, false])
  func otherEnds(isNew: Bool) throws {
    func version(_ a: String, _ b: String) -> String {
      "models: { A: { properties: { id: Int, \(a) } }, B: { properties: { id: Int, \(b) } } }\n"
    }
    let plan = try Histories.plan([
      isNew
        ? version("", "")
        : version("x: { relationship: B? }", "y: { relationship: '[A]', inverse: x }"),
      version(
        "x: { relationship: \(isNew ? "B?" : "B"), fill: { function: x } }",
        "y: { relationship: '[A]', inverse: x }"),
    ])
    let path = try #require(plan.path(from: 0, to: 1))
    let fields = path.flows.flatMap(\.fields).filter { $0.property == "y" }
    #expect(fields.count == 1)
    #expect(fields.allSatisfy { Self.describe($0).hasSuffix("{mirrors A.x}") }, "\(fields)")
  }

  /// Rows of a version have the struct's fields of that version, and numbers in them change like others.
  @Test func fieldsOfStructs() throws {
    func version(_ fields: String, _ top: String = "") -> String {
      """
      models: { A: { properties: { id: Int, x: T? } } }
      types: { T: { struct: { \(fields) } } }
      \(top)

      """
    }
    let plan = try Histories.plan([
      version("a: Int, gone: String"),
      version(
        "a: Double, new: Int?",
        """
        drops: { T.gone: { reason: nobody read it, revert: '""' } }
        accept: [{ rule: struct-field-number-changed, element: T.a, reason: all are small }]
        """),
    ])
    let slots = plan.versions.map { Set($0.rows.flatMap(\.values.keys)).subtracting(["id"]) }
    #expect(slots[0].isSuperset(of: ["x.a", "x.gone"]) && !slots[0].contains("x.new"))
    #expect(slots[1].isSuperset(of: ["x.a", "x.new"]) && !slots[1].contains("x.gone"))
    let fields = try #require(plan.path(from: 0, to: 1)?.flows.first?.fields)
    #expect(fields.map(Self.describe).contains("converted x cast.a integer64>double"))
  }

  /// A value that the engine drops and adds again has no source: plain ↔ enum or struct, and ephemeral properties.
  @Test(arguments: [
    ("x: String?", "x: Mood?", [String]()), ("x: Mood?", "x: String?", []),
    ("x: Mood?", "x: Mood", ["x"]), ("x: '[Place]?'", "x: Data?", ["x"]),
    ("x: Place?", "x: '[Place]?'", []), ("x: { type: Int?, ephemeral: true }", "x: Int?", []),
  ]) func plainAndComposite(_ old: String, _ new: String, _ origins: [String]) throws {
    let types =
      "types: { Mood: { enum: String, cases: [calm] }, Place: { struct: { street: String? } } }"
    let files = [old, new].enumerated().map { index, property in
      SourceFile(
        path: "V\(index + 1).yaml",
        text:
          "version: \(index + 1).0.0\nmodels: { A: { properties: { id: Int, \(property) } } }\n\(types)\n"
      )
    }
    let rowLineage = RowLineage(HistoryReader().read(files).versions)
    let rowPath = try #require(rowLineage.rowPaths(of: "A", from: 0, to: 1).first)
    let property = try #require(rowLineage.lookups[1].property("x", of: "A"))
    let expectation = ValueTracer(rowLineage: rowLineage)
      .expectation(for: property, on: rowPath, at: 1)
    #expect(expectation.origins == origins)
  }

  @Test func modelsThatAreSplitAndMerged() throws {
    let plan = try Histories.plan([
      """
      models:
        A: { properties: { id: Int, name: String } }
        B: { properties: { id: Int, name: String } }
      """,
      """
      models:
        A: { properties: { id: Int, name: String } }
        C: { from: [A, B], properties: { name: String, size: { type: Int, fill: '1' } } }
      drops: { B.id: not needed }
      accept: [{ rule: unlinked-rows, element: C, reason: a copy }]
      """,
    ])
    let path = try #require(plan.path(from: 0, to: 1))
    #expect(
      path.flows.map { "\($0.source) \($0.identity.rawValue) \($0.target ?? "-")" }
        == ["A kept A", "A made C", "B made C"])
    #expect(
      path.drops == [
        PlannedDrop(entity: "B", property: "id", step: "V1 → V2", reason: "not needed")
      ])
  }

  /// Rows that a `dedupe:` merges are made beforehand, but not in a version that is unique already.
  @Test func duplicates() throws {
    let plan = try Histories.plan([
      "models: { A: { properties: { id: Int, email: String?, at: Date } } }",
      "models: { A: { properties: { id: Int, email: { type: String?, unique: true, dedupe: { latest: at } }, at: Date } } }",
    ])
    let old = plan.versions[0].rows
    let first = try #require(old.first { $0.category == nil })
    let twins = old.filter { $0.category == "duplicates" }
    #expect(twins.count == 2)
    #expect(twins.allSatisfy { $0.values["email"] == first.values["email"] })
    #expect(!plan.versions[1].rows.contains { $0.category == "duplicates" })
    let merge = try #require(plan.paths.first?.flows.first?.merges.first)
    #expect(merge.keys.map(\.property) == ["email"])
    #expect(merge.order?.property == "at")
    #expect(merge.keepsGreatest)
  }
}
