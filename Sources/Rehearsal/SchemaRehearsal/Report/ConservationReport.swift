package import RehearsalHarness
internal import SchemaModel
package import SchemaReporting

/// The findings of a rehearsal: what happened to every row and value on every path.
package struct ConservationReport: Sendable, Encodable {
  package enum Format: String, Sendable, CaseIterable {
    case text, json, markdown
  }

  private let format = 1
  private let success: Bool
  package private(set) var headline = ""
  private var totals = ConservationTotals()
  let result: RehearsalResult

  package init(_ result: RehearsalResult) {
    self.result = result
    success = result.isSuccess
    headline = sentence
    for entity in result.paths.flatMap(\.entities) { totals.add(entity) }
  }

  /// The report. As text, it lacks the headline.
  package func render(_ format: Format, on terminal: TerminalText = .plain) -> String {
    switch format {
    case .text: return document.text(on: terminal)
    case .json:
      // Encoding plain values cannot fail.
      guard let data = try? RehearsalJSON.encode(self, isPretty: true) else { return "" }
      return String(decoding: data, as: UTF8.self) + "\n"
    case .markdown:
      let head: Document = [
        .heading("Conservation report", level: 1),
        .paragraph("\(isSuccess ? "✅" : "❌") \(headline)."),
      ]
      return (head + document).markdown
    }
  }

  // MARK: Document

  private var document: Document {
    var document: Document = []
    func add(_ title: Inline, _ items: [(String, [String])]) {
      guard !items.isEmpty else { return }
      let list: [Document] = items.map { item, notes in
        let below: Document = notes.isEmpty ? [] : [.lines(notes.map { Inline($0) }, .bullets)]
        return [.paragraph("\(item)")] + below
      }
      document += [.heading(title, level: 3), .list(list)]
    }
    if !tabled.isEmpty {
      let rows = tabled.map { (isGood: $0.failures.isEmpty, cells: [name($0)] + cells($0)) }
      document.append(table(["path"] + Self.columns, rows))
    }
    if !storeRows.isEmpty { document.append(table(Self.storeColumns, storeRows)) }
    for path in steps {
      add(
        "\(name(path))",
        path.entities.filter { !notes($0).isEmpty }.map { entity in
          ("\(title(entity)): \(rows(ConservationTotals(entity))) rows", notes(entity))
        })
    }
    // Fallbacks are listed for all paths, because the numbers of a longer path are not the sums of its steps' numbers.
    add(
      "Fallbacks",
      result.paths.filter { !tallies($0).isEmpty }.map { (name($0), fallbacks($0)) })
    for failure in failures {
      document += [
        .paragraph("\("\(place(failure)):", .strong) \("\(failure.kind.rawValue)", .bad)"),
        .table(
          Table(
            [],
            [("expected", failure.expected), ("found", failure.found), ("note", failure.note)]
              .compactMap { name, value in
                guard let value, !value.isEmpty else { return nil }
                let lines = value.split(separator: "\n", omittingEmptySubsequences: false)
                return ["\("\(name):", .faint)", lines.map { Inline(String($0)) }.lines]
              })),
      ]
    }
    let limits = result.limits + storeLimits
    add("Not shown", limits.map { ($0, []) })
    return document + [.paragraph("\(totalWords)")]
  }

  private func table(_ heads: [String], _ rows: [(isGood: Bool, cells: [String])]) -> Block {
    let shown = heads.indices.filter { column in
      column == 0 || rows.contains { !["·", "", "–"].contains($0.cells[column]) }
    }
    let lines: [[Inline]] = rows.map { isGood, cells in
      let mark: Inline = isGood ? "\("✓", .good)" : "\("✗", .bad)"
      return ["\(mark) \(cells[0])"] + shown.dropFirst().map { Inline(cells[$0]) }
    }
    return .table(
      Table(shown.map { Inline(($0 == 0 ? "  " : "") + heads[$0]) }, lines, numbersFrom: 1))
  }

  private var totalWords: String {
    let values = [
      (totals.preserved, "preserved"), (totals.converted, "converted"),
      (totals.defaulted, "defaulted"), (totals.filled, "filled"), (totals.new, "new"),
      (totals.dropped - totals.unconfirmed, "dropped, with a reason"),
      (totals.unconfirmed, "dropped, unconfirmed"), (totals.failed, "wrong"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let seconds = Int((result.seconds * 10).rounded())
    let memory = result.paths.compactMap(\.peakMemory).max().map {
      ", at most \(($0 + 0x8_0000) / 0x10_0000) MiB in a migration"
    }
    return "all paths together: \(counted(totals.rows, "row")); values: "
      + (values.isEmpty ? "none" : values.joined(separator: ", "))
      + "; \(seconds / 10).\(seconds % 10) s\(memory ?? "")"
  }

  // MARK: Contents

  var failures: [RehearsalFailure] {
    result.paths.flatMap { path in
      path.failures.map { failure in
        var failure = failure
        if path.store != nil { failure.path = name(path) }
        return failure
      }
    } + result.kills.flatMap(\.failures)
      + (result.stores ?? []).compactMap { store in
        store.refusal.map { RehearsalFailure(.storeRefused, path: store.store, note: "it \($0)") }
      }
  }

  package var isSuccess: Bool { result.isSuccess }

  /// The paths in the table. If a folder of stores was given, only failing paths of its stores are among them.
  var tabled: [PathResult] {
    result.stores == nil
      ? result.paths : result.paths.filter { $0.store == nil || !$0.failures.isEmpty }
  }

  static let storeColumns = ["store", "version", "paths", "rows", "fail"]

  var storeRows: [(isGood: Bool, cells: [String])] {
    let paths = Dictionary(grouping: result.paths.filter { $0.store != nil }) { $0.store ?? "" }
    return (result.stores ?? []).filter(\.isStore).map { store in
      let own = paths[store.store] ?? []
      let bad = own.count { !$0.failures.isEmpty }
      let rows = own.map { ConservationTotals($0).rows }.max()
      return (
        bad == 0 && store.refusal == nil,
        [
          store.store, store.version ?? "–", "\(own.count)", rows.map { "\($0)" } ?? "–",
          store.refusal == nil ? number(bad) : "✗",
        ]
      )
    }
  }

  var storeLimits: [String] {
    var names: [String: [String]] = [:]
    for store in result.stores ?? [] {
      if let limit = store.limit { names[limit, default: []].append(store.store) }
    }
    return names.sorted { $0.value[0] < $1.value[0] }.map { limit, stores in
      stores.count == 1
        ? "'\(stores[0])' \(limit)"
        : "each of \(stores.count) stores, such as '\(stores[0])', \(limit)"
    }
  }

  /// The whole result in one sentence, which is the text's last line.
  private var sentence: String {
    let paths = counted(result.paths.count, "path")
    let kills = result.kills.reduce(0) { $0 + $1.kills }
    let stores = (result.stores ?? []).filter(\.isStore)
    let scope =
      "\(counted(result.versions.count, "version")), \(paths)"
      + (kills == 0 ? "" : ", \(counted(kills, "kill"))")
      + (result.stores == nil ? "" : ", \(counted(stores.count, "store"))")
    guard !result.isSuccess else {
      let isEmpty = result.paths.isEmpty && kills == 0 && stores.isEmpty
      return isEmpty
        ? "\(scope): nothing to migrate yet"
        : unconfirmed.map { "\(scope): \($0)" }
          ?? "\(scope): no unexpected data loss" + (replaced.map { ", but \($0)" } ?? "")
    }
    let bad = result.paths.count { !$0.failures.isEmpty }
    let badKills = result.kills.count { !$0.failures.isEmpty }
    var parts: [String] = []
    if bad > 0 { parts.append("\(bad) of \(paths) \(bad == 1 ? "fails" : "fail")") }
    if badKills > 0 {
      parts.append("\(counted(badKills, "kill test")) \(badKills == 1 ? "fails" : "fail")")
    }
    let refused = stores.count { $0.refusal != nil }
    if refused > 0 {
      parts.append("\(refused) of \(counted(stores.count, "store")) cannot be rehearsed")
    }
    return "\(scope): \((parts + [unconfirmed].compactMap { $0 }).joined(separator: ", "))"
  }

  /// `89 rows of 3 models dropped, unconfirmed`. Each drop is counted in its step. Nil if there are none.
  private var unconfirmed: String? {
    let drops = steps.flatMap(\.entities).flatMap(\.drops).filter(\.isUnconfirmed)
    guard !drops.isEmpty else { return nil }
    let parts = [(true, "row", "model"), (false, "value", "property")].compactMap {
      isModel, unit, noun -> String? in
      let drops = drops.filter { ($0.property == nil) == isModel }
      guard !drops.isEmpty else { return nil }
      let values = drops.reduce(0) { $0 + $1.values }
      let nouns = drops.count == 1 ? noun : noun == "property" ? "properties" : noun + "s"
      return "\(counted(values, unit)) of \(drops.count) \(nouns)"
    }
    return parts.joined(separator: " and ") + " dropped, unconfirmed"
  }

  static let columns = [
    "rows", "preserved", "converted", "defaulted", "filled", "new", "dropped", "direct = steps",
    "fresh = migrated", "repeat", "converters", "expected", "kills",
  ]

  func name(_ path: PathResult) -> String {
    "\(path.from) → \(path.to)" + (path.store.map { " of \($0)" } ?? "")
  }

  func cells(_ path: PathResult) -> [String] {
    let totals = ConservationTotals(path)
    let kill = result.kills.first {
      path.store == nil && $0.from == path.from && $0.to == path.to
    }
    return [
      rows(totals), number(totals.preserved), number(totals.converted), number(totals.defaulted),
      number(totals.filled), number(totals.new), number(totals.dropped), mark(path[.stepwise]),
      mark(path[.structure]), mark(path[.again]), mark(path[.converters]),
      mark(path[.expectations]), kill.map { "\($0.survived)/\($0.kills)" } ?? "",
    ]
  }

  /// `57`, or `54 + 2 merged + 1 dropped`.
  func rows(_ totals: ConservationTotals) -> String {
    var parts = ["\(totals.rowsPreserved)"]
    if totals.rowsMerged > 0 { parts.append("\(totals.rowsMerged) merged") }
    if totals.rowsDropped > 0 { parts.append("\(totals.rowsDropped) dropped") }
    if totals.rowsLost > 0 { parts.append("\(totals.rowsLost) LOST") }
    return parts.joined(separator: " + ")
  }

  private func number(_ number: Int) -> String { number == 0 ? "·" : "\(number)" }

  private func mark(_ outcome: CheckOutcome?) -> String {
    switch outcome {
    case .passed: "✓"
    case .failed: "✗"
    case .skipped, nil: "–"
    }
  }

  /// The paths of single steps, in which every change is reported once.
  var steps: [PathResult] {
    zip(result.versions, result.versions.dropFirst()).compactMap { from, to in
      result.paths.first { $0.store == nil && $0.from == from && $0.to == to }
    }
  }

  func notes(_ entity: EntityTally) -> [String] {
    let fields = entity.fields.filter {
      $0.values.preserved != $0.values.total || renamed($0)
    }.map { field in
      let values = field.values
      let parts = [
        (values.preserved, "preserved"), (values.converted, "converted"),
        (values.defaulted, "defaulted"), (values.filled, "filled"), (values.added, "new"),
        (values.failed, "FAILED"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      let origin = field.origins.isEmpty ? "" : " from \(field.origins.joined(separator: ", "))"
      let what = parts.isEmpty ? field.fate.rawValue : parts.joined(separator: ", ")
      return "\(field.field)\(origin): \(what)"
    }
    let drops = entity.drops.map { drop in
      let reason =
        drop.isUnconfirmed
        ? "unconfirmed" : drop.reason.map { "“\($0)”" } ?? "NO REASON GIVEN"
      let unit = drop.property == nil ? "row" : "value"
      return "\(drop.element): \(counted(drop.values, unit)) dropped in \(drop.step), \(reason)"
    }
    let alone = (entity.rows.alone ?? [:]).sorted { $0.key < $1.key }.map { target, count in
      "\(target): no link connects \(counted(count, "row")) with the other rows made from the same row of \(entity.entity)"
    }
    return fields + alone + drops
  }

  func tallies(_ path: PathResult) -> [FallbackTally] {
    let nils = path.entities.flatMap(\.fields).compactMap { field in
      field.values.becameNil.map {
        FallbackTally(field: field.field, value: "nil", count: $0)
      }
    }
    let known = Set(path.fallbacks.map(\.field))
    return (path.fallbacks + nils.filter { !known.contains($0.field) })
      .sorted { $0.field < $1.field }
  }

  func fallbacks(_ path: PathResult) -> [String] {
    tallies(path).map { "\($0.field): \(Self.words($0))" }
  }

  private static func words(_ tally: FallbackTally) -> String {
    counted(tally.count, "value") + (tally.value.map { " became \($0)" } ?? " took the fallback")
  }

  /// The fallbacks for the headline; nil if there are none. Each property's count is from the path with the most
  /// fallbacks, since paths share their rows.
  private var replaced: String? {
    var most: [String: FallbackTally] = [:]
    for tally in result.paths.flatMap(tallies) {
      if tally.count > most[tally.field]?.count ?? 0 { most[tally.field] = tally }
    }
    let words = most.values.sorted { $0.field < $1.field }.map {
      "\(Self.words($0)) in \($0.field)"
    }
    return words.isEmpty ? nil : words.firstThree
  }

  private func renamed(_ field: FieldTally) -> Bool {
    let name = field.field.split(separator: ".").last.map(String.init)
    return field.origins.count == 1 && field.origins.first != name
  }

  func title(_ entity: EntityTally) -> String {
    let targets = entity.targets.filter { $0 != entity.entity }
    if entity.targets.isEmpty { return entity.entity }
    return targets.isEmpty
      ? entity.entity : "\(entity.entity) → \(entity.targets.joined(separator: ", "))"
  }

  /// Where a failure is: `V3 → V9, HabitModel 'huge-text 1'.name`.
  func place(_ failure: RehearsalFailure) -> String {
    var text = failure.path
    if let entity = failure.entity { text += ", \(entity)" }
    if let row = failure.row { text += " '\(row)'" }
    if let property = failure.property { text += ", \(property)" }
    if let category = failure.category { text += " (\(category))" }
    return text
  }
}
