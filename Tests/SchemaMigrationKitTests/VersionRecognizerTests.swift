import Foundation
import ManagedModels
import SchemaEvolution
import SchemaWorkspace
import StoreEngine
import StoreFormat
import StoreTools
import TestSupport
import Testing

@testable import SchemaMigrationKit

/// One recogniser serves inspection with whole versions, the app library with plan descriptions, and the runtime and
/// rehearsals with models.
@Suite struct VersionRecognizerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let histories =
    Checkout.runsEverything
    ? Checkout.references + ["Tests/Support/Fixtures/EveryChange"]
    : ["Schemas/Recipes"]

  /// One history in the forms that the callers use.
  private struct History {
    var candidates: [VersionCandidate]
    var models: [ManagedModel]
    var plan: MigrationPlanDescription

    init(_ path: String) throws {
      let schemas = SchemaFolder.read(
        Checkout.root + "/" + path, fileSystem: SchemaWorkspace.Disk())
      let evolution = try #require(schemas.evolution)
      self.init(VersionCandidate.all(of: evolution, folder: path), isProven: false)
    }

    init(_ candidates: [VersionCandidate], isProven: Bool) {
      self.candidates = candidates.map { candidate in
        var candidate = candidate
        candidate.knownHashes = isProven ? hashes(of: candidate.model).mapValues(text) : [:]
        return candidate
      }
      models = candidates.map(\.model)
      let versions = self.candidates.map { candidate in
        MigrationPlanDescription.Version(
          candidate.model, name: candidate.name, isBridge: candidate.isBridge,
          hashes: candidate.knownHashes)
      }
      plan = MigrationPlanDescription(versions: versions)
    }

    func proven() -> History { History(candidates, isProven: true) }

    /// With the hashes computed from manifests, or with hashes that no store has, in the plan.
    func computed(wrong: Bool = false) -> History {
      var history = self
      history.plan = MigrationPlanDescription(
        versions: plan.versions.enumerated().map { index, version in
          var made = hashes(of: models[index])
          if wrong { made = made.mapValues { Data($0.reversed()) } }
          return MigrationPlanDescription.Version(
            number: version.number, name: version.name, isBridge: version.isBridge,
            entities: version.entities, computedHashes: made.mapValues(text))
        })
      return history
    }
  }

  /// The answers to the three callers: names of versions, and the version that the library assumes after a backup.
  private struct Answers: Equatable, CustomStringConvertible {
    var inspection: [String]
    var library: [String]
    var claims: [String] = []
    var runtime: [String]

    var description: String {
      "inspection \(inspection), library \(library) claims \(claims), runtime \(runtime)"
    }

    /// The same answer to all.
    static func all(_ names: [String]) -> Answers {
      Answers(inspection: names, library: names, runtime: names)
    }
  }

  private func answers(_ store: URL, _ history: History) throws -> Answers {
    let match = StoreMatch(try StoreFacts(ofStoreAt: store), candidates: history.candidates)
    let verdict = try StorePreflight(of: store, plan: history.plan).check().verdict
    let file = try StoreFile(at: .file(store), isReadOnly: true)
    let found = try file.recognize(
      history.candidates.map { VersionCandidate(name: $0.name, model: $0.model) })
    var answers = Answers(
      inspection: match.matches.map(\.candidate.name),
      library: verdict.version.map { [$0.name] } ?? [],
      runtime: found.fitting.map { history.candidates[$0].name })
    if case .unknown(let unknown) = verdict { answers.claims = unknown.possible.map(\.name) }
    return answers
  }

  /// Turns a store of ours into one as Core Data writes it.
  private func disguise(_ store: URL, _ model: ManagedModel, identifiers: [String]) throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: [
        "NSStoreModelVersionHashes": hashes(of: model), "NSStoreModelVersionHashesVersion": 3,
        "NSStoreModelVersionIdentifiers": identifiers,
      ], format: .binary, options: 0)
    let digits = list.hexadecimal
    try Connection(store).run(
      "UPDATE Z_METADATA SET Z_PLIST = x'\(digits)'; PRAGMA application_id = 0")
  }

  /// Stores of every version of every history, ours and as Core Data writes them without a model cache: with hashes
  /// that the library knows or does not know, and with metadata that name the right version, none, another, or one
  /// beyond the newest.
  ///
  /// Known hashes come first. Of several versions with the same tables, it is the one that the metadata name. If they
  /// name none of these, nothing is guessed, since a guess may run the wrong stages. If one version has these tables
  /// and the metadata name another, it is the version with the tables, and disputed: the library says so, and migrates
  /// the store after a backup.
  @Test("A store's version is recognised", arguments: histories)
  func versions(_ path: String) throws {
    let plain = try History(path)
    let proven = plain.proven()
    let names = plain.candidates.map(\.name)
    for (position, candidate) in plain.candidates.enumerated() {
      let store = folder.url.appendingPathComponent("\(position).store")
      do { try StoreFile(at: .file(store)).create(candidate.model) }
      let own = candidate.name
      for history in [plain, proven] {
        #expect(try answers(store, history) == .all([own]), "\(own)")
      }
      let other = (position + 1) % names.count
      for told in [[position], [], [other], [names.count]] {
        let identifiers = told.map {
          $0 < names.count ? plain.models[$0].versionIdentifier : "99.0.0"
        }
        try disguise(store, candidate.model, identifiers: identifiers)
        let facts = try StoreFacts(ofStoreAt: store)
        let alike = names.indices
          .filter { facts.tableDifferences(from: plain.models[$0]).isEmpty }.map { names[$0] }
        #expect(alike.contains(own))
        let named = told.filter { $0 < names.count }.map { names[$0] }
        let chosen = named.filter(alike.contains)
        var expected = Answers.all(chosen.isEmpty ? alike : chosen)
        if chosen.isEmpty, !named.isEmpty || alike.count > 1 {
          (expected.library, expected.claims) = ([], alike)
        }
        // Inspection and the runtime have hashes computed from manifests and classes; the library knows only those in
        // its plan.
        (expected.inspection, expected.runtime) = ([own], [own])
        #expect(try answers(store, plain) == expected, "\(own), told \(identifiers)")
        // Computed hashes prove a version and exclude none: wrong ones have the same effect as none.
        #expect(try answers(store, plain.computed(wrong: true)) == expected)
        #expect(try answers(store, plain.computed()) == .all([own]))
        expected = .all([own])
        #expect(try answers(store, proven) == expected, "\(own), told \(identifiers)")
      }
    }
  }

  /// Columns, join tables and unique constraints of every version, in the plan as in the layout of its model.
  @Test(
    "Columns, tables and constraints of every version match its model's layout",
    arguments: histories)
  func layouts(_ path: String) throws {
    let history = try History(path)
    for (model, version) in zip(history.models, history.plan.versions) {
      try compareLayouts(model, version)
    }
  }

  private func compareLayouts(
    _ model: ManagedModel, _ version: MigrationPlanDescription.Version
  ) throws {
    let layout = try StoreLayout(model)
    let store = folder.url.appendingPathComponent(UUID().uuidString)
    try StoreFile(at: .file(store)).create(model)
    let structure = try StoreStructure(of: SQLite.snapshot(of: store.path))
    let other = StoredVersion(version.candidate, in: structure)
    let columns = layout.tables.flatMap { table in
      table.columns.map { column in
        let path = Self.withoutRawValue(column.path)
        // Of a composite's columns a plan has only the names.
        let type = path.contains(".") ? "?" : column.type
        return "\(table.name).\(column.name) \(type) \(column.entity).\(path)"
      }
    }
    let others = other.columns.map { place in
      let isElement = place.element != place.property
      let path = isElement ? "\(place.property).\(place.element)" : place.property
      return "\(place.table).\(place.column) \(place.type ?? "?") \(place.entity).\(path)"
    }
    #expect(Set(columns) == Set(others))
    #expect(
      Set(layout.joins.map { "\($0.name) \([$0.own, $0.far].sorted())" })
        == Set(other.joins.map { "\($0.table ?? "?") \($0.columns.map(\.name).sorted())" }))
    let uniques = layout.tables.flatMap(\.indexes).filter(\.isUnique)
      .map { "\($0.table) \($0.columns) \($0.entity ?? "") \($0.properties)" }
    #expect(
      Set(uniques)
        == Set(other.uniques.map { "\($0.table) \($0.columns) \($0.entity) \($0.properties)" }))
    #expect(other.differences(hashed: []).isEmpty)
  }

  /// The only element of an enum with a raw value has its owner's name in one of the layouts.
  private static func withoutRawValue(_ line: String) -> String {
    line.hasSuffix(".rawValue") ? String(line.dropLast(".rawValue".count)) : line
  }

  /// Stores that Apple's frameworks wrote, including those of Core Data's own models.
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
    let model = try #require(facts.model)
    for proven in [nil, facts.hashes.mapValues(text)] {
      let candidate = VersionCandidate(
        name: "V1", model: VersionModel(StoreSchema.version(of: model).version).model,
        knownHashes: proven ?? [:])
      var history = History([candidate], isProven: false)
      history.candidates[0].knownHashes = proven ?? [:]
      history.plan = MigrationPlanDescription(versions: [
        MigrationPlanDescription.Version(model, name: "V1", hashes: proven ?? [:])
      ])
      let answers = try answers(store, history)
      // Core Data's lists without an inverse, which SwiftData would pair, its to-one relationships with a minimum, and
      // its abstract entities: SwiftData's classes for these are another version.
      let others = [
        "cartkit-coredata-v1.sqlite", "coredataplus-model2-v2.sqlite", "scout-coredata-v1.sqlite",
        "scout-coredata-v4.sqlite",
      ]
      if others.contains(name) {
        #expect(answers.inspection.isEmpty && answers.library == ["V1"], "\(answers)")
        continue
      }
      // Even if Z_PRIMARYKEY has an entity's old name (coredataplus-model1-v2.sqlite).
      #expect(answers == .all(["V1"]), "\(answers)")
    }
  }
}

private func hashes(of model: ManagedModel) -> [String: Data] { model.versionHashes.entities }

private func text(_ hash: Data) -> String { hash.base64EncodedString() }
