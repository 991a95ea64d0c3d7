/// One of the user's stores, whose rows are to be rehearsed.
public struct GivenStore: Codable, Hashable, Sendable {
  /// The store's name, as in `StoreResult`.
  public var name: String
  public var path: String

  public init(name: String, path: String) {
    self.name = name
    self.path = path
  }
}
