public import ManagedModels

/// One row: attributes, composite elements and to-one relationships, by the slots of its entity's layout.
public struct StoreRow: Hashable, Sendable {
  /// The row's key and actual entity.
  public var id: ObjectID
  /// The values in the order of `EntityLayout.slots`.
  public var values: [StoredValue]

  /// A row with one value for each of its entity's slots.
  public init(id: ObjectID, values: [StoredValue]) {
    self.id = id
    self.values = values
  }
}
