internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
internal import SchemaGit
internal import SchemaManifest
package import SchemaModel
internal import SchemaWorkspace
package import StoreTools

/// The manifest of a version that a commit had, and that today's folder lacks.
package struct MissingManifest: Sendable {
  /// Where it belongs.
  package let file: SourceFile
  package let number: VersionNumber
  /// The folder of manifests.
  package let folder: String
  /// The commit that it was made from.
  package let commit: String
  /// Whether there are no manifests yet.
  package let isFirst: Bool
  /// Between which versions it belongs; nil where there are no manifests yet.
  package let place: VersionPlace?
  /// How many errors `generate` has once it is there: questions that people have to answer.
  package let questions: Int

  /// Nil where no manifest says what the store has.
  init?(
    _ version: CommitVersion, from commit: String, _ subject: TraceSubject,
    _ folders: [ManifestFolder], _ fileSystem: some FileSystem
  ) {
    let names = subject.names
    func common(_ folder: ManifestFolder) -> Int {
      folder.candidates.reduce(0) { most, candidate in
        max(most, candidate.model.model.entities.count { names.contains($0.name) })
      }
    }
    let home = folders.max { common($0) < common($1) }
    var schema = version.schema.withoutStep
    var place: VersionPlace?
    if let evolution = home?.evolution {
      guard let found = VersionPlace(schema, in: evolution) else { return nil }
      place = found
      schema = found.version
    }
    // Stores know it by the hashes that it has.
    schema.identity = .shipped
    self.place = place
    folder = home?.path ?? "Schemas"
    isFirst = home == nil
    number = schema.number
    self.commit = commit
    let text = ManifestText(schema, header: ["Made of the models of commit \(commit)."]).text
    file = SourceFile(path: Path.join(folder, "\(number.name).yaml"), text: text)
    // Read as it will be: nothing is handed out that the store would not be of.
    guard let read = ManifestReader().read(file).version,
      VersionModel(read).model.versionHashes.entities == subject.hashes
    else { return nil }
    let files = MemoryFiles([file], over: isFirst ? nil : fileSystem)
    questions = SchemaFolder.read(folder, fileSystem: files).diagnostics
      .count { $0.severity == .error }
  }

  /// What to run, in order, to have it written and to go on from there; nothing where there are no manifests to put it
  /// among.
  ///
  /// - Parameter store: The store, as the user named it.
  package func commands(for store: String) -> [String] {
    if isFirst { return [] }
    let store = ShellWord.quoted(store)
    let option = ShellWord.schemas(folder)
    return [
      "schemagen trace \(store)\(option) -o \(ShellWord.quoted(file.path))",
      "schemagen generate\(option)",
      "schemagen release \(number.name) --store \(store)\(option)",
    ]
  }
}
