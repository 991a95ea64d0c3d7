/// An app's classes as their author means them: every model, property and case keeps its number, whatever it is called.
struct LifeApp: Equatable {
  struct Property: Equatable {
    var id: Int
    var name: String
    var type: String
    var isOptional = false
    var value: String?
    var originalName: String?
    var hashModifier: String?
    var isUnique = false
    var isTransient = false
    var documentation: [String] = []
    /// Comments that answer questions: they are left where they are.
    var comments: [String] = []

    var text: String {
      var lines = documentation.map { $0.isEmpty ? "  ///" : "  /// \($0)" }
      lines += comments.map { "  // \($0)" }
      var arguments = isUnique ? [".unique"] : []
      if let originalName { arguments.append("originalName: \"\(originalName)\"") }
      if let hashModifier { arguments.append("hashModifier: \"\(hashModifier)\"") }
      let macro =
        isTransient
        ? "@Transient "
        : arguments.isEmpty ? "" : "@Attribute(\(arguments.joined(separator: ", "))) "
      lines.append(
        "  \(macro)var \(name): \(type)\(isOptional ? "?" : "")" + (value.map { " = \($0)" } ?? ""))
      return lines.joined(separator: "\n")
    }
  }

  struct Model: Equatable {
    var id: Int
    var name: String
    var properties: [Property] = []
    var documentation: [String] = []
    var comments: [String] = []
    /// Code that no store knows: methods, an index.
    var extras: [String] = []
    var file = "App/Models.swift"

    var text: String {
      var lines = documentation.map { "/// \($0)" } + comments.map { "// \($0)" }
      lines += ["@Model", "final class \(name) {"]
      lines += properties.map(\.text)
      lines += extras.map { "  \($0)" }
      lines += ["  init() { fatalError() }", "}"]
      return lines.joined(separator: "\n")
    }
  }

  struct Case: Equatable {
    var id: Int
    var name: String
    var raw: String
    var comments: [String] = []
  }

  struct Enumeration: Equatable {
    var name: String
    var cases: [Case]
    var comments: [String] = []

    var text: String {
      let lines = comments.map { "// \($0)" } + ["enum \(name): String, Codable {"]
      let rows = cases.flatMap { one in
        one.comments.map { "  // \($0)" }
          + ["  case \(one.name)" + (one.raw == one.name ? "" : " = \"\(one.raw)\"")]
      }
      return (lines + rows + ["}"]).joined(separator: "\n")
    }
  }

  var models: [Model] = []
  var enumerations: [Enumeration] = []
  /// Comments that are next to no declaration.
  var comments: [String] = []

  /// The files, by path.
  var files: [(path: String, text: String)] {
    let paths = Set(models.map(\.file)).union(["App/Models.swift"]).sorted()
    return paths.map { path in
      var parts = ["import Foundation\nimport SwiftData"]
      if path == "App/Models.swift" {
        parts += comments.map { "// \($0)" } + enumerations.map(\.text)
      }
      parts += models.filter { $0.file == path }.map(\.text)
      return (path, parts.joined(separator: "\n\n") + "\n")
    }
  }
}
