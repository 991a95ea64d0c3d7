internal import SchemaModel

/// What MigrationProgressView.mustache reads: the view of a migration's progress, written once.
struct ProgressViewFile: EmittedFile {
  static let template = "MigrationProgressView"
  static let kind = GeneratedFile.Kind.userFile
  var path: String { "MigrationProgressView.swift" }

  let mark = FileMark.userFile

  static let members: [String: @Sendable (Self) -> Any?] = ["mark": { $0.mark }]

  static func makers(_ input: RenderingInput) -> [Maker] {
    input.has(.migrationKit) ? [{ Self() }] : []
  }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    guard input.has(.migrationKit) else { return [] }
    return ["MigrationProgressView", "MigrationFailureView"].map { .own($0, input) }
  }
}
