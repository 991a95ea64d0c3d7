public import Foundation
internal import StoreFormat

/// How far a migration has come.
public struct MigrationProgress: Sendable, Hashable, CustomStringConvertible {
  /// What is being done.
  public let phase: Phase
  /// The stage that is being run; only while migrating.
  public let stage: Stage?
  /// How many rows have been looked at, where the stage tells.
  public let rowsDone: Int?
  /// How many there are, where that is known.
  public let rowsTotal: Int?
  /// From 0 to 1; never less than before. It stays where it is while another process is waited for or a backup is put
  /// back.
  public let fraction: Double
  /// How far this phase alone has come, from 0 to 1, where that is known; also while a backup is put back.
  public let phaseFraction: Double?
  /// How many bytes of the database were copied or checked, while it is backed up or put back.
  public let bytesDone: Int64?
  /// How many there are.
  public let bytesTotal: Int64?
  /// How many seconds this phase may still take, going by its first part; `nil` where nobody can tell.
  public let timeLeft: TimeInterval?

  /// What is being done.
  public enum Phase: String, Sendable, Hashable {
    /// The store is looked at.
    case checking
    /// It is copied to its new place.
    case moving
    /// Another process works with the store or its backups, and this one waits.
    case waiting
    /// It is copied.
    case backingUp
    /// It is opened, and its stages run.
    case migrating
    /// Its rows are counted and looked at.
    case validating
    /// It failed, and the backup is put back.
    case restoring
    /// The store can be used.
    case done
  }

  /// A stage of those that a store has before it.
  public struct Stage: Sendable, Hashable {
    /// Which one it is, counted from 1.
    public let number: Int
    /// How many there are.
    public let count: Int
    /// What the plan calls it.
    public let title: String
    /// Whether the app's own code runs in it.
    public let kind: MigrationPlanDescription.Stage.Kind
  }

  /// A line for people.
  public var description: String {
    switch phase {
    case .checking: return "Checking the data"
    case .moving: return "Moving the data"
    case .waiting: return "Waiting for another process that uses the data"
    case .backingUp: return "Backing up"
    case .validating: return "Checking the result"
    case .restoring: return "Restoring the backup"
    case .done: return "Done"
    case .migrating:
      guard let stage else { return "Updating" }
      let rows = rowsDone.map { done in
        rowsTotal.map { ", \(done) of \($0) rows" } ?? ", \(done) rows"
      }
      return "Step \(stage.number) of \(stage.count): \(stage.title)\(rows ?? "")"
    }
  }
}

/// Turns what happens into progress that never goes back, and hands it on.
///
/// Stages report from any thread.
final class ProgressTracker: @unchecked Sendable {
  private let lock = NSLock()
  private let report: @Sendable (MigrationProgress) -> Void
  private let observer: (any MigrationObserver)?
  private let now: @Sendable () -> Date
  private var began: Date
  /// How far the phase has come, where that is known.
  private var part: Double?
  private var bytes: (done: Int64, total: Int64)?
  private var phase = MigrationProgress.Phase.checking
  private var fraction = 0.0
  private var stages: [MigrationPlanDescription.Stage] = []
  private var counts: [String: Int] = [:]
  private var position = 0
  /// Rows by entity that the stage has reported.
  private var rows: [String: Int] = [:]
  private var failed: (title: String, reason: String)?

  /// Where each phase begins and ends, as a guess: how long copying takes compared with migrating is not known before.
  private static func span(_ phase: MigrationProgress.Phase) -> (from: Double, to: Double) {
    switch phase {
    case .checking, .moving: (0, 0.02)
    case .backingUp: (0.02, 0.3)
    case .migrating: (0.3, 0.9)
    case .validating: (0.9, 1)
    case .waiting, .restoring: (0, 0)
    case .done: (1, 1)
    }
  }

  init(
    observer: (any MigrationObserver)?, now: @escaping @Sendable () -> Date,
    _ report: @escaping @Sendable (MigrationProgress) -> Void
  ) {
    self.report = report
    self.observer = observer
    self.now = now
    began = now()
  }

  /// The stage that said why it failed.
  var failure: (title: String, reason: String)? { lock.withLock { failed } }

  func enter(_ phase: MigrationProgress.Phase) {
    lock.withLock {
      begin(phase)
      tell(within: 0)
    }
  }

  func end(_ event: MigrationEvent) {
    lock.withLock {
      if hasBegun, phase != .done {
        observer?.migration(.ended(phase, now().timeIntervalSince(began)))
      }
      observer?.migration(event)
    }
  }

  private var hasBegun = false

  private func begin(_ phase: MigrationProgress.Phase) {
    let moment = now()
    if hasBegun { observer?.migration(.ended(self.phase, moment.timeIntervalSince(began))) }
    hasBegun = true
    self.phase = phase
    began = moment
    part = nil
    bytes = nil
    if phase != .done { observer?.migration(.began(phase)) }
  }

  /// Enters a phase for as long as `body` takes, and then the one before.
  func during<Result>(
    _ phase: MigrationProgress.Phase, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let before = lock.withLock { self.phase }
    enter(phase)
    let result = try await body()
    enter(before)
    return result
  }

  /// Prepares for stages that run on a store with so many rows of each entity.
  func migrate(
    _ stages: [MigrationPlanDescription.Stage], _ counts: [String: Int]
  ) {
    lock.withLock {
      self.stages = stages
      self.counts = counts
      position = 0
      rows = [:]
      failed = nil
      begin(.migrating)
      tell(within: 0)
    }
  }

  func backUp(_ progress: BackupProgress) {
    lock.withLock {
      bytes =
        progress.activity == .copyingExternalFiles ? nil : (progress.completed, progress.total)
      let part = progress.total > 0 ? Double(progress.completed) / Double(progress.total) : 0
      let within =
        switch (progress.activity, phase) {
        // Nothing is checked after that: it is held against the sidecar while it is copied.
        case (.copying, .restoring): part * 0.9
        case (.copyingExternalFiles, .restoring): 0.9 + part * 0.1
        case (.copying, _): part * 0.5
        case (.copyingExternalFiles, _): 0.5 + part * 0.1
        case (.checking, _): 0.6 + part * 0.4
        }
      self.part = within
      tell(within: within)
    }
  }

  func validate(_ done: Int, of total: Int) {
    lock.withLock {
      let within = total > 0 ? Double(done) / Double(total) : 1
      part = within
      tell(within: within)
    }
  }

  /// The phase's remaining seconds.
  private var timeLeft: TimeInterval? {
    let spent = now().timeIntervalSince(began)
    // Before that, it is anybody's guess.
    guard let part, part >= 0.05, spent > 0 else { return nil }
    return spent / part * (1 - part)
  }

  func hear(_ event: MigrationActivity.Event) {
    lock.withLock {
      // A stage of another store that is opened meanwhile, on a thread of SwiftData's.
      guard phase == .migrating else { return }
      switch event {
      case .began(let title):
        rows = [:]
        if let found = stages.indices.first(where: { stages[$0].title == title && $0 >= position })
        {
          position = found
        }
      case .rows(let done, let entity): rows[entity] = max(done, rows[entity] ?? 0)
      case .ended(let title):
        rows = [:]
        if position + 1 < stages.count, stages[position].title == title { position += 1 }
      case .failed(let title, let reason): failed = (title, reason)
      }
      tell(within: stages.isEmpty ? 0 : (Double(position) + partOfStage) / Double(stages.count))
    }
  }

  /// All rows of the entities that the stage has reported.
  private var total: Int? {
    rows.isEmpty
      ? nil
      : rows.keys.reduce(Int?(0)) { sum, entity in
        counts[entity].flatMap { count in sum.map { $0 + count } }
      }
  }

  private var partOfStage: Double {
    guard let total, total > 0 else { return 0 }
    return min(1, Double(rows.values.reduce(0, +)) / Double(total))
  }

  /// Called under the lock, so that progress is handed on in order.
  private func tell(within part: Double) {
    let span = Self.span(phase)
    fraction = max(fraction, span.from + (span.to - span.from) * min(1, max(0, part)))
    let isMigrating = phase == .migrating && stages.indices.contains(position)
    let stage = isMigrating ? stages[position] : nil
    report(
      MigrationProgress(
        phase: phase,
        stage: stage.map {
          MigrationProgress.Stage(
            number: position + 1, count: stages.count, title: $0.title, kind: $0.kind)
        },
        rowsDone: isMigrating && !rows.isEmpty ? rows.values.reduce(0, +) : nil,
        rowsTotal: isMigrating ? total : nil, fraction: fraction, phaseFraction: self.part,
        bytesDone: bytes?.done, bytesTotal: bytes?.total, timeLeft: timeLeft))
  }
}
