internal import SchemaEvolution
internal import SchemaModel

struct CloudSupportFile: EmittedFile {
  static let template = "CloudSupport"
  var path: String { "CloudSupport.swift" }

  var mark: String
  var importLines: [String]
  var access: String

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "importStatements": { SwiftText.block($0.importLines, indent: 2) },
    "access": { $0.access },
  ]
}

extension CloudSupportFile {
  static func makers(_ input: RenderingInput) -> [Maker] {
    input.has(.cloudMappers) ? [{ Self(input.evolution) }] : []
  }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    guard input.has(.cloudMappers) else { return [] }
    return [
      "CloudAssetFiles", "CloudFields", "CloudLink", "CloudRecordError", "CloudRecordName",
      "CloudValue", "StoredJSONText",
    ].map { .own($0, input) }
  }

  private init(_ evolution: Evolution) {
    mark = FileMark.everyManifest
    importLines = Imports(access: evolution.configuration.access).lines(
      ["CloudKit", "Foundation"], showing: ["CloudKit"])
    access = evolution.configuration.access.prefix
  }
}
