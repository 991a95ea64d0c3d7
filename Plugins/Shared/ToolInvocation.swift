/// How a plugin runs schemagen or its sister, and what it says when that fails.
///
/// A plugin can be linked to nothing and tested by nothing, so this file is a symlink in each of the
/// plugins and a library here, for the tests.
struct ToolInvocation: Equatable {
  /// An executable that plugins run. The raw value is its name.
  enum Tool: String {
    case schemagen
    /// Reads Swift, and takes minutes to build: only a plugin that needs it depends on it.
    case sources = "schemagen-sources"

    /// The commands, and whether each takes `--root`.
    fileprivate var commands: [String: Bool] {
      switch self {
      case .schemagen:
        [
          "generate": true, "diff": true, "lint": true, "baseline": true, "approve": true,
          "release": true, "rebase": true, "init": true, "new-version": true,
          "explain": false, "skill": true, "help": false,
        ]
      case .sources:
        [
          "adopt": true, "snapshot": true, "detect": true, "lint-code": true, "affected": true,
          "trace": true, "help": false,
        ]
      }
    }
  }

  /// What is run.
  let tool: Tool
  /// What it is given.
  let arguments: [String]

  /// Commands whose first argument is a command of their own, before any option.
  private static let nested: Set<String> = ["baseline"]

  /// - Parameters:
  ///   - arguments: What stands behind the plugin's verb.
  ///   - tool: The executable that the plugin depends on.
  ///   - command: The plugin's own command, which a first argument can replace.
  ///   - root: The folder of the package or project: the tool starts where the user stands, which
  ///     may be another.
  init(
    _ arguments: [String], tool: Tool = .schemagen, command: String = "generate", root: String
  ) {
    var rest = Self.withoutTargets(arguments)
    var command = command
    let commands = tool.commands
    if let first = rest.first, commands[first] != nil {
      command = first
      rest.removeFirst()
    }
    let takesRoot = commands[command] ?? false
    let hasRoot = rest.contains { $0 == "--root" || $0.hasPrefix("--root=") }
    var leading = [command]
    if Self.nested.contains(command), let inner = rest.first, !inner.hasPrefix("-") {
      leading.append(rest.removeFirst())
    }
    self.tool = tool
    self.arguments = leading + (takesRoot && !hasRoot ? ["--root", root] : []) + rest
  }

  /// Xcode adds `--target NAME` for each target that its dialog has ticked. Manifests belong to the
  /// package, not to a target.
  private static func withoutTargets(_ arguments: [String]) -> [String] {
    var kept: [String] = []
    var index = arguments.startIndex
    while index < arguments.endIndex {
      let argument = arguments[index]
      if argument == "--" {
        return kept + arguments[index...]
      } else if argument == "--target" {
        index += 1
      } else if !argument.hasPrefix("--target=") {
        kept.append(argument)
      }
      index += 1
    }
    return kept
  }

  /// What to tell the user when the tool has ended; nil when all is well.
  ///
  /// - Parameters:
  ///   - status: The exit status, or the signal's number.
  ///   - isSignal: Whether a signal ended it.
  func failure(status: Int32, isSignal: Bool) -> String? {
    let command = "\(tool.rawValue) \(arguments[0])"
    if isSignal { return "\(command) was ended by signal \(status)" }
    switch status {
    case 0: return nil
    case 1 where arguments.contains("--check"):
      return """
        \(command) --check found errors, or files that are not up to date: see above; \
        'swift package --allow-writing-to-package-directory generate-schema' brings them up to date
        """
    case 1 where arguments.first == "lint":
      return "\(command) reported errors (see above); 'lint-schema explain RULE' explains a rule"
    case 1 where arguments.first == "adopt":
      return "\(command) wrote manifests with open questions: see above, and answer them there"
    case 1 where tool == .sources: return "\(command) reported errors (see above)"
    case 1: return "\(command) found errors in the manifests (see above)"
    case 2:
      return """
        \(command) could not do its work (wrong usage, a broken manifest or configuration, or a \
        file that cannot be read or written): see above
        """
    default: return "\(command) ended with status \(status)"
    }
  }
}
