/// A JSON object of encodable values. Keys with `nil` are omitted.
package struct JSONObject: Encodable {
  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private let entries: KeyValuePairs<String, (any Encodable)?>

  package init(_ entries: KeyValuePairs<String, (any Encodable)?>) { self.entries = entries }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (key, value) in entries {
      if let value { try container.encode(value, forKey: Key(stringValue: key)) }
    }
  }
}
