/// The app's code that a rehearsal compiles beside the generated one, asked of the executable that reads Swift.
package enum AppCode {
  /// What is to be looked for.
  package struct Request: Codable, Sendable {
    /// The texts of generated files.
    package var generated: [String]
    /// The texts of user files that generated code calls.
    package var userFiles: [String]
    /// The names of the manifests' types, which may stand inside others.
    package var types: [String]
    /// Files and folders of the app's.
    package var paths: [String]
    /// Files below them that are left out: the user files.
    package var excluded: [String]
    /// Where the compiler refused what was found before, each time: what is declared there is left out.
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

  /// A place in a file of which only what is needed was left, as the compiler counts: lines, and bytes of a line, from 1.
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

  /// A file of which only what is needed is left, each declaration in its place.
  package struct File: Codable, Sendable {
    package var path: String
    package var text: String

    package init(path: String, text: String) {
      self.path = path
      self.text = text
    }
  }
}
