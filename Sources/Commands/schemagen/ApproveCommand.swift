import ArgumentParser
import CommandLineSupport
import SchemaEvolution
import SchemaLint
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import StoreTools

struct ApproveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approve",
    abstract: "Approve the loss of shipped data, or show what awaits an approval.",
    discussion: """
      Without an element: shows every loss, with what it costs. With elements: records them in approvals.json next to \
      the manifests. 'lint' requires approvals if schemagen.yaml has 'approvals: owners' or 'approvals: base'.
      An approval comes from a second person: the author of the change, human or agent, must not run this.
      Exit status: 0 nothing awaits an approval; 1 something does; 2 wrong usage, or manifests with errors.
      """)

  @Argument(
    help: ArgumentHelp(
      "The element that may lose its data, such as Plant.note.", valueName: "element"))
  var elements: [String] = []

  @OptionGroup var folders: FolderOptions

  @Option(
    help: ArgumentHelp(
      "A git reference or a folder that shows what has shipped, in addition to the lock.",
      valueName: "reference"))
  var against: String?

  @Option(
    help: ArgumentHelp("A store: shows how many of its rows lose something.", valueName: "file"),
    completion: .file())
  var store: String?

  @Option(
    help: ArgumentHelp(
      "A folder of stores: shows how many rows of each lose something.", valueName: "folder"),
    completion: .directory)
  var stores: String?

  @OptionGroup var progress: ProgressOptions

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if store != nil, stores != nil {
      throw ValidationError("'--store' and '--stores' exclude each other")
    }
  }

  private struct Folder {
    var path: String
    var lint: LintResult
    var losses: [Loss]
    var approvals: Approvals
    /// For each loss, lines about the affected rows of stores.
    var measured: [[String]]
  }

  func run() throws {
    let disk = Disk()
    let stores = try stores.map(folders.storeFolder)
    let paths = try folders.resolve(disk)
    try folders.checkOwner(of: store, among: paths.count)
    var found = try paths.map { try read($0, disk) }
    try measure(&found, stores)
    let known = Set(found.flatMap(\.losses).map(\.element.description))
    for element in elements where !known.contains(element) {
      Output.error("schemagen: nothing called '\(element)' loses data of shipped versions")
      for help in Suggestion.help(for: element, among: known) { Output.error("  help: \(help)") }
      if known.isEmpty { Output.error("  help: 'schemagen diff' shows what each step does") }
      throw ExitCode(2)
    }
    var isOpen = false
    for folder in found {
      if elements.isEmpty {
        isOpen = show(folder) || isOpen
      } else {
        try approve(folder, disk)
      }
    }
    if isOpen { throw ExitCode(1) }
  }

  private func read(_ path: String, _ disk: Disk) throws -> Folder {
    let base = try against.map { try folders.base($0, for: path, current: disk) }
    let lint = Linter(
      Linter.Options(today: .today, base: base), fileSystem: disk
    ).run(path)
    guard !lint.isMalformed, !lint.losses.problems.hasErrors else {
      Output.report(lint.findings, sources: lint.sources)
      Output.error("\(path): nothing can be approved before these errors are corrected")
      throw ExitCode(2)
    }
    // Correcting an error may change or remove a loss of the same element.
    let open = Set(
      lint.findings.filter { $0.severity == .error && $0.rule != .unapprovedLoss }
        .compactMap(\.element))
    let losses = lint.losses.losses.filter { !open.contains($0.element.description) }
    return Folder(
      path: path, lint: lint, losses: losses, approvals: lint.losses.own,
      measured: losses.map { _ in [] })
  }

  // MARK: Rows

  private func measure(_ found: inout [Folder], _ stores: StoreFolder?) throws {
    guard store != nil || stores != nil else { return }
    var all: [[RowMeasurements]] = found.map { _ in [] }
    if let store, let evolution = found[0].lint.evolution {
      guard
        let measured = folders.measure(
          store, found[0].path, evolution, from: nil, Disk(), progress.work)
      else { throw ExitCode(2) }
      all[0] = [measured]
    }
    if let stores {
      let result = stores.measure(
        in: found.map { folder in
          folder.lint.evolution.map {
            ($0, SchemaFolder.lock(in: folder.path, fileSystem: Disk()).provenHashes)
          }
        }, progress: progress.work.show)
      all = result.measurements
      for file in result.unmeasured where file.isStore {
        Output.error("schemagen: '\(file.name)' was not measured: \(file.reason)")
      }
      if result.unmeasured.contains(where: \.isStore) { throw ExitCode(2) }
    }
    for index in found.indices {
      found[index].measured = found[index].losses.map { loss in
        guard let change = loss.change else { return [] }
        return all[index].compactMap { measurements in
          measurements.finding(stepTo: loss.version, change: change).map {
            "\(measurements.store): \($0.text)"
          }
        }
      }
    }
  }

  // MARK: Results

  private func show(_ folder: Folder) -> Bool {
    let waiting = folder.losses.filter { !folder.approvals.covers($0) }
    for (loss, measured) in zip(folder.losses, folder.measured) {
      let isApproved = folder.approvals.covers(loss)
      Output.write(
        "\(loss.version.name) \(loss.element): \(loss.words)\n"
          + (loss.answer.isEmpty ? "" : "  in detail: \(loss.answer)\n")
          + measured.map { "  \($0)\n" }.joined()
          + (isApproved ? "  approved\n" : "  to approve it: schemagen approve \(loss.element)\n"))
    }
    Output.summary(
      "\(folder.path): "
        + (folder.losses.isEmpty
          ? "no data of shipped versions is lost"
          : waiting.isEmpty
            ? "all losses are approved"
            : "\(waiting.count) \(waiting.count == 1 ? "loss awaits" : "losses await") an approval")
    )
    return !waiting.isEmpty
  }

  private func approve(_ folder: Folder, _ disk: Disk) throws {
    var approvals = folder.approvals
    let chosen = zip(folder.losses, folder.measured).filter {
      elements.contains($0.0.element.description)
    }
    guard !chosen.isEmpty else { return }
    for (loss, measured) in chosen { approvals.approve(loss, measured: measured) }
    let file = Path.join(folder.path, Approvals.fileName)
    if approvals != folder.approvals {
      try disk.write(Array(approvals.text.utf8), to: file)
    }
    let names = chosen.map { "\($0.0.version.name) \($0.0.element)" }.joined(separator: ", ")
    Output.summary("\(file): approved \(names)")
    if !folder.lint.losses.isDemanded {
      Output.write(
        "no check requires an approval yet: write 'approvals: owners' into \(Path.join(folder.path, "schemagen.yaml"))\n"
      )
    } else if folder.lint.evolution?.configuration.approvals == .base {
      Output.write(
        "the approval counts once '\(file)' is committed to the target branch, before this change\n"
      )
    }
  }
}
