import ArgumentParser
import CodeFirst
import CommandLineSupport
import Foundation
import SchemaGit
import SchemaModel
import SchemaWorkspace
import StoreTools
import SwiftSources
import SwiftTrace

struct CheckCommand: ParsableCommand {
  static let configuration = CheckOptions.configuration

  @OptionGroup var options: CheckOptions

  func run() throws {
    var check = try options.checkManifests(KeptStoreReview.check)
    let paths = (options.paths.isEmpty ? ["."] : options.paths).map(options.folders.resolve)
    // With broken manifests, it is unknown what the Swift code must contain.
    if options.staged, !check.isMalformed {
      try readStaged(paths, &check)
    } else {
      read(
        paths, &check,
        against: options.base.against.flatMap { BaseSwift(against: $0, below: paths) })
      readReleases(&check)
    }
    try options.deliver(check)
  }

  private func read(
    _ paths: [String], _ check: inout ProjectCheck, place: (String) -> String = { $0 },
    against base: BaseSwift? = nil
  ) {
    check.readSwift(
      paths, conditions: options.conditions.build, today: options.day.today, fileSystem: Disk(),
      place: place, against: base, progress: WorkProgress(isQuiet: options.reporting.quiet).show)
  }

  private func readReleases(_ check: inout ProjectCheck) {
    for checked in check.folders where !checked.isRemoved && !check.isMalformed {
      let folder = SchemaFolder.read(checked.path, fileSystem: Disk())
      guard
        let history = ReleaseHistory(of: folder, conditions: options.conditions.build)
      else { continue }
      let levels = RuleLevels(checked.judged, in: checked.path)
      check.add(
        levels.apply(to: history.findings(in: folder)), silenced: [], sources: [:], count: 0,
        moved: [], isMalformed: false)
    }
  }

  /// Checks staged Swift files in a copy, because Swift is read from the disk.
  private func readStaged(_ paths: [String], _ check: inout ProjectCheck) throws {
    let files = FileManager.default
    let start = files.currentDirectoryPath
    let copy = files.temporaryDirectory.appending(path: "schemagen-\(UUID().uuidString)").path
    defer {
      _ = files.changeCurrentDirectoryPath(start)
      try? files.removeItem(atPath: copy)
    }
    let root = options.folders.resolve(".")
    let changes = try StagedChanges(near: root)
    // Enter the folder of the copy that corresponds to the working folder, so reported paths stay the same.
    let here = changes.path(of: start)
    func place(_ path: String) -> String {
      guard here == nil || path.hasPrefix("/"), let inside = changes.path(of: path) else {
        return path
      }
      let depth = (here ?? "").split(separator: "/").count
      return Path.normalized(String(repeating: "../", count: depth) + inside)
    }
    let folders = check.folders.filter { !$0.isRemoved }.map(\.path)
    try changes.checkOut(to: copy, below: root)
    let target = Path.join(copy, here ?? "")
    try? files.createDirectory(atPath: target, withIntermediateDirectories: true)
    guard files.changeCurrentDirectoryPath(target) else {
      throw GitFailure("'\(target)' cannot be entered")
    }
    if SourceTree(folders: [copy]).files(containing: Prefilter(["@Model"])).files.isEmpty {
      // If generated files are not committed, the copy lacks their classes.
      for folder in folders.map(place) {
        try? GenerationPipeline(fileSystem: Disk()).run(folder).write(to: Disk())
      }
    }
    read(paths.map(place), &check, place: place)
  }
}

struct StatusCommand: ParsableCommand {
  static let configuration = StatusOptions.configuration

  @OptionGroup var options: StatusOptions

  func run() throws {
    try options.show { check in
      guard check.classes != nil else { return .generated }
      let folder = SchemaFolder.read(check.path, fileSystem: Disk())
      guard
        let snapshot = Snapshot.take(
          folder, conditions: options.conditions.build, fileSystem: Disk())
      else { return .generated }
      if snapshot.isRefused { return .refused }
      let demands = snapshot.differences.filter { $0.severity == .error }.compactMap(\.element)
      return .compared(
        snapshot.changes.isEmpty ? demands : snapshot.changes.map { "\($0.element): \($0.what)" })
    }
  }
}
