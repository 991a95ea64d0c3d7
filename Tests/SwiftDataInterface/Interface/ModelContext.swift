public import Foundation

/// `ModelContext`: not Sendable, though its metatype is.
public class ModelContext: Equatable, SendableMetatype {
  public init(_ container: ModelContainer) { notBuilt() }

  public var container: ModelContainer { notBuilt() }
  public var hasChanges: Bool { notBuilt() }
  public var autosaveEnabled: Bool {
    get { notBuilt() }
    set { notBuilt() }
  }

  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    notBuilt()
  }
  public func registeredModel<T: PersistentModel>(
    for persistentModelID: PersistentIdentifier
  ) -> T? { notBuilt() }

  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    notBuilt()
  }
  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    notBuilt()
  }
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] { notBuilt() }
  public func enumerate<T: PersistentModel>(
    _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (_ model: T) throws -> Void
  ) throws { notBuilt() }

  public func insert<T: PersistentModel>(_ model: T) { notBuilt() }
  public func delete<T: PersistentModel>(_ model: T) { notBuilt() }
  public func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
  ) throws { notBuilt() }

  public func transaction(block: () throws -> Void) throws { notBuilt() }
  public func processPendingChanges() { notBuilt() }
  public func save() throws { notBuilt() }
  public func rollback() { notBuilt() }

  public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool { notBuilt() }
}

/// `FetchDescriptor`. `Predicate`, `#Predicate` and `SortDescriptor` are Foundation's own.
public struct FetchDescriptor<T: PersistentModel> {
  public var predicate: Predicate<T>?
  public var sortBy: [SortDescriptor<T>]
  public var fetchLimit: Int?
  public var fetchOffset: Int?
  public var includePendingChanges = true
  public var propertiesToFetch: [PartialKeyPath<T>] = []
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}
