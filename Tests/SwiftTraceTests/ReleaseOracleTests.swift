import Foundation
import ManagedModels
import SchemaEvolution
import SchemaGit
import SchemaModel
import TestSupport
import Testing

@testable import SwiftAdoption
@testable import SwiftSources
@testable import SwiftTrace

/// Random histories, and the versions that an adoption at their end makes from tags: those of `adopt`, and those
/// computed from what each tagged commit contains.
///
/// `RELEASE_HISTORIES` is the number of histories.
@Suite struct ReleaseOracleTests {
  private static let count =
    ProcessInfo.processInfo.environment["RELEASE_HISTORIES"].flatMap { Int($0) } ?? 20

  @Test(
    "An adoption has one version for each set of models that a tag stored")
  func oracle() throws {
    let failures = Locked<[String]>([])
    let counts = Locked<(adopted: Int, added: Int)>((0, 0))
    // Two have a release between two versions that store the same; one has unlisted classes beside another app's
    // versions.
    let seeds = (0..<Self.count).map { 5000 + $0 } + [5260, 5439, 5046]
    DispatchQueue.concurrentPerform(iterations: seeds.count) { place in
      let seed = seeds[place]
      do {
        let found = try Self.check(seed: seed) { text in
          failures.withLock { $0.append("seed \(seed): \(text)") }
        }
        counts.withLock { $0 = ($0.adopted + (found == nil ? 0 : 1), $0.added + (found ?? 0)) }
      } catch {
        failures.withLock { $0.append("seed \(seed): \(error)") }
      }
    }
    for failure in failures.withLock({ $0.sorted() }).prefix(20) { Issue.record("\(failure)") }
    let (adopted, added) = counts.withLock { $0 }
    print("releases: \(adopted) adopted, \(added) versions added")
    #expect(adopted > Self.count / 3)
    #expect(added > adopted)
  }

  /// The number of versions that tags added; nil if the history's end cannot be adopted.
  private static func check(seed: Int, _ fail: (String) -> Void) throws -> Int? {
    let history = TraceHistory(seed: seed)
    let last = history.commits.count - 1
    let app = history.commits[last].apps[0]
    guard app.form != .manifests, !app.isBroken else { return nil }
    return try withTemporaryFolder { folder in
      let repository = try history.write(to: folder + "/repository")
      let git = try GitRepository(containing: repository.folder)
      let home = history.commits[last].apps.count > 1 ? "One" : app.folder
      let released = try ReleasedModels(of: git, .releases, conditions: BuildConditions())
      let files = history.files(last).filter {
        $0.key.hasPrefix(home + "/") && $0.key.hasSuffix(".swift")
      }.map { SourceFile(path: $0.key, text: $0.value) }
      var reader = SourceReader(files) { _ in [] }
      var options = Adoption.Options(container: .only, keepsClasses: true)
      let before = reader.adoption(options)
      options.released = released
      options.releaseFolders = [home]
      let adoption = reader.adoption(options)
      guard !adoption.findings.contains(where: \.endsAdoption) else { return nil }
      let made = adoption.history.map { VersionModel($0).model.versionHashes }
      let old = before.history.map { VersionModel($0).model.versionHashes }
      if made.count - Set(made).count > old.count - Set(old).count {
        fail("two versions store the same")
      }
      if adoption.history.map(\.number) != adoption.history.map(\.number).sorted() {
        fail("the numbers do not rise: \(adoption.history.map(\.number.name))")
      }
      var known = Set(old)
      for (place, commit) in history.commits.enumerated() where commit.tag != nil {
        guard let stored = history.stored(by: commit.apps[0])?.versionHashes else { continue }
        known.insert(stored)
        // With two apps side by side it may be unclear, which is reported.
        let isUnclear =
          commit.apps.count > 1
          && adoption.unclearReleases.contains { $0.releases.contains { $0.name == commit.tag } }
        if !made.contains(stored), !isUnclear { fail("what commit \(place) stored is no version") }
      }
      for (version, hashes) in zip(adoption.history, made) where !known.contains(hashes) {
        fail("\(version.number.name) is no version of any tag")
      }
      if made.last != old.last { fail("the newest version is another") }
      return made.count - before.history.count
    }
  }
}
