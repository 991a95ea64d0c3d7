nonisolated enum Grade: String, Codable, CaseIterable, Sendable {
  case easy, hard
}

nonisolated struct Place: Codable, Hashable, Sendable {
  var latitude: Double
  var longitude: Double
}
