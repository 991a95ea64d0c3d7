internal import SchemaEvolution
internal import SchemaModel
internal import SchemaRendering

extension Rule {
  static let unwrittenFunction = Rule(
    "unwritten-function", "A user file has every function that the manifests name, with its code",
    basis: .page("generated", "what-is-yours"))
  static let uncalledUserFile = Rule(
    "uncalled-user-file", .warning, "Nothing calls a user file any more",
    basis: .page("generated", "what-is-yours"))
}

/// Searches one of the app's own files for functions that generated code calls. It never changes the file.
struct UserFileCheck {
  let path: String
  let written: [UInt8]
  /// The scaffold that would be written if the file were missing.
  let wanted: GeneratedFile

  func diagnostics() -> [Diagnostic] {
    let text = String(decoding: written, as: UTF8.self)
    return scaffolds(in: text)
      + declarations().filter { !text.contains("func \($0.name)(") }.map { declaration in
        Diagnostic(
          .unwrittenFunction, "'\(path)' has no function '\(declaration.name)'",
          at: SourceLocation(file: path), help: ["write it:\n" + declaration.signature])
      }
  }

  /// Findings about unwritten parts of the scaffold, with which the app does not compile.
  private func scaffolds(in text: String) -> [Diagnostic] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
      place, line in
      let code = line.trimmingPrefix { $0 == " " || $0 == "\t" }
      let beginning = "#error(\"schemagen: "
      guard code.hasPrefix(beginning) else { return nil }
      let task = code.dropFirst(beginning.count).prefix { $0 != "\"" }
      return Diagnostic(
        .unwrittenFunction,
        "the app does not compile: '\(path)' has code that you still need to write",
        at: SourceLocation(file: path, line: place + 1),
        help: ["replace this line: \(task)"])
    }
  }

  static func findings(
    _ evolution: Evolution, in folder: String, upTo last: VersionNumber? = nil,
    fileSystem: some FileSystem
  ) -> [Diagnostic] {
    let places = OutputLocations(folder: folder, configuration: evolution.configuration)
    return evolution.steps.flatMap { step -> [Diagnostic] in
      if let last, step.new.number > last { return [] }
      guard
        let wanted = Renderer(templates: TemplateStore())
          .userFile(for: step, evolution),
        let bytes = try? fileSystem.read(
          places.path(of: wanted), limit: OutputLocations.readLimit)
      else { return [] }
      return UserFileCheck(path: places.path(of: wanted), written: bytes, wanted: wanted)
        .diagnostics()
    }
  }

  private func declarations() -> [(name: String, signature: String)] {
    let lines = wanted.contents.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.compactMap { index in
      let line = lines[index]
      guard let start = line.firstRange(of: "static func "), line.hasPrefix("  static") else {
        return nil
      }
      let name = line[start.upperBound...].prefix { $0 != "(" }
      let end = lines[index...].firstIndex { $0.hasSuffix("{") } ?? index
      return (String(name), lines[index...end].joined(separator: "\n") + " … }")
    }
  }
}
