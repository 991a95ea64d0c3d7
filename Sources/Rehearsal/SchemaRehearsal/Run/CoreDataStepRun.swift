package import Foundation
internal import ManagedModels
package import SchemaManifest
internal import SchemaModel
internal import StoreEngine
internal import StoreFormat

/// Migrates a copy of a store of an older version as Core Data would at launch, with a mapping that is inferred here.
/// The app's mapping models are not used.
package struct CoreDataStepRun {
  private let store: URL
  private let from: CoreDataModel
  private let to: CoreDataModel

  /// Makes a run; nil unless the store has an older version of the model.
  ///
  /// - Parameters:
  ///   - hashes: The store's version hashes, by entity.
  ///   - versions: The versions of the Core Data model. The last is the current version.
  package init?(of store: String, hashes: [String: Data], among versions: [CoreDataModel]) {
    guard let to = versions.last,
      let from = versions.dropLast().last(where: {
        $0.model.versionHashes.entities == hashes
      })
    else { return nil }
    self.store = URL(filePath: store)
    self.from = from
    self.to = to
  }

  package var title: String { "from '\(from.name)' to '\(to.name)'" }

  package func perform(in folder: URL) throws -> (copy: URL, lines: [String]) {
    let copy = folder.appendingPathComponent(store.lastPathComponent)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
      try FileManager.default.copyItem(
        atPath: store.path + suffix, toPath: copy.path + suffix)
    }
    let file = try StoreFile(at: .file(copy))
    try file.adopt(from.model)
    let before = try counts(file, from.model)
    try file.migrate(to: to.model)
    let after = try counts(file, to.model)
    var lines = [
      "\(from.name) → \(to.name): Core Data's step, here with a mapping that schemagen infers"
    ]
    for name in Set(before.keys).union(after.keys).sorted() {
      let numbers = [before[name], after[name]].map { $0.map { "\($0)" } ?? "–" }
      lines.append(
        "  \(name): \(numbers[0]) → \(numbers[1]) \(before[name] == 1 ? "row" : "rows")"
          + (numbers[0] == numbers[1] ? "" : "   ← not the same"))
    }
    return (copy, lines)
  }

  private func counts(_ file: StoreFile, _ model: ManagedModel) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for entity in model.entities {
      counts[entity.name] = try file.count(of: entity.name, includingSubentities: false)
    }
    return counts
  }
}
