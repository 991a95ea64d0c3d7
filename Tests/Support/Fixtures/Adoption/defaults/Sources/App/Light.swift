enum Light: String, Codable, CaseIterable {
  case sun, shade
}
