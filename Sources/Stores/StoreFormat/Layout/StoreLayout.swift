package import ManagedModels

/// The places of a model's values in a store: tables, columns, indexes, by the rules of docs/facts/store-format.md.
///
/// It depends only on the model's identity and its indexes, so every model with the same identity can read the store.
package struct StoreLayout {
  package let graph: ModelGraph
  package private(set) var tables: [TableLayout] = []
  package private(set) var joins: [JoinLayout] = []
  package private(set) var entities: [String: EntityLayout] = [:]
  private var links: [PropertyKey: LinkStorage] = [:]
  private var tableNumbers: [String: Int] = [:]

  /// A property, with the entity that declares it.
  package struct PropertyKey: Hashable {
    package var entity: String
    package var property: String
  }

  package init(_ model: ManagedModel) throws {
    self.init(try ModelGraph(model))
  }

  /// The layout of a model in a store that has these entity numbers. The model may be invalid.
  package init(_ model: ManagedModel, numbers: [String: Int64]) {
    self.init(ModelGraph(model, numbers: numbers))
  }

  private init(_ graph: ModelGraph) {
    self.graph = graph
    var names = Names(reserved: ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"])
    for root in graph.nodes where root.root == root.name {
      tableNumbers[root.name] = tables.count
      tables.append(
        TableLayout(name: names.claim("Z" + root.name.uppercased()), root: root.name))
    }
    for index in tables.indices { layColumns(ofTable: index) }
    for node in graph.nodes { layLinks(of: node, &names) }
    for node in graph.nodes { entities[node.name] = entityLayout(of: node) }
    for index in tables.indices { layIndexes(ofTable: index) }
  }

  package func table(of entity: String) -> TableLayout {
    tables[tableNumbers[graph[entity]?.root ?? entity] ?? 0]
  }

  package func storage(of relationship: String, in node: ModelGraph.Node) -> LinkStorage? {
    links[
      PropertyKey(entity: graph.declarer(of: relationship, in: node), property: relationship)]
  }

  package func numbers(ofFamily node: ModelGraph.Node) -> [Int] {
    node.family.compactMap { graph[$0]?.number }
  }

  // MARK: Columns

  private mutating func layColumns(ofTable index: Int) {
    let table = tables[index]
    var names = Names(reserved: ["Z_PK", "Z_ENT", "Z_OPT"])
    var columns: [ColumnLayout] = []
    let family = graph[table.root]?.family ?? []
    for (place, node) in family.compactMap({ graph[$0] }).enumerated() {
      // In a collision the later column gets a number: ZID, ZID1 (docs/facts/store-format.md#columns). It is only
      // likely that properties come before elements of composites, and roots before subentities
      // (docs/facts/store-format.md#column-claims).
      let leaves = node.entity.attributes.flatMap { Leaf.leaves(of: $0) }
      for leaf in leaves.sorted(by: {
        ($0.isElement ? 1 : 0, $0.path) < ($1.isElement ? 1 : 0, $1.path)
      }) {
        columns.append(
          ColumnLayout(
            name: names.claim("Z" + leaf.name.uppercased()), type: leaf.type.row.column,
            content: .attribute(leaf.type), path: leaf.path, entity: node.name, block: place))
      }
      for relationship in node.entity.relationships.sorted(by: { $0.name < $1.name })
      where !relationship.isToMany {
        columns.append(
          ColumnLayout(
            name: names.claim("Z" + relationship.name.uppercased()), type: "INTEGER",
            content: .toOne, path: relationship.name, entity: node.name, block: place))
      }
      for (owner, relationship) in ownersWithoutInverse(to: node) {
        columns.append(
          ColumnLayout(
            name: names.claim("Z\(owner.number)" + relationship.name.uppercased()),
            type: "INTEGER", content: .owner(number: owner.number), path: relationship.name,
            entity: owner.name, block: place))
      }
    }
    tables[index].columns = columns.sorted { $0.rank < $1.rank }
  }

  /// The to-many relationships without an inverse that lead to an entity. The entity's table has the keys of their
  /// owners.
  private func ownersWithoutInverse(
    to node: ModelGraph.Node
  ) -> [(owner: ModelGraph.Node, relationship: ManagedRelationship)] {
    graph.nodes.flatMap { owner in
      owner.entity.relationships
        .filter { $0.isToMany && $0.destination == node.name && $0.inverse == nil }
        .sorted { $0.name < $1.name }
        .map { (owner, $0) }
    }
  }

  // MARK: Links

  private mutating func layLinks(of node: ModelGraph.Node, _ names: inout Names) {
    for relationship in node.entity.relationships.sorted(by: { $0.name < $1.name }) {
      let key = PropertyKey(entity: node.name, property: relationship.name)
      guard links[key] == nil else { continue }
      let destination = table(of: relationship.destination)
      if !relationship.isToMany {
        guard let column = table(of: node.name).column(.toOne, relationship.name, of: node.name)
        else { continue }
        links[key] = .own(column)
      } else if let inverse = graph.inverse(of: relationship) {
        let other = PropertyKey(entity: inverse.entity, property: inverse.relationship.name)
        if inverse.relationship.isToMany {
          layJoin(key, other, &names)
        } else if let column = destination.column(.toOne, other.property, of: other.entity) {
          links[key] = .destination(table: destination.name, column, isHidden: false)
        }
      } else if let column = destination.column(
        .owner(number: node.number), relationship.name, of: node.name)
      {
        links[key] = .destination(table: destination.name, column, isHidden: true)
      }
    }
  }

  /// Adds a join table, which is named after the side whose entity's name sorts first: Recipe.categories and
  /// RecipeCategory.recipes become Z_12CATEGORIES (Z_12RECIPES, Z_13CATEGORIES). Likely, from seven published Core Data
  /// schemas, with and without subentities; if both sides belong to one entity, the name is a guess
  /// (docs/facts/store-format.md#many-to-many-owner, #many-to-many-within-one-entity).
  private mutating func layJoin(_ one: PropertyKey, _ other: PropertyKey, _ names: inout Names) {
    let isFirst =
      one.entity == other.entity
      ? one.property <= other.property : ModelGraph.precedes(one.entity, other.entity)
    let (master, inverse) = isFirst ? (one, other) : (other, one)
    let number = graph[master.entity]?.number ?? 0
    var columns = Names(reserved: [])
    let own = columns.claim("Z_\(number)\(inverse.property.uppercased())")
    // If a relationship is its own inverse, the other column has a different name
    // (docs/facts/store-format.md#many-to-many-owner).
    let isReflexive = master == inverse
    let far =
      isReflexive
      ? "REFLEXIVE"
      : columns.claim("Z_\(graph[inverse.entity]?.number ?? 0)\(master.property.uppercased())")
    let join = JoinLayout(
      name: names.claim("Z_\(number)\(master.property.uppercased())"), master: master,
      inverse: inverse, own: own, far: far,
      otherName: "Z_\(graph[inverse.entity]?.number ?? 0)\(inverse.property.uppercased())")
    joins.append(join)
    links[master] = .join(table: join.name, own: own, far: far, isReflexive: isReflexive)
    if !isReflexive {
      links[inverse] = .join(table: join.name, own: far, far: own, isReflexive: false)
    }
  }

  // MARK: Slots

  private func entityLayout(of node: ModelGraph.Node) -> EntityLayout {
    let table = table(of: node.name)
    var slots: [EntityLayout.Slot] = []
    for ancestor in node.lineage.compactMap({ graph[$0]?.entity }) {
      for leaf in ancestor.attributes.flatMap({ Leaf.leaves(of: $0) }) {
        guard let column = table.column(.attribute(leaf.type), leaf.path, of: ancestor.name) else {
          continue
        }
        slots.append(EntityLayout.Slot(path: leaf.path, type: leaf.type, column: column))
      }
      for relationship in ancestor.relationships where !relationship.isToMany {
        guard let column = table.column(.toOne, relationship.name, of: ancestor.name) else {
          continue
        }
        slots.append(EntityLayout.Slot(path: relationship.name, type: nil, column: column))
      }
    }
    let index = Dictionary(
      slots.enumerated().map { ($0.element.path, $0.offset) }
    ) { first, _ in first }
    return EntityLayout(entity: node.name, table: table.name, slots: slots, index: index)
  }

  // MARK: Indexes

  private mutating func layIndexes(ofTable index: Int) {
    let table = tables[index]
    let family = (graph[table.root]?.family ?? []).compactMap { graph[$0] }
    var indexes: [IndexLayout] = []
    // This index is only likely, since the available stores have no subentities
    // (docs/facts/store-format.md#subentities-share-a-table).
    if family.count > 1 {
      indexes.append(IndexLayout(table: table.name, link: "Z_ENT"))
    }
    for column in table.columns where column.isLink {
      indexes.append(IndexLayout(table: table.name, link: column.name))
    }
    for node in family {
      for names in node.entity.uniqueness {
        indexes.append(
          IndexLayout(
            name: "Z_\(node.name)_UNIQUE_\(Self.joined(names, by: "_"))", table: table.name,
            columns: columns(of: names, in: node), isUnique: true, entity: node.name,
            properties: names))
      }
      // An R-tree only makes searching faster, so it is left out.
      for declared in node.entity.indexes where !declared.isRTree {
        indexes.append(
          IndexLayout(
            name:
              "Z_\(node.name)_SwiftDataIndexOnBinary\(Self.joined(declared.properties, by: ""))",
            table: table.name, columns: columns(of: declared.properties, in: node),
            isUnique: false, entity: node.name, properties: declared.properties))
      }
    }
    var known: Set<String> = []
    tables[index].indexes = indexes.filter {
      !$0.columns.isEmpty && known.insert($0.name).inserted
    }
  }

  private static func joined(_ names: [String], by separator: String) -> String {
    names.map { $0.split(separator: ".").joined(separator: "_") }.joined(separator: separator)
  }

  /// The columns of properties. A composite has one for each element.
  package func columns(of properties: [String], in node: ModelGraph.Node) -> [String] {
    properties.flatMap { property in
      (entities[node.name]?.slots ?? [])
        .filter { $0.path == property || $0.path.hasPrefix(property + ".") }
        .map(\.column)
    }
  }
}

/// One table with the rows of an inheritance tree.
package struct TableLayout {
  package var name: String
  package var root: String
  /// The columns without `Z_PK`, `Z_ENT` and `Z_OPT`, in Core Data's order.
  package var columns: [ColumnLayout] = []
  package var indexes: [IndexLayout] = []

  package func column(_ content: ColumnLayout.Content, _ path: String, of entity: String) -> String?
  {
    columns.first { $0.content == content && $0.path == path && $0.entity == entity }?.name
  }

  package var types: [String: String] {
    var types = ["Z_PK": "INTEGER", "Z_ENT": "INTEGER", "Z_OPT": "INTEGER"]
    for column in columns { types[column.name] = column.type }
    return types
  }

  /// The SQL exactly as Core Data writes it, for comparison.
  package var statement: String {
    let columns = columns.map { ", \($0.name) \($0.type)" }.joined()
    return
      "CREATE TABLE \(name) ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER\(columns) )"
  }
}

/// One column in addition to the three that every table has.
package struct ColumnLayout {
  package enum Content: Hashable {
    case attribute(AttributeType)
    case toOne
    /// The key of the owner in a to-many relationship without an inverse.
    case owner(number: Int)
  }

  package var name: String
  package var type: String
  package var content: Content
  /// The slot's path, or the name of the relationship.
  package var path: String
  package var entity: String
  /// The index of the entity in its tree.
  package var block: Int

  package var isLink: Bool {
    if case .attribute = content { return false }
    return true
  }

  /// Core Data's order: integers and links, reals, strings, blobs. Within each group columns are ordered by entity,
  /// with attributes before links, and then by the property's name: reviewID before reviewerName. Measured in the
  /// available stores; for trees only likely, from the published schema of Apple's Notes.
  fileprivate var rank: (Int, Int, Int, Int, String) {
    let group =
      switch type {
      case "INTEGER": 0
      case "VARCHAR": 2
      case "BLOB": 3
      default: 1
      }
    switch content {
    case .attribute: return (group, block, 0, 0, path)
    case .toOne: return (group, block, 1, 0, path)
    case .owner(let number): return (group, block, 2, number, path)
    }
  }
}

/// The table of a many-to-many relationship.
package struct JoinLayout {
  package var name: String
  /// The side after which the table is named.
  package var master: StoreLayout.PropertyKey
  package var inverse: StoreLayout.PropertyKey
  /// The column with keys of the master's entity.
  package var own: String
  /// The column with keys of the inverse's entity.
  package var far: String

  /// The table's name if it is named after the other side, since few stores show which side Core Data chooses.
  package var otherName: String

  package var statement: String {
    "CREATE TABLE \(name) ( \(own) INTEGER, \(far) INTEGER, PRIMARY KEY (\(own), \(far)) )"
  }

  package var indexStatement: String {
    "CREATE INDEX \(name)_\(far)_INDEX ON \(name) (\(far), \(own))"
  }
}

/// One index of an entity's table.
package struct IndexLayout {
  package var name: String
  package var table: String
  package var columns: [String]
  package var isUnique: Bool
  /// The entity whose properties it indexes; nil for Core Data's own indexes.
  package var entity: String?
  /// The indexed properties as declared; empty for a link.
  package var properties: [String] = []

  package var statement: String {
    guard entity != nil else { return "CREATE INDEX \(name) ON \(table) (\(columns[0]))" }
    let columns = columns.map { "\($0) COLLATE BINARY ASC" }.joined(separator: ", ")
    return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(table) (\(columns))"
  }
}

extension IndexLayout {
  fileprivate init(table: String, link column: String) {
    self.init(
      name: "\(table)_\(column)_INDEX", table: table, columns: [column], isUnique: false)
  }
}

/// The storage of one relationship's links, from one of its sides.
package enum LinkStorage: Hashable {
  /// In a column of the owner's own table.
  case own(String)
  /// In a column of the destination's table: the inverse's, or a hidden one if there is no inverse.
  case destination(table: String, String, isHidden: Bool)
  /// In a join table, with both directions of each link if the relationship is its own inverse.
  case join(table: String, own: String, far: String, isReflexive: Bool)
}

/// One stored value of an attribute: the attribute itself, or an element of its composite.
package struct Leaf {
  /// The name that the column is derived from.
  package var name: String
  /// `address.street` for an element of a composite.
  package var path: String
  package var type: AttributeType
  /// Whether it is one of several elements of a composite.
  package var isElement: Bool

  package static func leaves(of attribute: ManagedAttribute) -> [Leaf] {
    leaves(of: attribute, path: attribute.name, isElement: false)
  }

  /// Collects the leaves of an attribute. An element's column is named after the element, without its owner. The only
  /// element of an enum with a raw value has the enum's name (docs/facts/store-format.md#column-enum), and its path
  /// ends in `.rawValue`, as in Swift.
  private static func leaves(
    of attribute: ManagedAttribute, path: String, isElement: Bool
  ) -> [Leaf] {
    guard attribute.type == .composite else {
      return [Leaf(name: attribute.name, path: path, type: attribute.type, isElement: isElement)]
    }
    if let raw = attribute.rawValueElement {
      return [
        Leaf(name: attribute.name, path: path + ".rawValue", type: raw.type, isElement: isElement)
      ]
    }
    return attribute.elements.flatMap {
      leaves(of: $0, path: "\(path).\($0.name)", isElement: true)
    }
  }
}

/// Makes names unique by appending a number: ZID, ZID1.
private struct Names {
  private var taken: Set<String>

  init(reserved: Set<String>) { taken = reserved }

  mutating func claim(_ name: String) -> String {
    var claimed = name
    var number = 1
    while !taken.insert(claimed).inserted {
      claimed = "\(name)\(number)"
      number += 1
    }
    return claimed
  }
}
