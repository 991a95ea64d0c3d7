internal import Foundation

/// Finds schemagen's own package, because a rehearsal compiles the runtime from its sources.
package enum PackageFolder {
  /// The environment variable with the package's path, for cases where the package cannot be found.
  package static let variable = "SCHEMAGEN_PACKAGE"

  /// Looks for the package next to the running tool: where SwiftPM builds the tool (`.build/debug/schemagen`, in this
  /// package or in one that depends on it), or where a release has the tool (`bin/schemagen`, with `share/schemagen`).
  package static func find(
    environment: [String: String], executable: String
  ) throws(BuildFailure) -> String {
    if let named = environment[variable], !named.isEmpty {
      if isPackage(named) { return named }
      throw BuildFailure(
        "\(variable) is '\(named)', which is not schemagen's package",
        help: [
          "name the folder that has schemagen's Package.swift and Sources/Rehearsal/SwiftData"
        ])
    }
    var candidates: [String] = []
    var folder = URL(filePath: executable).resolvingSymlinksInPath().deletingLastPathComponent()
    while folder.path != "/" {
      candidates.append(folder.path)
      candidates += ["checkouts/schemagen", "share/schemagen"].map {
        folder.appending(path: $0).path
      }
      folder.deleteLastPathComponent()
    }
    if let found = candidates.first(where: isPackage) { return found }
    throw BuildFailure(
      "the sources of the portable SwiftData are not found from '\(executable)'",
      help: [
        "keep 'bin' and 'share' of the archive together, or name a checkout of schemagen:",
        "\(variable)=/path/to/schemagen, or --package /path/to/schemagen",
      ])
  }

  private static func isPackage(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/Package.swift")
      && FileManager.default.fileExists(
        atPath: folder + "/Sources/Rehearsal/SwiftData/Schema/Schema.swift")
  }
}
