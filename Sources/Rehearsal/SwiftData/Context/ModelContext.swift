public import Foundation
internal import ManagedModels
internal import StoreEngine
internal import StoreFormat

/// `ModelContext`, which is not Sendable, though its metatype is.
public class ModelContext: Equatable, _SendableMetatype {
  /// The container whose store is read and written.
  public let container: ModelContainer
  /// This has no effect, because nothing is saved automatically here.
  public var autosaveEnabled = false

  let graph: SchemaGraph
  let store: StoreAccess
  /// Live models by row. The context does not own them, and they remove themselves.
  private var registered: [RowKey: Unmanaged<_ModelValues>] = [:]
  /// Models with changes, in the order of their first change. The context owns them until they are saved.
  private(set) var changed: [any PersistentModel] = []
  /// Models that `enumerate` has visited and keeps, because mutations may escape from its block.
  var traversed: [any PersistentModel] = []
  /// Models whose only change is at the other end of a link.
  private var touched: [any PersistentModel] = []
  private var touchedKeys: Set<ObjectIdentifier> = []
  /// Errors of the delete rule `.deny`, for the next save.
  var denied: [String] = []

  /// Creates a context for a container's store.
  public convenience init(_ container: ModelContainer) {
    self.init(container, graph: container.schema.graph, store: container.storage)
  }

  init(_ container: ModelContainer, graph: SchemaGraph, store: StoreAccess) {
    self.container = container
    self.graph = graph
    self.store = store
  }

  deinit {
    for values in registered.values { values.takeUnretainedValue().leave() }
  }

  /// Whether there is anything to save.
  public var hasChanges: Bool { !changed.isEmpty }
  /// New models that are not saved yet.
  public var insertedModelsArray: [any PersistentModel] {
    changed.filter { $0.values.state == .inserted }
  }
  /// Models with changes that are not saved yet.
  public var changedModelsArray: [any PersistentModel] {
    changed.filter { $0.values.state == .updated }
  }
  /// Deleted models whose rows are still in the store.
  public var deletedModelsArray: [any PersistentModel] {
    changed.filter { $0.values.state == .deleted }
  }

  /// This has no effect: changes are processed at once.
  public func processPendingChanges() {}

  public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool { lhs === rhs }

  // MARK: Models by identity

  /// The model with an identifier. Ends the process if there is no such row.
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    guard let model = existingModel(for: persistentModelID) else {
      trap("there is no \(persistentModelID.entityName) of row \(persistentModelID.key)")
    }
    return model
  }

  /// The model with an identifier; nil if this context does not have it yet.
  public func registeredModel<T: PersistentModel>(
    for persistentModelID: PersistentIdentifier
  ) -> T? {
    guard let node = graph.node(named: persistentModelID.entityName) else { return nil }
    return registeredModel(at: RowKey(root: node.root, key: persistentModelID.key)) as? T
  }

  func existingModel(for identifier: PersistentIdentifier) -> (any PersistentModel)? {
    guard let node = graph.node(named: identifier.entityName) else { return nil }
    return model(at: RowKey(root: node.root, key: identifier.key))
  }

  package var registeredCount: Int { registered.count }

  func registeredModel(at key: RowKey) -> (any PersistentModel)? {
    registered[key]?.takeUnretainedValue().model
  }

  func model(at key: RowKey) -> (any PersistentModel)? {
    if let model = registeredModel(at: key) { return model }
    guard key.root >= 0 else { return nil }
    let id = ObjectID(entity: graph.nodes[key.root].shape.name, key: key.key)
    return store.attempt { try $0.row(id) }.map { model(of: $0) }
  }

  /// The model of a row that was just read. A model in use keeps its values.
  ///
  /// `expected` is the row's probable entity.
  func model(of row: StoreRow, expected: EntityNode? = nil) -> any PersistentModel {
    let isExpected = expected?.shape.name == row.id.entity
    guard let node = isExpected ? expected : graph.node(named: row.id.entity) else {
      trap("the store has a row of the entity '\(row.id.entity)', which is not in the schema")
    }
    let key = RowKey(root: node.root, key: row.id.key)
    if let model = registeredModel(at: key) { return model }
    let values = _ModelValues(node, key: row.id.key)
    store.binding(of: node).read(row, into: values)
    func make<M: PersistentModel>(_ type: M.Type) -> any PersistentModel {
      M(backingData: _ModelBacking<M>(values))
    }
    let model = make(node.shape.type)
    values.enter(self, as: model, node)
    registered[key] = .passUnretained(values)
    return model
  }

  func forget(_ key: RowKey) { registered[key] = nil }

  func rekey(_ values: _ModelValues, to key: Int64) {
    registered[values.rowKey] = nil
    values.key = key
    registered[values.rowKey] = .passUnretained(values)
  }

  // MARK: Changes

  /// Adds a new model and the models to which it is linked.
  public func insert<T: PersistentModel>(_ model: T) { adopt(model) }

  func adopt(_ model: any PersistentModel) {
    var levels = model._$values
    guard let values = levels.popLast() else { return }
    if values.context === self {
      if values.state == .deleted { values.state = values.key > 0 ? .updated : .inserted }
      return
    }
    guard values.context == nil, values.state == .detached else {
      trap("a \(values.shape.name) of another ModelContext cannot be inserted here")
    }
    guard let node = graph.node(of: values.shape.type) else {
      trap(
        """
        \(String(reflecting: values.shape.type)) is not a model of this context's schema: in a \
        migration, willMigrate knows only the old version's types, and didMigrate only the new version's \
        (docs/facts/migration.md#each-side-sees-its-own-types)
        """)
    }
    for level in levels where level !== values { values.take(level) }
    model._$attach(values)
    values.enter(self, as: model, node)
    values.state = .inserted
    registered[values.rowKey] = .passUnretained(values)
    changed.append(model)
    for index in node.linkIndexes {
      guard let link = node.links[index] else { continue }
      if link.isList { values.changedLists.insert(index) }
      for reference in values.references(index) {
        guard let other = values.resolve(reference) else { continue }
        adopt(other)
        if let inverse = link.inverse { other.values.connect(inverse, to: model) }
      }
    }
  }

  func noteChange(of values: _ModelValues) {
    guard let model = values.model else { return }
    changed.append(model)
  }

  func noteTouch(of values: _ModelValues) {
    guard let model = values.model, touchedKeys.insert(ObjectIdentifier(values)).inserted else {
      return
    }
    touched.append(model)
  }

  /// Completes a save. The context no longer owns any model, and links are read from the store when needed.
  func settle() {
    for model in changed + touched {
      let values = model.values
      if values.state == .deleted {
        registered[values.rowKey] = nil
        values.leave()
        continue
      }
      values.forgetChanges()
      guard !values.links.isEmpty, let node = values.node else { continue }
      for index in node.linkIndexes {
        switch values.links[index] {
        case .one(let reference): values.links[index] = .one(reference.map { .row($0.key) })
        case .many, .unread: values.links[index] = .unread(added: [], removed: [])
        }
      }
    }
    letGo()
  }

  /// Reverts all unsaved changes.
  public func rollback() {
    for model in changed + touched {
      let values = model.values
      if values.key < 0 {
        registered[values.rowKey] = nil
        values.leave()
      } else if let node = values.node {
        let id = ObjectID(entity: node.shape.name, key: values.key)
        if let row = store.attempt({ try $0.row(id) }) {
          store.binding(of: node).read(row, into: values)
        }
        values.forgetChanges()
      }
    }
    letGo()
  }

  private func letGo() {
    changed = []
    touched = []
    touchedKeys = []
    denied = []
  }

  /// Runs a closure and saves. If the closure or the save throws, all changes are reverted.
  public func transaction(block: () throws -> Void) throws {
    do {
      try block()
      try save()
    } catch {
      rollback()
      throw error
    }
  }

  // MARK: Deleting

  /// Deletes a model, and applies its delete rules.
  public func delete<T: PersistentModel>(_ model: T) { remove(model) }

  /// Deletes the models that match a predicate, and applies their delete rules.
  public func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
  ) throws {
    try enumerate(FetchDescriptor<T>(predicate: predicate), allowEscapingMutations: true) { found in
      if includeSubclasses || Swift.type(of: found) == T.self { remove(found) }
    }
  }

  private func remove(_ model: any PersistentModel) {
    let values = model.values
    guard values.context === self, values.state != .deleted else { return }
    let wasKnown = values.state != .clean
    values.state = .deleted
    if !wasKnown { changed.append(model) }
    guard let node = values.node else { return }
    for (index, link) in node.links.enumerated() {
      guard let link else { continue }
      let others = values.references(index).compactMap { values.resolve($0) }
        .filter { $0.values.state != .deleted }
      switch link.deleteRule {
      case .cascade: for other in others { remove(other) }
      case .deny:
        if !others.isEmpty {
          denied.append(
            "\(node.shape.name).\(node.shape.properties[index].name) of row \(values.key)")
        }
      case .nullify:
        if let inverse = link.inverse {
          for other in others { other.values.disconnect(inverse, from: model) }
        }
      case .noAction: break
      }
    }
  }

  func readLink(of values: _ModelValues, _ name: String, _ index: Int) -> [_ModelValues.Reference] {
    guard values.key > 0, let node = values.node, let link = node.links[index] else { return [] }
    let id = ObjectID(entity: node.shape.name, key: values.key)
    let root = graph.nodes[link.destination].root
    return store.attempt { try $0.related(id, by: name) }.compactMap { id in
      let key = RowKey(root: root, key: id.key)
      return registeredModel(at: key)?.values.state == .deleted ? nil : .row(key)
    }
  }
}
