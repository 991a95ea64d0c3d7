/// What MigrationLog.mustache reads: the destination of a migration's log lines, written once.
struct MigrationLogFile: EmittedFile {
  static let template = "MigrationLog"
  static let kind = GeneratedFile.Kind.userFile
  var path: String { "MigrationLog.swift" }

  let mark = FileMark.userFile

  static let members: [String: @Sendable (Self) -> Any?] = ["mark": { $0.mark }]

  static func makers(_ input: RenderingInput) -> [Maker] { [{ Self() }] }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    [.own("MigrationLog", input)]
  }
}
