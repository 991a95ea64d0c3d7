internal import Foundation
package import ManagedModels
package import SchemaEvolution
package import SchemaManifest
package import SchemaModel
internal import SchemaWorkspace

/// A version of a schema that the files of a commit describe.
package struct CommitVersion: Sendable {
  /// What an app that is built from the commit has to do with it.
  package enum Role: String, Sendable {
    /// It writes stores of this version.
    case current
    /// It knows the version, and writes stores of another.
    case known
  }

  /// Why a version may be another than it was read as.
  package struct Doubt: Sendable {
    /// A sentence without a full stop.
    package var reason: String
    /// The models that it is about; nil for all of them.
    package var models: Set<String>?

    /// A doubt.
    package init(_ reason: String, models: Set<String>? = nil) {
      self.reason = reason
      self.models = models
    }
  }

  /// What people call it: `V3 of Schemas`, `SchemaV2`, `the classes in App/Models`.
  package var name: String
  /// What an app that is built from the commit has to do with it.
  package var role: Role
  /// The models, with all that the framework looks at.
  package var schema: SchemaVersion
  /// Declarations that the models use beside the version's own.
  package var types: [ValueTypeDeclaration] = []
  /// Its hashes, as far as they are certain.
  package var hashes: VersionHashes
  /// Base64 of the hashes that a store has proven for it, by entity; nil where none has.
  package var proven: [String: String]?
  /// Whether the lock of the commit says that it has shipped.
  package var isReleased = false
  /// Why the app may store something else, whatever the hashes are.
  package var doubts: [Doubt] = []

  /// A version.
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

  /// The version as a store knows it.
  package var model: VersionModel { VersionModel(schema, types: types) }
}

/// The versions that a folder of manifests has in a commit.
package struct CommitManifests: Sendable {
  /// Empty where they cannot be read.
  package private(set) var versions: [CommitVersion] = []
  /// Why they cannot be read, with a place; nil where they can.
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

  /// Reads them, as they are together.
  ///
  /// - Parameters:
  ///   - folder: The path from the worktree's top.
  ///   - files: The folder's YAML files.
  ///   - bases: What the configuration extends.
  ///   - lock: The lock, where there is one.
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
      // Where the app keeps its classes, the newest manifest is a record of them, and they are what is built.
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
