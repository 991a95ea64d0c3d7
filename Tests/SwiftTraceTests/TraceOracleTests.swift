import Foundation
import SchemaEvolution
import SchemaGit
import SchemaManifest
import SchemaModel
import SchemaWorkspace
import StoreEngine
import StoreFormat
import StoreTools
import TestSupport
import Testing

@testable import ManagedModels
@testable import SwiftAdoption
@testable import SwiftSources
@testable import SwiftTrace

/// Random histories, and the commits that could have written a store: those of `trace`, and those computed from what
/// each commit contains.
///
/// `TRACE_HISTORIES` is the number of histories.
@Suite struct TraceOracleTests {
  private static let count =
    ProcessInfo.processInfo.environment["TRACE_HISTORIES"].flatMap { Int($0) } ?? 20

  private struct Counts: Sendable {
    var histories = 0
    var commits = 0
    var stores = 0
    var found = 0
    var absent = 0
    var unclear = 0
    var manifests = 0
    var ranges = 0
  }

  @Test("A trace names exactly the commits that wrote the store's models")
  func oracle() throws {
    let all = Locked(Counts())
    let failures = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: Self.count) { place in
      do {
        let counts = try Self.check(seed: 1000 + place) { text in
          failures.withLock { $0.append(text) }
        }
        all.withLock { all in
          all.histories += 1
          all.commits += counts.commits
          all.stores += counts.stores
          all.found += counts.found
          all.absent += counts.absent
          all.unclear += counts.unclear
          all.manifests += counts.manifests
          all.ranges += counts.ranges
        }
      } catch {
        failures.withLock { $0.append("seed \(1000 + place): \(error)") }
      }
    }
    for failure in failures.withLock({ $0.sorted() }).prefix(20) { Issue.record("\(failure)") }
    let counts = all.withLock { $0 }
    print("trace: \(counts)")
    #expect(counts.histories == Self.count)
    #expect(counts.found > Self.count)
    #expect(counts.absent >= Self.count)
    #expect(counts.manifests > 0 && counts.ranges > 0)
  }

  private static func check(
    seed: Int, _ fail: (String) -> Void
  ) throws -> Counts {
    let history = TraceHistory(seed: seed)
    var counts = Counts()
    counts.commits = history.commits.count
    // What each commit stores: from its parts, and from an adoption of a full checkout.
    var stored: [Int: [ManagedModel]] = [:]
    var known: [(app: TraceHistory.App, model: ManagedModel?)] = []
    for (place, commit) in history.commits.enumerated() {
      for app in commit.apps {
        let model: ManagedModel?
        if let found = known.first(where: { $0.app == app }) {
          model = found.model
        } else {
          model = history.stored(by: app)
          known.append((app, model))
          let read = checkout(app)
          if let model, read != model.versionHashes {
            fail("seed \(seed), commit \(place): the checkout is read as something else")
          }
        }
        if let model { stored[place, default: []].append(model) }
      }
    }
    try withTemporaryFolder { folder in
      let repository = try history.write(to: folder + "/repository")
      let git = try GitRepository(containing: repository.folder)
      let commits = try CommitHistory(of: git)
      // Commits by their numbers from the generator.
      let numbers = commits.commits.map { Int($0.subject.dropFirst("Commit ".count)) ?? -1 }
      var random = SplitMix64(seed: UInt64(seed))
      var models = (0..<3).compactMap { _ in
        stored[random.below(history.commits.count)].map { random.pick($0) }
      }
      // A model that no commit has stored.
      var other = try #require(stored.values.first?.first)
      other.entities[0].attributes.append(
        ManagedAttribute(name: "never", type: .double, isOptional: true))
      models.append(other)
      for (number, model) in models.enumerated() {
        let path = "\(folder)/\(number).store"
        try StoreFile(at: .file(URL(filePath: path))).create(model)
        let facts = try StoreFacts(ofStoreAt: URL(filePath: path))
        let subject = try #require(TraceSubject(facts))
        let place = "seed \(seed), store \(number)"
        if subject.hashes != model.versionHashes.entities { fail("\(place): other hashes") }
        let reading = try StoreTrace.Reading(
          commits, in: git, of: subject, conditions: BuildConditions())
        let trace = StoreTrace(
          path: path, facts: facts, subject: subject, history: commits, reading: reading,
          folders: [])
        counts.stores += 1

        let truth = Set(
          stored.filter { $0.value.contains { $0.versionHashes == model.versionHashes } }.keys)
        let written = Self.commits(reading, numbers) { $0.kind == .same && $0.role == .current }
        if !written.isSubset(of: truth) {
          fail("\(place): wrongly \(written.subtracting(truth).sorted()) of \(truth.sorted())")
        }
        let unclear = Self.commits(reading, numbers) { $0.kind == .unclear && $0.role == .current }
        let missed = truth.subtracting(written).subtracting(unclear)
        if !missed.isEmpty { fail("\(place): \(missed.sorted()) of \(truth.sorted()) missed") }
        let open = truth.subtracting(written)
        counts.unclear += open.count
        if !open.isEmpty, history.commits[0].apps.count == 1 {
          fail("\(place): of \(open.sorted()) it can be told")
        }
        if trace.writers.isEmpty { counts.absent += 1 } else { counts.found += 1 }
        Self.check(trace, commits, written, numbers, { fail("\(place): \($0)") })
        counts.ranges += trace.writers.count
        guard !written.isEmpty else { continue }
        guard let missing = trace.missing else {
          fail("\(place): no manifest")
          continue
        }
        counts.manifests += 1
        let version = ManifestReader().read(
          SourceFile(path: missing.file, text: missing.text)
        ).version
        if version.map({ VersionModel($0).model.versionHashes }) != model.versionHashes {
          fail("\(place): the manifest has other hashes")
        }
      }
    }
    return counts
  }

  private static func commits(
    _ reading: StoreTrace.Reading, _ numbers: [Int], where isWanted: (TraceJudgement) -> Bool
  ) -> Set<Int> {
    Set(
      reading.partsOfCommit.indices.filter { commit in
        reading.partsOfCommit[commit].contains { reading.judgements[$0].contains(where: isWanted) }
      }.map { numbers[$0] })
  }

  /// Ranges and tags, from the ancestors of each commit.
  private static func check(
    _ trace: StoreTrace, _ commits: CommitHistory, _ written: Set<Int>, _ numbers: [Int],
    _ fail: (String) -> Void
  ) {
    let members = Set(commits.commits.indices.filter { written.contains(numbers[$0]) })
    var ancestors: [Set<Int>] = []
    for commit in commits.commits {
      ancestors.append(
        commit.parents.reduce(into: []) { $0.formUnion(ancestors[$1].union([$1])) })
    }
    var rest = members
    if trace.writers.reduce(0, { $0 + $1.commits }) != members.count {
      fail("ranges have another number of commits")
    }
    let places = Dictionary(uniqueKeysWithValues: commits.commits.enumerated().map { ($1.id, $0) })
    for range in trace.writers {
      var own = Set(range.last.compactMap { places[$0.id] })
      var grew = true
      while grew {
        let more = members.filter { place in
          !own.contains(place)
            && (commits.commits[place].parents.contains(where: own.contains)
              || own.contains { commits.commits[$0].parents.contains(place) })
        }
        grew = !more.isEmpty
        own.formUnion(more)
      }
      if own.count != range.commits || !own.isSubset(of: rest) { fail("a range is not whole") }
      rest.subtract(own)
      let tagged = Set(commits.tags.keys)
      if Set(range.tags) != Set(own.flatMap { commits.tags[$0] ?? [] }) { fail("tags on a range") }
      let behind = own.reduce(into: Set<Int>()) { $0.formUnion(ancestors[$1]) }.subtracting(own)
        .intersection(tagged)
      let before = behind.filter { tag in !behind.contains { ancestors[$0].contains(tag) } }
      if Set(range.tagsBefore) != Set(before.flatMap { commits.tags[$0] ?? [] }) {
        fail("tags before a range: \(range.tagsBefore)")
      }
      let ahead = commits.commits.indices.filter { place in
        tagged.contains(place) && !own.contains(place) && !ancestors[place].isDisjoint(with: own)
      }
      let after = ahead.filter { tag in !ahead.contains { ancestors[tag].contains($0) } }
      if Set(range.tagsAfter) != Set(after.flatMap { commits.tags[$0] ?? [] }) {
        fail("tags behind a range: \(range.tagsAfter)")
      }
    }
    if !rest.isEmpty { fail("commits in no range") }
  }

  /// The hashes of an app, from an adoption of all its files.
  private static func checkout(_ app: TraceHistory.App) -> VersionHashes? {
    guard !app.isBroken else { return nil }
    if app.form == .manifests {
      let disk = MemoryDisk(app.files)
      let folder = SchemaFolder.read(app.folder + "/Schemas", fileSystem: disk)
      return ManifestFolder(folder)?.candidates.last?.model.versionHashes
    }
    let files = app.files.map { SourceFile(path: $0.key, text: $0.value) }
      .filter { $0.path.hasSuffix(".swift") }
    var reader = SourceReader(files) { _ in [] }
    let adoption = reader.adoption(Adoption.Options(container: .only, keepsClasses: true))
    return adoption.history.last.map { VersionModel($0).model.versionHashes }
  }
}
