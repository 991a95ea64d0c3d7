/// A path, a kill test or a store of a rehearsal that has come to its end.
public struct RehearsalEvent: Codable, Hashable, Sendable {
  /// The version's name; of a store that is of none, empty.
  public var from: String
  public var to: String
  /// The user's store, and how many paths were rehearsed with it; nil for rows of the plan's.
  public var store: Store?
  /// How many things are not as they should be.
  public var failures: Int = 0
  /// How often it was killed, and how many rows the store had; nil for a path.
  public var kills: Kills?

  public struct Kills: Codable, Hashable, Sendable {
    public var count: Int
    public var rows: Int
  }

  public struct Store: Codable, Hashable, Sendable {
    /// As `StoreResult` has it.
    public var name: String
    public var paths: Int
  }
}
