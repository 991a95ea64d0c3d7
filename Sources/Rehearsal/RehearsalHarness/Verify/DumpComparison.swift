internal import ManagedModels

/// Compares two stores of one version that should be equal.
package struct DumpComparison {
  /// The part of an entity that differs.
  package enum Place: Hashable, CustomStringConvertible {
    case table
    case row(Int64)
    /// A row by its values, since its key is unreliable.
    case contents(String)

    package var description: String {
      switch self {
      case .table: "all"
      case .row(let key): "key \(key)"
      case .contents(let values): "a row with \(values)"
      }
    }
  }

  package struct Difference: Hashable {
    package var entity: String
    package var place: Place
    package var property: String?
    package var first: String
    package var second: String
  }

  /// Properties in which two runs always differ, by entity.
  private var volatile: [String: Set<String>]
  /// Properties whose values differed in two runs. Only the presence of a value is compared.
  private var varying: [String: Set<String>] = [:]
  private var hasRunAgain = false
  /// Entities whose rows are made in migrations, so the rows' keys are unreliable.
  private let made: Set<String>

  package init() {
    volatile = [:]
    made = []
  }

  /// Compares what is reproducible on a path.
  package init(on path: PlannedPath) {
    var volatile: [String: Set<String>] = [:]
    var made = Set(path.makes ?? [])
    for flow in path.flows {
      guard let target = flow.target else { continue }
      for field in flow.fields where !field.isReproducible {
        volatile[target, default: []].insert(field.property)
      }
      if flow.identity == .made { made.insert(target) }
    }
    self.volatile = volatile
    self.made = made
  }

  /// Excludes values that the app's functions make different in two equal runs.
  ///
  /// Values that lineage knows exactly and that no code has touched are still compared. A hook may touch every value.
  private mutating func disregard(
    differencesOf first: StoreDump, _ second: StoreDump, on path: PlannedPath
  ) {
    for flow in path.flows {
      guard let target = flow.target else { continue }
      let fields = path.hooks.isEmpty ? flow.fields.filter(\.isMadeByCode) : flow.fields
      let made = Set(fields.map(\.property))
      for difference in byProperty(first, second) where difference.entity == target {
        guard let property = difference.property, made.contains(property) else { continue }
        varying[target, default: []].insert(property)
      }
    }
  }

  /// The differences by key, also in tables whose keys are unreliable. Each one names the property (`address`) instead
  /// of the part that differs (`address.city`).
  private func byProperty(_ first: StoreDump, _ second: StoreDump) -> [Difference] {
    first.tables.keys.sorted().flatMap { name -> [Difference] in
      guard let one = first.tables[name], let other = second.tables[name] else { return [] }
      return byKey(one, other).map { difference in
        var difference = difference
        difference.property = difference.property.flatMap {
          $0.split(separator: ".").first.map(String.init)
        }
        return difference
      }
    }
  }

  /// The differences between two dumps, without values that the app's functions make different in two equal runs.
  ///
  /// - Parameter again: Migrates a second time, and returns the dump to compare with `first`; nil if the migration
  ///   fails. It is called at most once, and only if something differs.
  package mutating func differences(
    _ first: StoreDump, _ second: StoreDump, on path: PlannedPath,
    again: () throws -> StoreDump?
  ) rethrows -> [Difference] {
    let found = differences(first, second)
    guard !found.isEmpty, !hasRunAgain else { return found }
    hasRunAgain = true
    guard let run = try again() else { return found }
    disregard(differencesOf: first, run, on: path)
    return differences(first, second)
  }

  package func differences(_ first: StoreDump, _ second: StoreDump) -> [Difference] {
    let names = Set(first.tables.keys).union(second.tables.keys).sorted()
    return names.flatMap { name -> [Difference] in
      guard let one = first.tables[name], let other = second.tables[name],
        one.slots == other.slots
      else {
        return [Difference(entity: name, place: .table, first: "a table", second: "another table")]
      }
      if one.rows == other.rows { return [] }
      let byKey = byKey(one, other)
      // New rows may have got their keys in another order.
      guard !byKey.isEmpty, leadsToMade(one) else { return byKey }
      return byContents(one, other, first, second)
    }
  }

  private func leadsToMade(_ table: StoreDump.Table) -> Bool {
    made.contains(table.entity) || !made.isDisjoint(with: table.destinations.values)
  }

  private func byKey(_ one: StoreDump.Table, _ other: StoreDump.Table) -> [Difference] {
    var found: [Difference] = []
    let skipped = volatile[one.entity] ?? []
    let varying = varying[one.entity] ?? []
    let others = Dictionary(other.rows.map { ($0.key, $0) }) { first, _ in first }
    for row in one.rows {
      guard let counterpart = others[row.key] else {
        found.append(difference(one.entity, row.key, nil, "a row", "none"))
        continue
      }
      if counterpart == row { continue }
      for (property, places) in one.places.sorted(by: { $0.key < $1.key })
      where !skipped.contains(property) {
        for place in places {
          let (value, other) = (row.values[place], counterpart.values[place])
          let isSame =
            varying.contains(property)
            ? (value == .null) == (other == .null) : value.isSame(as: other)
          guard !isSame else { continue }
          found.append(
            difference(
              one.entity, row.key, one.slots[place], value.summary, other.summary))
        }
      }
      for (relationship, links) in row.links.sorted(by: { $0.key < $1.key })
      where !skipped.contains(relationship) && !varying.contains(relationship)
        && links != counterpart.links[relationship]
      {
        found.append(
          difference(
            one.entity, row.key, relationship, describe(links),
            describe(counterpart.links[relationship] ?? [])))
      }
    }
    let known = Set(one.rows.map(\.key))
    for row in other.rows where !known.contains(row.key) {
      found.append(difference(one.entity, row.key, nil, "none", "a row"))
    }
    return found
  }

  private func difference(
    _ entity: String, _ key: Int64, _ property: String?, _ first: String, _ second: String
  ) -> Difference {
    Difference(
      entity: entity, place: .row(key), property: property, first: first, second: second)
  }

  private func describe(_ ids: [ObjectID]) -> String {
    ids.isEmpty
      ? "no links" : ids.prefix(5).map { "\($0.entity) \($0.key)" }.joined(separator: ", ")
  }

  // MARK: Without keys

  /// A row's contents. Its key is nil if it is unreliable.
  private struct Contents: Hashable {
    var key: Int64?
    var values: [StoredValue]
    var links: [String: [End: Int]]
  }

  /// The row at the other end of a link, by its key or its contents.
  private enum End: Hashable {
    case row(ObjectID)
    case contents([StoredValue])
  }

  private func byContents(
    _ one: StoreDump.Table, _ other: StoreDump.Table, _ first: StoreDump, _ second: StoreDump
  ) -> [Difference] {
    var counts: [Contents: Int] = [:]
    for row in one.rows { counts[contents(of: row, one, in: first), default: 0] += 1 }
    for row in other.rows { counts[contents(of: row, other, in: second), default: 0] -= 1 }
    return counts.filter { $0.value != 0 }.map { contents, count in
      let slots = slots(of: one)
      let shown = zip(slots, contents.values).map { "\(one.slots[$0]): \($1.summary)" }
        .joined(separator: ", ")
      return Difference(
        entity: one.entity, place: .contents(String(shown.prefix(200))),
        first: count > 0 ? "\(count) of these" : "none",
        second: count > 0 ? "none" : "\(-count) of these")
    }.sorted { ($0.place.description, $0.first) < ($1.place.description, $1.first) }
  }

  private func contents(
    of row: StoreDump.Row, _ table: StoreDump.Table, in dump: StoreDump
  ) -> Contents {
    let skipped = skipped(in: table.entity)
    var links: [String: [End: Int]] = [:]
    for (relationship, ends) in row.links where !skipped.contains(relationship) {
      for id in ends { links[relationship, default: [:]][end(id, in: dump), default: 0] += 1 }
    }
    return Contents(
      key: made.contains(table.entity) ? nil : row.key, values: values(of: row, table),
      links: links)
  }

  private func end(_ id: ObjectID, in dump: StoreDump) -> End {
    guard made.contains(id.entity), let table = dump.tables[id.entity],
      let row = table.rows.first(where: { $0.key == id.key })
    else { return .row(id) }
    return .contents(values(of: row, table))
  }

  private func skipped(in entity: String) -> Set<String> {
    (volatile[entity] ?? []).union(varying[entity] ?? [])
  }

  private func slots(of table: StoreDump.Table) -> [Int] {
    let skipped = skipped(in: table.entity)
    return table.places.filter { !skipped.contains($0.key) }.flatMap(\.value).sorted()
  }

  private func values(of row: StoreDump.Row, _ table: StoreDump.Table) -> [StoredValue] {
    slots(of: table).map { row.values[$0].canonical }
  }
}

extension FieldExpectation {
  fileprivate var isMadeByCode: Bool {
    if let constant, constant.value == nil { return true }
    return steps.contains { step in
      switch step {
      case .conversion: true
      case .nullBecomes(let constant): constant.value == nil
      case .cast, .caseBecomes: false
      }
    }
  }
}
