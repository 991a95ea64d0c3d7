import Foundation
import ManagedModels
import SchemaEvolution
import StoreEngine
import StoreFormat
import TestSupport
import Testing

@testable import RehearsalHarness
@testable import SchemaRehearsal

/// The verdicts on migrations that the store layer infers, and on faulty ones.
@Suite struct MigrationVerifierTests {
  /// A path that was migrated in memory.
  struct Case {
    var path: PlannedPath
    var source: StoreDump
    var target: StoreDump
    var tags: [ObjectID: RowTag]

    var verdict: MigrationVerifier.Verdict {
      MigrationVerifier.verdict(on: path, named: "path", source: source, target: target, tags: tags)
    }

    var kinds: Set<RehearsalFailure.Kind> { Set(verdict.failures.map(\.kind)) }
  }

  /// Migrates step by step, and through bridges; no values are moved in them.
  static func migrated(
    _ evolution: Evolution, plan: RehearsalPlan? = nil, from: Int, to: Int
  ) throws -> Case {
    let plan = plan ?? RehearsalPlanner(evolution).plan()
    let chain = ManagedModel.chain(of: evolution)
    let positions = evolution.positions
    let store = try StoreFile(at: .memory)
    let old = chain[positions[from]]
    try store.create(old)
    let filler = StoreFiller(old) { elements, _ in .blob(Data("\(elements)".utf8)) }
    let tags = try filler.fill(store, with: plan.versions[from].rows)
    let source = try StoreDump(of: store, old)
    for position in (positions[from] + 1)..<positions[to] + 1 {
      try store.migrate(to: chain[position])
    }
    return Case(
      path: try #require(plan.path(from: from, to: to)), source: source,
      target: try StoreDump(of: store, chain[positions[to]]), tags: tags)
  }

  /// A store takes every row that a plan makes for a version, and gives it back.
  @Test(arguments: Checkout.references) func everyVersionIsFilled(_ folder: String) throws {
    let evolution = try Histories.evolution(folder)
    let plan = RehearsalPlanner(evolution).plan()
    let chain = ManagedModel.chain(of: evolution)
    for (version, position) in zip(plan.versions, evolution.positions) {
      let store = try StoreFile(at: .memory)
      try store.create(chain[position])
      let filler = StoreFiller(chain[position]) { elements, _ in .blob(Data("\(elements)".utf8)) }
      let tags = try filler.fill(store, with: version.rows, series: version.series)
      let dump = try StoreDump(of: store, chain[position])
      #expect(dump.rowCount == tags.count)
      #expect(tags.count == version.rows.count + version.series.reduce(0) { $0 + $1.copies })
    }
  }

  /// Removing rows also removes those that cannot exist without them, since no app could have written them.
  @Test func rowsWithoutTheirPartnerAreLeftOut() throws {
    let evolution = try Histories.evolution([
      """
      models:
        A: { properties: { name: String, b: { relationship: B } } }
        B: { properties: { name: String } }
      """
    ])
    let rows = RehearsalPlanner(evolution).plan().versions[0].rows
    let gone = try #require(rows.first { $0.label == "A 1" }?.links["b"]?.first)
    let model = ManagedModel.chain(of: evolution)[0]
    let store = try StoreFile(at: .memory)
    try store.create(model)
    let tags = try StoreFiller(model) { _, _ in .null }
      .fill(store, with: rows.filter { $0.label != gone })
    let expected = rows.filter { $0.label != gone && $0.links["b"] != [gone] }
    #expect(Set(tags.values.map(\.label)) == Set(expected.map(\.label)))
    let dump = try StoreDump(of: store, model)
    #expect(dump.tables["A"]!.rows.allSatisfy { $0.links["b"]?.count == 1 })
  }

  static let paths: [(folder: String, pairs: [(Int, Int)])] = [
    ("Schemas/Habitto", [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]),
    ("Schemas/KeepTrack", [(0, 1)]),
    ("Schemas/Ritualist", (0..<7).flatMap { from in ((from + 1)...7).map { (from, $0) } }),
  ]

  /// Steps of the engine alone preserve everything.
  @Test(arguments: paths) func lightweightPathsConserve(
    _ folder: String, _ pairs: [(Int, Int)]
  ) throws {
    let evolution = try Histories.evolution(folder)
    let plan = RehearsalPlanner(evolution).plan()
    for (from, to) in pairs {
      let found = try Self.migrated(evolution, plan: plan, from: from, to: to)
      #expect(found.verdict.failures == [])
      let tallies = found.verdict.entities
      #expect(tallies.map(\.rows.source).reduce(0, +) == found.tags.count)
      #expect(tallies.allSatisfy { $0.rows.lost == 0 && $0.rows.merged == 0 })
    }
  }

  // MARK: Cases that are gone

  private static func moods(_ raw: String, _ cases: String, _ more: String = "") -> String {
    """
    models: { A: { properties: { id: Int, mood: Mood = Mood.calm, spare: Mood? } } }
    types: { Mood: { enum: \(raw), cases: \(cases) } }
    \(more)

    """
  }

  static let removals: [(raw: String, before: String, after: String, more: String)] = [
    ("String", "[calm, lost]", "[calm]", "drops: { Mood.lost: nobody had chosen it }"),
    ("none", "[calm, lost]", "[calm]", "drops: { Mood.lost: nobody had chosen it }"),
    (
      "Int", "{ calm: 1, lost: 2 }", "{ calm: 1, lost: 3 }",
      "accept: [{ rule: raw-value-changed, element: Mood.lost, reason: nobody had chosen it }]"
    ),
  ]

  /// A row with a case that the newer version lacks is a failure, with its help, on each path to a version without the
  /// case, and on no other path. If it is known that no row has the case, such rows are left out.
  @Test(arguments: removals.indices) func removedCases(_ index: Int) throws {
    let (raw, before, after, more) = Self.removals[index]
    let evolution = try Histories.evolution([
      Self.moods(raw, before),
      Self.moods(raw, before, "").replacing("id: Int", with: "id: Int, more: Int?"),
      Self.moods(raw, after, more).replacing("id: Int", with: "id: Int, more: Int?, most: Int?"),
    ])
    for from in [0, 1] {
      let verdict = try Self.migrated(evolution, from: from, to: 2).verdict
      let failures = verdict.failures.filter { $0.kind == .caseUnreadable }
      #expect(failures.map(\.property) == ["mood", "spare"])
      #expect(failures.allSatisfy { $0.row == "A removed-cases" && $0.found == "'Mood.lost'" })
      #expect(failures.allSatisfy { $0.note?.contains("--without removed-cases") == true })
      #expect(failures.allSatisfy { $0.note?.contains("replacedBy") == (raw != "none") })
      #expect(verdict.failures == failures)
    }
    #expect(try Self.migrated(evolution, from: 0, to: 1).verdict.failures == [])
    let others = Set(AdversarialCategory.allCases).subtracting([.removedCases])
    let without = RehearsalPlanner(evolution, categories: others).plan()
    #expect(try Self.migrated(evolution, plan: without, from: 0, to: 2).verdict.failures == [])
  }

  /// A store that was migrated by inference alone, as if the step's code had done nothing: each row with the old case
  /// is a failure.
  @Test func casesThatNobodyCarried() throws {
    let evolution = try Histories.evolution([
      Self.moods("String", "[calm, lost]"),
      Self.moods("String", "[calm, found: { renamedFrom: lost }]"),
    ])
    let failures = try Self.migrated(evolution, from: 0, to: 1).verdict.failures
    #expect(!failures.isEmpty)
    #expect(
      failures.allSatisfy { $0.kind == .valueChanged && $0.found?.contains("lost") == true },
      "\(failures)")
  }

  /// A struct keeps an enum in columns of its own, and reading a removed case traps there too.
  @Test(arguments: ["String", "none"]) func removedCasesInStructs(_ raw: String) throws {
    func version(_ cases: String, _ fields: String, _ more: String = "") -> String {
      """
      models: { A: { properties: { id: Int, spot: 'Spot?'\(fields) } } }
      types:
        Kind: { enum: \(raw), cases: \(cases) }
        Spot: { struct: { name: String, inner: Inner } }
        Inner: { struct: { kind: Kind, note: 'String?' } }
      \(more)

      """
    }
    let evolution = try Histories.evolution([
      version("[bay, quay]", ""), version("[bay, quay]", ", more: 'Int?'"),
      version(
        "[bay]", ", more: 'Int?', most: 'Int?'",
        "drops: { Kind.quay: nobody had chosen it }"),
    ])
    for from in [0, 1] {
      let failures = try Self.migrated(evolution, from: from, to: 2).verdict.failures
      #expect(failures.map(\.kind) == [.caseUnreadable], "\(failures)")
      #expect(failures.map(\.property) == ["spot"] && failures[0].found == "'Kind.quay'")
      #expect(failures[0].row == "A removed-cases")
      #expect(failures[0].note?.contains("replacedBy") == false, "no migration finds it there")
    }
    #expect(try Self.migrated(evolution, from: 0, to: 1).verdict.failures == [])
  }

  // MARK: Mutations

  private static let manifests = [
    """
    models:
      A:
        properties:
          id: { type: Int, unique: true }
          name: String
          note: String?
          level: Level = Level.low
          place: Place?
          b: { relationship: B?, inverse: 'as' }
          tags: { relationship: '[Tag]', inverse: 'as' }
      B: { properties: { id: Int, as: { relationship: '[A]' } } }
      Tag: { properties: { word: String, as: { relationship: '[A]' } } }
    types:
      Level: { enum: Int, cases: { low: 1, high: 2 } }
      Place: { struct: { street: String, city: 'String?' } }
    """,
    """
    models:
      A:
        properties:
          id: { type: Int, unique: true }
          title: { type: String, renamedFrom: name }
          note: String?
          level: Level = Level.low
          place: Place?
          rank: Int = 5
          b: { relationship: B?, inverse: 'as' }
          tags: { relationship: '[Tag]', inverse: 'as' }
      B: { properties: { id: Int, as: { relationship: '[A]' } } }
      Tag: { properties: { word: String, as: { relationship: '[A]' } } }
    types:
      Level: { enum: Int, cases: { low: 1, high: 2 } }
      Place: { struct: { street: String, city: 'String?' } }
    """,
  ]

  struct Mutation: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var kind: RehearsalFailure.Kind
    var apply: @Sendable (inout StoreDump) -> Void

    init(
      _ name: String, _ kind: RehearsalFailure.Kind,
      _ apply: @escaping @Sendable (inout StoreDump) -> Void
    ) {
      testDescription = name
      self.kind = kind
      self.apply = apply
    }

    /// Changes the last ordinary row of `A`.
    static func row(
      _ name: String, _ kind: RehearsalFailure.Kind,
      _ change: @escaping @Sendable (inout StoreDump.Row, [String: Int]) -> Void
    ) -> Mutation {
      Mutation(name, kind) { dump in
        let slots = dump.tables["A"]!.slots
        let places = Dictionary(slots.enumerated().map { ($1, $0) }) { first, _ in first }
        change(&dump.tables["A"]!.rows[2], places)
      }
    }
  }

  static let mutations: [Mutation] = [
    Mutation("a row is gone", .rowLost) { $0.tables["A"]!.rows.remove(at: 1) },
    Mutation("a row of another model is gone", .rowLost) { $0.tables["Tag"]!.rows.remove(at: 0) },
    Mutation("a row comes from nowhere", .rowInvented) { dump in
      var row = dump.tables["B"]!.rows[0]
      row.key = 99_999
      dump.tables["B"]!.rows.append(row)
    },
    Mutation("all rows are gone", .rowLost) { $0.tables["B"]!.rows = [] },
    .row("a text is another", .valueChanged) { $0.values[$1["title"]!] = .text("another") },
    .row("a text lost its end", .valueChanged) { row, places in
      guard case .text(let text) = row.values[places["title"]!] else { return }
      row.values[places["title"]!] = .text(String(text.dropLast()))
    },
    .row("a number is another", .valueChanged) { $0.values[$1["id"]!] = .integer(4_711) },
    .row("a required value is null", .valueMissing) { $0.values[$1["title"]!] = .null },
    .row("an optional value is null", .valueMissing) { $0.values[$1["note"]!] = .null },
    .row("a raw value is another", .valueChanged) { row, places in
      let place = places["level.rawValue"]!
      row.values[place] = row.values[place] == .integer(1) ? .integer(2) : .integer(1)
    },
    .row("a struct lost an element", .valueMissing) { $0.values[$1["place.city"]!] = .null },
    .row("a default is another", .valueChanged) { $0.values[$1["rank"]!] = .integer(6) },
    .row("a link is gone", .linkChanged) { row, _ in row.links["b"] = [] },
    .row("a link leads nowhere", .linkChanged) { row, _ in
      row.links["b"] = [ObjectID(entity: "B", key: 99_999)]
    },
    Mutation("two links are swapped", .linkChanged) { dump in
      let first = dump.tables["A"]!.rows[0].links["b"]
      dump.tables["A"]!.rows[0].links["b"] = dump.tables["A"]!.rows[1].links["b"]
      dump.tables["A"]!.rows[1].links["b"] = first
    },
    Mutation("a link between many is gone", .linkChanged) { dump in
      let place = dump.tables["A"]!.rows.firstIndex { !$0.links["tags"]!.isEmpty }!
      dump.tables["A"]!.rows[place].links["tags"]!.removeLast()
    },
    Mutation("a link between many is new", .linkChanged) { dump in
      let place = dump.tables["A"]!.rows.firstIndex { $0.links["tags"]!.isEmpty }!
      let tag = dump.tables["Tag"]!.rows[0].key
      dump.tables["A"]!.rows[place].links["tags"] = [ObjectID(entity: "Tag", key: tag)]
    },
    Mutation("two rows have each other's texts", .valueChanged) { dump in
      let place = dump.tables["A"]!.slots.firstIndex(of: "title")!
      let first = dump.tables["A"]!.rows[0].values[place]
      dump.tables["A"]!.rows[0].values[place] = dump.tables["A"]!.rows[1].values[place]
      dump.tables["A"]!.rows[1].values[place] = first
    },
    Mutation("a model is gone", .unexpectedField) { $0.tables["Tag"] = nil },
  ]

  @Test(arguments: mutations) func mutationsAreFound(_ mutation: Mutation) throws {
    var found = try Self.migrated(Histories.evolution(Self.manifests), from: 0, to: 1)
    #expect(found.verdict.failures == [])
    let whole = found.target
    mutation.apply(&found.target)
    #expect(found.kinds.contains(mutation.kind))
    #expect(found.verdict.failures.allSatisfy { $0.path == "path" && $0.entity != nil })
    // A faulty one of two runs is recognised too.
    #expect(DumpComparison(on: found.path).differences(whole, found.target) != [])
    #expect(DumpComparison().differences(whole, whole) == [])
  }

  // MARK: Rows that are made

  private static let moved = [
    "models: { A: { properties: { id: Int, name: String, b: { relationship: B?, inverse: 'as' } } }, B: { properties: { word: String, as: { relationship: '[A]' } } } }",
    "models: { C: { renamedFrom: A, properties: { id: Int, name: String, size: { type: Int, fill: '7' }, b: { relationship: B?, inverse: 'as' } } }, B: { properties: { word: String, as: { relationship: '[C]' } } } }",
  ]

  /// A renamed model's rows as the generated code makes them: new keys and the same values.
  static func moved(_ change: (inout StoreDump) -> Void = { _ in }) throws -> Case {
    let evolution = try Histories.evolution(moved)
    var found = try migrated(evolution, from: 0, to: 1)
    // The store layer moves no values by itself, so this does what the generated code does.
    let old = found.source.tables["A"]!
    var table = found.target.tables["C"]!
    for (number, row) in old.rows.reversed().enumerated() {
      var values = [StoredValue](repeating: .null, count: table.slots.count)
      for (place, slot) in table.slots.enumerated() {
        values[place] =
          slot == "size" ? .integer(7) : row.values[old.slots.firstIndex(of: slot)!]
      }
      table.rows.append(
        StoreDump.Row(key: Int64(number + 1), values: values, links: ["b": row.links["b"]!]))
    }
    found.target.tables["C"] = table
    for place in found.target.tables["B"]!.rows.indices {
      let id = ObjectID(entity: "B", key: found.target.tables["B"]!.rows[place].key)
      found.target.tables["B"]!.rows[place].links["as"] = table.rows
        .filter { $0.links["b"] == [id] }.map { ObjectID(entity: "C", key: $0.key) }
    }
    change(&found.target)
    return found
  }

  @Test func madeRowsAreMatchedByTheirValues() throws {
    let found = try Self.moved()
    #expect(found.verdict.failures == [])
    #expect(try Self.moved { $0.tables["C"]!.rows.remove(at: 0) }.kinds.contains(.rowLost))
    let changed = try Self.moved { dump in
      let place = dump.tables["C"]!.slots.firstIndex(of: "name")!
      dump.tables["C"]!.rows[0].values[place] = .text("another")
    }
    #expect(changed.kinds.contains(.valueChanged))
    let doubled = try Self.moved { dump in
      var row = dump.tables["C"]!.rows[0]
      row.key = 4_711
      dump.tables["C"]!.rows.append(row)
    }
    #expect(doubled.kinds.contains(.rowInvented))
    let swapped = try Self.moved { dump in
      let rows = dump.tables["C"]!.rows
      let first = rows.firstIndex { !$0.links["b"]!.isEmpty }!
      let second = rows.firstIndex {
        !$0.links["b"]!.isEmpty && $0.links["b"] != rows[first].links["b"]
      }!
      dump.tables["C"]!.rows[first].links["b"] = rows[second].links["b"]
      dump.tables["C"]!.rows[second].links["b"] = rows[first].links["b"]
    }
    #expect(swapped.kinds == [.linkChanged])
  }

  /// Two runs that gave the new rows different keys have the same result.
  @Test func keysOfMadeRowsDoNotCount() throws {
    let found = try Self.moved()
    var other = found.target
    let count = Int64(other.tables["C"]!.rows.count)
    for place in other.tables["C"]!.rows.indices {
      other.tables["C"]!.rows[place].key = count + 1 - other.tables["C"]!.rows[place].key
    }
    other.tables["C"]!.rows.reverse()
    for place in other.tables["B"]!.rows.indices {
      other.tables["B"]!.rows[place].links["as"] = other.tables["B"]!.rows[place].links["as"]!
        .map { ObjectID(entity: "C", key: count + 1 - $0.key) }.sorted(by: ObjectID.precedes)
    }
    let comparison = DumpComparison(on: found.path)
    #expect(comparison.differences(found.target, other) == [])
    let place = other.tables["C"]!.slots.firstIndex(of: "name")!
    other.tables["C"]!.rows[0].values[place] = .text("another")
    #expect(comparison.differences(found.target, other) != [])
  }

  // MARK: Equal rows

  private static let unique = [
    "models: { A: { properties: { id: Int, email: String?, at: Date } } }",
    "models: { A: { properties: { id: Int, email: { type: String?, unique: true, dedupe: { latest: at } }, at: Date } } }",
  ]

  @Test func equalRowsBecomeOne() throws {
    let evolution = try Histories.evolution(Self.unique)
    let plan = RehearsalPlanner(evolution).plan()
    let model = ManagedModel.chain(of: evolution)[0]
    let store = try StoreFile(at: .memory)
    try store.create(model)
    let tags = try StoreFiller(model) { _, _ in .null }.fill(store, with: plan.versions[0].rows)
    let source = try StoreDump(of: store, model)
    func verdict(without labels: [String]) -> MigrationVerifier.Verdict {
      var target = source
      target.tables["A"]!.rows.removeAll {
        labels.contains(tags[ObjectID(entity: "A", key: $0.key)]!.label)
      }
      return MigrationVerifier.verdict(
        on: plan.paths[0], named: "path", source: source, target: target, tags: tags)
    }
    // The second duplicate has the latest date.
    let good = verdict(without: ["A 1", "A duplicates 1"])
    #expect(good.failures == [])
    #expect(good.entities.first?.rows.merged == 2)
    #expect(Set(verdict(without: []).failures.map(\.kind)) == [.notMerged, .valueChanged])
    let wrong = verdict(without: ["A duplicates 1", "A duplicates 2"])
    #expect(Set(wrong.failures.map(\.kind)).isSuperset(of: [.rowLost, .notMerged]))
    let greedy = verdict(without: ["A 1", "A duplicates 1", "A 2"])
    #expect(greedy.failures.map(\.kind) == [.rowLost])
    #expect(greedy.failures.first?.row == "A 2")
  }

  // MARK: Numbers

  @Test(
    arguments: [
      (.integer(3), .integer64, .double, .real(3)),
      (.integer(.max), .integer64, .double, nil),
      (.real(2.5), .double, .integer64, nil),
      (.real(4), .double, .integer64, .integer(4)),
      (.real(.infinity), .double, .integer64, nil),
      (.integer(40_000), .integer64, .integer16, nil),
      (.integer(7), .integer64, .boolean, .integer(1)),
      (.real(0.1), .double, .float, nil),
    ] as [(StoredValue, AttributeType, AttributeType, StoredValue?)])
  func numbersAreCastWhereNothingIsLost(
    _ value: StoredValue, _ from: AttributeType, _ to: AttributeType, _ expected: StoredValue?
  ) {
    #expect(value.cast(from: from, to: to) == expected)
  }
}
