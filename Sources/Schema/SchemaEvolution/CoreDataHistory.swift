internal import Foundation
package import ManagedModels
package import SchemaModel

/// The versions of a Core Data model that an app had before SwiftData.
package struct CoreDataHistory: Sendable {
  /// "Trips" for `Trips.xcdatamodeld`.
  package var modelName: String
  /// All versions, oldest first.
  package var versions: [Version]
  package var current: String

  package init(modelName: String, versions: [Version], current: String) {
    self.modelName = modelName
    self.versions = versions
    self.current = current
  }

  package struct Version: Sendable {
    package var name: String
    package var model: ManagedModel
    /// The renaming identifiers of entities, by entity, if they differ from the entity's name.
    package var renamingIdentifiers: [String: String]

    package init(name: String, model: ManagedModel, renamingIdentifiers: [String: String] = [:]) {
      self.name = name
      self.model = model
      self.renamingIdentifiers = renamingIdentifiers
    }

    fileprivate var hashes: [String: String] { model.base64Hashes }
  }
}

extension ManagedModel {
  fileprivate var base64Hashes: [String: String] {
    versionHashes.entities.mapValues { $0.base64EncodedString() }
  }
}

/// The migration of stores with older versions of a Core Data model at launch, before the plan's stages.
package struct CoreDataStep: Sendable {
  package var modelName: String
  /// The plan's version that has the same hashes as the model's current version.
  package var target: VersionNumber
  package var current: String
  /// The hash of each entity of the current version, in base64.
  package var hashes: [String: String]
  /// Older versions that equal no version of the plan, oldest first. Only the last of several versions with the same
  /// hashes is listed.
  package var origins: [Origin]

  package struct Origin: Sendable {
    package var name: String
    package var model: ManagedModel
    /// The hash of each entity, in base64.
    package var hashes: [String: String]
    /// The former names of renamed entities, by their names in the current version.
    package var renamed: [String: String]
    /// Entities that the current version does not have, sorted. Their rows are deleted.
    package var removed: [String]
    package var created: [String]
  }

  package enum Obstacle: Error, Hashable {
    case duplicateVersion(String)
    case noCurrentVersion(String)
    case uncertainHashes(version: String, [String])
    case noEqualVersion(current: String)
  }

  /// Returns `nil` if every version equals a version of the plan, because all stores then open without a step.
  ///
  /// - Parameters:
  ///   - evolution: The evolution including retired versions.
  ///   - proven: The hash of each entity that a store has proven, in base64, by version.
  package init?(
    _ history: CoreDataHistory, _ evolution: Evolution, proven: [VersionNumber: [String: String]]
  ) throws(Obstacle) {
    var names: Set<String> = []
    for version in history.versions where !names.insert(version.name).inserted {
      throw .duplicateVersion(version.name)
    }
    guard let current = history.versions.first(where: { $0.name == history.current }) else {
      throw .noCurrentVersion(history.current)
    }
    // Uncertain models are included, because equal models have equal hashes in any case.
    let known = zip(evolution.chain, VersionModel.chain(of: evolution)).map { physical, version in
      (physical, proven[physical.identifier] ?? version.model.base64Hashes)
    }
    hashes = current.hashes
    let own = hashes
    // The last equal version is used, because no stage migrates to it from another equal version.
    guard let target = known.last(where: { $0.1 == own && !$0.0.isBridge }) else {
      throw .noEqualVersion(current: current.name)
    }
    self.target = target.0.identifier
    // Hashes proven by a store are certain.
    if proven[target.0.identifier] == nil { try Self.check(current) }
    modelName = history.modelName
    self.current = current.name
    origins = []
    for version in history.versions where version.name != current.name {
      let hashes = version.hashes
      guard hashes != own, !known.contains(where: { $0.1 == hashes }) else { continue }
      try Self.check(version)
      origins.removeAll { $0.hashes == hashes }
      origins.append(Origin(version, current, hashes))
    }
    if origins.isEmpty { return nil }
  }

  /// Throws if hashes are uncertain: a store is not recognised by hashes that Core Data does not compute.
  private static func check(_ version: CoreDataHistory.Version) throws(Obstacle) {
    let reasons = version.model.hashDoubts.values.flatMap { $0 }.map(\.text)
    guard reasons.isEmpty else {
      throw .uncertainHashes(version: version.name, Set(reasons).sorted())
    }
  }
}

extension CoreDataStep.Origin {
  /// Entities with the same renaming identifier count as one entity, as in Core Data's inference.
  fileprivate init(
    _ version: CoreDataHistory.Version, _ current: CoreDataHistory.Version,
    _ hashes: [String: String]
  ) {
    func identifiers(_ version: CoreDataHistory.Version) -> [String: String] {
      Dictionary(
        version.model.entities.map { (version.renamingIdentifiers[$0.name] ?? $0.name, $0.name) }
      ) { first, _ in first }
    }
    let old = identifiers(version)
    let new = identifiers(current)
    name = version.name
    model = version.model
    self.hashes = hashes
    renamed = [:]
    for (identifier, name) in new {
      if let before = old[identifier], before != name { renamed[name] = before }
    }
    removed = old.filter { new[$0.key] == nil }.map(\.value).sorted()
    created = new.filter { old[$0.key] == nil }.map(\.value).sorted()
  }
}
