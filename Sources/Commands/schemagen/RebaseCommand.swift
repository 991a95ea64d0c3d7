import ArgumentParser
import CommandLineSupport
import SchemaGit
import SchemaModel
import SchemaWorkspace

struct RebaseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebase",
    abstract: "Renumber this branch's new versions, to follow those of another branch.",
    discussion: """
      The other branch's versions keep their numbers. Each version of yours gets the next free number, and their changes \
      are merged into its manifest, as by 'git merge-file'. Your migration files, the lock and the generated files \
      follow. Run it in a stopped 'git merge' or 'git rebase', or name the other branch with --onto. If both branches \
      changed one line, the manifest has both lines between git's conflict marks, and nothing is generated until you \
      resolve them.
      Exit status: 0 written; 1 written, and something is left to resolve; 2 nothing was written: wrong usage, files that \
      cannot be read, or something that is in the way.
      """)

  @OptionGroup var folders: FolderOptions

  @Option(
    help: ArgumentHelp(
      "The branch whose versions keep their numbers.",
      discussion: "Default: the branch that git is merging, or the remote's default branch.",
      valueName: "reference"))
  var onto: String?

  @Flag(help: "Write nothing; print what would change.")
  var dryRun = false

  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    let disk = Disk()
    var status: Int32 = 0
    for path in try folders.resolve(disk) { status = max(status, run(path, disk)) }
    if status != 0 { throw ExitCode(status) }
  }

  private func run(_ path: String, _ disk: Disk) -> Int32 {
    let rebase: Rebase
    do throws(GitFailure) {
      rebase = try Rebase(path, onto: onto, fileSystem: disk)
    } catch {
      Output.report(error)
      return 2
    }
    Output.report(rebase.diagnostics, sources: rebase.sources)
    if rebase.isRefused {
      Output.summary("\(path): nothing was written")
      return 2
    }
    guard !rebase.changes.isEmpty || rebase.diagnostics.hasErrors else {
      Output.summary("\(path): nothing to rebase onto \(rebase.theirName)")
      return 0
    }
    if !dryRun {
      do throws(FileSystemError) {
        try rebase.write(to: disk)
      } catch {
        Output.report(error)
        Output.summary("\(path): nothing was written")
        return 2
      }
    }
    tell(rebase, path)
    return rebase.diagnostics.hasErrors ? 1 : 0
  }

  private func tell(_ rebase: Rebase, _ path: String) {
    let would = dryRun ? "would " : ""
    for change in rebase.changes {
      Output.write("\(would)\(change.action.rawValue) \(change.path)\n")
    }
    let theirs = rebase.theirNew.map(\.name).joined(separator: ", ")
    if !theirs.isEmpty { Output.write("\(path): from \(rebase.theirName): \(theirs)\n") }
    for own in rebase.own {
      let name = own.old == own.new ? "keeps its number" : "is \(own.new.name)"
      Output.write("\(path): \(own.old.name) of this branch \(name)\n")
    }
    for number in rebase.settled {
      Output.write(
        "\(path): \(rebase.theirName) already has everything in \(number.name) of this branch\n")
    }
    for number in rebase.left {
      Output.write(
        "\(path): \(number.name) of this branch is left out: the classes decide what of it still applies\n"
      )
    }
    if !dryRun {
      Output.write("next:\n")
      for step in rebase.nextSteps { Output.write("  \(step)\n") }
    }
    let versions = counted(rebase.own.count, "version")
    let placed =
      rebase.own.isEmpty
      ? "" : "\(versions) \(dryRun ? "would be " : "")put after those of \(rebase.theirName), "
    Output.summary(
      "\(path): \(placed)\(counted(rebase.changes.count, "file")) \(dryRun ? "would change" : "changed")"
    )
  }
}
