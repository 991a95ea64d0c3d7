internal import ArgumentParser

package struct TerminalOptions: ParsableArguments {
  package enum Color: String, CaseIterable, Sendable, ExpressibleByArgument {
    case always, auto, never

    /// Decides in this order: the option, NO_COLOR (https://no-color.org), CLICOLOR_FORCE
    /// (https://bixense.com/clicolors), and whether the stream is a terminal with colours.
    func usesColor(_ environment: [String: String], isTerminal: Bool) -> Bool {
      switch self {
      case .always: return true
      case .never: return false
      case .auto: break
      }
      func has(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
      if has("NO_COLOR") { return false }
      if has("CLICOLOR_FORCE"), environment["CLICOLOR_FORCE"] != "0" { return true }
      return isTerminal && environment["CLICOLOR"] != "0" && environment["TERM"] != "dumb"
    }
  }

  @Option(
    name: .customLong("color"),
    help: ArgumentHelp(
      "When to colour text: \(Color.allCases.map(\.rawValue).joined(separator: ", ")).",
      discussion: "Default: auto, which obeys NO_COLOR, CLICOLOR_FORCE and CLICOLOR.",
      valueName: "when"))
  var chosen: Color?

  package init() {}

  // The parser calls this method after parsing. Code that writes text later reads the choice from `color`, so a
  // command that starts another one need not pass the choice on.
  package func validate() { if let chosen { Self.color = chosen } }

  /// The user's choice. Only `validate()` sets it, before a command runs.
  nonisolated(unsafe) private(set) static var color = Color.auto
}
