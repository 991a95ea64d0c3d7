package import RehearsalHarness
internal import SchemaModel
internal import SchemaReporting

/// The progress of a rehearsal as table rows. They are in the order of its tasks, whichever ends first.
package struct RehearsalProgress: Sendable {
  /// The task of a row: a path, a kill test, or one of the user's stores.
  private struct Task: Hashable {
    var from = ""
    var to = ""
    var isKill = false
    var store: String?

    var title: String { store ?? "\(from) → \(to)" }
  }

  package var total: Int { tasks.count }
  package var done: Int { ended.count }
  private let tasks: [Task]
  private var ended: [Task: RehearsalEvent] = [:]
  private var shown = 0

  /// If there are more tasks, only failing tasks have a row.
  private static let mostRows = 100

  package init(_ plan: RehearsalPlan, kills: Bool, stores: [String] = []) {
    func name(_ version: Int) -> String { plan.versions[version].name }
    // Kill tests run first.
    tasks =
      (kills ? plan.kills : []).map { Task(from: name($0.from), to: name($0.to), isKill: true) }
      + plan.paths.map { Task(from: name($0.from), to: name($0.to)) }
      + stores.map { Task(store: $0) }
  }

  /// Records a finished task, and returns the rows to show now. Each row waits for the row above it.
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
