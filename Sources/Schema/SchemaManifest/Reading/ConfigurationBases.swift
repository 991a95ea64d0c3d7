package import SchemaModel

/// The files that `extends:` leads to from a `schemagen.yaml`, directly or over others.
package struct ConfigurationBases: Sendable {
  package enum Base: Sendable {
    case file(SourceFile)
    /// Why it cannot be read, as a clause: `there is no such file`.
    case unreadable(String)
  }

  /// What stands under `extends:` in a file.
  package struct Link: Hashable, Sendable {
    /// The file's path.
    package var file: String
    /// As it is written there.
    package var text: String

    package init(file: String, text: String) {
      self.file = file
      self.text = text
    }
  }

  /// The path that each leads to.
  package var paths: [Link: String] = [:]
  /// By path.
  package var contents: [String: Base] = [:]

  package init() {}

  /// Those that could be read, by path.
  package var files: [SourceFile] {
    contents.sorted { $0.key < $1.key }.compactMap {
      if case .file(let file) = $0.value { file } else { nil }
    }
  }
}
