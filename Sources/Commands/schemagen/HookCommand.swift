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
    abstract: "Stop commits with findings: a plain git hook.",
    subcommands: [Install.self, Uninstall.self, Run.self])

  struct Install: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write this repository's pre-commit hook.")

    @OptionGroup var folders: FolderOptions

    @Flag(help: "Replace a hook that is not schemagen's.")
    var force = false

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
      do throws(GitFailure) {
        let repository = try GitRepository(containing: folders.resolve("."))
        let hook = try GitHook(repository)
        let command = GitHook.command(try arguments(in: repository))
        if let objection = objection(to: hook, command) { throw objection }
        try install(hook, command)
      } catch {
        Output.report(error)
        throw ExitCode(2)
      }
    }

    /// Git runs hooks at the worktree's top, wherever the user stands now.
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
          "'\(path)' is the pre-commit framework's",
          help: [
            "add schemagen's hooks to .pre-commit-config.yaml: see \(Basis.documentation)ci.md"
          ])
      case (.foreign, _):
        return GitFailure(
          "'\(path)' is there already, and it is not schemagen's", help: [line, replacing])
      case (_, .elsewhere):
        return GitFailure(
          "core.hooksPath is '\(path)', outside this repository: other repositories may use it too",
          help: ["if it may run for all of them: schemagen hook install --force"])
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
          "core.hooksPath is inside the worktree: commit the hook, and everyone who sets it gets it\n"
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
      do throws(GitFailure) {
        let hook = try GitHook(GitRepository(containing: folders.resolve(".")))
        let path = HookCommand.shown(hook.path)
        switch hook.state {
        case .missing: Output.summary("there is no hook at \(path)")
        case .framework, .foreign:
          throw GitFailure("'\(path)' is not schemagen's: it stays", help: [])
        case .ours: try uninstall(hook, path)
        }
      } catch {
        Output.report(error)
        throw ExitCode(2)
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
      abstract:
        "Check the staged changes: diff, lint, generated files, and Swift that manifests name.",
      discussion: """
        Does nothing if neither a manifest, nor a file that belongs to one, nor Swift that declares a model or a type \
        of one is staged. Stops at the first check with findings, with its exit status. Works in any hook: git's own, \
        husky's or lefthook's.
        """)

    @Flag(help: "Check only the Swift that manifests name.")
    var swift = false

    @OptionGroup var folders: FolderOptions

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
      let options =
        folders.schemas.flatMap { ["--schemas", $0] } + (folders.root.map { ["--root", $0] } ?? [])
      do {
        let changes = try changes()
        if try !swift && isConcerned(changes) {
          try Diff.parse(["--against", "HEAD", "--staged"] + options).run()
          try LintCommand.parse(["--staged", "--quiet"] + options).run()
          try Generate.parse(["--check", "--staged", "--quiet"] + options).run()
        }
        try detect(changes)
      } catch let status as ExitCode {
        Output.error(
          "schemagen: the commit was stopped: fix the errors above, 'git add', and try again")
        Output.error("  help: to commit it as it is: git commit --no-verify")
        throw status
      }
    }

    /// The folders of manifests, or what they lie in.
    private var roots: [String] {
      (folders.schemas.isEmpty ? ["Schemas"] : folders.schemas).map(folders.resolve)
    }

    private func changes() throws -> StagedChanges {
      do throws(GitFailure) {
        return try StagedChanges(near: roots[0])
      } catch {
        Output.report(error)
        throw ExitCode(2)
      }
    }

    /// Holds the Swift of the commit against its manifests, where it declares what they name.
    private func detect(_ changes: StagedChanges) throws {
      let root = folders.resolve(".")
      let manifests = try folders.resolve(isStaged: true)
      let place = FileManager.default.temporaryDirectory.appending(
        path: "schemagen-\(UUID().uuidString)")
      do {
        let code = try changes.namedCode(in: manifests, below: root)
        guard let first = code.first else { return }
        guard SourceExecutable.isThere else {
          let more = code.count > 1 ? " and \(code.count - 1) more" : ""
          Output.error(
            "schemagen: '\(first)'\(more): not compared with the manifests, which name what is declared there"
          )
          Output.error(
            "  help: that takes schemagen-sources beside schemagen: swift build --product schemagen-sources"
          )
          return
        }
        defer { try? FileManager.default.removeItem(at: place) }
        let hasModels = try changes.checkOut(to: place.path, below: root)
        let schemas = manifests.compactMap { changes.path(of: $0.path) }
        // Where a plugin generates, no commit has the classes.
        if !hasModels {
          for folder in schemas.map({ Path.join(place.path, $0) }) {
            try? GenerationPipeline(fileSystem: Disk()).run(folder).write(to: Disk())
          }
        }
        let sources = changes.path(of: root) ?? ""
        let status = try SourceExecutable.status(
          ["detect", sources.isEmpty ? "." : sources, "--quiet"]
            + schemas.flatMap { ["--schemas", $0] }, in: place.path)
        if status != 0 { throw ExitCode(status) }
      } catch let failure as GitFailure {
        Output.report(failure)
        throw ExitCode(2)
      }
    }

    private func isConcerned(_ changes: StagedChanges) throws -> Bool {
      // A folder whose last manifest goes is not found any more, but the folder of folders has changed.
      if roots.contains(where: changes.touch) { return true }
      do {
        return try folders.resolve(isStaged: true).contains { path, files in
          try changes.concern(path, fileSystem: files)
        }
      } catch let failure as FileSystemError {
        Output.report(failure)
        throw ExitCode(2)
      }
    }
  }

  /// A path from where the user stands.
  private static func shown(_ path: String) -> String {
    let working = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(working) ? String(path.dropFirst(working.count)) : path
  }
}
