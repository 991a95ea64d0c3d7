internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
internal import SchemaModel
internal import SchemaWorkspace
internal import StoreFormat

extension StoreDiagnosis {
  /// A possible remedy.
  package struct WayOut: Encodable, Sendable {
    package enum Kind: String, Encodable, Sendable {
      case restoreVersion, addVersion, nameFolder, laterVersion, deleteStore
    }

    package var kind: Kind
    package var text: String
    package var commands: [String] = []
  }

  func findWaysOut() -> [WayOut] {
    guard let nearest, let folder = folder(of: nearest.candidate) else {
      return []
    }
    guard facts.writer == .coreData else {
      return [
        WayOut(
          kind: .deleteStore,
          text: "schemagen's own runtime wrote this store, in a rehearsal or a test: delete it.")
      ]
    }
    guard folder.evolution != nil else { return [Self.searching(folder.path)] }
    let name = nearest.candidate.name
    var ways: [WayOut] = []
    let models = nearest.candidate.model.entitiesByName
    let isForeign = !facts.entities.isEmpty && facts.entities.allSatisfy { models[$0.name] == nil }
    if isForeign {
      ways.append(
        WayOut(
          kind: .nameFolder,
          text:
            "The store has no model of \(folder.path). If the store belongs to another app or another container, name the store's manifests with --schemas."
        ))
    } else if let later = laterNumber(folder) {
      ways.append(
        WayOut(
          kind: .laterVersion,
          text:
            "The store's metadata names \(later), and \(folder.newest) is the newest version here. If a newer build wrote the store, use that build's manifests, or open the store with that build."
        ))
    }
    // A store that shares nothing with these manifests is not a version of them.
    if !isForeign {
      if let way = restoring(nearest, folder) { ways.append(way) }
      ways.append(adding(name, folder))
    }
    ways.append(
      WayOut(
        kind: .deleteStore,
        text:
          "If the store's rows are not needed, as on a developer's device: delete the app there, or the store and the files next to it that end in -wal and -shm."
      ))
    return ways
  }

  private static func searching(_ path: String) -> WayOut {
    WayOut(
      kind: .addVersion,
      text:
        "Core Data opens the store only with a mapping from its version, which this model lacks: look for the version in the history of the repository, and put it back into the model.",
      commands: ["git log --oneline --all -- \(ShellWord.quoted(path))"])
  }

  /// The store's own version number, if it is above the newest version.
  private func laterNumber(_ folder: ManifestFolder) -> String? {
    guard let newest = folder.history.last?.number else { return nil }
    return facts.versionIdentifiers.first { VersionNumber($0).map { newest < $0 } ?? false }
  }

  private static func texts(_ hashes: [String: Data]) -> [String: String] {
    hashes.mapValues { $0.base64EncodedString() }
  }

  private func restoring(
    _ nearest: StoreMatch.Comparison, _ folder: ManifestFolder
  ) -> WayOut? {
    let name = nearest.candidate.name
    guard let version = folder.version(named: name) else { return nil }
    let file = version.location?.file ?? name
    let shipped = folder.shipped[version.number]
    let isShipped = shipped == Self.texts(facts.hashes)
    // The lock and the manifest have the same hashes, which are not the store's, so the version has not changed since
    // it shipped.
    if !isShipped, shipped == Self.texts(nearest.candidate.model.versionHashes.entities) {
      return nil
    }
    let lines = nearest.differences.filter(\.isHashed)
    // A whole model that only the store has needs more than an edit of a few lines.
    let isEditable =
      !lines.isEmpty && lines.allSatisfy { $0.version != nil || $0.store != "a model" }
    guard isShipped || isEditable else { return nil }
    let option = ShellWord.schemas(folder.path)
    let text =
      isShipped
      ? "The lock has these hashes: the store has \(name) as it shipped, and \(file) was edited afterwards. Undo that edit, and make the change in a new version."
      : "If \(file) was edited after \(folder.released.contains(version.number) ? "\(name) shipped" : "the store was written, and its rows are needed"): write into the file what the store has, as listed above, and make the change in a new version."
    return WayOut(
      kind: .restoreVersion, text: text, commands: ["schemagen new-version\(option)"])
  }

  private func adding(_ name: String, _ folder: ManifestFolder) -> WayOut {
    let words = "If the version that wrote the store is not among the manifests:"
    guard facts.model != nil else {
      return WayOut(
        kind: .addVersion,
        text:
          "\(words) restore the version's manifest from git: 'schemagen trace \(ShellWord.quoted(path))' finds the commits that had the version. This store has no model cache; a copy of the store that still has its model cache could be adopted with 'schemagen adopt --store'."
      )
    }
    let number = facts.versionIdentifiers.lazy.compactMap { VersionNumber($0) }.first
    let written = number ?? VersionNumber(1)
    let found = place(in: folder)
    let free = found?.version.number ?? written
    let manifest = Path.join(Self.adoptionFolder, "\(written.name).yaml")
    let place = Path.join(folder.path, "\(free.name).yaml")
    var text =
      "\(words) make the version's manifest from the store and add it to the other manifests; 'schemagen trace \(ShellWord.quoted(path))' finds the commits that had the version, and writes a better manifest."
    if let found {
      let first = found.description
      text += " \(first.prefix(1).uppercased() + first.dropFirst())"
      text +=
        free == written ? "." : ": before you move the manifest, write 'version: \(free)' in it."
    }
    return WayOut(
      kind: .addVersion, text: text,
      commands: [
        "schemagen adopt --store \(ShellWord.quoted(path)) --schemas \(Self.adoptionFolder)",
        "mv \(ShellWord.quoted(manifest)) \(ShellWord.quoted(place))",
      ])
  }

  /// The folder for a manifest made from a store. It is separate from the other manifests, with which the new one may
  /// collide.
  private static let adoptionFolder = "AdoptedStore"

  private func place(in folder: ManifestFolder) -> VersionPlace? {
    guard let made = StoreSchema.version(of: facts), let evolution = folder.evolution else {
      return nil
    }
    return VersionPlace(made.version, in: evolution)
  }
}
