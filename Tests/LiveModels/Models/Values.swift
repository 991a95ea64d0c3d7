nonisolated enum Grade: String, Codable, CaseIterable, Sendable {
  case easy, hard
}

nonisolated struct Place: Codable, Hashable, Sendable {
  var latitude: Double
  var longitude: Double
  /// New in version 2: models of version 1 store a copy without it.
  var altitude: Double?
}
