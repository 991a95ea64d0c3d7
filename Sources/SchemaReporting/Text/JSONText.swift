internal import Foundation

/// Values as JSON: keys sorted, indented, a line break at the end.
package enum JSONText {
  /// Encodes what holds texts, finite numbers, and lists and dictionaries of them.
  package static func encode(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      // Nothing else stands in a report.
      preconditionFailure("a report has a value that JSON cannot hold")
    }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
