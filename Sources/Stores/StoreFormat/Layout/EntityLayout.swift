public import ManagedModels

/// The positions of values in an entity's rows.
public struct EntityLayout: Hashable, Sendable {
  /// One value of a row.
  public struct Slot: Hashable, Sendable {
    /// "name", "address.street" for an element of a composite, "category" for a to-one relationship
    /// (whose value is the destination's `Z_PK`, or null).
    public var path: String
    /// The type of an attribute; `nil` for a to-one relationship.
    public var type: AttributeType?
    /// The column's name in SQLite.
    public var column: String
  }

  /// The entity whose rows this layout describes.
  public var entity: String
  /// The table of the rows; subentities share their root's table.
  public var table: String
  /// Inherited slots come first. Each class's slots are in order of declaration, attributes before to-one
  /// relationships.
  public var slots: [Slot]
  /// The indices in `slots` by path.
  public var index: [String: Int]
}
