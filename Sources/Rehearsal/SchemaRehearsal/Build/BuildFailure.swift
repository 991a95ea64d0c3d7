/// Why a rehearsal cannot be built or run, as a message for people.
package struct BuildFailure: Error, Sendable {
  package var message: String
  package var help: [String]
  package var output: String
  /// Whether the compiler rejected the rehearsed code, which may lack code of the app.
  package var isOfRehearsedCode = false
  package var places: [Place] = []

  /// A position as in compiler messages: lines, and bytes in a line, from 1.
  package struct Place: Sendable {
    package var file: String
    package var line: Int
    package var column: Int
    package var told: String
  }

  package init(_ message: String, help: [String] = [], output: String = "") {
    self.message = message
    self.help = help
    self.output = output
  }
}
