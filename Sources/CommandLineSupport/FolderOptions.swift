package import ArgumentParser
internal import Foundation
internal import SchemaGit
package import SchemaWorkspace

/// Which folders of manifests a command works on.
package struct FolderOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A folder of manifests; may be given several times.",
      discussion: "Without it: Schemas, and every folder in it, where there are manifests.",
      valueName: "folder"))
  package var schemas: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp("The folder that relative paths start from.", valueName: "folder"))
  package var root: String?

  package init() {}

  /// The folders, as the user would name them.
  package func resolve(_ fileSystem: some FileSystem) throws -> [String] {
    if !schemas.isEmpty {
      var seen: Set<String> = []
      return schemas.map(resolve).filter { seen.insert($0).inserted }
    }
    let standard = resolve("Schemas")
    do throws(FileSystemError) {
      // A missing folder is told by whoever reads it.
      guard let names = try fileSystem.list(standard) else { return [standard] }
      // Manifests beside folders of manifests must not hide them.
      var found: [String] = names.contains(where: Self.isManifest) ? [standard] : []
      for name in names {
        let folder = Path.join(standard, name)
        if try fileSystem.list(folder)?.contains(where: Self.isManifest) ?? false {
          found.append(folder)
        }
      }
      return found.isEmpty ? [standard] : found
    } catch {
      Output.report(error)
      throw ExitCode(2)
    }
  }

  /// The folders, each with what its files are read from: the disk, or what is staged in git.
  package func resolve(isStaged: Bool) throws -> [(path: String, files: any FileSystem)] {
    guard isStaged else { return try resolve(Disk()).map { ($0, Disk()) } }
    // Without a name, where the standard folder lies decides whose index is looked into.
    let standard = try staged(resolve(schemas.first ?? "Schemas"))
    return try resolve(standard).map { ($0, try staged($0)) }
  }

  /// The folders that a base has and that are not there any more; none where folders were named.
  package func removed(against name: String, isStaged: Bool) throws -> [(
    path: String, files: any FileSystem
  )] {
    guard schemas.isEmpty else { return [] }
    let present = Set(try resolve(isStaged: isStaged).map(\.path))
    do throws(GitFailure) {
      let known = try ComparisonBase.folders(
        against: name, directory: resolve(name), in: resolve("Schemas"))
      var found: [(path: String, files: any FileSystem)] = []
      for path in known where !present.contains(path) {
        found.append((path, isStaged ? try GitTree.staged(for: path) : Disk()))
      }
      return found
    } catch {
      Output.report(error)
      throw ExitCode(2)
    }
  }

  private func staged(_ path: String) throws -> GitTree {
    do throws(GitFailure) {
      return try GitTree.staged(for: path)
    } catch {
      Output.report(error)
      throw ExitCode(2)
    }
  }

  package func resolve(_ path: String) -> String { Self.path(path, below: root) }

  /// A path as the user would write it from where they stand: the plugin gives an absolute root,
  /// and nobody wants to read that in front of every file.
  package static func path(_ path: String, below root: String?) -> String {
    guard let root else { return path }
    let working = real(FileManager.default.currentDirectoryPath)
    let real = real(root)
    // Xcode's messages need absolute paths, and it starts tools at `/`, where nobody stands.
    guard working != "/", (real + "/").hasPrefix(working + "/") else {
      return Path.join(root, path)
    }
    return Path.join(String(real.dropFirst(working.count + 1)), path)
  }

  /// A path without symbolic links, where it exists.
  private static func real(_ path: String) -> String {
    guard let pointer = realpath(path, nil) else { return path }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  private static func isManifest(_ name: String) -> Bool {
    name.hasSuffix(".yaml") || name.hasSuffix(".yml")
  }
}
