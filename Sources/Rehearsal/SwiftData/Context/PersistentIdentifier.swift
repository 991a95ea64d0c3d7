package import ManagedModels
internal import Synchronization

/// `PersistentIdentifier`, the part of a model that may cross isolation.
///
/// Before the first save, the identifier has no store. The first save changes the identifier.
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
  /// The identity, for `Identifiable`.
  public struct ID: Hashable, Sendable {
    let storeIdentifier: String?
    let entityName: String
    let key: Int64
  }

  /// The identifier of the store; nil before the first save.
  public let storeIdentifier: String?
  /// The name of the model's entity.
  public let entityName: String
  /// The value of `Z_PK`; below zero for a model that was never saved.
  let key: Int64

  /// The identity, for `Identifiable`.
  public var id: ID { ID(storeIdentifier: storeIdentifier, entityName: entityName, key: key) }

  public static func < (lhs: PersistentIdentifier, rhs: PersistentIdentifier) -> Bool {
    (lhs.storeIdentifier ?? "", lhs.entityName, lhs.key)
      < (rhs.storeIdentifier ?? "", rhs.entityName, rhs.key)
  }
}

/// Keys for models that were never saved, unique in the process.
enum TemporaryKey {
  private static let last = Atomic<Int64>(0)

  static func next() -> Int64 { last.subtract(1, ordering: .relaxed).newValue }
}

extension PersistentModel {
  package var objectID: ObjectID { ObjectID(entity: values.shape.name, key: values.key) }
}
