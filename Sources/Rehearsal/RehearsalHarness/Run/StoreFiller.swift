internal import Foundation
package import ManagedModels
package import StoreEngine
internal import StoreFormat

/// The name of a row that the rehearsal made, for messages.
package struct RowTag: Hashable, Sendable {
  package var label: String
  package var category: String?
  package var isReadable: Bool
  package var cases: [String: String]
}

/// Why a plan's rows do not fit a version's store: plan and code come from different manifests.
struct FillError: Error, CustomStringConvertible {
  var description: String
}

/// Puts a plan's rows into an empty store.
package struct StoreFiller {
  private let graph: EntityGraph
  private let archive: RehearsalRuntime.Archive

  package init(_ model: ManagedModel, archive: @escaping RehearsalRuntime.Archive) {
    graph = EntityGraph(model)
    self.archive = archive
  }

  /// Inserts the rows and their links in one transaction, and returns each row's tag by its key. Leaves out links to
  /// rows that are missing, and rows that lack a mandatory link. Throws if a row does not fit the model.
  @discardableResult
  package func fill(
    _ store: StoreFile, with rows: [PlannedRow], series: [PlannedSeries] = []
  ) throws -> [ObjectID: RowTag] {
    let rows = complete(rows)
    let labels = Set(rows.map(\.label))
    let all =
      rows.map { ($0, [String](), 0) }
      + series.filter { !lacksPartner($0.row, among: labels) }.flatMap { series in
        (1...max(1, series.copies)).map { (series.row, series.distinct, $0) }
      }
    var counts: [String: Int] = [:]
    for (row, _, _) in all {
      guard graph.contains(row.entity) else {
        throw FillError(description: "the version has no entity '\(row.entity)'")
      }
      counts[row.entity, default: 0] += 1
    }
    var free: [String: Int64] = [:]
    for (entity, count) in counts.sorted(by: { $0.key < $1.key }) {
      free[entity] = try store.allocateKeys(of: entity, count: count).lowerBound
    }
    var tags: [ObjectID: RowTag] = [:]
    var ids: [String: ObjectID] = [:]
    var places: [ObjectID] = []
    for (row, _, copy) in all {
      let id = ObjectID(entity: row.entity, key: free[row.entity]!)
      free[row.entity]! += 1
      let label = copy == 0 ? row.label : "\(row.label) \(copy)"
      if copy == 0 { ids[label] = id }
      tags[id] = RowTag(
        label: label, category: row.category, isReadable: row.isReadable, cases: row.cases)
      places.append(id)
    }
    var changes = StoreChanges()
    for (id, (row, distinct, copy)) in zip(places, all) {
      let layout = store.layout(of: row.entity)
      var stored = StoreRow(
        id: id, values: try values(of: row, layout, distinct: Set(distinct), copy: copy))
      try link(row, id, layout, ids, &stored, &changes)
      changes.inserted.append(stored)
    }
    try store.apply(changes)
    return tags
  }

  /// The rows that have all their mandatory partners. An app could not have written the other rows.
  private func complete(_ rows: [PlannedRow]) -> [PlannedRow] {
    var rows = rows
    while true {
      let labels = Set(rows.map(\.label))
      let kept = rows.filter { !lacksPartner($0, among: labels) }
      // A removed row may have been the partner of another row.
      if kept.count == rows.count { return kept }
      rows = kept
    }
  }

  /// Whether a mandatory link of the row leads to no row in `labels`. A link that is not planned at all does not count.
  private func lacksPartner(_ row: PlannedRow, among labels: Set<String>) -> Bool {
    row.links.contains { name, partners in
      labels.isDisjoint(with: partners)
        && graph.contains(row.entity)
        && graph.relationships(of: row.entity).contains {
          $0.name == name && !$0.isToMany && !$0.isOptional
        }
    }
  }

  private func values(
    of row: PlannedRow, _ layout: EntityLayout, distinct: Set<String>, copy: Int
  ) throws -> [StoredValue] {
    var values = [StoredValue](repeating: .null, count: layout.slots.count)
    let attributes = graph.attributes(of: row.entity)
    for (path, planned) in row.values {
      let property = String(path.prefix { $0 != "." })
      guard let attribute = attributes.first(where: { $0.name == property }) else {
        throw FillError(description: "'\(row.entity)' has no attribute '\(property)'")
      }
      if case .modelDefault = planned {
        let empty: StoredValue = attribute.isOptional ? .null : .blob(Data())
        // A composite has no column, so its default is left out and its elements stay null.
        if let place = layout.index[path] { values[place] = attribute.defaultValue ?? empty }
        continue
      }
      guard let place = layout.index[path] else {
        // A removed case has no column here, because the code is compiled with the newest enum. Its value is left out,
        // as the migration that drops the case leaves it out.
        if row.cases.keys.contains(where: { path.hasPrefix($0 + ".") }) { continue }
        let known = layout.slots.map(\.path).filter {
          $0 == property || $0.hasPrefix(property + ".")
        }
        throw FillError(
          description:
            "'\(row.entity)' has no column for '\(path)'; '\(property)' has columns for \(known.joined(separator: ", "))"
        )
      }
      switch planned {
      case .stored(let value):
        values[place] = distinct.contains(path) ? value.distinguished(by: copy) : value
      case .repeated(.text(let text), let count):
        values[place] = .text(String(repeating: text, count: count))
      case .repeated(.blob(let data), let count):
        let size = data.count * count
        // The data is doubled each time, because `joined` copies byte by byte.
        var blob = data
        while blob.count < size { blob += blob.prefix(size - blob.count) }
        values[place] = .blob(blob)
      case .repeated(let value, _): values[place] = value
      case .archived(let elements, let element):
        values[place] = try archive(elements, element)
      case .modelDefault: break
      }
    }
    return values
  }

  private func link(
    _ row: PlannedRow, _ id: ObjectID, _ layout: EntityLayout, _ ids: [String: ObjectID],
    _ stored: inout StoreRow, _ changes: inout StoreChanges
  ) throws {
    for (name, labels) in row.links.sorted(by: { $0.key < $1.key }) {
      let relationship = graph.relationships(of: row.entity).first { $0.name == name }
      guard let relationship else {
        throw FillError(description: "'\(row.entity)' has no relationship '\(name)'")
      }
      let destinations = labels.compactMap { ids[$0] }
      if relationship.isToMany {
        changes.links.append(
          StoreChanges.Link(source: id, relationship: name, destinations: destinations))
      } else if let destination = destinations.first, let place = layout.index[name] {
        stored.values[place] = .integer(destination.key)
      }
    }
  }
}
