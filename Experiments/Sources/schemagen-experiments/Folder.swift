import Foundation
import SwiftData

/// Where the steps of one experiment keep their stores and their notes.
struct Folder {
  let url: URL

  var store: URL { url.appendingPathComponent("app.store") }
  /// A second one, to compare with.
  var other: URL { url.appendingPathComponent("other.store") }

  /// A context on a store that a version's container has opened, and migrated if a plan is given.
  func open(
    _ version: any VersionedSchema.Type, plan: (any SchemaMigrationPlan.Type)? = nil,
    at url: URL? = nil
  ) throws -> ModelContext {
    let schema = Schema(versionedSchema: version)
    let container = try ModelContainer(
      for: schema, migrationPlan: plan,
      configurations: [
        ModelConfiguration(
          "experiment", schema: schema, url: url ?? store, cloudKitDatabase: .none)
      ])
    let context = ModelContext(container)
    context.autosaveEnabled = false
    return context
  }

  /// A store of a version, with rows.
  func write(
    _ version: any VersionedSchema.Type, at url: URL? = nil, _ fill: (ModelContext) throws -> Void
  ) throws {
    let context = try open(version, at: url)
    try fill(context)
    try context.save()
  }

  /// Says something to later steps, also when the process is killed afterwards.
  func note(_ line: String) throws {
    let file = url.appendingPathComponent("notes.txt")
    let notes = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    try (notes + line + "\n").write(to: file, atomically: true, encoding: .utf8)
  }

  /// What was noted so far, in this step and in those before it.
  var notes: [String] {
    let file = url.appendingPathComponent("notes.txt")
    let notes = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return notes.split(separator: "\n").map { String($0) }
  }

  /// Begins the time after which the process is killed.
  func sayReady() throws { try Data().write(to: ready) }

  /// There once the step that runs is ready to be killed.
  var ready: URL { url.appendingPathComponent("ready") }

  /// The folder of the step that runs: plans are types, and their closures are given nothing but a context.
  nonisolated(unsafe) static var current = Folder(url: URL(fileURLWithPath: "."))
}

extension ModelContext {
  /// All rows of a model in words, sorted: a store has no order.
  func rows<Model: PersistentModel>(
    _ type: Model.Type, _ words: (Model) throws -> String
  ) throws -> [String] {
    try fetch(FetchDescriptor<Model>()).map(words).sorted()
  }

  /// All rows of a model.
  func all<Model: PersistentModel>(_ type: Model.Type) throws -> [Model] {
    try fetch(FetchDescriptor<Model>())
  }
}

/// A value in words, `nil` for none.
func text<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "nil" }

/// What a killed process does: nothing runs afterwards, no handler and no deinit.
func die() -> Never {
  kill(getpid(), SIGKILL)
  while true { sleep(1) }
}
