package import ManagedModels

/// Checks whether every row and every value of a store came through a migration as lineage expects.
///
/// The verifier compares two dumps and touches no store, so tests can change a dump to see what it finds.
package struct MigrationVerifier {
  /// What the verifier found.
  package struct Verdict {
    package var entities: [EntityTally] = []
    package var failures: [RehearsalFailure] = []
    /// The newer store's rows for each row of the older store.
    package var successors: [ObjectID: [ObjectID]] = [:]
  }

  private let path: PlannedPath
  private let name: String
  private let source: StoreDump
  private let target: StoreDump
  private let tags: [ObjectID: RowTag]
  private var verdict = Verdict()
  private var rows: [String: RowTally] = [:]
  private var fields: [String: [FieldTally]] = [:]

  package static func verdict(
    on path: PlannedPath, named name: String, source: StoreDump, target: StoreDump,
    tags: [ObjectID: RowTag]
  ) -> Verdict {
    var verifier = MigrationVerifier(
      path: path, name: name, source: source, target: target, tags: tags)
    verifier.verifier()
    return verifier.verdict
  }

  private mutating func verifier() {
    let matcher = RowMatcher(path, source, target)
    for tracedRow in matcher.tracedRows {
      guard let row = tracedRow.target, let entity = path.flows[tracedRow.flow].target else {
        continue
      }
      verdict.successors[tracedRow.id, default: []].append(ObjectID(entity: entity, key: row.key))
    }
    tallyRows(matcher)
    for place in path.flows.indices { judgeFlow(place, matcher) }
    judgeInvented(matcher)
    tallyAlone()
    judgeDrops()
    verdict.failures = Self.condensed(verdict.failures)
  }

  // MARK: Rows

  private mutating func tallyRows(_ matcher: RowMatcher) {
    for (entity, table) in source.tables {
      var tally = RowTally()
      tally.source = table.rows.count
      if path.flows.contains(where: { $0.source == entity && $0.target == nil }) {
        tally.dropped = table.rows.count
      }
      rows[entity] = tally
    }
    var byRow: [ObjectID: [RowMatcher.TracedRow]] = [:]
    for tracedRow in matcher.tracedRows { byRow[tracedRow.id, default: []].append(tracedRow) }
    for (id, tracedRows) in byRow {
      var isLost = false
      for tracedRow in tracedRows {
        switch tracedRow.fate {
        case .stays where tracedRow.target == nil:
          isLost = true
          fail(.rowLost, tracedRow, expected: "the row")
        case .merged where tracedRow.target != nil:
          fail(.notMerged, tracedRow, expected: "only the equal row", found: "both rows")
        default: break
        }
      }
      if isLost {
        rows[id.entity]!.lost += 1
      } else if tracedRows.contains(where: { $0.target != nil }) {
        rows[id.entity]!.preserved += 1
      } else {
        rows[id.entity]!.merged += 1
      }
    }
    for group in matcher.groups {
      let left = group.filter { matcher.tracedRows[$0].target != nil }
      // The author's code may have made equal rows distinct, so several of them stay. The constraint ensures that they
      // differ.
      guard left.count != 1, left.isEmpty || !isFree, let first = group.first else { continue }
      fail(
        left.isEmpty ? .rowLost : .notMerged, matcher.tracedRows[first],
        expected: "one of \(group.count) equal rows", found: "\(left.count)")
    }
  }

  /// Counts new rows that no link connects with the other rows made from the same older row.
  private mutating func tallyAlone() {
    let made = Set(path.flows.filter { $0.identity == .made }.compactMap(\.target))
    var alone: [String: [String: Int]] = [:]
    for (old, parts) in verdict.successors where parts.count > 1 {
      for part in parts where made.contains(part.entity) {
        let links = links(of: part)
        let isAlone = parts.allSatisfy { other in
          other == part || !links.contains(other) && !self.links(of: other).contains(part)
        }
        if isAlone { alone[old.entity, default: [:]][part.entity, default: 0] += 1 }
      }
    }
    for (entity, counts) in alone { rows[entity]?.alone = counts }
  }

  private func links(of id: ObjectID) -> [ObjectID] {
    guard let table = target.tables[id.entity], let place = table.place(of: id.key) else {
      return []
    }
    return table.rows[place].links.values.flatMap { $0 }
  }

  private mutating func judgeInvented(_ matcher: RowMatcher) {
    let makes = Set(path.makes ?? [])
    let led =
      makes.isEmpty
      ? [] : Set(target.tables.values.flatMap(\.rows).flatMap { $0.links.values.joined() })
    // A function that sets a relationship may make the row to which the relationship leads.
    for id in matcher.invented where !(makes.contains(id.entity) && led.contains(id)) {
      verdict.failures.append(
        RehearsalFailure(
          .rowInvented, path: name, entity: id.entity, row: "key \(id.key)",
          expected: "only rows that come from older rows", found: "a row",
          note: [
            makes.contains(id.entity)
              ? "no row links to this row"
              : "if a function of the app should make the row, name the function at the relationship that leads to it: "
                + "'fill: { function: … }'", hookNote,
          ].compactMap(\.self).joined(separator: "\n")))
    }
  }

  // MARK: Fields

  private mutating func judgeFlow(_ place: Int, _ matcher: RowMatcher) {
    let flow = path.flows[place]
    guard let entity = flow.target else { return }
    guard let table = target.tables[entity] else {
      failField(.unexpectedField, entity, nil, expected: "the model", found: "none in the store")
      return
    }
    let known = Set(flow.fields.map(\.property))
    for property in table.properties.subtracting(known).sorted() {
      failField(
        .unexpectedField, entity, property, expected: "no property of that name",
        found: "one in the store")
    }
    let tracedRows = matcher.tracedRows.filter { $0.flow == place && $0.target != nil }
    for field in flow.fields {
      guard table.properties.contains(field.property) else {
        failField(
          .unexpectedField, entity, field.property, expected: "the property",
          found: "none in the store")
        continue
      }
      var tally = FieldTally(
        field: "\(entity).\(field.property)", origins: field.origins, fate: field.fate)
      for tracedRow in tracedRows {
        let outcome =
          field.isLink
          ? judgeLink(field, tracedRow, flow, matcher) : judgeValue(field, tracedRow, table)
        tally.values.count(outcome)
        if outcome == .converted, !field.isLink, becameNil(field, tracedRow, table) {
          tally.values.becameNil = (tally.values.becameNil ?? 0) + 1
        }
      }
      judgeTogether(field, tracedRows, entity, table)
      fields[flow.source, default: []].append(tally)
    }
  }

  /// The fate of one value; nil for a failure.
  private mutating func judgeValue(
    _ field: FieldExpectation, _ tracedRow: RowMatcher.TracedRow, _ table: StoreDump.Table
  ) -> FieldExpectation.Fate? {
    guard let row = tracedRow.target, let prediction = tracedRow.predictions[field.property] else {
      return nil
    }
    let places = table.places[field.property] ?? []
    if let gone = goneCase(field, tracedRow) {
      fail(
        .caseUnreadable, tracedRow, field.property, expected: "a case that the newer version has",
        found: "'\(gone.type).\(gone.name)'",
        note: GoneCase.wayOut(
          gone.name, isReplaceable: gone.rawValue != nil && gone.path.isEmpty))
      return nil
    }
    if field.isRequired, places.allSatisfy({ row.values[$0] == .null }) {
      fail(.valueMissing, tracedRow, field.property, expected: "a value", found: "null")
      return nil
    }
    for place in places {
      let found = row.values[place]
      switch prediction.slot(table.suffix(of: place, in: field.property)) {
      case .anything: continue
      case .present where found != .null: continue
      case .present:
        fail(.valueMissing, tracedRow, table.slots[place], expected: "a value", found: "null")
      case .exactly(let value) where value.isSame(as: found): continue
      case .exactly where isFree: return .converted
      case .exactly(let value):
        fail(
          found == .null ? .valueMissing : .valueChanged, tracedRow, table.slots[place],
          expected: value.summary, found: found.summary)
      }
      return nil
    }
    return prediction.fate
  }

  private func becameNil(
    _ field: FieldExpectation, _ tracedRow: RowMatcher.TracedRow, _ table: StoreDump.Table
  ) -> Bool {
    guard let row = tracedRow.target, let old = source.tables[tracedRow.id.entity],
      !field.origins.isEmpty
    else { return false }
    let places = table.places[field.property] ?? []
    return !places.isEmpty && places.allSatisfy { row.values[$0] == .null }
      && field.origins.allSatisfy { origin in
        (old.places[origin] ?? []).contains { tracedRow.row.values[$0] != .null }
      }
  }

  private func goneCase(
    _ field: FieldExpectation, _ tracedRow: RowMatcher.TracedRow
  ) -> GoneCase? {
    guard let origin = field.origins.first, let table = source.tables[tracedRow.id.entity] else {
      return nil
    }
    return field.gone.first { gone in
      let enumeration = gone.place(in: origin)
      guard let value = gone.rawValue else {
        return tags[tracedRow.id]?.cases[enumeration] == gone.name
      }
      let slot = "\(enumeration).rawValue"
      return (table.places[origin] ?? []).contains {
        table.slots[$0] == slot && tracedRow.row.values[$0] == value
      }
    }
  }

  /// Checks the rows together: whether all have the same constant, or each has a different value.
  private mutating func judgeTogether(
    _ field: FieldExpectation, _ tracedRows: [RowMatcher.TracedRow], _ entity: String,
    _ table: StoreDump.Table
  ) {
    let places = table.places[field.property] ?? []
    let rows = tracedRows.compactMap(\.target)
    if let constant = field.constant, constant.isShared, constant.value == nil,
      field.steps.isEmpty
    {
      let values = Set(rows.map { row in places.map { row.values[$0].canonical } })
      if values.count > 1 {
        failField(
          .valueChanged, entity, field.property,
          expected: "the same value of '\(constant.text)' in all rows",
          found: "\(values.count) values")
      }
    }
    if field.isDistinct {
      var seen: [[StoredValue]: Int64] = [:]
      for row in rows {
        let value = places.map { row.values[$0].canonical }
        guard !value.contains(.null) else { continue }
        if let other = seen.updateValue(row.key, forKey: value) {
          failField(
            .valueChanged, entity, field.property, expected: "a different value in each row",
            found: "\(value.map(\.summary).joined(separator: ", ")) in rows \(other) and \(row.key)"
          )
        }
      }
    }
  }

  private mutating func judgeLink(
    _ field: FieldExpectation, _ tracedRow: RowMatcher.TracedRow, _ flow: RowFlow,
    _ matcher: RowMatcher
  ) -> FieldExpectation.Fate? {
    guard let row = tracedRow.target, let entity = flow.target,
      let destination = target.tables[entity]?.destinations[field.property]
    else { return nil }
    let found = row.links[field.property] ?? []
    for id in found where !isThere(id, destination) {
      fail(
        .linkChanged, tracedRow, field.property, expected: "a link to a row",
        found: "\(id.entity) \(id.key), which does not exist")
      return nil
    }
    if field.isRequired, found.isEmpty {
      fail(.valueMissing, tracedRow, field.property, expected: "a link", found: "none")
      return nil
    }
    let isConverted = field.steps.contains { if case .conversion = $0 { true } else { false } }
    if isConverted { return field.fate }
    guard let origin = field.origins.first else {
      if field.joinsParts == true { return judgeParts(field, tracedRow, found, destination) }
      if found.isEmpty { return field.fate }
      if isFree { return .converted }
      fail(
        .linkChanged, tracedRow, field.property, expected: "no links", found: describe(found))
      return nil
    }
    let before = tracedRow.row.links[origin] ?? []
    // Rows that are merged share their links, and links to them lead to the merged row.
    let isMerging = path.flows.contains { !$0.merges.isEmpty }
    var allowed: Set<ObjectID> = []
    for id in before {
      let successors = (verdict.successors[id] ?? []).filter {
        target.isEntity($0.entity, within: destination)
      }
      allowed.formUnion(successors)
      if successors.isEmpty || successors.contains(where: found.contains) { continue }
      if isMerging, !flow.merges.isEmpty || isMerged(id) { continue }
      if isFree { return .converted }
      fail(
        .linkChanged, tracedRow, field.property,
        expected: describe(successors) + " (\(label(id)))", found: describe(found))
      return nil
    }
    let extra = found.filter { !allowed.contains($0) }
    if !extra.isEmpty, !isMerging {
      if isFree { return .converted }
      fail(
        .linkChanged, tracedRow, field.property,
        expected: before.isEmpty
          ? "no links" : "links to \(before.map(label).joined(separator: ", ")) only",
        found: describe(extra))
      return nil
    }
    return before.isEmpty || !found.isEmpty ? field.fate : .preserved
  }

  private mutating func judgeParts(
    _ field: FieldExpectation, _ tracedRow: RowMatcher.TracedRow, _ found: [ObjectID],
    _ destination: String
  ) -> FieldExpectation.Fate? {
    let parts = (verdict.successors[tracedRow.id] ?? []).filter {
      target.isEntity($0.entity, within: destination)
    }
    // If rows are merged, the link may lead to the merged row instead.
    let isMerging = path.flows.contains { !$0.merges.isEmpty }
    if isFree || isMerging || Set(found) == Set(parts) { return .converted }
    fail(
      .linkChanged, tracedRow, field.property,
      expected: "a link to another row made from the same older row, " + describe(parts),
      found: describe(found))
    return nil
  }

  private func isThere(_ id: ObjectID, _ destination: String) -> Bool {
    guard target.isEntity(id.entity, within: destination), let table = target.tables[id.entity]
    else { return false }
    return table.place(of: id.key) != nil
  }

  private func isMerged(_ id: ObjectID) -> Bool {
    path.flows.contains { $0.source == id.entity && !$0.merges.isEmpty }
  }

  // MARK: Drops

  private mutating func judgeDrops() {
    var drops: [String: [DropTally]] = [:]
    for drop in path.drops {
      let table = source.tables[drop.entity]
      let values: Int
      if let property = drop.property {
        let places = table?.places[property] ?? []
        values =
          table?.rows.count { row in
            places.contains { row.values[$0] != .null } || row.links[property]?.isEmpty == false
          } ?? 0
      } else {
        values = table?.rows.count ?? 0
      }
      drops[drop.entity, default: []].append(DropTally(drop, values: values))
      guard drop.reason == nil, !drop.isUnconfirmed else { continue }
      verdict.failures.append(
        RehearsalFailure(
          .unacknowledgedDrop, path: name, entity: drop.entity, property: drop.property,
          expected: "a reason under 'drops:'", found: "none",
          note:
            "'\(drop.element)' is dropped in \(drop.step); \(values) of \(table?.rows.count ?? 0) rows had a value"
        ))
    }
    verdict.entities = source.tables.keys.sorted().map { entity in
      EntityTally(
        entity: entity,
        targets: path.flows.filter { $0.source == entity }.compactMap(\.target),
        rows: rows[entity] ?? RowTally(), fields: fields[entity] ?? [],
        drops: drops[entity] ?? [])
    }
  }

  // MARK: Words

  private func label(_ id: ObjectID) -> String { tags[id]?.label ?? "\(id.entity) \(id.key)" }

  private func describe(_ ids: [ObjectID]) -> String {
    ids.isEmpty ? "none" : ids.prefix(5).map { "\($0.entity) \($0.key)" }.joined(separator: ", ")
  }

  /// Whether hooks of the app ran, which may change any value. Rows are still checked, and so are stepwise migrations,
  /// opening again, and migrations after kills.
  private var isFree: Bool { !path.hooks.isEmpty }

  private var hookNote: String? {
    path.hooks.isEmpty
      ? nil : "your hooks ran on this path: \(path.hooks.joined(separator: ", "))"
  }

  private mutating func fail(
    _ kind: RehearsalFailure.Kind, _ tracedRow: RowMatcher.TracedRow, _ property: String? = nil,
    expected: String, found: String? = nil, note: String? = nil
  ) {
    let tag = tags[tracedRow.id]
    verdict.failures.append(
      RehearsalFailure(
        kind, path: name, entity: path.flows[tracedRow.flow].target ?? tracedRow.id.entity,
        row: tag?.label ?? "key \(tracedRow.id.key)", category: tag?.category, property: property,
        expected: expected, found: found,
        note: [note, hookNote].compactMap(\.self).joined(separator: "\n").nonEmpty))
  }

  private mutating func failField(
    _ kind: RehearsalFailure.Kind, _ entity: String, _ property: String?, expected: String,
    found: String
  ) {
    verdict.failures.append(
      RehearsalFailure(
        kind, path: name, entity: entity, property: property, expected: expected, found: found))
  }

  /// At most three failures of one kind for each property; the last says how many more there are.
  static func condensed(_ failures: [RehearsalFailure]) -> [RehearsalFailure] {
    struct Topic: Hashable {
      var kind: RehearsalFailure.Kind
      var entity: String?
      var property: String?
    }
    var counts: [Topic: Int] = [:]
    var places: [Topic: Int] = [:]
    var kept: [RehearsalFailure] = []
    for failure in failures {
      let topic = Topic(kind: failure.kind, entity: failure.entity, property: failure.property)
      counts[topic, default: 0] += 1
      guard counts[topic]! <= 3 else { continue }
      places[topic] = kept.count
      kept.append(failure)
    }
    for (topic, count) in counts where count > 3 {
      let more = "and \(count - 3) more"
      let place = places[topic]!
      kept[place].note = kept[place].note.map { "\($0); \(more)" } ?? more
    }
    return kept
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

extension GoneCase {
  /// What to do about rows with a removed case. No other case can replace the case in a struct, or if each case has a
  /// column.
  static func wayOut(_ name: String, isReplaceable: Bool) -> String {
    let way =
      isReplaceable
      ? "Use 'replacedBy:' or 'renamedFrom:' to name the case that replaces '\(name)', or keep '\(name)' and its raw value."
      : "Keep '\(name)', and give its rows another case with 'from:' and 'convert:'."
    return
      "an app that reads such a row crashes. \(way) If no row can hold the case, '--without removed-cases' leaves these "
      + "rows out"
  }
}

extension ValueTally {
  fileprivate mutating func count(_ fate: FieldExpectation.Fate?) {
    switch fate {
    case .preserved: preserved += 1
    case .converted: converted += 1
    case .defaulted: defaulted += 1
    case .filled: filled += 1
    case .added: added += 1
    case nil: failed += 1
    }
  }
}
