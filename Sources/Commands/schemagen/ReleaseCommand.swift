import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaEvolution
import SchemaGit
import SchemaModel
import SchemaWorkspace
import StoreTools

struct ReleaseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "release",
    abstract: "Mark a version, and all before it, as shipped: from then on they cannot change.",
    discussion: """
      Run it when you submit the build to TestFlight or the App Store, and commit the lock with the build's tag: from then \
      on devices can have stores of that version.
      Refuses a version whose manifest does not match the app's classes. If schemagen.yaml asks for approvals, it also \
      refuses a version with an unapproved loss.
      Exit status: 0 marked, or marked before; 2 something is in the way.
      """)

  @OptionGroup var folders: FolderOptions

  @Argument(
    help: ArgumentHelp("The version, such as V9; default: the newest.", valueName: "version"))
  var number: VersionNumber?

  @Option(
    help: ArgumentHelp(
      "Mark the versions that a git tag has, if they have not changed since the tag.",
      valueName: "tag"))
  var fromTag: String?

  @Option(
    help: ArgumentHelp(
      "A store of the version, written on a device: the lock's hashes are checked against it.",
      valueName: "file"), completion: .file())
  var store: String?

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if store != nil, fromTag != nil {
      throw ValidationError("'--store' and '--from-tag' exclude each other")
    }
    if number != nil, fromTag != nil {
      throw ValidationError("a version and '--from-tag' exclude each other")
    }
  }

  func run() throws {
    let disk = Disk()
    let paths = try folders.resolve(disk)
    try folders.checkOwner(of: store, among: paths.count)
    for path in paths { try run(path, disk) }
  }

  /// The hashes that the store proves; nil if the manifests cannot be read, which is reported elsewhere.
  private func proof(_ store: String, _ path: String, _ disk: Disk) throws -> StoreProof? {
    guard let evolution = SchemaFolder.read(path, fileSystem: disk).evolution else { return nil }
    let name = folders.resolve(store)
    do {
      return try StoreProof(storeAt: URL(filePath: name), of: number, in: evolution)
    } catch {
      Output.report(error, ofStoreAt: name, refused: "proves nothing")
      throw ExitCode(2)
    }
  }

  /// The version of the classes at a tag. If no manifest has that version, as after an edit without a snapshot, the
  /// version's manifest is written.
  ///
  /// Nil if the manifests at the tag have the version, or if the classes are missing at the tag or cannot be read.
  private func version(
    of tag: String, _ path: String, _ disk: Disk, hasManifests: Bool
  ) throws -> VersionNumber? {
    guard let history = try SourceExecutable.releases(of: path, tag: tag) else { return nil }
    if hasManifests, history.missing.isEmpty { return nil }
    for reason in history.lost + history.unclear { Output.error("schemagen: \(reason)") }
    if let missing = history.missing.first {
      try FileChange.creating([SourceFile(path: missing.file, text: missing.text)])
        .write(in: path, to: disk)
      Output.error("wrote \(missing.file), the models of \(missing.releases)")
      return VersionNumber(missing.version)
    }
    return history.releases.keys.first.flatMap { VersionNumber($0) }
  }

  private func warnOfOthers(_ path: String, _ disk: Disk) throws {
    guard let history = try SourceExecutable.releases(of: path) else { return }
    let folder = SchemaFolder.read(path, fileSystem: disk)
    let levels = RuleLevels(folder.configuration, in: path)
    let findings = levels.apply(to: history.findings(in: folder)).map { finding in
      var finding = finding
      // The findings are about earlier releases, so they do not stop the new one.
      if finding.severity == .error { finding.severity = .warning }
      return finding
    }
    Output.report(findings, sources: folder.sources)
  }

  /// Throws an error if the app's classes differ from the newest manifest, which would then be marked as shipped.
  private func compareClasses(_ folder: SchemaFolder, _ versions: [VersionNumber]) throws {
    let path = folder.path
    guard let classes = folder.configuration.classes, let newest = folder.versions.last?.number,
      versions.contains(newest) || number == nil
    else { return }
    guard SourceExecutable.isThere else {
      Output.error(
        """
        schemagen: '\(path)': \(newest.name) was not compared with the classes in '\(classes)': schemagen-sources was not found
          help: \(SourceExecutable.remedy)
        """)
      throw ExitCode(2)
    }
    let status = try SourceExecutable.status(
      ["snapshot", "--check", "--quiet", "--schemas", path], in: ".")
    guard status == 0 else {
      Output.error(
        """
        schemagen: '\(path)': \(newest.name) does not match the classes: nothing was marked as shipped
          help: for today's build, run 'schemagen snapshot\(ShellWord.schemas(path))', commit what it writes, and then release
          help: for an earlier build, name the tag that it was built from: schemagen release --from-tag TAG
        """)
      throw ExitCode(2)
    }
  }

  private func askForApprovals(
    _ folder: SchemaFolder, _ versions: [VersionNumber], _ disk: Disk
  ) throws {
    let path = folder.path
    var options = Linter.Options(today: .today)
    options.base = try ComparisonBase.approving(folder)
    let open = Linter(options, fileSystem: disk).run(path).losses.unapproved
      .filter { versions.contains($0.version) }
    guard !open.isEmpty else { return }
    for loss in open {
      Output.error(
        "schemagen: '\(path)': the loss of '\(loss.element)' in \(loss.version.name) is not approved: \(loss.words)"
      )
    }
    let names = Set(open.map(\.element.description)).sorted().map(ShellWord.quoted)
    Output.error(
      "  help: ask whoever owns '\(Path.join(path, Approvals.fileName))' to review the loss, and to run: "
        + "schemagen approve \(names.joined(separator: " "))\(ShellWord.schemas(path))"
        + (options.base.map { ", and to commit the file to \($0.authority?.name ?? $0.name)" } ?? "")
    )
    Output.summary("\(path): no version was marked")
    throw ExitCode(2)
  }

  private func run(_ path: String, _ disk: Disk) throws {
    let release: ReleaseMarking
    var ofTag: VersionNumber?
    if let fromTag {
      let base = try ComparisonBase(tag: fromTag, for: path)
      ofTag = try version(of: fromTag, path, disk, hasManifests: base.folder != nil)
      if let ofTag {
        release = ReleaseMarking.prepare(path, upTo: ofTag, fileSystem: disk)
      } else {
        release = ReleaseMarking.prepare(path, from: base, fileSystem: disk)
      }
    } else {
      let proven = try store.flatMap { try proof($0, path, disk) }
      release = ReleaseMarking.prepare(
        path, upTo: proven?.number ?? number, proving: proven?.hashes, fileSystem: disk)
    }
    Output.report(release.diagnostics, sources: release.sources)
    guard !release.diagnostics.hasErrors else { throw ExitCode(2) }
    // A tag's versions are on devices already, so it is too late to compare classes or to ask for approvals.
    if fromTag == nil {
      let folder = SchemaFolder.read(path, fileSystem: disk)
      try compareClasses(folder, release.versions)
      try askForApprovals(folder, release.versions, disk)
    }
    try release.write(to: disk)
    if fromTag == nil { try warnOfOthers(path, disk) }
    let names = release.versions.map(\.name).joined(separator: ", ")
    let nothing =
      release.deployed.map { "noted that production has everything that \($0.name) writes" }
      ?? ofTag.map { "\($0.name) has shipped, as later versions have; run: schemagen generate" }
      ?? "nothing to release"
    let released = "\(path): \(names.isEmpty ? nothing : "released \(names)")"
    if store != nil { Output.write(released + "\n") }
    if let proven = release.proven {
      Output.summary("\(path): the store proves the hashes of \(proven.name)")
    } else {
      Output.summary(
        store == nil ? released : "\(path): a store has proven these hashes before")
    }
  }
}
