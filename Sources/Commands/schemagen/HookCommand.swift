import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaGit
import SchemaModel
import SchemaProcesses
import SchemaWorkspace

struct HookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hook",
    abstract: "Stop commits that have findings, with a plain git hook.",
    subcommands: [Install.self, Uninstall.self, Run.self])

  struct Install: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write this repository's pre-commit hook.")

    @OptionGroup var folders: FolderOptions

    @Flag(help: "Replace a hook that is not schemagen's.")
    var force = false

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
      let repository = try GitRepository(containing: folders.resolve("."))
      let hook = try GitHook(repository)
      let command = GitHook.command(try arguments(in: repository))
      if let objection = objection(to: hook, command) { throw objection }
      try install(hook, command)
    }

    /// The arguments for the hook. Paths start from the worktree's top, where git runs hooks.
    private func arguments(in repository: GitRepository) throws(GitFailure) -> [String] {
      func below(_ path: String) throws(GitFailure) -> String {
        guard let inside = repository.path(of: path) else {
          throw GitFailure(
            "'\(path)' is outside the repository: a hook checks only its staged files")
        }
        return inside.isEmpty ? "." : inside
      }
      var arguments: [String] = []
      for path in folders.schemas {
        arguments += ["--schemas", try below(folders.resolve(path))]
      }
      let root = try below(folders.resolve("."))
      if arguments.isEmpty, root != "." { arguments = ["--root", root] }
      return arguments
    }

    private func objection(to hook: GitHook, _ command: String) -> GitFailure? {
      guard !force else { return nil }
      let path = HookCommand.shown(hook.path)
      let line = "add this line to it: schemagen \(command) || exit 1"
      let replacing = "or replace it: schemagen hook install --force"
      switch (hook.state, hook.scope) {
      case (.framework, _):
        return GitFailure(
          "'\(path)' belongs to the pre-commit framework",
          help: [
            "add schemagen's hook to .pre-commit-config.yaml: \(Basis.documentation)ci.md#pre-commit"
          ])
      case (.foreign, _):
        return GitFailure(
          "'\(path)' already exists, and schemagen did not write it", help: [line, replacing])
      case (_, .elsewhere):
        return GitFailure(
          "core.hooksPath is '\(path)', outside this repository: other repositories may use it too",
          help: ["if the hook may run in all of them: schemagen hook install --force"])
      case (.missing, _), (.ours, _): return nil
      }
    }

    private func install(_ hook: GitHook, _ command: String) throws(GitFailure) {
      let path = HookCommand.shown(hook.path)
      do throws(FileSystemError) {
        try hook.install(
          command: command, program: RunningProgram.file.path)
      } catch {
        throw GitFailure("'\(path)' cannot be written: \(error.reason)")
      }
      defer { Output.summary("wrote \(path): it runs 'schemagen \(command)' before each commit") }
      if hook.scope == .worktree {
        Output.write(
          "core.hooksPath is inside the worktree: commit the hook, and it runs for everyone who sets core.hooksPath\n"
        )
      }
    }
  }

  struct Uninstall: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove the hook that 'hook install' wrote.")

    @OptionGroup var folders: FolderOptions

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
      let hook = try GitHook(GitRepository(containing: folders.resolve(".")))
      let path = HookCommand.shown(hook.path)
      switch hook.state {
      case .missing: Output.summary("there is no hook at \(path)")
      case .framework, .foreign:
        throw GitFailure("'\(path)' is not schemagen's: it was not removed", help: [])
      case .ours: try uninstall(hook, path)
      }
    }

    private func uninstall(_ hook: GitHook, _ path: String) throws(GitFailure) {
      do throws(FileSystemError) {
        try hook.uninstall()
      } catch {
        throw GitFailure("'\(path)' cannot be removed: \(error.reason)")
      }
      Output.summary("removed \(path)")
    }
  }

  struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check the staged changes, as 'check --staged' does, if they concern a schema.",
      discussion: """
        Checks only if the commit changes a manifest, a file that belongs to a manifest, or Swift that declares a \
        model or its types. Works in any hook: git's own, husky's or lefthook's.
        """)

    @OptionGroup var folders: FolderOptions

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
      guard try isConcerned() else { return }
      let options =
        folders.schemas.flatMap { ["--schemas", $0] } + (folders.root.map { ["--root", $0] } ?? [])
      let arguments = ["--staged", "--quiet"] + options
      var status: Int32 = 0
      if SourceExecutable.isThere {
        status = try SourceExecutable.status(["check"] + arguments, in: ".")
      } else {
        do {
          try CheckProject.parse(arguments).run()
        } catch {
          guard let ended = Tool.end(error) else { throw error }
          status = ended
        }
      }
      guard status != 0 else { return }
      Output.error("schemagen: the commit was stopped")
      throw ExitCode(status)
    }

    private func isConcerned() throws -> Bool {
      // Each root is a folder of manifests, or a folder that contains such folders.
      let roots = (folders.schemas.isEmpty ? ["Schemas"] : folders.schemas).map(folders.resolve)
      let changes = try StagedChanges(near: roots[0])
      // With nothing staged, the pre-commit framework checks all files: pre-commit run --all-files.
      if changes.isEmpty, ProcessInfo.processInfo.environment["PRE_COMMIT"] != nil { return true }
      // If a folder's last manifest is deleted, the folder is no longer found, but its parent folder has changed.
      if roots.contains(where: changes.touch) { return true }
      let manifests = try folders.resolve(isStaged: true)
      for (path, files) in manifests where try changes.concern(path, fileSystem: files) {
        return true
      }
      return try !changes.namedCode(in: manifests, below: folders.resolve(".")).isEmpty
    }
  }

  private static func shown(_ path: String) -> String {
    let working = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(working) ? String(path.dropFirst(working.count)) : path
  }
}
