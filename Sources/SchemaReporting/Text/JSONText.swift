internal import Foundation

/// Values as JSON: keys sorted, indented, a line break at the end.
enum JSONText {
  static func encode(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      // Reports are made of texts, whole numbers and lists of them.
      preconditionFailure("a report has a value that JSON cannot hold")
    }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
