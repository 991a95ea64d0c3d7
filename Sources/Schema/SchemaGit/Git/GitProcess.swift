internal import Foundation
internal import SchemaProcesses

/// Why git could not be run, or did not answer.
package struct GitFailure: Error, Sendable, Equatable {
  /// One sentence without a full stop.
  package var reason: String
  package var help: [String]
  package var kind: Kind

  package enum Kind: Sendable {
    case noGit, noRepository, other
  }

  package init(_ reason: String, help: [String] = [], kind: Kind = .other) {
    self.reason = reason
    self.help = help
    self.kind = kind
  }
}

/// Runs the real git, since git handles worktrees, submodules, alternates and new formats. It never uses a shell.
package struct GitProcess: Sendable {
  let folder: String
  /// The index to read in place of the repository's own.
  var index: String?

  /// The output of `git rev-parse --local-env-vars`: variables with the place of a hook's repository. If they were set,
  /// every query would go to that repository, even one about another worktree or a submodule.
  package static let localVariables = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
    "GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE", "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE",
    "GIT_PREFIX", "GIT_INTERNAL_SUPER_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR",
  ]

  /// - Parameter hasPatterns: Whether `*` in a path matches any part of a name, instead of only the character `*`.
  /// - Throws: `GitFailure` if git cannot be started. A status other than 0 is an answer.
  func run(
    _ arguments: [String], input: [UInt8] = [], hasPatterns: Bool = false
  ) throws(GitFailure) -> ChildProcess.Outcome {
    guard let program = Self.program else {
      throw GitFailure(
        "git is not installed, or not on the PATH",
        help: ["install git"], kind: .noGit)
    }
    var process = ChildProcess(
      program,
      [
        "--no-pager", hasPatterns ? "--glob-pathspecs" : "--literal-pathspecs",
        "-c", "core.quotepath=off", "-c", "color.ui=false", "-C", folder,
      ] + arguments)
    process.environment = environment
    process.input = input
    do {
      return try process.run()
    } catch {
      switch error {
      case .notStarted(let reason): throw GitFailure("git cannot be started: \(reason)")
      case .unreadable(let reason): throw GitFailure("git's answer cannot be read: \(reason)")
      }
    }
  }

  /// Runs git. A status other than 0 is a failure.
  func answer(_ arguments: [String], input: [UInt8] = []) throws(GitFailure) -> ChildProcess.Outcome
  {
    let outcome = try run(arguments, input: input)
    guard outcome.status == 0 else {
      if outcome.errors.contains("promisor remote") {
        throw GitFailure(
          "this is a partial clone, and git cannot fetch the files that the clone lacks: \(outcome.complaint)",
          help: ["run schemagen where git can reach the remote, or in a full clone"])
      }
      throw GitFailure(
        "git \(arguments.first ?? "") failed: \(outcome.complaint)",
        help: Self.signsOfLoss.contains { outcome.errors.contains($0) }
          ? ["'git fsck' lists what the repository lacks; a fresh clone has all of it"] : [])
    }
    return outcome
  }

  /// Parts of git's messages about objects that it does not have.
  private static let signsOfLoss = [
    "missing object", "bad object", "unable to read", "ould not read", "missing blob",
    "Failed to traverse parents",
  ]

  private var environment: [String: String?] {
    var variables: [String: String?] = [
      "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0",
      // Git's messages are parsed and shown, so they must be English.
      "LC_ALL": "C", "LANGUAGE": nil,
    ]
    for name in Self.localVariables { variables.updateValue(nil, forKey: name) }
    variables.updateValue(index, forKey: "GIT_INDEX_FILE")
    return variables
  }

  private static var program: String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/git" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }
}

extension ChildProcess.Outcome {
  var lines: [String] { text.split(separator: "\n").map(String.init) }

  /// Git's error message, without its `fatal:`.
  var complaint: String {
    let line = errors.split(separator: "\n").first.map(String.init) ?? "exit status \(status)"
    for word in ["fatal: ", "error: "] where line.hasPrefix(word) {
      return String(line.dropFirst(word.count))
    }
    return line
  }
}
