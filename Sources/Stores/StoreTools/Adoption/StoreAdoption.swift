package import Foundation
internal import ManagedModels
internal import SchemaEvolution
internal import SchemaManifest
package import SchemaModel
internal import SchemaWorkspace
internal import StoreFormat

/// One run of `adopt --store`: the manifest of a shipped store, and questions about it. A run writes no file.
package struct StoreAdoption: Sendable {
  /// The manifest and the configuration, by path; empty if the store has no model.
  package private(set) var files: [SourceFile] = []
  package private(set) var questions: [Diagnostic] = []
  /// Why nothing may be written, in sentences.
  package private(set) var refusals: [String] = []
  /// Oddities of the store that do not prevent adoption.
  package private(set) var remarks: [String] = []
  /// Whether the store's hashes contradict its model or each other. The manifest may then differ from the models that
  /// wrote the store.
  package private(set) var isDoubtful = false
  /// What the store does not show, each with what to write, in the order of the manifest.
  package private(set) var unknown: [String] = []
  package private(set) var number: VersionNumber?
  package private(set) var modelCount = 0
  package var sources: [String: String] { files.textsByPath }

  /// Reads the store. Throws `StoreError` if the file is not a store, or cannot be read.
  package static func read(
    storeAt url: URL, folder: String, progress: WorkObserver? = nil
  ) throws -> StoreAdoption {
    var adoption = StoreAdoption()
    try adoption.read(url, folder, progress)
    return adoption
  }

  private init() {}

  private mutating func read(_ url: URL, _ folder: String, _ progress: WorkObserver?) throws {
    let counting: StoreFacts.Counting = { progress?("counting rows", $0, $1) }
    let (facts, rawValues) = try StoreFacts.examine(url, counting: counting) { facts, survey in
      try facts.model.map { try RawValues(of: $0, survey) } ?? RawValues()
    }
    remarks = facts.damage + facts.notes
    guard let made = StoreSchema.version(of: facts, rawValues: rawValues), let model = facts.model
    else {
      refusals = [
        "the store has no model cache: only its tables and columns, in capital letters, are known",
        "adopt the app's sources: 'schemagen adopt Sources'",
      ]
      return
    }
    if facts.writer == .portable {
      remarks.append(
        "the store was written by schemagen's portable SwiftData: its model is that of a rehearsal"
      )
    }
    let hashes = StoreHashes(facts)
    if !hashes.wrong.isEmpty {
      remarks.append(
        "the hashes of \(hashes.wrong.joined(separator: ", ")) in the store's metadata are not those of the store's model: the manifest describes the model, so its hashes are not those in the metadata; 'schemagen inspect' shows both"
      )
    } else if hashes.isSound == false {
      remarks.append(
        "the hashes in the store's metadata contradict each other: 'schemagen inspect' shows them")
    }
    isDoubtful = hashes.isSound == false
    number = made.version.number
    modelCount = made.version.models.count
    unknown = made.notes.map(\.description)
    files = Self.files(made, facts, store: url.lastPathComponent, folder)
    // Only the new files are read. If files exist in the folder already, the caller reports that they are in the way.
    let manifests = SchemaFolder.read(folder, fileSystem: MemoryFiles(files))
    questions = manifests.diagnostics
    if manifests.isMalformed {
      refusals.append("a manifest cannot describe this store")
    } else if let read = manifests.versions.first {
      let comparison = ModelComparison(model, VersionModel(read))
      refusals += comparison.differences.filter(\.isHashed).map {
        "the manifest would describe another version: \($0.element): \($0.detail)"
      }
    }
  }

  package var isRefused: Bool { !refusals.isEmpty }

  private static func files(
    _ made: StoreSchema.Version, _ facts: StoreFacts, store: String, _ folder: String
  ) -> [SourceFile] {
    let comments = Dictionary(grouping: made.notes, by: \.element).mapValues {
      $0.map { "'\($0.element.member ?? $0.element.owner)' \($0.clause)" }
    }
    // CloudKit's own tables are in exactly the stores that sync.
    let syncs = facts.otherTables.contains { $0.hasPrefix("ANSCK") }
    let manifest = ManifestText(
      made.version,
      header: [
        "Adopted from the store '\(store)'.",
        "A store keeps no order of properties, no documentation, and only the values of defaults.",
      ]
        + (syncs
          ? [
            "A store does not record which attributes CloudKit encrypts:  write 'allowsCloudEncryption: true' where the classes do."
          ] : []),
      comments: comments)
    var configuration = Configuration()
    if syncs { configuration.cloudKit = .private }
    let settings = ConfigurationText(
      configuration,
      header: [
        "Settings for all versions. Every key has a default; paths are relative to this folder.",
        "A store does not record what the app's code calls its versions and models: see 'names' in \(Basis.documentation)manifest.md.",
      ])
    return [
      SourceFile(
        path: Path.join(folder, "\(made.version.number.name).yaml"), text: manifest.text),
      SourceFile(path: Path.join(folder, "schemagen.yaml"), text: settings.text),
    ]
  }
}
