package import SchemaModel

/// The files that a `schemagen.yaml` extends with `extends:`, directly or indirectly.
package struct ConfigurationBases: Sendable {
  package enum Base: Sendable {
    case file(SourceFile)
    /// Why the file cannot be read, as a clause: `there is no such file`.
    case unreadable(String)
  }

  /// An entry of `extends:` in a file.
  package struct Link: Hashable, Sendable {
    package var file: String
    /// The path as written in `file`.
    package var text: String

    package init(file: String, text: String) {
      self.file = file
      self.text = text
    }
  }

  package var paths: [Link: String] = [:]
  package var contents: [String: Base] = [:]

  package init() {}

  package var files: [SourceFile] {
    contents.sorted { $0.key < $1.key }.compactMap {
      if case .file(let file) = $0.value { file } else { nil }
    }
  }
}
