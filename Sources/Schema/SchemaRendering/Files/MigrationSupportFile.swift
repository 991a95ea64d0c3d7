internal import SchemaEvolution
internal import SchemaModel

struct MigrationSupportFile: EmittedFile {
  static let template = "MigrationSupport"
  var path: String { "MigrationSupport.swift" }

  var mark: String
  var batchSize: Int
  /// Whether stages report their work to `SchemaMigrationKit`.
  var tellsKit: Bool
  /// Whether values that take a fallback are reported to a rehearsal.
  var tellsRehearsal: Bool

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "batchSize": { $0.batchSize }, "tellsKit": { $0.tellsKit },
    "tellsRehearsal": { $0.tellsRehearsal },
  ]
}

extension MigrationSupportFile {
  static func makers(_ input: RenderingInput) -> [Maker] { [{ Self(input) }] }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    ["StoredJSON", "MigrationStep", "MigrationFallbacks", "MigrationBatch"].map { .own($0, input) }
  }

  private init(_ input: RenderingInput) {
    let evolution = input.evolution
    mark = FileMark.everyManifest
    batchSize = evolution.configuration.batchSize
    tellsKit = evolution.configuration.extras.contains(.migrationKit)
    tellsRehearsal = input.isRehearsed
  }
}
