enum Soil: Int, Codable {
  case sand, loam
}

struct Notes: Codable {
  var text: String

  static let empty = Notes(text: "")
}

struct Box<Value> {
  var value: Value

  init(_ value: Value) { self.value = value }
}
