package import RehearsalHarness
internal import SchemaModel
internal import SchemaReporting

/// How far a rehearsal has come: rows in the order of its paths, whatever comes to its end first.
package struct RehearsalProgress: Sendable {
  /// What a row is of.
  private struct Task: Hashable {
    var from = ""
    var to = ""
    var isKill = false
    /// The user's store; nil for what is between versions.
    var store: String?
  }

  /// How many paths, kill tests and stores there are.
  package let total: Int
  /// How many of them are over.
  package var done: Int { ended.count }
  /// What shares a row, in the order of the rows.
  private let groups: [[Task]]
  /// How wide the widest title is: of what is between versions, and of stores.
  private let widths: (versions: Int, stores: Int)
  private var ended: [Task: RehearsalEvent] = [:]
  private var shown = 0

  /// Beyond so many paths, those from one version share a row; beyond so many stores, so many do.
  private static let mostRows = 100

  /// - Parameters:
  ///   - kills: Whether there are kill tests.
  ///   - stores: The names of the user's.
  package init(_ plan: RehearsalPlan, kills: Bool, stores: [String] = []) {
    let names = plan.versions.map(\.name)
    let paths = plan.paths.map { Task(from: names[$0.from], to: names[$0.to]) }
    // They run first.
    let kills =
      kills ? plan.kills.map { Task(from: names[$0.from], to: names[$0.to], isKill: true) } : []
    let between =
      kills.map { [$0] }
      + (paths.count <= Self.mostRows
      ? paths.map { [$0] } : names.map { name in paths.filter { $0.from == name } })
      .filter { !$0.isEmpty }
    let given = stores.map { Task(store: $0) }
    let size = given.count <= Self.mostRows ? 1 : Self.mostRows
    let shared = stride(from: 0, to: given.count, by: size).map {
      Array(given[$0..<min($0 + size, given.count)])
    }
    groups = between + shared
    total = kills.count + paths.count + given.count
    widths = (
      between.map { Self.title($0).width }.max() ?? 0,
      shared.map { Self.title($0).width }.max() ?? 0
    )
  }

  /// Takes what has come to its end, and gives the rows that can be shown now: none before the one above it.
  package mutating func take(_ event: RehearsalEvent) -> [String] {
    let task =
      event.store.map { Task(store: $0.name) }
      ?? Task(from: event.from, to: event.to, isKill: event.kills != nil)
    ended[task] = event
    var rows: [String] = []
    while shown < groups.count {
      let events = groups[shown].compactMap { ended[$0] }
      guard events.count == groups[shown].count else { break }
      rows.append(row(Self.title(groups[shown]), events))
      shown += 1
    }
    return rows
  }

  private static func title(_ group: [Task]) -> String {
    let last = group[group.count - 1]
    if let store = group[0].store {
      return group.count > 1 ? "\(store) … \(last.store ?? "")" : store
    }
    let rest = group.count > 1 ? " … \(last.to)" : ""
    return "\(group[0].from) → \(group[0].to)\(rest)"
  }

  private func row(_ title: String, _ events: [RehearsalEvent]) -> String {
    let failing = events.count { $0.failures > 0 }
    var remarks: [String] = []
    if let kills = events.first?.kills {
      remarks.append("killed \(kills.count) times, with \(kills.rows) rows in the store")
    } else if events.count > 1 {
      remarks.append("\(events.count) \(events[0].store == nil ? "paths" : "stores")")
    } else if let event = events.first, let store = event.store, !event.from.isEmpty {
      remarks.append("\(event.from), \(counted(store.paths, "path"))")
    }
    let width = events.first?.store == nil ? widths.versions : widths.stores
    let verb = failing == 1 ? "fails" : "fail"
    if failing > 0 { remarks.append(events.count > 1 ? "\(failing) of them \(verb)" : verb) }
    let space = String(repeating: " ", count: max(0, width - title.width))
    return (failing == 0 ? "✓ " : "✗ ") + title
      + (remarks.isEmpty ? "" : space + "  " + remarks.joined(separator: ", "))
  }
}
