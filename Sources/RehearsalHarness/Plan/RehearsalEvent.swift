/// A path or a kill test of a rehearsal that has come to its end.
public struct RehearsalEvent: Codable, Hashable, Sendable {
  /// The version's name.
  public var from: String
  public var to: String
  /// The file name of the user's store that the rows are of; nil for rows of the plan's.
  public var store: String?
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

  public init(
    from: String, to: String, store: String? = nil, failures: Int = 0, kills: Kills? = nil
  ) {
    self.from = from
    self.to = to
    self.store = store
    self.failures = failures
    self.kills = kills
  }
}
