/// A store of the user's, to rehearse its rows.
public struct GivenStore: Codable, Hashable, Sendable {
  /// As `StoreResult` has it.
  public var name: String
  public var path: String

  public init(name: String, path: String) {
    self.name = name
    self.path = path
  }
}
