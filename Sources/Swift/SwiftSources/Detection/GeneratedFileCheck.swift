internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace

/// Generated files of a folder that are not as its manifests give them.
struct GeneratedFileCheck {
  let diagnostics: [Diagnostic]

  /// - Parameter generation: Of the folder, rendered anew: what the lock says of files is what this is to prove.
  init(_ folder: String, _ generation: GenerationRun) {
    let changes = generation.changes.filter { $0.path.hasSuffix(".swift") }
    let isGenerated =
      changes.contains { $0.action != .create } || generation.unchanged > 0
      || generation.diagnostics.contains { $0.rule == .foreignFile }
    guard isGenerated else {
      diagnostics = []
      return
    }
    // A file without the mark is nobody's: it was emptied, or edited from its first line on.
    let foreign = generation.diagnostics.filter { $0.rule == .foreignFile }.map { finding in
      Diagnostic(
        .editedGeneratedFile, finding.message, element: folder, at: nil, help: finding.help)
    }
    let option = ShellWord.schemas(folder)
    diagnostics =
      foreign
      + changes.map { change in
        let what =
          switch change.action {
          case .create: "is missing"
          case .remove: "is not generated any more"
          case .update: "differs from what its manifests generate"
          }
        return Diagnostic(
          .editedGeneratedFile, "'\(change.path)' \(what)", element: Self.name(change.path),
          at: SourceLocation(file: change.path, line: change.firstDifference),
          help: [
            "change the manifest instead, and run: schemagen generate\(option)",
            "if you changed the manifest since the last run, that is enough",
          ])
      }
  }

  private static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
