import Foundation
import ManagedModels
import RehearsalHarness
import StoreEngine
import StoreFormat

/// A history from the test, in the file that `STAND_IN_HISTORY` names.
struct History: Codable, Sendable {
  /// How values of `A.name` become values of `A.title`, and which mistake a migration makes.
  enum Manner: String, Codable, Sendable {
    /// No values are moved: every step is inferred.
    case inferred
    /// In the bridge, where both columns are on disk.
    case bridged
    /// In the bridge, each time to another value.
    case random
    /// Kept in memory during the migration, as in many apps.
    case stashed
    /// Inferred, and then a row is deleted.
    case losingRows
    /// Inferred, and then a text is changed.
    case changingTexts
    /// Traps on a row with a text of a hundred kilobytes.
    case trappingOnHugeTexts
    /// Adds a row whenever it opens a store.
    case addingRows
  }

  var manner: Manner
  var names: [String]
  /// Bridges included.
  var chain: [ManagedModel]
  /// For each name its place in `chain`.
  var positions: [Int]
  /// The expectations of steps.
  var expected: [Expected]?

  /// An expectation of a step, without Swift of its own.
  struct Expected: Codable, Sendable {
    enum Manner: String, Codable, Sendable {
      case present, sameName
      /// Crashes the process.
      case trap
    }

    var version: Int
    var manner: Manner
    var text: String

    func expectation(_ names: [String]) -> Expectation {
      let version = names[version]
      return switch manner {
      case .present: .present(version, "A", "name", before: "name", text)
      case .sameName:
        .pair(version, "A", text) { old, new in
          try old.value("name", as: String.self) == new.value("name", as: String.self)
        }
      case .trap: .after(version, "A", text) { _ in fatalError("it traps") }
      }
    }
  }
}

/// Migrates stores in the history's manner, with nothing but the store layer's inference.
struct StandIn {
  let history: History

  private func texts(_ row: StoreRow) -> [(place: Int, text: String)] {
    row.values.enumerated().compactMap { place, value in
      if case .text(let text) = value { (place, text) } else { nil }
    }
  }

  private func rows(_ store: StoreFile, _ model: ManagedModel) throws -> [StoreRow] {
    try model.entities.map(\.name).sorted().flatMap {
      try store.rows(of: $0, includingSubentities: false)
    }
  }

  /// Copies `name` into `title`, in capitals, 500 rows at a time.
  private func carry(_ store: StoreFile, names: [Int64: StoredValue]? = nil) throws {
    let index = store.layout(of: "A").index
    guard let title = index["title"] else { return }
    var last: Int64?
    while true {
      var batch = try store.rows(of: "A", after: last, limit: 500)
      guard let end = batch.last else { return }
      last = end.id.key
      for place in batch.indices {
        let name = names?[batch[place].id.key] ?? index["name"].map { batch[place].values[$0] }
        guard case .text(let text)? = name else { continue }
        batch[place].values[title] = .text(
          history.manner == .random ? UUID().uuidString : text.uppercased())
      }
      var changes = StoreChanges()
      changes.updated = batch
      try store.apply(changes)
    }
  }

  func migrate(_ url: URL, to version: Int) throws {
    let store = try StoreFile(at: .file(url))
    let end = history.positions[version]
    guard var position = history.chain.indices.last(where: { store.matches(history.chain[$0]) })
    else { throw StoreError(.unknownModelVersion, "the store is of no version") }
    guard position <= end else { throw StoreError(.backwardMigration, "the store is newer") }
    try store.adopt(history.chain[position])
    let isMigrating = position < end
    if history.manner == .stashed, isMigrating {
      let name = store.layout(of: "A").index["name"]!
      let names = try store.rows(of: "A").map { ($0.id.key, $0.values[name]) }
      try store.migrate(to: history.chain[end])
      return try carry(store, names: Dictionary(names) { first, _ in first })
    }
    while position < end {
      if [.bridged, .random].contains(history.manner), !history.positions.contains(position) {
        try carry(store)
      }
      position += 1
      try store.migrate(to: history.chain[position])
    }
    let all = try rows(store, history.chain[end])
    var changes = StoreChanges()
    switch history.manner {
    case .inferred, .bridged, .random, .stashed: return
    case .losingRows: if isMigrating, let last = all.last { changes.deleted = [last.id] }
    case .changingTexts:
      if isMigrating, var row = all.first(where: { !texts($0).isEmpty }) {
        row.values[texts(row)[0].place] = .text("another")
        changes.updated = [row]
      }
    case .trappingOnHugeTexts:
      if isMigrating, all.contains(where: { texts($0).contains { $0.text.utf8.count > 100_000 } }) {
        fatalError("a text is too long")
      }
    case .addingRows:
      if var row = all.first {
        row.id.key = try store.allocateKeys(of: row.id.entity, count: 1).lowerBound
        changes.inserted = [row]
      }
    }
    try store.apply(changes)
  }
}
