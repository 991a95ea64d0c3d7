internal import Foundation
internal import ManagedModels
internal import StoreEngine
internal import StoreFormat

/// A store, and the bindings of its entities' rows to models. Contexts on several threads share it.
final class StoreAccess: @unchecked Sendable {
  let file: StoreFile
  let identifier: String
  private let lock = NSRecursiveLock()
  private let graph: SchemaGraph
  private var bindings: [RowBinding?]

  init(_ file: StoreFile, _ graph: SchemaGraph) {
    self.file = file
    self.graph = graph
    identifier = file.identifier
    bindings = Array(repeating: nil, count: graph.nodes.count)
  }

  func access<Result>(_ work: (StoreFile) throws -> Result) throws -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try work(file)
  }

  /// Does the work of a method that cannot throw in SwiftData's interface. An unreadable store ends the process.
  func attempt<Result>(_ work: (StoreFile) throws -> Result) -> Result {
    do {
      return try access(work)
    } catch {
      trap("the store cannot be read: \(error)")
    }
  }

  func binding(of node: EntityNode) -> RowBinding {
    lock.lock()
    defer { lock.unlock() }
    if let binding = bindings[node.index] { return binding }
    let binding = RowBinding(node, file.layout(of: node.shape.name), graph)
    bindings[node.index] = binding
    return binding
  }
}

/// Maps the slots of a store's row, which are its values, to a model's values. It is a class, because it is used for
/// each row and a struct would be copied.
final class RowBinding {
  private let node: EntityNode
  /// The slots by column of `_ModelValues`; -1 for a column that a store lacks.
  private let columnSlots: [Int]
  /// The values of columns without a slot, for rows that are read. They are the property's default.
  private let unstored: [(column: Int, value: StoredValue)]
  private let propertySlots: [[Int]]
  private let linkSlots: [(property: Int, slot: Int, root: Int)]
  private let slotCount: Int

  init(_ node: EntityNode, _ layout: EntityLayout, _ graph: SchemaGraph) {
    func slot(_ path: String) -> Int {
      guard let slot = layout.index[path] else {
        trap("the layout of \(node.shape.name) has no '\(path)'")
      }
      return slot
    }
    self.node = node
    slotCount = layout.slots.count
    var columnSlots: [Int] = []
    var unstored: [(column: Int, value: StoredValue)] = []
    var propertySlots: [[Int]] = []
    var linkSlots: [(property: Int, slot: Int, root: Int)] = []
    for (index, property) in node.shape.properties.enumerated() {
      if property.codec != nil, !property.isStored {
        unstored += zip(property.columns, property.defaultColumns).map { (column: $0, value: $1) }
        columnSlots += property.columns.map { _ in -1 }
        propertySlots.append([])
      } else if let codec = property.codec {
        let slots = codec.paths.map { slot($0.isEmpty ? property.name : "\(property.name).\($0)") }
        columnSlots += slots
        propertySlots.append(slots)
      } else if let link = node.links[index], link.isColumn {
        linkSlots.append((index, slot(property.name), graph.nodes[link.destination].root))
        propertySlots.append([slot(property.name)])
      } else {
        propertySlots.append([])
      }
    }
    self.columnSlots = columnSlots
    self.unstored = unstored
    self.propertySlots = propertySlots
    self.linkSlots = linkSlots
  }

  func read(_ row: StoreRow, into values: _ModelValues) {
    values.columns = columnSlots.map { $0 < 0 ? .null : row.values[$0] }
    for (column, value) in unstored { values.columns[column] = value }
    guard !node.linkIndexes.isEmpty else { return }
    values.links = node.links.map { link in
      link?.isToMany == true ? .unread(added: [], removed: []) : .one(nil)
    }
    for (property, slot, root) in linkSlots {
      guard case .integer(let key) = row.values[slot] else { continue }
      values.links[property] = .one(.row(RowKey(root: root, key: key)))
    }
  }

  func write(_ values: _ModelValues) -> [StoredValue] {
    var row: [StoredValue] = Array(repeating: .null, count: slotCount)
    for (column, slot) in columnSlots.enumerated() where slot >= 0 {
      row[slot] = values.columns[column]
    }
    for (property, slot, _) in linkSlots {
      row[slot] = Self.key(of: values.links[property])
    }
    return row
  }

  func slots(of properties: [Int]) -> [Int] { properties.flatMap { propertySlots[$0] } }

  func write(_ properties: [Int], of values: _ModelValues) -> [StoredValue] {
    var written: [StoredValue] = []
    written.reserveCapacity(properties.count)
    for index in properties {
      let property = node.shape.properties[index]
      if property.codec == nil {
        if !propertySlots[index].isEmpty { written.append(Self.key(of: values.links[index])) }
      } else if property.isStored {
        written += values.columns[property.columns]
      }
    }
    return written
  }

  private static func key(of link: _ModelValues.Link) -> StoredValue {
    guard case .one(let reference?) = link, reference.key.key > 0 else { return .null }
    return .integer(reference.key.key)
  }
}
