enum Grade: String, Codable, CaseIterable, Sendable {
  case easy, hard
}

struct Place: Codable, Hashable, Sendable {
  var latitude: Double
  var longitude: Double
}
