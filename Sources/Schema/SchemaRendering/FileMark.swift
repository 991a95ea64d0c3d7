internal import SchemaModel

/// The first line of a file, which names its writer.
package enum FileMark {
  static let everyManifest = generated("all manifests")
  package static let userFile =
    "Written once by schemagen, and yours since then: it is never overwritten."

  static func generated(from versions: SchemaVersion...) -> String {
    generated(versions.map(manifest).joined(separator: " and "))
  }

  private static func generated(_ source: String) -> String {
    "\(GeneratedFile.mark) from \(source). Do not edit."
  }

  private static func manifest(_ version: SchemaVersion) -> String {
    version.location.map { SourceFile(path: $0.file, bytes: []).name }
      ?? "\(version.number.name).yaml"
  }
}
