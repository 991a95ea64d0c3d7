nonisolated enum Grade: String, Codable, CaseIterable, Sendable {
  case easy, hard
}

/// Without raw values: a store has a column for each case.
nonisolated enum Surface: CaseIterable, Codable, Hashable, Sendable {
  case path, road
  /// New in version 2: models of version 1 store a copy without it.
  case rock
}

nonisolated struct Place: Codable, Hashable, Sendable {
  var latitude: Double
  var longitude: Double
  /// New in version 2: models of version 1 store a copy without it.
  var altitude: Double?
}
