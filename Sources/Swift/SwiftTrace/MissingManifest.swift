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
  /// The path where it belongs, and its contents.
  package let file: String
  package let text: String
  /// The commit that it was made from.
  package let commit: String
  /// The versions between which it belongs; nil if there are no manifests yet.
  package let place: String?
  /// What to run, in order, to have it written and to go on from there; nothing where there are no manifests to put it
  /// among.
  package let commands: [String]

  /// Returns nil if no manifest describes the store's model.
  ///
  /// - Parameter store: The store's path, as the user gave it.
  init?(
    _ version: CommitVersion, from commit: String, of store: String, _ subject: TraceSubject,
    _ folders: [ManifestFolder]
  ) {
    let home = folders.max { subject.common($0) < subject.common($1) }
    var schema = version.schema.withoutStep
    var place: VersionPlace?
    if let evolution = home?.evolution {
      guard let found = VersionPlace(schema, in: evolution) else { return nil }
      place = found
      schema = found.version
    }
    // Stores know it by the hashes that it has.
    schema.identity = .shipped
    let folder = home?.path ?? "Schemas"
    let text = ManifestText(schema, header: ["Made of the models of commit \(commit)."]).text
    let file = SourceFile(path: Path.join(folder, "\(schema.number.name).yaml"), text: text)
    // Read as it will be: nothing is handed out that the store would not be of.
    guard let read = ManifestReader().read(file).version,
      VersionModel(read).model.versionHashes.entities == subject.hashes
    else { return nil }
    let store = ShellWord.quoted(store)
    let option = ShellWord.schemas(folder)
    commands =
      home == nil
      ? []
      : [
        "schemagen trace \(store)\(option) -o \(ShellWord.quoted(file.path))",
        "schemagen generate\(option)",
        "schemagen release \(schema.number.name) --store \(store)\(option)",
      ]
    self.version = schema.number.name
    (self.folder, self.commit, self.text) = (folder, commit, text)
    self.file = file.path
    self.place = place?.description
  }
}

extension TraceSubject {
  /// How many of its models a version of the folder has.
  fileprivate func common(_ folder: ManifestFolder) -> Int {
    folder.candidates.reduce(0) { most, candidate in
      max(most, candidate.model.entities.count { names.contains($0.name) })
    }
  }
}
