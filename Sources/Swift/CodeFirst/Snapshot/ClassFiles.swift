internal import SchemaEvolution
internal import SchemaManifest
package import SchemaModel
package import SchemaWorkspace
internal import SwiftAdoption
internal import SwiftSources
internal import SwiftSyntax

/// Switches from manifests first to code first: turns the newest version's generated classes into files of the app.
/// `write(to:)` writes them.
package struct ClassFiles: Sendable {
  package let files: [FileChange]
  package let findings: [Diagnostic]
  package let sources: [String: String]
  private let folder: String

  /// - Parameters:
  ///   - path: The folder of manifests.
  ///   - target: The app's folder for the classes.
  ///   - workingFolder: The absolute path against which relative paths are resolved.
  package static func make(
    _ path: String, into target: String, workingFolder: String, fileSystem: some FileSystem
  ) -> ClassFiles {
    let generation = GenerationPipeline(fileSystem: fileSystem).run(path)
    var sources = generation.folder?.sources ?? [:]
    func refused(_ findings: [Diagnostic]) -> ClassFiles {
      ClassFiles(files: [], findings: findings.reportOrder, sources: sources, folder: path)
    }
    let errors = generation.diagnostics.filter { $0.severity == .error }
    guard let evolution = generation.folder?.evolution, errors.isEmpty else {
      return refused(errors)
    }
    func refusal(_ message: String, _ help: String) -> ClassFiles {
      refused([Diagnostic(.notCopied, message, at: nil, help: [help], severity: .error)])
    }
    let configuration = evolution.configuration
    if let classes = configuration.classes {
      return refusal(
        "the app already keeps its classes, in '\(classes)'",
        "'schemagen snapshot' writes the newest manifest from them")
    }
    guard generation.changes.isEmpty else {
      return refusal(
        "the code of '\(path)' has not been generated, or is out of date",
        "run: schemagen generate\(ShellWord.schemas(path))")
    }
    do throws(FileSystemError) {
      let number = evolution.history[evolution.history.count - 1].number
      let schema = configuration.names.schema(number)
      let generated = Path.join(Path.join(path, configuration.output), "\(schema).swift")
      let bytes = try fileSystem.read(generated, limit: SourceTree.readLimit) ?? []
      var files = FileChange.creating(
        classes(of: schema, in: SwiftSource(SourceFile(path: generated, bytes: bytes)), target))
      for file in files where try fileSystem.read(file.path, limit: 1) != nil {
        return refusal("'\(file.path)' exists already", "name another folder")
      }
      let relative = Path.relative(target, to: path, in: workingFolder)
      let (settings, isThere) = try configured(path, classes: relative, fileSystem)
      guard let settings else {
        return refusal(
          "'\(Path.join(path, "schemagen.yaml"))' has a layout that schemagen cannot edit",
          "write 'classes: \(relative)' into it, and run 'schemagen generate'")
      }
      files.append(
        FileChange(
          action: isThere == nil ? .create : .update, path: settings.path,
          contents: settings.bytes, previous: isThere))
      let memory = MemoryFiles([settings], over: fileSystem)
      let result = GenerationPipeline(fileSystem: memory).run(path)
      sources.merge(result.folder?.sources ?? [:]) { _, new in new }
      guard !result.diagnostics.hasErrors else {
        return refused(result.diagnostics.filter { $0.severity == .error })
      }
      return ClassFiles(
        files: files + result.changes, findings: [], sources: sources, folder: path)
    } catch {
      return refused([
        Diagnostic(.unreadable, "'\(error.path)' cannot be read: \(error.reason)", at: nil)
      ])
    }
  }

  /// Writes all files or none.
  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    try files.write(in: folder, to: fileSystem)
  }

  /// Makes a file for each class of a generated version, and removes the version's name before types.
  private static func classes(
    of schema: String, in source: SwiftSource, _ target: String
  ) -> [SourceFile] {
    let imports = source.syntax.statements.compactMap { $0.item.as(ImportDeclSyntax.self) }
      .map { $0.trimmedDescription + "\n" }.joined()
    return source.syntax.all(ClassDeclSyntax.self).map { node in
      var lines = node.description.dedentedLines.map {
        $0.replacing("\(schema).", with: "")
      }
      // Manifest keys already say what the generator adds to documentation.
      while let place = lines.firstIndex(where: {
        let text = $0.trimmingPrefix(while: \.isWhitespace)
        return (text.hasPrefix("/// Converts to `") || text.hasPrefix("/// JSON of `"))
          && text.hasSuffix("`.")
      }) {
        lines.remove(at: place)
        if place > 0, lines[place - 1].hasSuffix("///") { lines.remove(at: place - 1) }
      }
      return SourceFile(
        path: Path.join(target, "\(node.name.plain).swift"),
        text: "\(imports)\n\(lines.joined(separator: "\n"))\n")
    }
  }

  /// The configuration with the classes' folder, and its previous bytes. The file is `nil` if schemagen cannot edit it.
  private static func configured(
    _ folder: String, classes: String, _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> (file: SourceFile?, previous: [UInt8]?) {
    let path = Path.join(folder, "schemagen.yaml")
    guard let bytes = try fileSystem.read(path, limit: SchemaFolder.readLimit), !bytes.isEmpty
    else {
      let text = ConfigurationText(Configuration(classes: classes)).text
      return (SourceFile(path: path, text: text), nil)
    }
    let text = YAMLDocument.configuration(
      SourceFile(path: path, bytes: bytes), setting: "classes", to: YAMLText.quoted(classes))
    return (text.map { SourceFile(path: path, text: $0) }, bytes)
  }
}
