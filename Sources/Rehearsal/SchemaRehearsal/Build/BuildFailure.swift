/// Why a rehearsal cannot be built or run; a message for people, with the way out.
package struct BuildFailure: Error, Sendable {
  /// What is wrong, in one line.
  package var message: String
  /// What to do about it.
  package var help: [String]
  /// What the compiler or the program said.
  package var output: String
  /// Whether the compiler refuses what is rehearsed, which may lack code of the app's.
  package var isOfRehearsedCode = false
  /// Where it refuses the user's own files.
  package var places: [Place] = []

  /// As the compiler counts: lines, and bytes of a line, from 1.
  package struct Place: Sendable {
    package var file: String
    package var line: Int
    package var column: Int
    /// The compiler's line.
    package var told: String
  }

  package init(_ message: String, help: [String] = [], output: String = "") {
    self.message = message
    self.help = help
    self.output = output
  }
}
