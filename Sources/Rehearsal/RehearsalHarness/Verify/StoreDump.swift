package import ManagedModels

/// Everything that the rows of a store say, as a value: what is compared.
package struct StoreDump: Hashable, Sendable {
  /// The rows of exactly one entity, and what their values are called.
  package struct Table: Hashable, Sendable {
    package var entity: String
    /// The entity and those it inherits from, the root first.
    package var lineage: [String]
    /// Slot paths of attributes, in the order of the rows' values.
    package var slots: [String]
    /// The places of an attribute's slots: one, but all of its elements' for a composite.
    package var places: [String: [Int]]
    /// The entity at the other end, by relationship.
    package var destinations: [String: String]
    /// In the order of their keys.
    package var rows: [Row]

    /// - Parameter slots: Of attributes: "name", "address.street".
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

    /// Every property that rows have a value or links for.
    package var properties: Set<String> { Set(places.keys).union(destinations.keys) }

    /// What follows a property's name in a slot's path: nothing, or ".street".
    package func suffix(of place: Int, in property: String) -> String {
      String(slots[place].dropFirst(property.count))
    }

    /// Where the row of a key is.
    func place(of key: Int64) -> Int? {
      // Rows are in the order of their keys.
      var (low, high) = (0, rows.count)
      while low < high {
        let middle = (low + high) / 2
        if rows[middle].key < key { low = middle + 1 } else { high = middle }
      }
      return low < rows.count && rows[low].key == key ? low : nil
    }
  }

  /// One row.
  package struct Row: Hashable, Sendable {
    package var key: Int64
    package var values: [StoredValue]
    /// By relationship, to-one and to-many alike: the rows at the other end, sorted.
    package var links: [String: [ObjectID]]

    package init(key: Int64, values: [StoredValue], links: [String: [ObjectID]] = [:]) {
      self.key = key
      self.values = values
      self.links = links
    }
  }

  /// By entity.
  package var tables: [String: Table]

  package init(_ tables: [Table] = []) {
    self.tables = Dictionary(tables.map { ($0.entity, $0) }) { first, _ in first }
  }

  package var rowCount: Int { tables.values.reduce(0) { $0 + $1.rows.count } }

  /// Whether an entity is another, or inherits from it.
  package func isEntity(_ name: String, within ancestor: String) -> Bool {
    tables[name]?.lineage.contains(ancestor) ?? (name == ancestor)
  }
}

extension ObjectID {
  /// Order in dumps.
  package static func precedes(_ left: ObjectID, _ right: ObjectID) -> Bool {
    (left.entity, left.key) < (right.entity, right.key)
  }
}
