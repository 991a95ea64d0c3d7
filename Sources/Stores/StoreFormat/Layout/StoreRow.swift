public import ManagedModels

/// One row: attributes, composite elements and to-one relationships, by the slots of its entity's layout.
public struct StoreRow: Hashable, Sendable {
  /// Its key, and the entity that it really is of.
  public var id: ObjectID
  /// `EntityLayout.slots`: in that order.
  public var values: [StoredValue]

  /// A row with one value for each slot of its entity.
  public init(id: ObjectID, values: [StoredValue]) {
    self.id = id
    self.values = values
  }
}
