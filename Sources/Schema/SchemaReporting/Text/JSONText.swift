internal import Foundation

/// Writes values as JSON: sorted keys, indentation, a line break at the end.
package enum JSONText {
  /// Encodes strings, finite numbers, and lists and dictionaries of them.
  package static func encode(_ value: some Encodable) -> String {
    text(value, [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]) + "\n"
  }

  package static func line(_ value: some Encodable) -> String {
    text(value, [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func text(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
  ) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    guard let data = try? encoder.encode(value) else {
      // A report contains only values that JSON can hold.
      preconditionFailure("a report has a value that JSON cannot hold")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
