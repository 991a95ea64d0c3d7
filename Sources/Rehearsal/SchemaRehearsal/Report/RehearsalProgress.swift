package import RehearsalHarness
internal import SchemaModel
internal import SchemaReporting

/// How far a rehearsal has come: rows in the order of its paths, whatever comes to its end first.
package struct RehearsalProgress: Sendable {
  /// What a row is of: a path, a kill test, or one of the user's stores.
  private struct Task: Hashable {
    var from = ""
    var to = ""
    var isKill = false
    var store: String?

    var title: String { store ?? "\(from) → \(to)" }
  }

  /// How many paths, kill tests and stores there are.
  package var total: Int { tasks.count }
  /// How many of them are over.
  package var done: Int { ended.count }
  private let tasks: [Task]
  private var ended: [Task: RehearsalEvent] = [:]
  private var shown = 0

  /// Of more than so many only those that fail have a row.
  private static let mostRows = 100

  /// - Parameters:
  ///   - kills: Whether there are kill tests.
  ///   - stores: The names of the user's.
  package init(_ plan: RehearsalPlan, kills: Bool, stores: [String] = []) {
    func name(_ version: Int) -> String { plan.versions[version].name }
    // Kill tests run first.
    tasks =
      (kills ? plan.kills : []).map { Task(from: name($0.from), to: name($0.to), isKill: true) }
      + plan.paths.map { Task(from: name($0.from), to: name($0.to)) }
      + stores.map { Task(store: $0) }
  }

  /// Takes what has come to its end, and gives the rows that can be shown now: none before the one above it.
  package mutating func take(_ event: RehearsalEvent) -> [String] {
    let task =
      event.store.map { Task(store: $0.name) }
      ?? Task(from: event.from, to: event.to, isKill: event.kills != nil)
    ended[task] = event
    var rows: [String] = []
    while shown < tasks.count, let event = ended[tasks[shown]] {
      if total <= Self.mostRows || event.failures > 0 { rows.append(row(tasks[shown], event)) }
      shown += 1
    }
    return rows
  }

  private func row(_ task: Task, _ event: RehearsalEvent) -> String {
    var remarks: [String] = []
    if let kills = event.kills {
      remarks.append("killed \(kills.count) times, with \(kills.rows) rows in the store")
    } else if let store = event.store, !event.from.isEmpty {
      remarks.append("\(event.from), \(counted(store.paths, "path"))")
    }
    if event.failures > 0 { remarks.append("fails") }
    let widths = tasks.filter { ($0.store == nil) == (task.store == nil) }.map(\.title.width)
    let space = String(repeating: " ", count: (widths.max() ?? 0) - task.title.width)
    return (event.failures == 0 ? "✓ " : "✗ ") + task.title
      + (remarks.isEmpty ? "" : space + "  " + remarks.joined(separator: ", "))
  }
}
