package import SchemaModel

/// What `schemagen init` writes: a first manifest, and a configuration that shows the possible settings.
package enum InitialFiles {
  package static let files: [(name: String, text: String)] = [
    ("V1.yaml", manifest), ("schemagen.yaml", configuration),
  ]

  private static let manifest = """
    \(EditorLine.manifest.heading)version: 1.0.0
    summary: First version
    models:
      Trip:
        properties:
          name: String
          startDate: Date?
          stops: { relationship: "[Stop]", inverse: trip, deleteRule: cascade }
      Stop:
        properties:
          name: String
          trip: { relationship: "Trip?" }

    """

  private static let configuration = """
    \(EditorLine.configuration.heading)# Settings for all versions. Every key has a default; paths are relative to this folder.
    # V1.yaml is the first version: replace its models with what your app stores.
    output: Generated
    owned: Migrations
    # 'public' if other modules use the models.
    access: internal
    # To require a second person's approval before shipped data is lost:
    # approvals: owners
    # In the app, 'Trip' is the newest version's model.
    names:
      active: "{model}"

    """

  /// An existing file that prevents writing files that must be the first in their folder. Adoption overwrites nothing.
  package static func obstacle(
    to files: [SourceFile], _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> String? {
    for file in files where try fileSystem.read(file.path, limit: 1) != nil { return file.path }
    guard let folder = files.first.map({ Path.folder(of: $0.path) }) else { return nil }
    return try obstacle(in: folder, fileSystem)
  }

  /// An existing YAML file in the folder. `init` overwrites nothing.
  package static func obstacle(
    in folder: String, _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> String? {
    let names = try fileSystem.list(folder) ?? []
    return names.first { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.map {
      Path.join(folder, $0)
    }
  }
}
