internal import Foundation
internal import ManagedModels
internal import SchemaManifest
internal import SchemaModel
package import SchemaWorkspace
internal import StoreFormat

extension CoreDataVersions {
  package static func isModel(_ path: String) -> Bool {
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    return isSource(path) || [".momd", ".mom", ".omo"].contains { path.hasSuffix($0) }
  }

  /// Reads a model's source, or the output of Xcode's compiler: an `.xcdatamodeld`, `.xcdatamodel`, `.momd` or `.mom`.
  ///
  /// - Parameters:
  ///   - current: The name of the current version; nil for the version that the model names.
  ///   - order: The names of the versions, oldest first; empty to sort by the numbers in the names.
  package static func read(
    model path: String, current: String? = nil, order: [String] = [], fileSystem: some FileSystem
  ) -> Reading {
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    if isSource(path) { return read(path, current: current, order: order, fileSystem: fileSystem) }
    return Reading(of: path) { $0.versions = try compiled(path, current, order, fileSystem) }
  }

  private static func compiled(
    _ path: String, _ current: String?, _ order: [String], _ fileSystem: some FileSystem
  ) throws -> CoreDataVersions {
    if path.hasSuffix(".mom") {
      return try CoreDataVersions(
        path: path, [try model(path, fileSystem)], current: current, order: order)
    }
    guard path.hasSuffix(".momd") else {
      let isOptimised = path.hasSuffix(".omo")
      throw CoreDataTrouble(
        isOptimised
          ? "'\(path)' is an optimised model, which only Core Data reads"
          : "'\(path)' is not a Core Data model",
        help: isOptimised
          ? "name the '.mom' file next to it, or the folder of both"
          : "name an .xcdatamodeld, .xcdatamodel, .momd or .mom")
    }
    guard let names = try fileSystem.list(path) else {
      throw CoreDataTrouble(
        "there is no folder '\(path)'", help: "Xcode puts the compiled model into the app's bundle")
    }
    let models = try names.filter { $0.hasSuffix(".mom") }.map {
      try model(Path.join(path, $0), fileSystem)
    }
    guard !models.isEmpty else {
      throw CoreDataTrouble(
        "'\(path)' contains no version", help: "a version is a file whose name ends in '.mom'")
    }
    let info = try fileSystem.read(Path.join(path, "VersionInfo.plist"), limit: 16 << 20).flatMap {
      try? PropertyListSerialization.propertyList(from: Data($0), format: nil) as? [String: Any]
    }
    return try CoreDataVersions(
      path: path, models,
      current: current ?? info?["NSManagedObjectModel_CurrentVersionName"] as? String,
      order: order)
  }

  private static func model(_ path: String, _ fileSystem: some FileSystem) throws -> CoreDataModel {
    guard let bytes = try fileSystem.read(path, limit: 64 << 20) else {
      throw CoreDataTrouble("there is no file '\(path)'", help: "name an existing file")
    }
    return CoreDataModel(name: stem(path), model: try CompiledModel.read(bytes))
  }
}
