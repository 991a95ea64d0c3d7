package import RehearsalHarness
internal import SchemaReporting

/// How far a rehearsal has come: rows in the order of its paths, whatever comes to its end first.
package struct RehearsalProgress: Sendable {
  /// What a row is of.
  private struct Task: Hashable {
    var from: String
    var to: String
    var isKill: Bool
  }

  /// How many paths and kill tests there are.
  package let total: Int
  /// How many of them are over.
  package var done: Int { ended.count }
  /// What shares a row, in the order of the rows.
  private let groups: [[Task]]
  /// How wide the widest title is.
  private let width: Int
  private var ended: [Task: RehearsalEvent] = [:]
  private var shown = 0

  /// Beyond so many paths, those from one version share a row.
  private static let mostRows = 100

  /// - Parameter kills: Whether there are kill tests.
  package init(_ plan: RehearsalPlan, kills: Bool) {
    let names = plan.versions.map(\.name)
    let paths = plan.paths.map { Task(from: names[$0.from], to: names[$0.to], isKill: false) }
    // They run first.
    let kills =
      kills ? plan.kills.map { Task(from: names[$0.from], to: names[$0.to], isKill: true) } : []
    groups =
      kills.map { [$0] }
      + (paths.count <= Self.mostRows
      ? paths.map { [$0] } : names.map { name in paths.filter { $0.from == name } })
      .filter { !$0.isEmpty }
    total = kills.count + paths.count
    width = groups.map { Self.title($0).width }.max() ?? 0
  }

  /// Takes what has come to its end, and gives the rows that can be shown now: none before the one above it.
  package mutating func take(_ event: RehearsalEvent) -> [String] {
    // The user's own store comes after all, and nobody knows before of which version it is.
    if let store = event.store {
      return [row("\(event.from) → \(event.to) of \(store)", [event])]
    }
    ended[Task(from: event.from, to: event.to, isKill: event.kills != nil)] = event
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
    let rest = group.count > 1 ? " … \(group[group.count - 1].to)" : ""
    return "\(group[0].from) → \(group[0].to)\(rest)"
  }

  private func row(_ title: String, _ events: [RehearsalEvent]) -> String {
    let failing = events.count { $0.failures > 0 }
    var remarks: [String] = []
    if let kills = events.first?.kills {
      remarks.append("killed \(kills.count) times, with \(kills.rows) rows in the store")
    } else if events.count > 1 {
      remarks.append("\(events.count) paths")
    }
    let verb = failing == 1 ? "fails" : "fail"
    if failing > 0 { remarks.append(events.count > 1 ? "\(failing) of them \(verb)" : verb) }
    let space = String(repeating: " ", count: max(0, width - title.width))
    return (failing == 0 ? "✓ " : "✗ ") + title
      + (remarks.isEmpty ? "" : space + "  " + remarks.joined(separator: ", "))
  }
}
