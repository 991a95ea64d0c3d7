import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaGit
import SchemaModel
import SchemaReporting
import SchemaWorkspace
import SwiftAdoption
import SwiftSources
import SwiftTrace

struct AdoptCommand: ParsableCommand {
  static let configuration = AdoptOptions.configuration

  @OptionGroup var options: AdoptOptions

  func run() throws {
    let folder = FolderOptions.path(options.schemas, below: options.root)
    try FolderOptions.finishInterrupted(in: folder)
    if options.finish { return try finish(folder) }
    let folders = options.paths.map { FolderOptions.path($0, below: options.root) }
    let work = options.progress.work
    let tree = SourceTree(folders: folders, progress: work.show)
    let reading = tree.files(containing: SourceAdoption.prefilter)
    guard !reading.diagnostics.hasErrors else {
      Output.report(reading.diagnostics, sources: [:])
      throw ExitCode(2)
    }
    let working = FileManager.default.currentDirectoryPath
    // Xcode puts projects and entitlements next to the sources.
    let wider = SourceTree(folders: [Path.join(folder, "..")])
    var adoption = adoption([tree, wider])
    adoption.entitlements = Entitlements(
      paths: reading.entitlements.isEmpty ? wider.entitlements : reading.entitlements)
    let remark = try readReleases(folders, &adoption, work)
    let settings = SourceAdoption.Options(
      folder: folder,
      output: options.output.map {
        Path.relative(FolderOptions.path($0, below: options.root), to: folder, in: working)
      },
      workingFolder: working, sources: commonFolder,
      adoption: adoption)
    work.show("looking at files with models: \(reading.files.count)")
    // As in a snapshot, types of stored properties may be declared next to the folder of sources.
    let adopt = SourceAdoption.adopt(reading.files, options: settings, fileSystem: Disk()) {
      tree.files(declaring: $0, else: wider)
    }
    // A dry run makes the following check as well, so it announces only what a real run would do.
    try leaveAlone(adopt)
    var findings = adopt.findings
    // A single finding without a place says that the files contain no model.
    if adopt.versions.isEmpty, findings.count == 1, findings[0].location == nil {
      let folders = foldersWithModels().map(ShellWord.quoted).joined(separator: " ")
      if !folders.isEmpty {
        findings[0].help.append("there are models below: schemagen adopt \(folders)")
      }
    }
    report(reading.diagnostics + findings, adopt.sources)
    if adopt.isRefused {
      if !adopt.findings.hasErrors { report(adopt.questions, adopt.sources) }
      Output.error("schemagen: nothing was written")
      throw ExitCode(2)
    }
    if options.dryRun {
      for file in adopt.files { Output.write("==> \(file.path) <==\n\(file.text)\n") }
    } else {
      try write(adopt, in: folder)
    }
    report(adopt.questions, adopt.sources)
    Output.write(
      adopt.closing(
        remark, isDryRun: options.dryRun, folder: folder,
        sources: options.paths == ["."] ? "" : " " + options.paths.joined(separator: " ")
      ).visibleLines.joined(separator: "\n"))
    if !options.dryRun { Output.write(Tool.skillOffer) }
    Output.summary("\(folder): " + adopt.summary(isDryRun: options.dryRun))
    if adopt.questions.hasErrors { throw ExitCode(1) }
  }

  /// Reads the models of the app's releases.
  ///
  /// - Returns: A remark for the user about which releases were read.
  ///
  /// - Throws: `ExitCode` if the repository lacks what the user named.
  private func readReleases(
    _ folders: [String], _ adoption: inout Adoption.Options, _ work: WorkProgress
  ) throws -> String {
    let isAsked = options.history || options.since != nil
    do throws(GitFailure) {
      let repository = try GitRepository(containing: folders[0])
      let released = try ReleasedModels(
        of: repository, options.history ? .mainLine : .releases, since: options.since,
        conditions: adoption.conditions, progress: work.show)
      adoption.released = released
      adoption.releaseFolders = folders.compactMap(repository.path(of:))
      return released.remark(isOfCommits: options.history, since: options.since)
    } catch {
      guard isAsked else {
        let help = error.help.map { "\n  \($0)" }
        return "what earlier releases stored is not known: \(error.reason)" + help.joined()
      }
      Output.report(error)
      throw ExitCode(2)
    }
  }

  private func foldersWithModels() -> [String] {
    let tree = SourceTree(folders: [FolderOptions.path(".", below: options.root)])
    let files = tree.files(containing: Prefilter(["@Model", "@SwiftData.Model"])).files
    return Array(
      SourceAdoption.foldersWithModels(files, options.conditions.build).sorted().prefix(5))
  }

  private var commonFolder: String {
    let folders = options.paths.map { path -> [Substring] in
      let path = FolderOptions.path(path, below: options.root)
      let folder = path.hasSuffix(".swift") ? Path.folder(of: path) : path
      return folder.split(separator: "/", omittingEmptySubsequences: false)
    }
    var common = folders.first ?? []
    for folder in folders.dropFirst() {
      common = Array(zip(common, folder).prefix { $0 == $1 }.map(\.0))
    }
    return common.isEmpty ? "." : common.joined(separator: "/")
  }

  /// - Parameter trees: Where the app's project may be. The first tree that has deployment targets counts.
  func adoption(_ trees: [SourceTree]) -> Adoption.Options {
    var configuration = Configuration()
    configuration.platforms =
      trees.lazy.map { BuildSettings($0.buildSettings).platforms }.first { !$0.isEmpty } ?? [:]
    if let platform = options.conditions.platform {
      configuration.platforms = configuration.platforms.filter { $0.key.rawValue == platform }
    }
    var adoption = Adoption.Options(
      plan: options.plan, container: options.container.map { .at($0) } ?? .only,
      keepsClasses: !options.moveModels,
      conditions: options.conditions.build.adapted(to: configuration)[0])
    adoption.platforms = configuration.platforms
    return adoption
  }

  func report(
    _ findings: [Diagnostic], _ sources: [String: String], isVerbose: Bool = false
  ) {
    let report = AdoptionReport(findings, isVerbose: isVerbose || options.verbose)
    let text = TextReport(sources: sources, terminal: Output.terminal(.output))
    Output.write(text.render(report.first) + text.render(report.others))
    let summary = TextReport.summary(findings)
    if !summary.isEmpty { Output.write(summary + "\n") }
    if report.omitted > 0 {
      Output.write("--verbose shows \(report.omitted) more of the same kind\n")
    }
  }

  private func leaveAlone(_ adopt: SourceAdoption) throws {
    do throws(FileSystemError) {
      guard let obstacle = try adopt.obstacle(Disk()) else { return }
      let isCode = obstacle.hasSuffix(".swift")
      throw FileSystemError(
        path: obstacle,
        reason: "it exists already: move it away, or write elsewhere with "
          + (isCode ? "--output" : "--schemas; 'schemagen detect' says what a manifest lacks"))
    } catch {
      Output.report(error)
      Output.error("schemagen: nothing was written")
      throw ExitCode(2)
    }
  }

  private func write(_ adopt: SourceAdoption, in folder: String) throws {
    do throws(FileSystemError) {
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
  func summary(isDryRun: Bool) -> String {
    let errors = questions.count { $0.severity == .error }
    return counted(versions.count, "version")
      + (folders.count == 1 ? "" : " of \(counted(folders.count, "store"))")
      + (isDryRun ? " would be adopted" : " adopted")
      + (errors == 0
        ? ""
        : isDraft
          ? " as a draft, \(counted(errors, "error")) to correct"
          : ", \(counted(errors, "question")) to answer")
  }

  /// If more than this number of versions of older releases are added, the cost of the versions is mentioned.
  private static let many = 8

  /// The text after an adoption: the adopted versions, and what to do next.
  ///
  /// - Parameter remark: Which releases were read.
  func closing(_ remark: String, isDryRun: Bool, folder: String, sources: String) -> String {
    var text = "\n"
    var heading = folders.count == 1 ? folders.first : nil
    for version in versions {
      if version.folder != heading {
        text += (heading == nil ? "" : "\n") + "\(version.folder):\n"
        heading = version.folder
      }
      let models = version.models == 1 ? "1 model" : "\(version.models) models"
      text += "\(version.number.name): \(version.written), \(models)"
      text +=
        version.releases.isEmpty
        ? "\n" : ", \(version.hasShipped ? "shipped in" : "as of") \(version.releases)\n"
      if version.isNew {
        text += "    not in the plan until now, so its stores did not open (error 134504)\n"
      }
      if version.isBeside {
        text +=
          "    from another branch, and newer than all releases that led to this commit, so it is treated as older than today's models; if today's models build on this version, merge its branch first\n"
      }
      if let change = version.change { text += "    then \(change)\n" }
    }
    text += "\n\(remark)\n"
    let added = versions.count { $0.isOfTag }
    if added > Self.many {
      text +=
        "\(added) versions are from older releases, and each adds its classes to the app; to leave the oldest out: --since TAG\n"
    }
    if !unclearReleases.isEmpty {
      text += "schemagen cannot tell what these releases stored, so they have no version:\n"
      text += unclearReleases.map { "  \($0.visibleInOneLine)\n" }.joined()
      text +=
        "  'schemagen doctor STORE' shows whether a version opens a store that such a release wrote\n"
    }
    guard !isDryRun else { return text }
    // Without an option, commands use the folder 'Schemas' and its subfolders.
    let all = folder == "Schemas" ? "" : folders.map(ShellWord.schemas).joined()
    let newest = folders.compactMap { folder in versions.last { $0.folder == folder } }
    text += "\nnext:\n"
    if isDraft {
      text +=
        "  correct the errors in the manifests, and the same errors in the classes: until then nothing is generated\n"
    }
    for version in newest {
      let shipped = versions.last { $0.folder == version.folder && $0.hasShipped }
      let name = (shipped ?? version).number.name
      text += "  schemagen release \(name)\(ShellWord.schemas(version.folder))\n"
      text +=
        shipped.map {
          $0.number == version.number
            ? "    records that the version and all before it have shipped\n"
            : "    records that the version and all before it have shipped; no tag has \(version.number.name)\n"
        }
        ?? (newest.count == versions.count
          ? "    records that the version has shipped; if it has not, remove 'identity: shipped' from its manifest instead\n"
          : "    records what has shipped; if the newest version has not shipped, name the newest one that has\n")
    }
    if questions.hasErrors, !isDraft, !newest.allSatisfy(\.hasShipped) {
      text += "  in the manifests, answer the questions about versions that have not shipped\n"
    }
    text += "  schemagen generate\(all)\n"
    if !replaced.isEmpty {
      for folder in folders {
        text += "  schemagen adopt --finish\(sources)\(ShellWord.schemas(folder))\n"
      }
      text +=
        "    removes or lists what is generated now: \(replaced.joined(separator: ", "))\n"
    }
    if !plainContainers.isEmpty {
      let places = plainContainers.map { "\($0.file):\($0.line)" }.joined(separator: ", ")
      text +=
        "  open the store with the plan, 'ActiveSchema.container(configurations: […])': \(places)\n"
        + "    until then the plan does not run on devices\n"
    }
    if folders.count > 1 {
      text +=
        "  put each store's files into a separate module: some have the same names\n"
    }
    return text
  }
}

extension ReleasedModels {
  /// Which releases were read, one sentence per line.
  ///
  /// - Parameter since: The oldest release that was read; nil if none were left out.
  fileprivate func remark(isOfCommits: Bool, since: String?) -> String {
    var sentences: [String] = []
    let otherTags = otherTags.map(\.visibleInOneLine)
    let laterTags = laterTags.map(\.visibleInOneLine)
    if commits == 0 {
      sentences.append(
        !laterTags.isEmpty
          ? "no release's tag is on this commit or before it"
          : otherTags.isEmpty
            ? "this repository has no tags: if an earlier release stored other models, adopt with --history --since COMMIT"
            : "no tag looks like a release's (\(otherTags.firstThree)): name the oldest one (--since TAG)"
      )
    } else {
      sentences.append("\(counted(commits, isOfCommits ? "commit" : "release")) read")
      if !otherTags.isEmpty, !isOfCommits {
        sentences.append("tags that are not taken for releases: \(otherTags.firstThree)")
      }
    }
    if let since {
      sentences.append(
        "left out: what is older than \(since.visibleInOneLine). Older stores open only if one of the versions above has their models (otherwise error 134504)"
      )
    }
    if !laterTags.isEmpty {
      sentences.append("left out: \(laterTags.firstThree), which came after this commit")
    }
    if isShallow {
      sentences.append(
        "this clone is shallow, and lacks older commits and their tags: git fetch --unshallow --tags"
      )
    }
    if !unread.isEmpty {
      sentences.append("not read: \(unread.map(\.visibleInOneLine).firstThree)")
    }
    return sentences.joined(separator: "\n")
  }
}
