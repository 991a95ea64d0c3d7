internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
internal import SchemaGit
internal import SchemaManifest
internal import SchemaModel
internal import SchemaWorkspace
internal import StoreFormat
internal import StoreTools

/// The manifest of a version that a commit had, and that today's folder lacks.
package struct MissingManifest: Sendable, Encodable {
  /// `V2.1`
  package let version: String
  package let folder: String
  /// The path at which the file belongs, and its contents.
  package let file: String
  package let text: String
  /// The commit from which it was made.
  package let commit: String
  /// The versions between which it belongs; nil if there are no manifests yet.
  package let place: String?
  /// The version that it resembles most: `V3`; nil if there are no manifests yet.
  package let nearest: String?
  /// The commands that write the manifest and continue from there, in order; empty if there are no other manifests.
  package private(set) var commands: [String]

  /// Returns nil if no manifest describes the store's model.
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

  /// Returns nil if no manifest has these hashes.
  ///
  /// - Parameters:
  ///   - origin: The source of its models: `commit 4f2ac1e9d`.
  ///   - home: The folder that lacks it; nil if there is none yet.
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
    // Stores know the version by the hashes that it has.
    schema.identity = .shipped
    let folder = home?.path ?? "Schemas"
    let text = ManifestText(schema, header: ["Made from the models of \(origin)."]).text
    let file = SourceFile(path: Path.join(folder, "\(schema.number.name).yaml"), text: text)
    // Read the text as `generate` will, and return nil if the store would not match the result.
    guard let read = ManifestReader().read(file).version,
      VersionModel(read).model.versionHashes.entities == hashes
    else { return nil }
    // Another command writes the manifest of a version from a tag.
    commands = []
    self.version = schema.number.name
    (self.folder, self.commit, self.text) = (folder, commit, text)
    self.file = file.path
    self.place = place?.description
    nearest = place?.nearest.name
  }
}

extension TraceSubject {
  /// The most models that a version in the folder has in common with it.
  fileprivate func common(_ folder: ManifestFolder) -> Int {
    folder.candidates.reduce(0) { most, candidate in
      max(most, candidate.model.entities.count { names.contains($0.name) })
    }
  }
}
