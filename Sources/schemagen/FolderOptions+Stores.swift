import ArgumentParser
import CommandLineSupport
import SchemaReporting
import SchemaWorkspace
import StoreTools

extension FolderOptions {
  /// The folders of manifests that a store is held against; nil where none was named and there is none.
  func manifestFolders(_ disk: Disk) throws -> [ManifestFolder]? {
    var found: [ManifestFolder] = []
    for path in try resolve(disk) {
      let names = try? disk.list(path)
      if schemas.isEmpty, names == nil { return nil }
      let folder = SchemaFolder.read(path, fileSystem: disk)
      guard let manifests = ManifestFolder(folder, fileSystem: disk) else {
        // A folder without manifests has nothing to say, unless it was named.
        if schemas.isEmpty, !folder.isMalformed { continue }
        Output.error(
          TextReport(sources: folder.sources).render(folder.diagnostics)
            + "schemagen: \(path): the manifests have errors, so no store can be compared with them\n"
            + "  help: correct them first: 'schemagen lint' shows every finding, 'schemagen generate' what stops it"
        )
        throw ExitCode(2)
      }
      found.append(manifests)
    }
    return found
  }
}
