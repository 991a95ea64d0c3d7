internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
internal import SchemaGit
internal import SchemaManifest
internal import SchemaModel
internal import SchemaWorkspace
internal import StoreFormat
internal import StoreTools

/// The manifest of a version that a commit had and today's folder lacks.
package struct MissingManifest: Sendable, Encodable {
  /// `V2.1`
  package let version: String
  package let folder: String
  package let file: String
  package let text: String
  package let commit: String
  /// The versions between which it belongs; nil if there are no manifests yet.
  package let place: String?
  package let nearest: String?
  /// The commands that write the manifest and release its version, in order. There are none if the version comes from a
  /// tag, or if there are no other manifests.
  package private(set) var commands: [String]

  /// `nil` if no manifest can express the version with the store's hashes.
  ///
  /// - Parameter store: The store's path, as the user gave it.
  init?(
    _ version: CommitVersion, from commit: String, of store: String, _ subject: TraceSubject,
    _ folders: [ManifestFolder]
  ) {
    self.init(
      version, from: "commit \(commit)", commit: commit, hashes: subject.hashes,
      in: folders.max { subject.common($0) < subject.common($1) })
    guard place != nil else { return }
    let option = ShellWord.schemas(folder)
    let store = ShellWord.quoted(store)
    commands = [
      "schemagen trace \(store)\(option) -o \(ShellWord.quoted(file))",
      "schemagen generate\(option)",
      "schemagen release \(self.version) --store \(store)\(option)",
    ]
  }

  /// `nil` if no manifest can express the version with these hashes.
  ///
  /// - Parameters:
  ///   - origin: The source of the models: `commit 4f2ac1e9d`.
  ///   - home: The folder that lacks the version; `nil` if there is no folder of manifests yet.
  init?(
    _ version: CommitVersion, from origin: String, commit: String, hashes: [String: Data],
    in home: ManifestFolder?
  ) {
    var schema = version.schema.withoutStep
    var place: VersionPlace?
    if let evolution = home?.evolution {
      guard let found = VersionPlace(schema, in: evolution) else { return nil }
      place = found
      schema = found.version
    }
    // Stores of the version exist, so the generator must not change its hashes.
    schema.identity = .shipped
    let folder = home?.path ?? "Schemas"
    let text = ManifestText(schema, header: ["Made from the models of \(origin)."]).text
    let file = SourceFile(path: Path.join(folder, "\(schema.number.name).yaml"), text: text)
    // Read the text as `generate` will, and return nil if the store would not match the result.
    guard let read = ManifestReader().read(file).version,
      VersionModel(read).model.versionHashes.entities == hashes
    else { return nil }
    // For a version from a tag, another command writes the manifest.
    commands = []
    self.version = schema.number.name
    (self.folder, self.commit, self.text) = (folder, commit, text)
    self.file = file.path
    self.place = place?.description
    nearest = place?.nearest.name
  }
}

extension TraceSubject {
  /// The most models that the store shares with one version of the folder.
  fileprivate func common(_ folder: ManifestFolder) -> Int {
    folder.candidates.reduce(0) { most, candidate in
      max(most, candidate.model.entities.count { names.contains($0.name) })
    }
  }
}
