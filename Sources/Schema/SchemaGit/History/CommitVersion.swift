internal import Foundation
package import ManagedModels
package import SchemaEvolution
package import SchemaManifest
package import SchemaModel
internal import SchemaWorkspace

package struct CommitVersion: Sendable {
  /// How an app that is built from the commit uses the version.
  package enum Role: String, Sendable {
    /// The app writes stores of this version.
    case current
    /// The app knows the version but writes stores of another version.
    case known
  }

  /// A reason why a version may differ from what was read.
  package struct Doubt: Sendable {
    /// A sentence without a full stop.
    package var reason: String
    /// The models that the doubt concerns. Nil for all of them.
    package var models: Set<String>?

    package init(_ reason: String, models: Set<String>? = nil) {
      self.reason = reason
      self.models = models
    }
  }

  /// The name for people: `V3 of Schemas`, `SchemaV2`, `the classes in App/Models`.
  package var name: String
  package var role: Role
  /// The models, with everything that the framework hashes.
  package var schema: SchemaVersion
  /// Declarations that the models use in addition to the version's own.
  package var types: [ValueTypeDeclaration] = []
  /// The version's hashes, as far as they are certain.
  package var hashes: VersionHashes
  /// The hashes that a store has proven for the version, in Base64, by entity. Nil if no store has.
  package var proven: [String: String]?
  package var isReleased = false
  /// Why the app may store something else, whatever the hashes are.
  package var doubts: [Doubt] = []
  /// Why the app's store may hold other models as well. Only a store's hashes could decide that.
  package var assumption: String?
  /// Whether the app's classes are in no version.
  package var isUnversioned = false
  /// Whether the commit has versions that list classes, but none lists these classes.
  package var isLeftOver = false

  package init(
    name: String, role: Role, schema: SchemaVersion, types: [ValueTypeDeclaration] = [],
    hashes: VersionHashes
  ) {
    self.name = name
    self.role = role
    self.schema = schema
    self.types = types
    self.hashes = hashes
  }

  package var model: VersionModel { VersionModel(schema, types: types) }
}

/// The versions in a folder of manifests at a commit.
package struct CommitManifests: Sendable {
  /// Empty if the manifests cannot be read.
  package private(set) var versions: [CommitVersion] = []
  /// Why the manifests cannot be read, with a location. Nil if they can be read.
  package private(set) var trouble: String?

  /// Whether a file is a version's manifest, by its name: `V3.yaml`.
  package static func isManifest(_ name: Substring) -> Bool {
    guard name.first == "V" else { return false }
    return [".yaml", ".yml"].contains {
      name.hasSuffix($0) && VersionNumber(name.dropLast($0.count)) != nil
    }
  }

  private static func place(_ folder: String) -> String {
    folder.isEmpty ? "the repository's top" : folder
  }

  /// - Parameter folder: The path from the worktree's top.
  package init(
    _ folder: String, _ files: [SourceFile], bases: ConfigurationBases, lock: SourceFile?
  ) {
    let read = ManifestHistory(folder, files: files, bases: bases)
    if let error = read.diagnostics.first(where: { $0.severity == .error }) {
      let place = error.location.map { "\($0.file):\($0.line): " } ?? ""
      trouble = place + error.message
      return
    }
    guard !read.history.versions.isEmpty else { return }
    let known = SchemaFolder.lock(in: folder, fileSystem: MemoryFiles(lock.map { [$0] } ?? []))
    let evolution = AnalysisPipeline(
      history: read.history.versions, configuration: read.history.configuration,
      shipped: known.shipped(of: read.history.versions)
    ).run()
    let proven = known.provenHashes.mapValues(\.entities)
    let released = known.released
    let types = evolution.types.values.sorted { $0.name < $1.name }
    let newest = evolution.history.last?.number
    let place = Self.place(folder)
    versions = zip(evolution.chain, evolution.identities).map { version, identity in
      let isBridge = version.isBridge
      // If the app keeps its classes, the app is built from them, and the newest manifest only records them.
      let isCurrent = version.identifier == newest && read.history.configuration.classes == nil
      var found = CommitVersion(
        name: (isBridge ? "the bridge \(version.name)" : version.identifier.name) + " of \(place)",
        role: isCurrent ? .current : .known, schema: version.schema, types: types,
        hashes: identity.doubts.isEmpty
          ? identity.hashes : VersionModel(version.schema, types: types).model.versionHashes)
      if !isBridge {
        found.proven = proven[version.identifier]
        found.isReleased = released.contains(version.identifier)
      }
      return found
    }
  }
}
