internal import ManagedModels
internal import SchemaEvolution
package import SchemaManifest
package import SchemaModel
internal import SchemaRendering

/// The YAML files of a folder, as bytes.
package struct ManifestFiles: Sendable {
  package let folder: String
  package let files: [SourceFile]
  /// The files that the configuration extends, also those outside the folder.
  package let bases: ConfigurationBases
  package let diagnostics: [Diagnostic]

  package init(_ folder: String, fileSystem: some FileSystem) {
    self.folder = folder
    var diagnostics: [Diagnostic] = []
    files = Self.files(in: folder, fileSystem, &diagnostics) { name in
      name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }
    self.diagnostics = diagnostics
    bases = Self.bases(of: files.first { ConfigurationReader.isConfiguration($0) }, fileSystem)
  }

  /// The contents of `schemagen.yaml` alone, and whether all of it could be read.
  var configuration: (configuration: Configuration, isWhole: Bool) {
    guard let file = files.first(where: { ConfigurationReader.isConfiguration($0) }) else {
      return (Configuration(), !diagnostics.hasErrors)
    }
    let (configuration, found) = ConfigurationReader().read(file, bases: bases)
    return (configuration, !found.hasErrors)
  }

  /// The most files that a configuration may extend, directly or indirectly.
  private static let mostBases = 64

  package static func bases(
    of configuration: SourceFile?, _ fileSystem: some FileSystem
  ) -> ConfigurationBases {
    var bases = ConfigurationBases()
    var open = [configuration].compactMap(\.self)
    while let file = open.popLast() {
      for text in ConfigurationReader.links(in: file) {
        let path = Path.join(Path.folder(of: file.path), text)
        bases.paths[ConfigurationBases.Link(file: file.path, text: text)] = path
        guard bases.contents[path] == nil else { continue }
        guard bases.contents.count < mostBases else {
          bases.contents[path] = .unreadable("more than \(mostBases) files are extended")
          continue
        }
        do throws(FileSystemError) {
          guard let bytes = try fileSystem.read(path, limit: SchemaFolder.readLimit) else {
            bases.contents[path] = .unreadable(
              fileSystem.isFolder(path)
                ? "it is a folder: name the file in it" : "there is no such file")
            continue
          }
          let base = SourceFile(path: path, bytes: bytes)
          bases.contents[path] = .file(base)
          open.append(base)
        } catch {
          bases.contents[path] = .unreadable(error.reason)
        }
      }
    }
    return bases
  }

  static func files(
    in folder: String, _ fileSystem: some FileSystem, _ diagnostics: inout [Diagnostic],
    where isWanted: (String) -> Bool
  ) -> [SourceFile] {
    do throws(FileSystemError) {
      guard let names = try fileSystem.list(folder) else {
        diagnostics.append(
          Diagnostic(
            .unreadable, "there is no folder '\(folder)'", at: nil,
            help: fileSystem.wayUp(to: folder).map {
              ["there is '\(Path.join($0, folder))': cd \($0), or add --root \($0)"]
            } ?? [
              "'schemagen adopt' creates it from an app's classes; 'schemagen init' writes an example to start from"
            ]))
        return []
      }
      var files: [SourceFile] = []
      for name in names where isWanted(name) && !name.hasPrefix(".") {
        let path = Path.join(folder, name)
        let bytes: [UInt8]?
        do throws(FileSystemError) {
          bytes = try fileSystem.read(path, limit: SchemaFolder.readLimit)
        } catch {
          // Other files are still read, so that their contents do not count as removed.
          diagnostics.append(
            Diagnostic(
              .unreadable, "'\(error.path)' cannot be read: \(error.reason)",
              at: SourceLocation(file: path)))
          continue
        }
        guard let bytes else {
          let what = fileSystem.isFolder(path) ? "is a folder" : "is a broken link"
          diagnostics.append(
            Diagnostic(.unreadable, "'\(path)' \(what)", at: SourceLocation(file: path)))
          continue
        }
        files.append(SourceFile(path: path, bytes: bytes))
      }
      return files
    } catch {
      diagnostics.append(
        Diagnostic(.unreadable, "'\(error.path)' cannot be read: \(error.reason)", at: nil))
      return []
    }
  }
}
