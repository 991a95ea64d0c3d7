import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import SwiftSources

struct AdoptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adopt",
    abstract: "Write the manifests of an app that has hand-written SwiftData models.",
    discussion: """
      Reads every Swift file below the folders, follows the migration plan, and writes V1.yaml … Vn.yaml and \
      schemagen.yaml. Overwrites nothing, and writes nothing if a manifest would be wrong.
      A store that has shipped is adopted with --store: 'schemagen adopt --store FILE --help'.
      Afterwards, --finish removes the code from the sources that 'schemagen generate' now writes.
      Exit status: 0 adopted; 1 adopted, and 'generate' has questions; 2 nothing was written.
      """)

  @Argument(help: "Folders of Swift sources, or files.")
  var paths: [String] = ["."]

  @Option(
    name: .long, help: ArgumentHelp("The folder to write manifests to.", valueName: "folder"))
  var schemas = "Schemas"

  @Option(
    help: ArgumentHelp(
      "Where the folders of generated files and user files go; default: beside the newest models.",
      valueName: "folder"))
  var output: String?

  @Option(
    help: ArgumentHelp("The migration plan to adopt, if there are several.", valueName: "name"))
  var plan: String?

  @Option(help: ArgumentHelp("The platform whose '#if os(…)' counts.", valueName: "name"))
  var platform = "iOS"

  @Option(
    help: ArgumentHelp(
      "A compilation condition that is set; may be given several times.", valueName: "name"))
  var define: [String] = []

  @Flag(help: "Show every finding, even if many say the same.")
  var verbose = false

  @Flag(
    help: "Remove the code that is generated now; needs a commit or --backup to undo it.")
  var finish = false

  @Option(
    help: ArgumentHelp(
      "With --finish: a folder that keeps the files as they were.", valueName: "folder"))
  var backup: String?

  @Flag(help: "Write nothing; show the manifests, or what --finish would remove.")
  var dryRun = false

  @Option(help: ArgumentHelp("The folder that relative paths start from.", valueName: "folder"))
  var root: String?

  @OptionGroup var progress: ProgressOptions

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if backup != nil, !finish { throw ValidationError("'--backup' needs '--finish'") }
    if finish, output != nil {
      throw ValidationError("'--output' and '--finish' exclude each other")
    }
  }

  func run() throws {
    let folder = FolderOptions.path(schemas, below: root)
    try FolderOptions.finishInterrupted(in: folder)
    if finish { return try finish(folder) }
    let folders = paths.map { FolderOptions.path($0, below: root) }
    let tree = SourceTree(folders: folders, progress: progress.work.show)
    let reading = tree.files(containing: SourceAdoption.prefilter)
    guard !reading.diagnostics.hasErrors else {
      Output.report(reading.diagnostics, sources: [:])
      throw ExitCode(2)
    }
    let working = FileManager.default.currentDirectoryPath
    let options = SourceAdoption.Options(
      folder: folder,
      output: output.map {
        Path.relative(FolderOptions.path($0, below: root), to: folder, in: working)
      },
      workingFolder: working,
      adoption: Adoption.Options(
        plan: plan, conditions: BuildConditions(platform: platform, defines: Set(define))))
    progress.work.show("looking at files with models: \(reading.files.count)")
    let adopt = SourceAdoption.adopt(reading.files, options: options, fileSystem: Disk()) { names in
      tree.files(containing: SourceAdoption.prefilter(declaring: names)).files
    }
    report(reading.diagnostics + adopt.findings, adopt.sources)
    if adopt.isRefused {
      if !adopt.findings.hasErrors { report(adopt.questions, adopt.sources) }
      Output.error("schemagen: nothing was written")
      throw ExitCode(2)
    }
    if dryRun {
      for file in adopt.files { Output.write("==> \(file.path) <==\n\(file.text)\n") }
    } else {
      try write(adopt, in: folder)
    }
    report(adopt.questions, adopt.sources)
    Output.write(
      adopt.closing(
        isDryRun: dryRun, folder: folder,
        sources: paths == ["."] ? "" : " " + paths.joined(separator: " ")))
    Output.summary("\(folder): " + adopt.summary(isDryRun: dryRun))
    if adopt.questions.hasErrors { throw ExitCode(1) }
  }

  func report(_ findings: [Diagnostic], _ sources: [String: String]) {
    let report = AdoptionReport(findings, isVerbose: verbose)
    let text = TextReport(sources: sources, terminal: Output.terminal(.output))
    Output.write(text.render(report.first) + text.render(report.others))
    let summary = TextReport.summary(findings)
    if !summary.isEmpty { Output.write(summary + "\n") }
    if report.omitted > 0 {
      Output.write("--verbose shows \(report.omitted) more that say the same\n")
    }
  }

  private func write(_ adopt: SourceAdoption, in folder: String) throws {
    do throws(FileSystemError) {
      if let obstacle = try adopt.obstacle(Disk()) {
        throw FileSystemError(
          path: obstacle,
          reason: "it exists already: move it away, or write elsewhere with "
            + (obstacle.hasSuffix(".swift") ? "--output" : "--schemas"))
      }
      try adopt.write(in: folder, to: Disk())
    } catch {
      Output.report(error)
      Output.error("schemagen: nothing was written")
      throw ExitCode(2)
    }
    for file in adopt.files { Output.write("wrote \(file.path)\n") }
  }
}

extension SourceAdoption {
  /// What was adopted, in one sentence.
  func summary(isDryRun: Bool) -> String {
    func count(_ number: Int, _ noun: String) -> String {
      "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
    let errors = questions.count { $0.severity == .error }
    return count(versions.count, "version")
      + (folders.count == 1 ? "" : " of \(count(folders.count, "store"))")
      + (isDryRun ? " would be adopted" : " adopted")
      + (errors == 0 ? "" : ", \(count(errors, "question")) to answer")
  }

  /// What to do next, for people.
  func closing(isDryRun: Bool, folder: String, sources: String) -> String {
    var text = "\n"
    var heading = folders.count == 1 ? folders.first : nil
    for version in versions {
      if version.folder != heading {
        text += (heading == nil ? "" : "\n") + "\(version.folder):\n"
        heading = version.folder
      }
      let models = version.models == 1 ? "1 model" : "\(version.models) models"
      text += "\(version.number.name): \(version.written), \(models)\n"
    }
    guard !isDryRun else { return text }
    // Without an option commands take 'Schemas' and the folders in it.
    let all = folder == "Schemas" ? "" : folders.map(ShellWord.schemas).joined()
    let newest = folders.compactMap { folder in versions.last { $0.folder == folder } }
    text += "\nnext:\n"
    for version in newest {
      text += "  schemagen release \(version.number.name)\(ShellWord.schemas(version.folder))\n"
    }
    text +=
      newest.count == versions.count
      ? "    records that it has shipped; leave it out if it has not\n"
      : "    records what has shipped; if the newest version has not, name the newest that has\n"
    if questions.hasErrors {
      text += "  in the manifests, answer the questions about versions that have not shipped\n"
    }
    text += "  schemagen generate\(all)\n"
    if !replaced.isEmpty {
      for folder in folders {
        text += "  schemagen adopt --finish\(sources)\(ShellWord.schemas(folder))\n"
      }
      text += "    removes the code that is generated now: \(replaced.joined(separator: ", "))\n"
    }
    if folders.count > 1 {
      text +=
        "  put each store's files into a module of its own: some have the same names\n"
    }
    return text
  }
}
