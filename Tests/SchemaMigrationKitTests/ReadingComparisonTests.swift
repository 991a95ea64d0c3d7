import Foundation
import SchemaEvolution
import SchemaWorkflow
import StoreInspection
import TestSupport
import Testing

@testable import RehearsalHarness
@testable import SchemaMigrationKit
@testable import StoreEngine
@testable import StoreFormat
@testable import StoreModel

#if os(Linux)
  @testable import PortableSwiftData
#endif

/// Four recognisers, two layouts and two readers of metadata, held against each other on the same stores.
@Suite struct ReadingComparisonTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let histories = Checkout.references + ["Tests/Fixtures/EveryChange"]

  /// One history as the readers are told of it.
  private struct History {
    var candidates: [StoreMatch.Candidate]
    var models: [ManagedModel]
    var outline: MigrationOutline

    init(_ path: String) throws {
      let schemas = SchemaFolder(Checkout.root + "/" + path, fileSystem: SchemaWorkflow.Disk())
      let evolution = try #require(schemas.evolution)
      self.init(StoreMatch.Candidate.all(of: evolution, folder: path), isFrozen: false)
    }

    init(_ candidates: [StoreMatch.Candidate], isFrozen: Bool) {
      self.candidates = candidates.map { candidate in
        var candidate = candidate
        candidate.frozen = isFrozen ? hashes(of: candidate.model.model).mapValues(text) : nil
        return candidate
      }
      models = candidates.map(\.model.model)
      let versions = self.candidates.map { candidate in
        MigrationOutline.Version(
          candidate.model.model, name: candidate.name, isBridge: candidate.isBridge,
          hashes: candidate.frozen ?? [:])
      }
      outline = MigrationOutline(versions: versions)
    }

    func frozen() -> History { History(candidates, isFrozen: true) }
  }

  /// What the four say: names of versions, and in brackets what the app library takes a store for after a backup.
  private struct Answers: Equatable, CustomStringConvertible {
    var inspection: [String]
    var library: [String]
    var claims: [String] = []
    var runtime: String?
    var harness: String?

    var description: String {
      "inspection \(inspection), library \(library) claims \(claims), runtime \(runtime ?? "-"), harness \(harness ?? "-")"
    }

    var isOne: Bool {
      library == inspection && runtime == inspection.first && harness == inspection.first
    }
  }

  private func answers(_ store: URL, _ history: History) throws -> Answers {
    let match = StoreMatch(try StoreFacts(ofStoreAt: store), candidates: history.candidates)
    let verdict = try StorePreflight(of: store, outline: history.outline).check().verdict
    var answers = Answers(
      inspection: match.matches.map(\.candidate.name),
      library: verdict.version.map { [$0.name] } ?? [])
    if case .unknown(let unknown) = verdict { answers.claims = unknown.claims.map(\.name) }
    let file = try StoreFile(at: .file(store), isReadOnly: true)
    func name(_ index: Int?) -> String? { index.map { history.candidates[$0].name } }
    answers.harness = name(RehearsalProgram.version(of: file, among: history.models))
    #if os(Linux)
      answers.runtime = name(StagedMigration.version(of: file, among: history.models))
    #else
      answers.runtime = answers.harness
    #endif
    return answers
  }

  /// Makes of a store of ours one as Core Data writes it.
  private func disguise(_ store: URL, _ model: ManagedModel, identifiers: [String]) throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: [
        "NSStoreModelVersionHashes": hashes(of: model), "NSStoreModelVersionHashesVersion": 3,
        "NSStoreModelVersionIdentifiers": identifiers,
      ], format: .binary, options: 0)
    let digits = list.map { String(format: "%02x", $0) }.joined()
    try Connection(store).run(
      "UPDATE Z_METADATA SET Z_PLIST = x'\(digits)'; PRAGMA application_id = 0")
  }

  /// Where the four disagree, and what one recogniser is to say instead:
  ///
  /// - Hashes are known: inspection and the library go by them. The runtime and the harness do not look at them, and
  ///   take a store of V2 for V3 when its metadata say so. Decided: hashes come first, everywhere.
  /// - Several versions have these tables: inspection lists them all; the library takes the one that the metadata name,
  ///   and none where they name none of them; the runtime takes the oldest then, and the harness the newest. Decided:
  ///   the library's answer. A guess may run the wrong stages, so the runtime and the harness refuse and say between
  ///   which versions they cannot tell.
  /// - One version has these tables, and the metadata name another: the library says that it is unsure, and migrates
  ///   it as the one that its tables claim, after a backup; the others take it for that one. Decided: the answer says
  ///   which it is and that it is disputed, and each goes on as today.
  @Test("which version a store is of", arguments: histories)
  func versions(_ path: String) throws {
    let plain = try History(path)
    let names = plain.candidates.map(\.name)
    for (position, candidate) in plain.candidates.enumerated() {
      let store = folder.url.appendingPathComponent("\(position).store")
      do { try StoreFile(at: .file(store)).create(candidate.model.model) }
      let own = candidate.name
      for history in [plain, plain.frozen()] {
        let answers = try answers(store, history)
        #expect(answers.isOne && answers.inspection == [own], "\(own): \(answers)")
      }
      let other = (position + 1) % names.count
      for told in [[position], [], [other], [names.count]] {
        let identifiers = told.map {
          $0 < names.count ? plain.models[$0].versionIdentifier : "99.0.0"
        }
        try disguise(store, candidate.model.model, identifiers: identifiers)
        let alike = try names.indices.filter { index in
          try StoreFacts(ofStoreAt: store).hasTables(of: plain.models[index])
        }.map { names[$0] }
        let named = told.filter { $0 < names.count }.map { names[$0] }
        let chosen = named.filter(alike.contains)
        let sure = chosen.isEmpty && named.isEmpty && alike.count == 1 ? alike : chosen
        let expected = Answers(
          inspection: alike, library: sure, claims: sure.isEmpty ? alike : [],
          runtime: chosen.first ?? alike.first, harness: chosen.last ?? alike.last)
        #expect(try answers(store, plain) == expected, "\(own), told \(identifiers)")
        var proven = expected
        (proven.inspection, proven.library, proven.claims) = ([own], [own], [])
        #expect(try answers(store, plain.frozen()) == proven, "\(own), told \(identifiers)")
      }
    }
  }

  /// Columns, tables of pairs and unique constraints of every version, as the two layouts have them.
  @Test("where a version's values are", arguments: histories)
  func layouts(_ path: String) throws {
    let history = try History(path)
    for (model, version) in zip(history.models, history.outline.versions) {
      try compareLayouts(model, version)
    }
  }

  private func compareLayouts(
    _ model: ManagedModel, _ version: MigrationOutline.Version
  ) throws {
    let layout = try StoreLayout(model)
    let store = folder.url.appendingPathComponent(UUID().uuidString)
    try StoreFile(at: .file(store)).create(model)
    let shape = try StoreShape(of: DatabaseConnection.snapshot(of: store.path))
    let other = VersionLayout(version, in: shape)
    let columns = layout.tables.flatMap { table in
      table.columns.map { "\(table.name).\($0.name) \($0.type) \($0.entity).\($0.path)" }
    }
    let others = other.columns.map { place in
      let isElement = place.element != place.property
      let path = isElement ? "\(place.property).\(place.element)" : place.property
      return "\(place.table).\(place.column) \(place.type?.rawValue ?? "?") \(place.entity).\(path)"
    }
    #expect(Set(columns.map(Self.withoutRawValue)) == Set(others))
    let joins = layout.joins.map { "\($0.name) \([$0.own, $0.far].sorted())" }
    #expect(joins.count == other.joins.count)
    for join in other.joins {
      let names = join.columns.map(\.name).sorted()
      #expect(join.tables.contains { joins.contains("\($0) \(names)") }, "\(join)")
    }
    let uniques = layout.tables.flatMap(\.indexes).filter(\.isUnique)
      .map { "\($0.table) \($0.columns) \($0.entity ?? "") \($0.properties)" }
    #expect(
      Set(uniques)
        == Set(other.uniques.map { "\($0.table) \($0.columns) \($0.entity) \($0.properties)" }))
    #expect(other.differences(from: shape).isEmpty)
  }

  /// The only element of an enum with a raw value has its owner's name in one of the layouts.
  private static func withoutRawValue(_ line: String) -> String {
    line.hasSuffix(".rawValue") ? String(line.dropLast(".rawValue".count)) : line
  }

  /// Stores that Apple's frameworks wrote, also those of Core Data's own models.
  static let stores: [String] = {
    guard let folder = AppleStores.folder,
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    else { return [] }
    return names.filter { $0.hasSuffix(".store") || $0.hasSuffix(".sqlite") }.sorted()
  }()

  @Test(
    .enabled(if: AppleStores.folder != nil, Comment(rawValue: AppleStores.missing)),
    arguments: stores)
  func applesStores(_ name: String) throws {
    let original = try #require(AppleStores.folder).appendingPathComponent(name)
    let store = folder.url.appendingPathComponent("copy.store")
    try FileManager.default.copyItem(at: original, to: store)
    let facts = try StoreFacts(ofStoreAt: store)
    let shape = try StoreShape(of: DatabaseConnection.snapshot(of: store.path))
    #expect(shape.identifiers == facts.versionIdentifiers)
    #expect(shape.hashes == facts.hashes)
    #expect(shape.entities.map(\.name) == facts.entities.map(\.name))
    #expect(shape.tables == facts.tables)
    let uniques = facts.indexes.filter(\.isUnique)
    #expect(
      shape.uniqueIndexes.mapValues(\.columns)
        == Dictionary(uniqueKeysWithValues: uniques.map { ($0.name, $0.columns) }))
    let model = try #require(facts.model)
    for frozen in [nil, facts.hashes.mapValues(text)] {
      let candidate = StoreMatch.Candidate(
        folder: "", name: "V1", isBridge: false,
        model: VersionModel(StoreSchema.version(of: model).version), frozen: frozen)
      var history = History([candidate], isFrozen: false)
      history.candidates[0].frozen = frozen
      history.outline = MigrationOutline(versions: [
        MigrationOutline.Version(model, name: "V1", hashes: frozen ?? [:])
      ])
      let answers = try answers(store, history)
      #expect(answers.inspection == ["V1"])
      guard name == "coredataplus-model1-v2.sqlite" else {
        #expect(answers.isOne, "\(answers)")
        continue
      }
      // An entity was renamed in the model, and Z_PRIMARYKEY and the hashes have its old name still. Decided: what has
      // the store's own model or its hashes is right, and tables alone are not.
      #expect(answers.runtime == nil && answers.harness == nil)
      #expect(frozen == nil ? answers.claims == ["V1"] : answers.library == ["V1"])
    }
  }
}

/// Made up, but as Core Data's are: equal for entities of equal identity.
private func hashes(of model: ManagedModel) -> [String: Data] {
  Dictionary(
    uniqueKeysWithValues: model.entities.map {
      ($0.name, Data("\($0.identity)".utf8))
    })
}

private func text(_ hash: Data) -> String { hash.base64EncodedString() }
