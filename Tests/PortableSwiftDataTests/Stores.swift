import Foundation
import SwiftData
import Testing

/// Runs the work with a store in a folder of its own, which is then removed.
func withStore<Result>(_ work: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "portable-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try work(folder.appending(path: "test.store"))
}

/// A new context of a schema for a store, as an app makes it at launch.
func open(
  _ schema: any VersionedSchema.Type, at url: URL, plan: (any SchemaMigrationPlan.Type)? = nil
) throws -> ModelContext {
  ModelContext(
    try ModelContainer(
      for: Schema(versionedSchema: schema), migrationPlan: plan,
      configurations: ModelConfiguration(url: url)))
}

/// A context of a store in memory.
func memory(_ schema: any VersionedSchema.Type) throws -> ModelContext {
  ModelContext(
    try ModelContainer(
      for: Schema(versionedSchema: schema),
      configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
}

extension ModelContext {
  func all<Model: PersistentModel>(_ model: Model.Type) throws -> [Model] {
    try fetch(FetchDescriptor<Model>())
  }
  func only<Model: PersistentModel>(_ model: Model.Type) throws -> Model {
    let all = try all(model)
    guard all.count == 1 else { throw Unexpected("there are \(all.count) rows of \(model)") }
    return all[0]
  }
}

struct Unexpected: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

extension ExitTest.Result? {
  /// Whether the process printed the message before it ended.
  func said(_ message: String) -> Bool {
    self.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains(message) } ?? false
  }
}
