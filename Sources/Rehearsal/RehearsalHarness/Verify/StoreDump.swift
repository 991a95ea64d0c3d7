package import ManagedModels

/// All contents of a store's rows, as a value for comparing.
package struct StoreDump: Hashable, Sendable {
  /// The rows of exactly one entity, and the names of their values.
  package struct Table: Hashable, Sendable {
    package var entity: String
    /// The entity and its ancestors, root first.
    package var lineage: [String]
    /// Attributes' slot paths, in the order of the rows' values.
    package var slots: [String]
    /// The indexes of each attribute's slots: one, or one for each element of a composite.
    package var places: [String: [Int]]
    package var destinations: [String: String]
    /// The rows in the order of their keys.
    package var rows: [Row]

    /// - Parameter slots: Attributes' slot paths: "name", "address.street".
    package init(
      entity: String, lineage: [String]? = nil, slots: [String],
      destinations: [String: String] = [:], rows: [Row] = []
    ) {
      self.entity = entity
      self.lineage = lineage ?? [entity]
      self.slots = slots
      self.destinations = destinations
      self.rows = rows
      places = [:]
      for (place, slot) in slots.enumerated() {
        let property = slot.split(separator: ".", maxSplits: 1).first.map(String.init) ?? slot
        places[property, default: []].append(place)
      }
    }

    package var properties: Set<String> { Set(places.keys).union(destinations.keys) }

    /// The part of a slot's path after the property's name: nothing, or ".street".
    package func suffix(of place: Int, in property: String) -> String {
      String(slots[place].dropFirst(property.count))
    }

    func place(of key: Int64) -> Int? {
      var (low, high) = (0, rows.count)
      while low < high {
        let middle = (low + high) / 2
        if rows[middle].key < key { low = middle + 1 } else { high = middle }
      }
      return low < rows.count && rows[low].key == key ? low : nil
    }
  }

  package struct Row: Hashable, Sendable {
    package var key: Int64
    package var values: [StoredValue]
    /// The rows at the other end of each relationship, to-one or to-many. Each list is sorted.
    package var links: [String: [ObjectID]]

    package init(key: Int64, values: [StoredValue], links: [String: [ObjectID]] = [:]) {
      self.key = key
      self.values = values
      self.links = links
    }
  }

  package var tables: [String: Table]

  package init(_ tables: [Table] = []) {
    self.tables = Dictionary(tables.map { ($0.entity, $0) }) { first, _ in first }
  }

  package var rowCount: Int { tables.values.reduce(0) { $0 + $1.rows.count } }

  package func isEntity(_ name: String, within ancestor: String) -> Bool {
    tables[name]?.lineage.contains(ancestor) ?? (name == ancestor)
  }
}

extension ObjectID {
  package static func precedes(_ left: ObjectID, _ right: ObjectID) -> Bool {
    (left.entity, left.key) < (right.entity, right.key)
  }
}
