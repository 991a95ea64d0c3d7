struct Address: Codable {
  var street: String
  var city = "Bern"
  var geo: Geo?
  struct Geo: Codable { var latitude, longitude: Double }
}
