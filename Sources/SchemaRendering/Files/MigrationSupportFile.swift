internal import SchemaEvolution
internal import SchemaModel

/// What MigrationSupport.mustache reads.
struct MigrationSupportFile: EmittedFile {
  static let template = "MigrationSupport"
  var path: String { "MigrationSupport.swift" }

  var mark: String
  var batchSize: Int
  /// Whether stages tell `SchemaMigrationKit` what they do.
  var tellsKit: Bool

  static var members: [String: (Self) -> Any?] {
    [
      "mark": { $0.mark }, "batchSize": { $0.batchSize }, "tellsKit": { $0.tellsKit },
    ]
  }
}

extension MigrationSupportFile {
  static func makers(_ input: RenderingInput) -> [Maker] { [{ Self(input.evolution) }] }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    ["StoredJSON", "MigrationStep", "MigrationBatch"].map { .own($0, input) }
  }

  private init(_ evolution: Evolution) {
    mark = FileMark.everyManifest
    batchSize = evolution.configuration.batchSize
    tellsKit = evolution.configuration.extras.contains(.migrationKit)
  }
}
