import ArgumentParser
import CommandLineSupport
import Foundation
import ManagedModels
import RehearsalHarness
import SchemaEvolution
import SchemaModel
import SchemaProcesses
import SchemaRehearsal
import SchemaReporting
import SchemaWorkspace
import StoreFormat
import StoreTools

extension AdversarialCategory: ExpressibleByArgument {}
extension ConservationReport.Format: ExpressibleByArgument {}

struct Rehearse: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rehearse",
    abstract:
      "Run every upgrade path on real stores, with adversarial rows, and report what happened to each row.",
    discussion: """
      Generates into a scratch package, compiles it with a SwiftData that runs here, fills stores of each version, \
      and migrates them and the kept stores along all paths: directly, step by step, and with kills and restarts. \
      Nothing is written outside the scratch folder. Exit status: 0 no unexpected data loss; 1 findings; 2 the \
      rehearsal could not run.
      """)

  @OptionGroup var folders: FolderOptions

  @Option(help: ArgumentHelp("The version to begin with, such as V8.", valueName: "version"))
  var from: VersionNumber?

  @Option(help: ArgumentHelp("The version to end with, such as V9.", valueName: "version"))
  var to: VersionNumber?

  @Flag(help: "Rehearse single steps only.")
  var stepsOnly = false

  @Option(
    help: ArgumentHelp(
      "Your store, to rehearse its rows as well; it is copied, never opened.",
      valueName: "file"), completion: .file())
  var store: String?

  @Option(
    help: ArgumentHelp(
      "A folder of stores, to rehearse the rows of each as well, in place of the kept stores; they are copied, never opened.",
      valueName: "folder"), completion: .directory)
  var stores: String?

  @Option(
    help: ArgumentHelp(
      "A file or folder of Swift that generated code needs; may be given several times.",
      valueName: "path"))
  var source: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Kinds of adversarial rows to leave out: "
        + AdversarialCategory.allCases.map(\.rawValue).joined(separator: ", ") + ".",
      valueName: "kind"))
  var without: [AdversarialCategory] = []

  @Option(
    help:
      "The output format: \(ConservationReport.Format.allCases.map(\.rawValue).joined(separator: ", "))."
  )
  var format: ConservationReport.Format = .text

  @Option(
    help: ArgumentHelp(
      "Write the report to a file as well, such as markdown=report.md; may be given several times.",
      valueName: "format=file"))
  var report: [ReportFile] = []

  @Flag(name: .customLong("no-kill"), help: "Leave out the kill tests.")
  var noKill = false

  @Option(
    help: ArgumentHelp(
      "Threads; default: the number of cores.", valueName: "number", visibility: .hidden))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "The folder for scratch packages; default: .build/rehearsal.", valueName: "folder",
      visibility: .hidden),
    completion: .directory)
  var work: String?

  @Option(
    help: ArgumentHelp(
      "The folder of schemagen's own package; \(PackageFolder.variable) sets it, too.",
      valueName: "folder"),
    completion: .directory)
  var package: String?

  @Flag(name: .shortAndLong, help: "Print the report only.")
  var quiet = false

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("'--jobs' is a number from 1") }
    if let from, let to, from >= to {
      throw ValidationError("'--from \(from.name)' is not before '--to \(to.name)'")
    }
    if let store, folders.schemas.count > 1 {
      throw ValidationError(
        "'--store \(store)' belongs to one folder's versions: name one with '--schemas'")
    }
    if store != nil, stores != nil {
      throw ValidationError(
        "'--store' and '--stores' exclude each other: put the store into the folder of stores")
    }
  }

  func run() throws {
    #if os(Linux)
      try rehearse(Disk())
    #else
      Output.error(
        """
        schemagen: a rehearsal runs only on Linux, with schemagen's SwiftData
          here, the tests that 'tests:' in schemagen.yaml generates run on SwiftData itself
        """)
      throw ExitCode(2)
    #endif
  }

  private func rehearse(_ disk: Disk) throws {
    var status: Int32 = 0
    let all = try folders.resolve(disk)
    // With several folders, each report would overwrite the previous one.
    let ofOne = [("--stores", stores != nil), ("--report", !report.isEmpty)]
    if all.count > 1, let option = ofOne.first(where: \.1)?.0 {
      Output.error(
        "schemagen: '\(option)' is for one folder's versions, and there are \(all.joined(separator: ", ")): "
          + "name one with '--schemas'")
      throw ExitCode(2)
    }
    let fleet = try stores.map(folders.storeFolder)
    for folder in all { status = max(status, rehearse(folder, fleet, disk)) }
    if status != 0 { throw ExitCode(status) }
  }

  private func rehearse(_ path: String, _ fleet: StoreFolder?, _ disk: Disk) -> Int32 {
    let folder = SchemaFolder.read(path, fileSystem: disk)
    if let store, let step = coreDataStep(of: folders.resolve(store), folder) {
      return rehearse(path, behind: step, disk)
    }
    let diagnostics = folder.diagnostics
    let findings =
      TextReport(sources: folder.sources, terminal: Output.terminal(.errors)).render(diagnostics)
      + TextReport.summary(diagnostics)
    if diagnostics.hasErrors || !quiet && !diagnostics.isEmpty { Output.error(findings) }
    guard folder.evolution != nil, !diagnostics.hasErrors else {
      Output.error("\(path): not rehearsed")
      return folder.isMalformed ? 2 : 1
    }
    if let reason = folder.evolution.flatMap(RehearsalSources.obstacle) {
      Output.error(
        """
        schemagen: \(path): \(reason)
          help: on a Mac, run the tests that 'tests:' in schemagen.yaml generates
        """)
      return 2
    }
    let known = folder.versions.map(\.number).filter { !folder.configuration.isRetired($0) }
    for version in [from, to].compactMap({ $0 }) where !known.contains(version) {
      let names = known.map(\.name).joined(separator: ", ")
      Output.error("schemagen: \(path) has no version \(version.name); it has \(names)")
      return 2
    }
    if let from, from == known.last {
      Output.error("schemagen: \(path): no path begins at \(from.name), the newest version")
      return 2
    }
    if let to, to == known.first {
      Output.error("schemagen: \(path): no path ends at \(to.name), the first version")
      return 2
    }
    guard let fleet = fleet.map(Optional.some) ?? keptStores(folder, disk) else { return 1 }
    do {
      if let store { try examine(folders.resolve(store), folder, disk) }
      let paths = source.map { folders.resolve($0) }
      do {
        return try rehearse(
          folder, app: app(folder, paths, disk), of: [], fleet, disk)
      } catch let failure as BuildFailure where failure.isOfRehearsedCode {
        // The code may need files of the app that '--source' does not name.
        let root = folders.root ?? "."
        let all = paths + [root]
        // If one of the app's other files cannot be read, show the compiler's errors instead.
        guard let app = try? needed(folder, all, disk), !app.isEmpty else { throw failure }
        progress.say(
          "\(path): the rehearsal also needs \(counted(app.count, "file")) of the app below '\(root)'"
        )
        return try rehearse(folder, app: app, of: all, fleet, disk)
      }
    } catch let failure as BuildFailure {
      complain(failure, path)
    } catch let failure as FileSystemError {
      Output.report(failure)
    } catch is ExitCode {
    } catch {
      Output.error("schemagen: \(path): \(error)")
    }
    return 2
  }

  /// The step that Core Data takes before SwiftData opens the store; nil if the store needs none.
  private func coreDataStep(of store: String, _ folder: SchemaFolder) -> CoreDataStepRun? {
    guard let versions = folder.coreData.versions, !folder.diagnostics.hasErrors,
      let facts = try? StoreFacts(ofStoreAt: URL(filePath: store)), facts.damage.isEmpty,
      let manifests = ManifestFolder(folder),
      StoreMatch(facts, candidates: manifests.candidates).matches.isEmpty
    else { return nil }
    return CoreDataStepRun(of: store, hashes: facts.hashes, among: versions.shipped)
  }

  /// Rehearses a copy of the store after Core Data's steps have migrated the copy to the model's current version.
  private func rehearse(_ path: String, behind step: CoreDataStepRun, _ disk: Disk) -> Int32 {
    do {
      return try withScratchFolder { scratch in
        let (copy, lines) = try step.perform(in: scratch)
        for line in lines { Output.write(line + "\n") }
        var behind = self
        behind.store = copy.path
        return behind.rehearse(path, nil, disk)
      }
    } catch {
      let reason = (error as? StoreError)?.reason ?? "\(error)"
      Output.error(
        "schemagen: \(path): the mapping \(step.title) cannot be inferred: \(reason)\n  help: Core Data may still migrate the store with one of the app's mapping models: rehearse a store that the app has migrated"
      )
      return 2
    }
  }

  /// The folder's kept stores. The inner nil means that there are none, or that the user named a store. The outer nil
  /// means that the kept stores differ from their list. The difference is reported.
  private func keptStores(_ folder: SchemaFolder, _ disk: Disk) -> StoreFolder?? {
    guard store == nil else { return .some(nil) }
    let review = KeptStoreReview(folder, fileSystem: disk)
    let trouble = review.diagnostics.filter {
      $0.severity == .error || $0.rule == .keptStoreNotFetched
    }
    guard trouble.isEmpty else {
      Output.error(
        TextReport(sources: review.sources, terminal: Output.terminal(.errors)).render(trouble)
          + TextReport.summary(trouble))
      Output.error(
        "\(folder.path): not rehearsed, because of these findings; 'schemagen lint' shows them, too"
      )
      return nil
    }
    let entries = review.stores?.entries ?? []
    let kept = entries.filter { !folder.configuration.isRetired($0.version) }
    if kept.count < entries.count, !quiet {
      Output.error(
        "\(folder.path): \(counted(entries.count - kept.count, "kept store")) of retired versions: not rehearsed, since no path begins there"
      )
    }
    guard !kept.isEmpty else { return .some(nil) }
    return .some(
      (try? StoreFolder(KeptStores.folder(of: folder)))?.only(Set(kept.map(\.file))))
  }

  /// Before anything is compiled, throws an error if the store cannot be rehearsed. The error gives the same reasons as
  /// `doctor`.
  private func examine(_ store: String, _ folder: SchemaFolder, _ disk: Disk) throws {
    let facts: StoreFacts
    do {
      facts = try StoreFacts(ofStoreAt: URL(filePath: store))
    } catch {
      Output.report(error, ofStoreAt: store)
      throw ExitCode(2)
    }
    guard let manifests = ManifestFolder(folder) else { return }
    let diagnosis = StoreDiagnosis(path: store, facts: facts, folders: [manifests])
    guard !diagnosis.isRecognised || !facts.damage.isEmpty else { return }
    let reason =
      facts.damage.first.map { "is damaged: \($0.visibleInOneLine)" }
      ?? "matches no version of these manifests"
    Output.error(
      """
      schemagen: \(folder.path): '\(store)' \(reason)
        help: for what differs and the ways out, run: schemagen doctor \(ShellWord.quoted(store))\
      \(ShellWord.schemas(folder.path))
      """)
    throw ExitCode(2)
  }

  /// The code of the app: the folder of user files, and with '--source' everything else that the rehearsed code
  /// needs.
  private func app(
    _ folder: SchemaFolder, _ paths: [String], _ disk: Disk
  ) throws -> [SourceFile] {
    if let missing = paths.first(where: { !FileManager.default.fileExists(atPath: $0) }) {
      throw FileSystemError(path: missing, reason: "no such file or folder")
    }
    if !paths.isEmpty, let needed = try needed(folder, paths, disk) { return needed }
    return try RehearsalSources.whole(folder, and: paths, disk)
  }

  /// The declarations that the rehearsed code needs from files below the paths; nil if `schemagen-sources` is
  /// missing.
  private func needed(
    _ folder: SchemaFolder, _ paths: [String], without refused: [[AppCode.Place]] = [],
    _ disk: Disk
  ) throws -> [SourceFile]? {
    try SourceExecutable.ask(
      "needed",
      RehearsalSources.request(folder, of: paths, without: refused, fileSystem: disk),
      for: [AppCode.File].self
    )?.map { SourceFile(path: $0.path, text: $0.text) }
  }

  /// Rehearses with the app's code, and leaves out code that does not compile here. Apple's frameworks and other
  /// packages are missing, but most code that uses them does not matter to a migration.
  private func rehearse(
    _ folder: SchemaFolder, app: [SourceFile], of paths: [String],
    _ fleet: StoreFolder?, _ disk: Disk
  ) throws -> Int32 {
    var app = app
    var refused: [[AppCode.Place]] = []
    var told: [String] = []
    var leftOut: String {
      let shown = told.prefix(10) + (told.count > 10 ? ["and \(told.count - 10) more"] : [])
      return "code left out, since it does not compile here:\n" + shown.joined(separator: "\n")
    }
    while true {
      do {
        let status = try rehearse(folder, app: app, fleet, disk)
        // The code left out is reported whatever the options are, because code that did not run proves nothing.
        if !told.isEmpty { Output.error(leftOut) }
        return status
      } catch var failure as BuildFailure where failure.isOfRehearsedCode && !paths.isEmpty {
        refused.append(
          failure.places.map { AppCode.Place(path: $0.file, line: $0.line, column: $0.column) })
        guard let less = try needed(folder, paths, without: refused, disk), less != app else {
          if !told.isEmpty { failure.output += "\n" + leftOut }
          throw failure
        }
        told += failure.places.map(\.told)
        app = less
        progress.say(
          "\(folder.path): leaving out what does not compile here: "
            + counted(told.count, "place") + " in the app's code")
      }
    }
  }

  private func rehearse(
    _ folder: SchemaFolder, app: [SourceFile], _ fleet: StoreFolder?,
    _ disk: Disk
  ) throws -> Int32 {
    let path = folder.path
    let sources = try RehearsalSources(folder, app: app, fileSystem: disk)
    guard let evolution = sources.evolution else { return 2 }
    let plan = RehearsalPlanner(
      evolution,
      categories: Set(AdversarialCategory.allCases).subtracting(without),
      scope: RehearsalPlanner.Scope(
        evolution.history, from: from, to: to, isStepsOnly: stepsOnly)
    ).plan()
    let home = try PackageFolder.find(
      environment: environment, executable: RunningProgram.file.path)
    let files = sources.files.map {
      ScratchPackage.File(path: $0.path, contents: $0.contents, original: $0.original)
    }
    let scratch = ScratchPackage(
      folder: Path.join(cache, Self.name(of: path)), files: files, package: home,
      manifests: evolution.history)
    let stores = GivenStores(fleet, store.map { Self.absolute(folders.resolve($0)) })
    Interruption.write(scratchFilesTo: work ?? Path.join(folders.root ?? "", Self.scratchFolder))
    if work == nil { try ScratchPackage.hideFromGit(cache) }
    try scratch.write()
    let progress = progress
    let program = try scratch.build(cache: cache) {
      progress.say($0, in: path)
    }
    let state = RehearsalState(
      RehearsalProgress(plan, kills: !noKill, stores: stores.given.map(\.name)))
    let told: @Sendable (RehearsalEvent) -> Void = { state.show($0, path, progress) }
    let result = try scratch.run(
      program,
      ScratchPackage.Run(
        plan: RehearsalJSON.encode(plan), kills: !noKill, jobs: jobs,
        store: fleet == nil ? stores.given.first?.path : nil,
        stores: fleet == nil ? nil : stores.given, progress: quiet ? nil : told))
    let completed = stores.completing(
      try RehearsalJSON.decode(RehearsalResult.self, from: result))
    return try tell(ConservationReport(completed), disk)
  }

  private func tell(
    _ found: ConservationReport, _ disk: Disk
  ) throws(FileSystemError) -> Int32 {
    Output.write(found.render(format, on: Output.terminal(.output)))
    if format == .text {
      Output.summary(found.headline, found.isSuccess ? .boldGreen : .boldRed)
    }
    for file in report {
      let text =
        found.render(file.format) + (file.format == .text ? found.headline + "\n" : "")
      try disk.write(Array(text.utf8), to: folders.resolve(file.path))
    }
    return found.isSuccess ? 0 : 1
  }

  private var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    if let package { environment[PackageFolder.variable] = Self.absolute(package) }
    return environment
  }

  private static let scratchFolder = ".build/rehearsal"

  private var cache: String {
    let path = work ?? Path.join(folders.root ?? "", Self.scratchFolder)
    return Self.absolute(path)
  }

  private static func absolute(_ path: String) -> String {
    Path.join(FileManager.default.currentDirectoryPath, path)
  }

  /// A readable name for the folder's scratch package: the parts of its path, joined by dashes.
  private static func name(of path: String) -> String {
    path.split(separator: "/").filter { $0 != "." && $0 != ".." }.joined(separator: "-")
  }

  private var progress: WorkProgress { WorkProgress(isQuiet: quiet) }

  private func complain(_ failure: BuildFailure, _ path: String) {
    Output.error("schemagen: \(path): \(failure.message)")
    if !failure.output.isEmpty { Output.error(failure.output) }
    for line in failure.help { Output.error("  \(line)") }
  }
}

/// The progress of a rehearsal, which several threads report.
private final class RehearsalState: @unchecked Sendable {
  private let lock = NSLock()
  private var progress: RehearsalProgress

  init(_ progress: RehearsalProgress) { self.progress = progress }

  /// On a terminal, shows how many paths and kill tests are done. Without a terminal, shows each complete row.
  func show(_ event: RehearsalEvent, _ path: String, _ shown: WorkProgress) {
    lock.withLock {
      let rows = progress.take(event)
      if Output.Stream.errors.isTerminal {
        shown.show("rehearsing", progress.done, progress.total, in: path)
      } else {
        for row in rows { shown.say(row) }
      }
    }
  }
}

/// A further report, given by its format and its path: `markdown=report.md`.
struct ReportFile: ExpressibleByArgument {
  let format: ConservationReport.Format
  let path: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let format = ConservationReport.Format(rawValue: String(parts[0]))
    else {
      return nil
    }
    self.format = format
    path = String(parts[1])
  }
}
