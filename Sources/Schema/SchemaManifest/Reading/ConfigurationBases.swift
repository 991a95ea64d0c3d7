package import SchemaModel

/// The files that a `schemagen.yaml` extends with `extends:`, directly or indirectly.
package struct ConfigurationBases: Sendable {
  package enum Base: Sendable {
    case file(SourceFile)
    /// Why it cannot be read, as a clause: `there is no such file`.
    case unreadable(String)
  }

  /// An entry of `extends:` in a file.
  package struct Link: Hashable, Sendable {
    /// The file's path.
    package var file: String
    /// The path as written in that file.
    package var text: String

    package init(file: String, text: String) {
      self.file = file
      self.text = text
    }
  }

  /// The path that each link leads to.
  package var paths: [Link: String] = [:]
  /// The bases by path.
  package var contents: [String: Base] = [:]

  package init() {}

  /// The files that could be read, sorted by path.
  package var files: [SourceFile] {
    contents.sorted { $0.key < $1.key }.compactMap {
      if case .file(let file) = $0.value { file } else { nil }
    }
  }
}
