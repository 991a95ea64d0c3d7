internal import ManagedModels

/// Finds the newer store's row for each row of the older one.
struct RowMatcher {
  /// A row of the older store on one flow.
  struct TracedRow {
    var flow: Int
    var id: ObjectID
    var row: StoreDump.Row
    var predictions: [String: Prediction]
    var fate: Fate
    var target: StoreDump.Row?
  }

  /// Whether a row must still exist.
  enum Fate: Equatable {
    case stays
    case merged
    /// One row of a group stays, possibly this row.
    case oneOf(group: Int)
    /// The row may equal another row in a value that only running the code can show.
    case mayMerge
  }

  let path: PlannedPath
  let source: StoreDump
  let target: StoreDump
  private(set) var tracedRows: [TracedRow] = []
  /// The groups of which one row stays, as indexes in `tracedRows`.
  private(set) var groups: [[Int]] = []
  private(set) var invented: [ObjectID] = []

  init(_ path: PlannedPath, _ source: StoreDump, _ target: StoreDump) {
    self.path = path
    self.source = source
    self.target = target
    for (place, flow) in path.flows.enumerated() where flow.target != nil {
      guard let table = source.tables[flow.source] else { continue }
      for row in table.rows {
        var predictions: [String: Prediction] = [:]
        for field in flow.fields where !field.isLink {
          predictions[field.property] = Prediction(field, row, in: table)
        }
        tracedRows.append(
          TracedRow(
            flow: place, id: ObjectID(entity: flow.source, key: row.key), row: row,
            predictions: predictions, fate: .stays))
      }
    }
    merge()
    match()
  }

  // MARK: Equal rows

  private struct MergeKey: Hashable, Comparable {
    var version: String
    var model: String
    var number: Int
    var order: Int

    static func < (left: MergeKey, right: MergeKey) -> Bool {
      (left.order, left.number, left.model) < (right.order, right.number, right.model)
    }
  }

  private mutating func merge() {
    var members: [MergeKey: [(tracedRow: Int, merge: PlannedMerge)]] = [:]
    for (place, tracedRow) in tracedRows.enumerated() {
      for (order, merge) in path.flows[tracedRow.flow].merges.enumerated() {
        let key = MergeKey(
          version: merge.version, model: merge.model, number: merge.number, order: order)
        members[key, default: []].append((place, merge))
      }
    }
    for key in members.keys.sorted() { merge(members[key]!) }
  }

  private mutating func merge(_ members: [(tracedRow: Int, merge: PlannedMerge)]) {
    var equal: [[StoredValue]: [(tracedRow: Int, merge: PlannedMerge)]] = [:]
    var isGuess = false
    for member in members where tracedRows[member.tracedRow].fate != .merged {
      var key: [StoredValue] = []
      var isApart = false
      for expectation in member.merge.keys {
        let found = keyValues(of: member.tracedRow, expectation)
        if found.isNull { isApart = true }
        if found.isGuess { isGuess = true }
        key += found.values
      }
      if !isApart { equal[key, default: []].append(member) }
    }
    for (_, rows) in equal where rows.count > 1 { settle(rows) }
    // Rows that differ in a conversion's inputs may still be equal in its output.
    guard isGuess else { return }
    for member in members where tracedRows[member.tracedRow].fate == .stays {
      tracedRows[member.tracedRow].fate = .mayMerge
    }
  }

  /// The values by which rows are compared. They are a conversion's inputs if a conversion makes the value.
  private func keyValues(
    of place: Int, _ expectation: FieldExpectation
  ) -> (values: [StoredValue], isNull: Bool, isGuess: Bool) {
    let tracedRow = tracedRows[place]
    guard let table = source.tables[tracedRow.id.entity] else { return ([], true, false) }
    if expectation.isLink {
      let links = expectation.origins.flatMap { tracedRow.row.links[$0] ?? [] }
      return (links.map { .text("\($0.entity) \($0.key)") }, links.isEmpty, false)
    }
    let prediction = Prediction(expectation, tracedRow.row, in: table)
    if prediction.isNull == true { return ([], true, false) }
    let exact = prediction.exact.sorted { $0.key < $1.key }.map(\.value.canonical)
    if !exact.isEmpty { return (exact, false, false) }
    let made = expectation.origins.flatMap { table.places[$0] ?? [] }.map {
      tracedRow.row.values[$0].canonical
    }
    return (made, false, true)
  }

  private mutating func settle(_ rows: [(tracedRow: Int, merge: PlannedMerge)]) {
    let places = rows.map(\.tracedRow)
    func orderValue(_ row: (tracedRow: Int, merge: PlannedMerge)) -> Double? {
      guard let order = row.merge.order,
        let table = source.tables[tracedRows[row.tracedRow].id.entity]
      else { return nil }
      let prediction = Prediction(order, tracedRows[row.tracedRow].row, in: table)
      switch prediction.slot("") {
      case .exactly(.integer(let value)): return Double(value)
      case .exactly(.real(let value)): return value
      // nil comes before all other values.
      case .exactly(.null): return -.infinity
      default: return nil
      }
    }
    let values = rows.map(orderValue)
    let known = values.compactMap { $0 }
    let best = rows[0].merge.keepsGreatest ? known.max() : known.min()
    let winners = values.indices.filter { values[$0] == best }
    guard known.count == rows.count, winners.count == 1, let winner = winners.first else {
      for place in places { tracedRows[place].fate = .oneOf(group: groups.count) }
      groups.append(places)
      return
    }
    for (index, place) in places.enumerated() where index != winner {
      tracedRows[place].fate = .merged
    }
  }

  // MARK: Matching

  private mutating func match() {
    var free: [String: [Int64: StoreDump.Row]] = [:]
    for (entity, table) in target.tables {
      free[entity] = Dictionary(table.rows.map { ($0.key, $0) }) { first, _ in first }
    }
    for place in tracedRows.indices {
      let flow = path.flows[tracedRows[place].flow]
      guard flow.identity == .kept, let entity = flow.target else { continue }
      tracedRows[place].target = free[entity]?.removeValue(forKey: tracedRows[place].row.key)
    }
    let made = tracedRows.indices.filter {
      path.flows[tracedRows[$0].flow].identity == .made && tracedRows[$0].fate != .merged
    }
    matchExactly(made, &free)
    for place in made where tracedRows[place].target == nil { matchNearest(place, &free) }
    invented = free.flatMap { entity, rows in rows.keys.map { ObjectID(entity: entity, key: $0) } }
      .sorted(by: ObjectID.precedes)
  }

  private func signature(of place: Int, in table: StoreDump.Table) -> [Int: StoredValue] {
    var signature: [Int: StoredValue] = [:]
    for (property, prediction) in tracedRows[place].predictions {
      for slot in table.places[property] ?? [] {
        if case .exactly(let value) = prediction.slot(table.suffix(of: slot, in: property)) {
          signature[slot] = value.canonical
        }
      }
    }
    return signature
  }

  /// Matches rows that are equal in all known values. Rows with the most known values choose first.
  private mutating func matchExactly(
    _ made: [Int], _ free: inout [String: [Int64: StoreDump.Row]]
  ) {
    var bySlots: [String: [[Int]: [(place: Int, values: [StoredValue])]]] = [:]
    for place in made {
      guard let entity = path.flows[tracedRows[place].flow].target,
        let table = target.tables[entity]
      else { continue }
      let signature = signature(of: place, in: table)
      let slots = signature.keys.sorted()
      bySlots[entity, default: [:]][slots, default: []].append(
        (place, slots.map { signature[$0]! }))
    }
    for (entity, groups) in bySlots {
      for slots in groups.keys.sorted(by: Self.isMore) {
        var candidates: [[StoredValue]: [Int64]] = [:]
        for row in (free[entity] ?? [:]).values.sorted(by: { $0.key > $1.key }) {
          candidates[slots.map { row.values[$0].canonical }, default: []].append(row.key)
        }
        for (place, values) in groups[slots]! {
          guard let key = candidates[values]?.popLast() else { continue }
          tracedRows[place].target = free[entity]?.removeValue(forKey: key)
        }
      }
    }
  }

  private static func isMore(_ left: [Int], _ right: [Int]) -> Bool {
    left.count != right.count ? left.count > right.count : left.lexicographicallyPrecedes(right)
  }

  /// Matches a row with the free row that has the most equal values, to distinguish a changed row from a missing one.
  private mutating func matchNearest(
    _ place: Int, _ free: inout [String: [Int64: StoreDump.Row]]
  ) {
    guard let entity = path.flows[tracedRows[place].flow].target,
      let table = target.tables[entity], tracedRows[place].fate == .stays
    else { return }
    let signature = signature(of: place, in: table)
    let best = (free[entity] ?? [:]).values.map { row in
      (row.key, signature.count { row.values[$0.key].canonical == $0.value })
    }.max { ($0.1, $1.0) < ($1.1, $0.0) }
    guard let best, best.1 * 2 > signature.count else { return }
    tracedRows[place].target = free[entity]?.removeValue(forKey: best.0)
  }
}
