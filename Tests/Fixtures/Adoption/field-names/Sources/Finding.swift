/// Stored in an array only: its fields are no columns.
struct Finding: Codable {
  var description: String
  var weight: Int
}
