internal import Foundation
internal import ManagedModels
internal import SchemaProcesses
internal import StoreEngine
internal import StoreFormat

/// A rehearsal's folder, its plan, and its operations on stores.
struct RehearsalSession: Sendable {
  let plan: RehearsalPlan
  let runtime: RehearsalRuntime
  let folder: URL
  let launcher: Launcher
  /// Whether the program reports its progress.
  let isTold: Bool

  /// A migration that did not reach its end.
  struct Stopped: Error, CustomStringConvertible {
    var description: String
  }

  func name(_ version: Int) -> String { plan.versions[version].name }

  func expectations(of version: Int) -> [Int] {
    runtime.expectations.indices.filter { runtime.expectations[$0].version == name(version) }
  }

  func pathName(_ from: Int, _ to: Int) -> String { "\(name(from)) → \(name(to))" }

  func folder(_ name: String) throws -> URL {
    let url = folder.appending(path: name)
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  /// Reports an event in one line and with one write, since other threads may report at the same time.
  func tell(_ event: RehearsalEvent) {
    guard isTold, let line = try? RehearsalJSON.encode(event) else { return }
    FileHandle.standardOutput.write(line + Data("\n".utf8))
  }

  // MARK: Stores

  private static let companions = ["", "-wal", "-shm", "-journal"]

  /// Copies a store that no process has open, with SQLite's files next to it.
  func copy(_ store: URL, to other: URL) throws {
    remove(other)
    for suffix in Self.companions {
      let from = store.path + suffix
      guard FileManager.default.fileExists(atPath: from) else { continue }
      try FileManager.default.copyItem(atPath: from, toPath: other.path + suffix)
    }
  }

  func remove(_ store: URL) {
    for suffix in Self.companions {
      try? FileManager.default.removeItem(atPath: store.path + suffix)
    }
  }

  func create(_ store: URL, _ version: Int) throws {
    remove(store)
    let outcome = try launcher.run(["create", "--store", store.path, "--version", name(version)])
    guard outcome.isSuccess else {
      throw Stopped(
        description: "an empty store of \(name(version)) cannot be made: \(outcome.description)")
    }
  }

  func fill(
    _ store: URL, _ version: Int, empty: URL, with rows: [PlannedRow], series: [PlannedSeries] = []
  ) throws -> [ObjectID: RowTag] {
    try copy(empty, to: store)
    let model = runtime.versions[version].model
    let file = try StoreFile(at: .file(store))
    try file.adopt(model)
    return try StoreFiller(model, archive: runtime.archive).fill(file, with: rows, series: series)
  }

  /// Opens a store like an app of a version.
  ///
  /// - Parameter record: The file to which the process writes its `MigrationRecord`; nil for none.
  func migrate(
    _ store: URL, to version: Int, killAt point: Int? = nil, record: URL? = nil
  ) throws -> ChildProcess.Outcome {
    var environment: [String: String] = [:]
    if let point { environment["SCHEMAGEN_KILL_AT"] = "\(point)" }
    return try launcher.run(
      ["migrate", "--store", store.path, "--to", name(version)]
        + (record.map { ["--record", $0.path] } ?? []), environment: environment)
  }

  func migrated(_ store: URL, as copy: URL, to version: Int) throws -> StoreDump? {
    try self.copy(store, to: copy)
    return try migrate(copy, to: version).isSuccess ? dump(copy, version) : nil
  }

  func dump(_ store: URL, _ version: Int) throws -> StoreDump {
    try StoreDump(
      at: store, runtime.versions[version].model, canonical: runtime.canonical)
  }

  /// What breaks the expectation with the given index. A separate process looks for it, since the app's code may trap.
  func broken(
    _ number: Int, from old: URL, to new: URL, origins: [ObjectID: ObjectID]
  ) throws -> [BrokenExpectation] {
    let told = URL(filePath: new.path + ".origins.json")
    let made = URL(filePath: new.path + ".broken.json")
    try RehearsalJSON.encode(origins).write(to: told)
    let outcome = try launcher.run(
      [
        "expect", "--before", old.path, "--after", new.path, "--origins", told.path, "--number",
        "\(number + 1)", "--result", made.path,
      ])
    guard outcome.isSuccess else {
      return [BrokenExpectation(found: "a failure", note: outcome.description)]
    }
    return try RehearsalJSON.decode([BrokenExpectation].self, from: Data(contentsOf: made))
  }

  func entities(
    _ store: URL, _ version: Int, except: Set<ObjectID>
  ) throws -> [ObjectID: [String: [String]]] {
    let left = URL(filePath: store.path + ".except.json")
    let made = URL(filePath: store.path + ".entities.json")
    try RehearsalJSON.encode(except.sorted(by: ObjectID.precedes)).write(to: left)
    let outcome = try launcher.run(
      [
        "entities", "--store", store.path, "--version", name(version), "--except", left.path,
        "--result", made.path,
      ])
    guard outcome.isSuccess else { throw Stopped(description: outcome.description) }
    let rows = try RehearsalJSON.decode([EntityRow].self, from: try Data(contentsOf: made))
    return Dictionary(rows.map { ($0.row, $0.fields) }) { first, _ in first }
  }
}

/// A domain entity as a child process reports it.
struct EntityRow: Codable {
  var row: ObjectID
  var fields: [String: [String]]
}
