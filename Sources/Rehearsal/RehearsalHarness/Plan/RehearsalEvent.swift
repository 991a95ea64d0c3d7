/// A finished path, kill test or store of a rehearsal.
public struct RehearsalEvent: Codable, Hashable, Sendable {
  /// The version's name; empty for a store that matches no version.
  public var from: String
  public var to: String
  /// The user's store, and how many paths were rehearsed with it; nil for rows from the plan.
  public var store: Store?
  /// How many failures there are.
  public var failures: Int = 0
  /// The number of kills and of rows in the store; nil for a path.
  public var kills: Kills?

  public struct Kills: Codable, Hashable, Sendable {
    public var count: Int
    public var rows: Int
  }

  public struct Store: Codable, Hashable, Sendable {
    /// The store's name, as in `StoreResult`.
    public var name: String
    public var paths: Int
  }
}
