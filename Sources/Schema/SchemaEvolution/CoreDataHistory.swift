internal import Foundation
package import ManagedModels
package import SchemaModel

/// The versions of a Core Data model that an app had before SwiftData.
package struct CoreDataHistory: Sendable {
  /// The model's name: "Trips" of `Trips.xcdatamodeld`.
  package var modelName: String
  /// All versions, oldest first.
  package var versions: [Version]
  /// The current version's name.
  package var current: String

  package init(modelName: String, versions: [Version], current: String) {
    self.modelName = modelName
    self.versions = versions
    self.current = current
  }

  /// One version of the model.
  package struct Version: Sendable {
    /// The name as Xcode shows it: "Trips 2".
    package var name: String
    package var model: ManagedModel
    /// Renaming identifiers of entities, if they differ from the entity's name.
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

/// What a launch does with stores of older versions of a Core Data model, before the plan's stages.
package struct CoreDataStep: Sendable {
  package var modelName: String
  /// The plan's version whose hashes are those of the model's current version.
  package var target: VersionNumber
  /// The name of the model's current version.
  package var current: String
  /// The hash of each entity of the current version, in base64.
  package var hashes: [String: String]
  /// Older versions that equal no version of the plan, oldest first. Of several with the same hashes, the last is
  /// listed.
  package var origins: [Origin]

  /// An older version.
  package struct Origin: Sendable {
    package var name: String
    package var model: ManagedModel
    /// The hash of each entity, in base64.
    package var hashes: [String: String]
    /// The former names of entities of the current version that were renamed.
    package var renamed: [String: String]
    /// Entities that the current version lacks, sorted. Their rows are deleted.
    package var removed: [String]
    /// Entities that this version lacks, sorted.
    package var created: [String]
  }

  /// Why there is no step.
  package enum Obstacle: Error, Hashable {
    case duplicateVersion(String)
    case noCurrentVersion(String)
    /// The hashes of a version are uncertain, for these reasons.
    case uncertainHashes(version: String, [String])
    /// The plan has no version with the hashes of the current one.
    case noEqualVersion(current: String)
  }

  /// Nil if every version equals one of the plan, since then all stores open in place.
  ///
  /// - Parameters:
  ///   - evolution: The evolution including retired versions.
  ///   - proven: The proven hash of each entity, in base64, by version.
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
    // Uncertain models are included: equal models have equal hashes, whatever these are.
    let known = zip(evolution.chain, VersionModel.chain(of: evolution)).map { physical, version in
      (physical, proven[physical.identifier] ?? version.model.base64Hashes)
    }
    hashes = current.hashes
    let own = hashes
    // The last one is used: a later equal version has no stage before it.
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

  /// Checks that hashes are certain, since a store would not be recognised by hashes that Core Data does not compute.
  private static func check(_ version: CoreDataHistory.Version) throws(Obstacle) {
    let reasons = version.model.hashDoubts.values.flatMap { $0 }.map(\.text)
    guard reasons.isEmpty else {
      throw .uncertainHashes(version: version.name, Set(reasons).sorted())
    }
  }
}

extension CoreDataStep.Origin {
  /// Entities with the same renaming identifier are the same entity, as in Core Data's inference.
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
