/// A path, a kill test or a store of a rehearsal that has come to its end.
public struct RehearsalEvent: Codable, Hashable, Sendable {
  /// The version's name; of a store that is of none, empty.
  public var from: String
  public var to: String
  /// The user's store, and how many paths were rehearsed with it; nil for rows of the plan's.
  public var store: Store?
  /// How many things are not as they should be.
  public var failures: Int
  /// How often it was killed, and how many rows the store had; nil for a path.
  public var kills: Kills?

  public struct Kills: Codable, Hashable, Sendable {
    public var count: Int
    public var rows: Int

    public init(count: Int, rows: Int) {
      self.count = count
      self.rows = rows
    }
  }

  public struct Store: Codable, Hashable, Sendable {
    /// As `StoreResult` has it.
    public var name: String
    public var paths: Int

    public init(name: String, paths: Int) {
      self.name = name
      self.paths = paths
    }
  }

  public init(
    from: String, to: String, store: Store? = nil, failures: Int = 0, kills: Kills? = nil
  ) {
    self.from = from
    self.to = to
    self.store = store
    self.failures = failures
    self.kills = kills
  }
}
