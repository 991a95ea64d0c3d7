/// The app's code that a rehearsal compiles with the generated code, as found by the executable that reads Swift.
package enum AppCode {
  /// What the executable must find.
  package struct Request: Codable, Sendable {
    /// The texts of generated files.
    package var generated: [String]
    /// The texts of user files that generated code calls.
    package var userFiles: [String]
    /// The names of the manifests' types, which may be nested in others.
    package var types: [String]
    package var paths: [String]
    /// Files below `paths` that are left out: the user files.
    package var excluded: [String]
    /// The places that the compiler refused, for each earlier attempt. Declarations at these places are left out.
    package var refused: [[Place]] = []

    package init(
      generated: [String], userFiles: [String], types: [String], paths: [String], excluded: [String]
    ) {
      self.generated = generated
      self.userFiles = userFiles
      self.types = types
      self.paths = paths
      self.excluded = excluded
    }
  }

  /// A place in a reduced file, as the compiler counts: lines, and bytes of a line, from 1.
  package struct Place: Codable, Hashable, Sendable {
    package var path: String
    package var line: Int
    package var column: Int

    package init(path: String, line: Int, column: Int) {
      self.path = path
      self.line = line
      self.column = column
    }
  }

  /// A file reduced to the needed declarations, each in its place.
  package struct File: Codable, Sendable {
    package var path: String
    package var text: String

    package init(path: String, text: String) {
      self.path = path
      self.text = text
    }
  }
}
