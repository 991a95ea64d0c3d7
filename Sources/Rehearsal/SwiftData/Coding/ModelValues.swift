internal import ManagedModels

/// The values of one model, which are or will be a row.
///
/// This is public only because the macros need it.
public final class _ModelValues {
  enum State {
    case detached
    case inserted
    case clean
    case updated
    case deleted
  }

  /// One end of a relationship.
  enum Link {
    case one(Reference?)
    case many([Reference])
    /// A to-many link that has not been read yet, and its changes.
    case unread(added: [Reference], removed: [Reference])
  }

  /// A reference to another model. Saved rows are referenced by key, so that unused models can be freed.
  enum Reference {
    case row(RowKey)
    case model(any PersistentModel)

    var key: RowKey {
      switch self {
      case .row(let key): key
      case .model(let model): model.values.rowKey
      }
    }
  }

  let shape: ModelShape
  var columns: [StoredValue]
  /// The links by property; empty for a class without relationships. An attribute has the entry `.one(nil)`.
  var links: [Link]
  var changedLists: Set<Int> = []
  /// Properties whose columns have changed since the row was read or saved, in the order of their first change.
  private(set) var changedProperties: [Int] = []
  /// The row's key, below zero until the first save.
  var key: Int64
  var state = State.detached
  private(set) var node: EntityNode?
  private(set) weak var model: (any PersistentModel)?
  private(set) weak var context: ModelContext?

  init(_ shape: ModelShape) {
    self.shape = shape
    columns = shape.emptyColumns
    links = shape.emptyLinks
    key = TemporaryKey.next()
  }

  init(_ node: EntityNode, key: Int64) {
    shape = node.shape
    self.node = node
    self.key = key
    columns = []
    links = []
    state = .clean
  }

  deinit { context?.forget(rowKey) }

  func enter(_ context: ModelContext, as model: any PersistentModel, _ node: EntityNode) {
    self.context = context
    self.model = model
    self.node = node
  }

  func leave() {
    context = nil
    state = .detached
  }

  var rowKey: RowKey { RowKey(root: node?.root ?? -1, key: key) }

  var identifier: PersistentIdentifier {
    PersistentIdentifier(
      storeIdentifier: key > 0 ? context?.container.storage.identifier : nil,
      entityName: shape.name, key: key)
  }

  func take(_ other: _ModelValues) {
    for (index, property) in other.shape.properties.enumerated() {
      for column in property.columns { columns[column] = other.columns[column] }
      if property.destination != nil { links[index] = other.links[index] }
    }
  }

  func forgetChanges() {
    state = .clean
    if !changedProperties.isEmpty { changedProperties = [] }
    if !changedLists.isEmpty { changedLists = [] }
  }

  /// Records that the model has changed, and which property must be written. The property is nil for a to-many
  /// relationship, whose links are written separately.
  private func changed(_ property: Int?) {
    // A new row is written as a whole.
    if state == .detached || state == .inserted { return }
    if let property, !changedProperties.contains(property) { changedProperties.append(property) }
    if state == .clean {
      state = .updated
      context?.noteChange(of: self)
    }
  }
}

// MARK: Attributes

extension _ModelValues {
  func attribute<Value>(_ name: String) -> Value {
    let property = shape.properties[shape.property(name)]
    guard let codec = property.codec?.typed(Value.self) else {
      trap("\(shape.name).\(name) is not a stored \(Value.self)")
    }
    guard let value = codec.decode(columns[property.columns]) else {
      let found = columns[property.columns].map { "\($0)" }.joined(separator: ", ")
      trap(
        """
        \(shape.name).\(name) of row \(key) holds \(found), which is not a \(Value.self). A row that a \
        migration left without a value traps here (docs/facts/migration.md#add-required-enum)
        """)
    }
    return value
  }

  func setAttribute<Value>(_ name: String, _ newValue: Value) {
    let index = shape.property(name)
    let property = shape.properties[index]
    guard let codec = property.codec?.typed(Value.self) else {
      trap("\(shape.name).\(name) is not a stored \(Value.self)")
    }
    codec.encode(newValue, into: &columns, at: property.columns)
    changed(index)
  }
}

// MARK: Relationships

extension _ModelValues {
  func requiredModel<Value: PersistentModel>(_ name: String) -> Value {
    guard let model: Value = model(name) else {
      trap("\(shape.name).\(name) of row \(key) must have a \(Value.self), but has none")
    }
    return model
  }

  func model<Value: PersistentModel>(_ name: String) -> Value? {
    guard case .one(let reference?) = links[shape.property(name)] else { return nil }
    return resolve(reference) as? Value
  }

  func models<Value: RelationshipCollection>(_ name: String) -> Value {
    let models = references(shape.property(name)).compactMap { resolve($0) }
    return Value(_models: models.compactMap { $0 as? Value.PersistentElement })
  }

  func setModel<Value: PersistentModel>(_ name: String, _ newValue: Value?) {
    setOne(shape.property(name), newValue)
  }

  func setModels<Value: RelationshipCollection>(_ name: String, _ newValue: Value) {
    setMany(shape.property(name), newValue._models)
  }

  func resolve(_ reference: Reference) -> (any PersistentModel)? {
    switch reference {
    case .model(let model): return model
    case .row(let key):
      guard let context else { contextIsGone() }
      return context.model(at: key)
    }
  }

  func references(_ index: Int) -> [Reference] {
    switch links[index] {
    case .one(let reference): return reference.map { [$0] } ?? []
    case .many(let references): return references
    case .unread(let added, let removed):
      guard let context else { contextIsGone() }
      let read = context.readLink(of: self, shape.properties[index].name, index)
      let gone = Set((removed + added).map(\.key))
      let all = read.filter { !gone.contains($0.key) } + added
      links[index] = .many(all)
      return all
    }
  }

  /// Ends the process, as Apple's SwiftData does. A model is unusable after its context was released.
  private func contextIsGone() -> Never {
    trap("\(shape.name) of row \(key): its ModelContext is gone, so related rows cannot be read")
  }

  private func setOne(_ index: Int, _ target: (any PersistentModel)?) {
    var old: Reference?
    if case .one(let reference) = links[index] { old = reference }
    if old?.key == target?.values.rowKey { return }
    links[index] = .one(target.map { .model($0) })
    changed(index)
    guard let context, let link = node?.links[index] else { return }
    if let target { context.adopt(target) }
    guard let inverse = link.inverse else { return }
    if let model {
      if let old { resolve(old)?.values.disconnect(inverse, from: model) }
      target?.values.connect(inverse, to: model)
    }
  }

  private func setMany(_ index: Int, _ targets: [any PersistentModel]) {
    let old = references(index)
    var seen: Set<RowKey> = []
    let new = targets.filter { seen.insert($0.values.rowKey).inserted }
    links[index] = .many(new.map { .model($0) })
    guard let context, let link = node?.links[index], let model else { return }
    if link.isList {
      changedLists.insert(index)
      changed(nil)
    } else {
      context.noteTouch(of: self)
    }
    for target in new { context.adopt(target) }
    // Keys are compared only now, because a model may just have received its key.
    let kept = Set(new.map { $0.values.rowKey })
    let before = Set(old.map(\.key))
    guard let inverse = link.inverse else { return }
    for reference in old where !kept.contains(reference.key) {
      resolve(reference)?.values.disconnect(inverse, from: model)
    }
    for target in new where !before.contains(target.values.rowKey) {
      target.values.connect(inverse, to: model)
    }
  }

  /// Sets this end of a link to another model, and removes the former link of a to-one relationship.
  func connect(_ index: Int, to other: any PersistentModel) {
    let key = other.values.rowKey
    switch links[index] {
    case .one(let old):
      if old?.key == key { return }
      links[index] = .one(.model(other))
      changed(index)
      if let old, let inverse = node?.links[index]?.inverse, let model {
        resolve(old)?.values.disconnect(inverse, from: model)
      }
    case .many(var references):
      if references.contains(where: { $0.key == key }) { return }
      references.append(.model(other))
      links[index] = .many(references)
      context?.noteTouch(of: self)
    case .unread(var added, var removed):
      removed.removeAll { $0.key == key }
      if !added.contains(where: { $0.key == key }) { added.append(.model(other)) }
      links[index] = .unread(added: added, removed: removed)
      context?.noteTouch(of: self)
    }
  }

  func disconnect(_ index: Int, from other: any PersistentModel) {
    let key = other.values.rowKey
    switch links[index] {
    case .one(let old):
      guard old?.key == key else { return }
      links[index] = .one(nil)
      changed(index)
    case .many(var references):
      references.removeAll { $0.key == key }
      links[index] = .many(references)
      context?.noteTouch(of: self)
    case .unread(var added, var removed):
      added.removeAll { $0.key == key }
      removed.append(.model(other))
      links[index] = .unread(added: added, removed: removed)
      context?.noteTouch(of: self)
    }
  }
}

/// A row's root entity and primary key. The key is temporary until the row is saved.
struct RowKey: Hashable {
  /// The index of the root entity; -1 for a model outside any context.
  let root: Int
  let key: Int64

  // Keys below zero are unique in the process, for all entities.
  static func == (lhs: RowKey, rhs: RowKey) -> Bool {
    lhs.key == rhs.key && (lhs.key < 0 || lhs.root == rhs.root)
  }
  func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
