import Foundation

/// A git repository in a temporary folder, without the machine's configuration.
package struct Repository {
  /// Its worktree's folder.
  package let folder: String

  /// Makes a repository with a branch `main` and no commit.
  package init(_ folder: String) throws {
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try git("init", "--quiet")
  }

  /// An existing worktree or clone.
  package init(existing folder: String) { self.folder = folder }

  /// The environment with which git behaves alike everywhere.
  package static let environment: [String: String?] = [
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "2",
    "GIT_CONFIG_KEY_0": "init.defaultBranch", "GIT_CONFIG_VALUE_0": "main",
    "GIT_CONFIG_KEY_1": "protocol.file.allow", "GIT_CONFIG_VALUE_1": "always",
    "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
    // Tests may themselves run in a hook.
    "GIT_DIR": nil, "GIT_INDEX_FILE": nil, "GIT_WORK_TREE": nil, "GIT_PREFIX": nil,
  ]

  /// Runs git, which must succeed.
  @discardableResult
  package func git(_ arguments: String...) throws -> Finished {
    let finished = try attempt(arguments)
    guard finished.status == 0 else {
      throw Failure(description: "git \(arguments): \(finished.output)\(finished.errors)")
    }
    return finished
  }

  /// Runs git, whether or not it succeeds.
  package func attempt(
    _ arguments: [String], environment: [String: String?] = [:]
  ) throws -> Finished {
    try run(
      "git", arguments, in: folder, environment: Self.environment.merging(environment) { $1 })
  }

  /// Writes a file below the worktree; nil removes it.
  package func write(_ text: String?, _ path: String) throws {
    let url = URL(filePath: folder).appending(path: path)
    guard let text else { return try FileManager.default.removeItem(at: url) }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: url, atomically: true, encoding: .utf8)
  }

  /// The text of a file below the worktree.
  package func text(_ path: String) throws -> String {
    try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
  }

  /// Stages and commits everything.
  package func commit(_ message: String) throws {
    try git("add", "--all")
    try git("commit", "--quiet", "--no-verify", "--message", message)
  }

  /// Runs schemagen in the worktree, or in a folder of it.
  package func schemagen(_ arguments: String..., in subfolder: String? = nil) throws -> Finished {
    try schemagen(arguments, in: subfolder)
  }

  /// The same with arguments in a list.
  package func schemagen(_ arguments: [String], in subfolder: String? = nil) throws -> Finished {
    try run(
      Checkout.schemagen, arguments, in: subfolder.map { folder + "/" + $0 } ?? folder,
      environment: Self.environment.merging(["NO_COLOR": "1"]) { $1 })
  }

  /// Why a test could not be prepared.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }
}
