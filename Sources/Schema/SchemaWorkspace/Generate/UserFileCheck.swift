internal import SchemaModel
internal import SchemaRendering

extension Rule {
  static let unwrittenFunction = Rule(
    "unwritten-function", .warning, "A user file lacks a function that the manifests ask for",
    basis: .page("generated", "what-is-yours"))
  static let uncalledUserFile = Rule(
    "uncalled-user-file", .warning, "Nothing calls a user file any more",
    basis: .page("generated", "what-is-yours"))
}

/// Looks into a file that is the app's for functions that generated code calls. It is never changed.
struct UserFileCheck {
  let path: String
  let written: [UInt8]
  /// The file as it would be written if it were missing.
  let wanted: GeneratedFile

  func diagnostics() -> [Diagnostic] {
    let text = String(decoding: written, as: UTF8.self)
    return declarations().filter { !text.contains("func \($0.name)(") }.map { declaration in
      Diagnostic(
        .unwrittenFunction, "'\(path)' has no function '\(declaration.name)'",
        at: SourceLocation(file: path), help: ["write it:\n" + declaration.signature])
    }
  }

  /// The functions of the file, each with its signature's lines.
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
