import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaModel
import SchemaWorkspace

struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Record today's findings, so that only new ones fail.",
    subcommands: [Write.self, Prune.self])

  struct Write: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add to the baseline all current findings that can wait.")

    @OptionGroup var folders: FolderOptions

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
      try BaselineCommand.write(folders) { lint in
        let waiting = lint.baseline.count
        let left = lint.findings.count { !Baseline.canWait($0) }
        return (lint.baseline, "\(waiting) can wait" + (left == 0 ? "" : ", \(left) cannot"))
      }
    }
  }

  struct Prune: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove findings from the baseline that no longer occur.")

    @OptionGroup var folders: FolderOptions

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
      try BaselineCommand.write(folders) { lint in
        let kept = lint.prunedBaseline.count
        return (lint.prunedBaseline, "\(kept) still \(kept == 1 ? "waits" : "wait")")
      }
    }
  }

  private static func write(
    _ folders: FolderOptions, _ choose: (LintResult) -> (baseline: Baseline, said: String)
  ) throws {
    let disk = Disk()
    for path in try folders.resolve(disk) {
      let file = Path.join(path, Baseline.fileName)
      let lint = Linter(Linter.Options(today: .today, baseline: file), fileSystem: disk).run(path)
      // Broken manifests hide findings, which would then look fixed. A broken baseline would lose its entries.
      guard !lint.isMalformed, !lint.hasBrokenBaseline else {
        Output.report(lint.findings, sources: lint.sources)
        Output.error("\(path): the baseline was not touched")
        throw ExitCode(2)
      }
      let (baseline, said) = choose(lint)
      if baseline.count > 0 {
        try disk.write(Array(baseline.text.utf8), to: file)
      } else if try disk.read(file, limit: 1) != nil {
        try disk.remove(file)
      }
      Output.summary("\(file): \(said)")
    }
  }
}
