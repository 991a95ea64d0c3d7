/// Stored in an array only: its fields are no columns.
struct Finding: Codable {
  var description: String
  var weight: Int
}

/// Stored as the value of a dictionary only.
struct Wording: Codable {
  var name: String
  var description: String?
}
