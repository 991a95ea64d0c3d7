public import Foundation
internal import ManagedModels
internal import StoreEngine
internal import StoreFormat

/// `FetchDescriptor`. `Predicate`, `#Predicate` and `SortDescriptor` are Foundation's.
public struct FetchDescriptor<T: PersistentModel> {
  /// The condition for models to fetch; `nil` fetches all models.
  public var predicate: Predicate<T>?
  /// The order of models.
  public var sortBy: [SortDescriptor<T>]
  /// The greatest number of models; nil for no limit.
  public var fetchLimit: Int?
  /// How many models are skipped.
  public var fetchOffset: Int?
  /// Whether inserted models that are not saved yet are included.
  public var includePendingChanges = true
  /// This has no effect: a row is always read as a whole.
  public var propertiesToFetch: [PartialKeyPath<T>] = []
  /// This has no effect: relationships are read when they are accessed.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

  /// Creates a descriptor for all models that match a predicate, in the given order.
  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}

extension ModelContext {
  /// The models that match a descriptor.
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    let node = try node(of: T.self)
    let offset = max(0, descriptor.fetchOffset ?? 0)
    if let found = try named(in: descriptor) { return found }
    let isPlain = descriptor.predicate == nil && descriptor.sortBy.isEmpty && !hasChanges
    var found: [T] = []
    // Without a filter and a sort order, reading can end at the limit.
    var left = isPlain ? descriptor.fetchLimit.map { max(0, $0) + offset } : nil
    var last: Int64?
    while left != 0 {
      let size = min(left ?? Self.readSize, Self.readSize)
      let rows = try store.access {
        try $0.rows(of: node.shape.name, includingSubentities: true, after: last, limit: size)
      }
      for row in rows {
        guard let model = model(of: row, expected: node) as? T else { continue }
        if try isWanted(model, descriptor) { found.append(model) }
      }
      left = left.map { $0 - rows.count }
      last = rows.last?.id.key
      if rows.count < size { break }
    }
    if descriptor.includePendingChanges {
      for case let model as T in changed where model.values.state == .inserted {
        if try isWanted(model, descriptor) { found.append(model) }
      }
    }
    if !descriptor.sortBy.isEmpty { found.sort(using: descriptor.sortBy) }
    let rest = found.dropFirst(offset)
    return Array(descriptor.fetchLimit.map { rest.prefix(max(0, $0)) } ?? rest)
  }

  /// The number of models that match a descriptor.
  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    let isPlain =
      descriptor.predicate == nil && !hasChanges && descriptor.fetchLimit == nil
      && descriptor.fetchOffset == nil
    guard isPlain else { return try fetch(descriptor).count }
    let node = try node(of: T.self)
    return try store.access { try $0.count(of: node.shape.name, includingSubentities: true) }
  }

  /// The identifiers of the models that match a descriptor.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] {
    let isPlain =
      descriptor.predicate == nil && descriptor.sortBy.isEmpty && descriptor.fetchLimit == nil
      && descriptor.fetchOffset == nil && !hasChanges
    guard isPlain else { return try fetch(descriptor).map(\.persistentModelID) }
    let node = try node(of: T.self)
    return try store.access { file in
      try file.identifiers(of: node.shape.name) {
        PersistentIdentifier(
          storeIdentifier: store.identifier, entityName: $0.entity, key: $0.key)
      }
    }
  }

  /// Passes all models to `block`, and reads `batchSize` rows at a time.
  ///
  /// With `allowEscapingMutations` the context keeps every model until the end. Without it, this throws an error if the
  /// context has changes, at the beginning and after each model
  /// (docs/facts/swiftdata.md#enumerate-needs-a-clean-context). A model that nothing else keeps is freed with its
  /// batch.
  public func enumerate<T: PersistentModel>(
    _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (_ model: T) throws -> Void
  ) throws {
    let kept = traversed.count
    defer { traversed.removeLast(traversed.count - kept) }
    func check() throws {
      guard !allowEscapingMutations, hasChanges else { return }
      throw SwiftDataError(
        .unsupportedFeature,
        """
        enumerate(_:batchSize:) on a context with changes that are not saved: save them first, or pass \
        allowEscapingMutations (docs/facts/swiftdata.md#enumerate-needs-a-clean-context)
        """)
    }
    func visit(_ model: T) throws {
      if allowEscapingMutations { traversed.append(model) }
      try block(model)
      try check()
    }
    try check()
    let isPlain =
      fetch.predicate == nil && fetch.sortBy.isEmpty && fetch.fetchLimit == nil
      && fetch.fetchOffset == nil
    guard isPlain else { return try self.fetch(fetch).forEach(visit) }

    let node = try node(of: T.self)
    let pending = changed.compactMap { $0 as? T }.filter { $0.values.state == .inserted }
    // Rows that the block inserts are not visited.
    let end = try store.access { try $0.lastKey(of: node.shape.name) }
    var last: Int64?
    let size = max(1, batchSize)
    reading: while true {
      let rows = try store.access {
        try $0.rows(of: node.shape.name, includingSubentities: true, after: last, limit: size)
      }
      for row in rows {
        if row.id.key > end { break reading }
        guard let model = model(of: row, expected: node) as? T, model.values.state != .deleted
        else { continue }
        try visit(model)
      }
      last = rows.last?.id.key
      if rows.count < size { break }
    }
    try pending.forEach(visit)
  }

  /// The models of a fetch whose only condition is `{ identifiers.contains($0.persistentModelID) }`; nil for any other
  /// fetch. Only the named rows are read, as in SQL.
  private func named<T: PersistentModel>(in descriptor: FetchDescriptor<T>) throws -> [T]? {
    typealias Identifier = PredicateExpressions.KeyPath<
      PredicateExpressions.Variable<T>, PersistentIdentifier
    >
    typealias Contains = PredicateExpressions.SequenceContains<
      PredicateExpressions.Value<[PersistentIdentifier]>, Identifier
    >
    guard !hasChanges, descriptor.sortBy.isEmpty, descriptor.fetchLimit == nil,
      descriptor.fetchOffset == nil,
      let expression = descriptor.predicate?.expression as? Contains,
      expression.element.keyPath == \T.persistentModelID
    else { return nil }
    let identifiers = expression.sequence.value
    guard let first = identifiers.first else { return [] }
    // Consecutive rows, as `fetchIdentifiers` lists them, are read at once.
    let node = try node(of: T.self)
    let rows = try store.access {
      try $0.rows(of: node.shape.name, after: first.key - 1, limit: identifiers.count)
    }
    let isRun =
      rows.count == identifiers.count
      && zip(rows, identifiers).allSatisfy { $0.id.key == $1.key && $0.id.entity == $1.entityName }
    let models =
      isRun ? rows.map { model(of: $0, expected: node) } : identifiers.compactMap(existingModel)
    return models.compactMap { model in
      if model.values.state == .deleted { return nil }
      // A cast would call the runtime for each row.
      return type(of: model) == T.self ? unsafeDowncast(model, to: T.self) : model as? T
    }
  }

  private static var readSize: Int { 1000 }

  private func isWanted<T: PersistentModel>(
    _ model: T, _ descriptor: FetchDescriptor<T>
  ) throws -> Bool {
    if descriptor.includePendingChanges, model.values.state == .deleted { return false }
    return try descriptor.predicate?.evaluate(model) ?? true
  }

  private func node<T: PersistentModel>(of type: T.Type) throws -> EntityNode {
    if let node = graph.node(of: type) { return node }
    throw SwiftDataError(
      .unknownSchema,
      """
      \(String(reflecting: type)) is not a model of this context's schema: in a migration, willMigrate \
      knows only the old version's types, and didMigrate only the new version's \
      (docs/facts/migration.md#each-side-sees-its-own-types)
      """)
  }
}
