public import Foundation
internal import StoreFormat

/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable, CustomStringConvertible {
  /// The current phase.
  public let phase: Phase
  /// The stage that is running; `nil` unless the phase is `migrating`.
  public let stage: Stage?
  /// The number of rows that the stage has processed; `nil` if the stage does not report it.
  public let rowsDone: Int?
  /// The number of rows that the stage will process; `nil` if it is unknown.
  public let rowsTotal: Int?
  /// The fraction of the migration that is completed, from 0 to 1. It never decreases. It does not change while this
  /// process waits for another process, or while a backup is restored.
  public let fraction: Double
  /// The fraction of this phase that is completed, from 0 to 1, even while a backup is restored; `nil` if it is
  /// unknown.
  public let phaseFraction: Double?
  /// The number of bytes of the database that were copied or checked, while it is backed up or restored.
  public let bytesDone: Int64?
  /// The number of bytes to copy or check.
  public let bytesTotal: Int64?
  /// An estimate of the seconds that this phase still needs; `nil` if there is none yet.
  public let timeLeft: TimeInterval?

  /// A phase of a migration.
  public enum Phase: String, Sendable, Hashable {
    /// Checks the store.
    case checking
    /// Copies the store to its new place.
    case moving
    /// Waits for another process that uses the store or its backups.
    case waiting
    /// Backs the store up.
    case backingUp
    /// Opens the store, which runs its stages.
    case migrating
    /// Counts and checks the store's rows.
    case validating
    /// Restores the backup after a failure.
    case restoring
    /// The store is open.
    case done
  }

  /// A stage among those that a store needs.
  public struct Stage: Sendable, Hashable {
    /// The stage's number, counted from 1.
    public let number: Int
    /// The number of stages.
    public let count: Int
    /// The stage's title in the plan.
    public let title: String
    /// The stage's kind, which shows whether the app's code runs.
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

/// Turns events into progress that never decreases, and passes the progress on.
///
/// Stages report from any thread.
final class ProgressTracker: @unchecked Sendable {
  private let lock = NSLock()
  private let report: @Sendable (MigrationProgress) -> Void
  private let observer: (any MigrationObserver)?
  private let now: @Sendable () -> Date
  private var began: Date
  private var part: Double?
  private var bytes: (done: Int64, total: Int64)?
  private var phase = MigrationProgress.Phase.checking
  private var fraction = 0.0
  private var stages: [MigrationPlanDescription.Stage] = []
  private var counts: [String: Int] = [:]
  private var position = 0
  private var rows: [String: Int] = [:]
  private var failed: (title: String, reason: String)?

  /// An estimate of the fractions at which each phase begins and ends: how long copying takes compared with migrating
  /// is unknown in advance.
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

  func during<Result>(
    _ phase: MigrationProgress.Phase, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let before = lock.withLock { self.phase }
    enter(phase)
    let result = try await body()
    enter(before)
    return result
  }

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
        // A restore checks the copy against the sidecar while it copies, so no checking follows.
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

  private var timeLeft: TimeInterval? {
    let spent = now().timeIntervalSince(began)
    // An earlier estimate would be unreliable.
    guard let part, part >= 0.05, spent > 0 else { return nil }
    return spent / part * (1 - part)
  }

  func hear(_ event: MigrationActivity.Event) {
    lock.withLock {
      // The event may be from another store, if SwiftData runs that store's stage on a thread of its own.
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

  /// The number of all rows of the entities that the stage has reported; `nil` if a count is missing.
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

  /// Passes progress on. Call this under the lock, so that progress arrives in order.
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
