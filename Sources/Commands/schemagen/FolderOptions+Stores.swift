import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaEvolution
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import StoreTools

extension FolderOptions {
  /// Throws a usage error if a store is named and there are several folders, because any of them may have the store's
  /// version.
  func checkOwner(of store: String?, among folders: Int) throws {
    guard let store, folders > 1 else { return }
    Output.error(
      "schemagen: '\(store)' belongs to one folder's versions: name one with '--schemas'")
    throw ExitCode(2)
  }

  /// The folders of manifests, or Core Data models, that a store is compared with; nil if the user named none and the
  /// standard folder is missing.
  func manifestFolders(_ disk: Disk) throws -> [ManifestFolder]? {
    var found: [ManifestFolder] = []
    for path in try resolve(disk) {
      if CoreDataVersions.isModel(path) {
        let reading = CoreDataVersions.read(model: path, fileSystem: disk)
        guard let versions = reading.versions else {
          Output.report(reading.diagnostics, sources: reading.sources)
          throw ExitCode(2)
        }
        found.append(ManifestFolder(versions))
        continue
      }
      let names = try? disk.list(path)
      if schemas.isEmpty, names == nil { return nil }
      let folder = SchemaFolder.read(path, fileSystem: disk)
      guard let manifests = ManifestFolder(folder) else {
        // Skip a folder without manifests, unless the user named it.
        if schemas.isEmpty, !folder.isMalformed { continue }
        Output.error(
          TextReport(sources: folder.sources).render(folder.diagnostics)
            + "schemagen: \(path): the manifests have errors, so no store can be compared with them\n"
            + "  help: correct the errors first: 'schemagen lint' shows every finding, and 'schemagen generate' those that stop it"
        )
        throw ExitCode(2)
      }
      found.append(manifests)
    }
    return found
  }

  func knows(_ versions: [VersionNumber?], among known: [VersionNumber], in path: String) -> Bool {
    for version in versions.compactMap({ $0 }) where !known.contains(version) {
      let names = known.map(\.name).joined(separator: ", ")
      Output.error("schemagen: \(path) has no version \(version.name); it has \(names)")
      return false
    }
    return true
  }

  /// What the store's rows show about the changes; nil if the store cannot be read or matches no version. Both failures
  /// are reported.
  func measure(
    _ store: String, _ path: String, _ evolution: Evolution, from: VersionNumber?,
    _ files: some FileSystem, _ progress: WorkProgress
  ) -> RowMeasurements? {
    let name = resolve(store)
    do {
      return try StoreMeasurement.measure(
        storeAt: URL(filePath: name), named: name, in: evolution, from: from,
        proven: SchemaFolder.lock(in: path, fileSystem: files).provenHashes,
        progress: progress.show)
    } catch {
      Output.report(error, ofStoreAt: name, refused: "cannot be measured")
      return nil
    }
  }

  /// Reads a folder of stores. If that fails or the folder has no store, reports it and exits.
  func storeFolder(_ name: String) throws -> StoreFolder {
    let path = resolve(name)
    do throws(FileSystemError) {
      let stores = try StoreFolder(path)
      guard stores.isEmpty else { return stores }
      Output.error(
        "schemagen: '\(path)' contains no store (no SQLite database): name a folder that has one, or omit '--stores'"
      )
    } catch {
      Output.report(error)
    }
    throw ExitCode(2)
  }
}
