public import Foundation
internal import ManagedModels
internal import StoreEngine
internal import StoreFormat

/// `FetchDescriptor`. `Predicate`, `#Predicate` and `SortDescriptor` are Foundation's own.
public struct FetchDescriptor<T: PersistentModel> {
  public var predicate: Predicate<T>?
  public var sortBy: [SortDescriptor<T>]
  public var fetchLimit: Int?
  public var fetchOffset: Int?
  public var includePendingChanges = true
  /// Without effect: a row is read whole.
  public var propertiesToFetch: [PartialKeyPath<T>] = []
  /// Without effect: relationships are read when asked for.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}

extension ModelContext {
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    let node = try node(of: T.self)
    let offset = max(0, descriptor.fetchOffset ?? 0)
    let isPlain = descriptor.predicate == nil && descriptor.sortBy.isEmpty && !hasChanges
    var found: [T] = []
    // With nothing to filter and nothing to sort, the store need not be read further than the limit.
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

  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    let isPlain =
      descriptor.predicate == nil && !hasChanges && descriptor.fetchLimit == nil
      && descriptor.fetchOffset == nil
    guard isPlain else { return try fetch(descriptor).count }
    let node = try node(of: T.self)
    return try store.access { try $0.count(of: node.shape.name, includingSubentities: true) }
  }

  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] { try fetch(descriptor).map(\.persistentModelID) }

  /// Hands over all models, reading `batchSize` rows at a time: what nobody keeps and nobody changes
  /// is let go with its batch.
  public func enumerate<T: PersistentModel>(
    _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (_ model: T) throws -> Void
  ) throws {
    func visit(_ model: T) throws {
      let before = changed.count
      try block(model)
      if !allowEscapingMutations, changed.count > before {
        throw SwiftDataError(
          .unsupportedFeature,
          "a model was changed in enumerate(_:batchSize:), which was not told to allow escaping mutations"
        )
      }
    }
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

  /// Rows read at a time.
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
      \(String(reflecting: type)) is not a model of this context's schema: a migration's willMigrate knows the \
      old version's types only, its didMigrate the new one's \
      (docs/facts/migration.md#each-side-sees-its-own-types)
      """)
  }
}
