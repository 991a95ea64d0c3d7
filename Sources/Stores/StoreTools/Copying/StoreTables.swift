internal import ManagedModels
internal import StoreFormat

/// The contents of a store's columns, according to its model.
struct StoreTables {
  /// The contents of a column.
  enum Content: Equatable {
    /// Data that stays: keys, links, entity numbers, counters, positions.
    case own
    /// A value, with its type if the model defines it.
    case value(AttributeType?, isExternal: Bool)
  }

  private let contents: [String: [String: Content]]

  init(_ facts: StoreFacts, _ model: ManagedModel) {
    let numbers = Dictionary(facts.entities.map { ($0.name, $0.number) }) { first, _ in first }
    let layout = StoreLayout(model, numbers: numbers)
    var contents: [String: [String: Content]] = [:]
    for table in layout.tables {
      guard let types = facts.tables[table.name] else { continue }
      let known = Dictionary(table.columns.map { ($0.name, $0) }) { first, _ in first }
      let links = StoreStructure.withoutEntityColumns(types)
      for name in types.keys {
        let isOwn =
          ["Z_PK", "Z_ENT", "Z_OPT"].contains(name) || links[name] == nil
          || name.hasPrefix("Z_FOK_")
        contents[table.name, default: [:]][name] =
          known[name].map { Self.content($0, layout) }
          ?? (isOwn ? .own : .value(nil, isExternal: false))
      }
    }
    for join in layout.joins {
      for name in [join.name, join.otherName]
      where facts.tables[name]?[join.own] != nil && facts.tables[name]?[join.far] != nil {
        contents[name] = [:]
      }
    }
    self.contents = contents
  }

  func contents(of table: String, _ columns: [String]) -> [Content]? {
    contents[table].map { known in columns.map { known[$0] ?? .own } }
  }

  private static func content(_ place: ColumnLayout, _ layout: StoreLayout) -> Content {
    guard case .attribute(let type) = place.content else { return .own }
    let attributes = layout.graph[place.entity]?.entity.attributes
    let attribute = attributes?.first { $0.name == place.path }
    // The attribute is the number of rows to which a relationship leads.
    if attribute?.derivation?.hasPrefix("count") == true { return .own }
    return .value(type, isExternal: attribute?.isExternal ?? false)
  }
}
