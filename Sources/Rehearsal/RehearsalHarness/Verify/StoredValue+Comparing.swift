internal import Foundation
package import ManagedModels
internal import StoreFormat

extension StoredValue {
  /// Whether two values mean the same. SQLite may return a whole number as an integer or as a real number.
  package func isSame(as other: StoredValue) -> Bool {
    switch (self, other) {
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)):
      return Int64(exactly: real) == integer
    default: return self == other
    }
  }

  /// Two values have the same canonical value exactly if `isSame`.
  package var canonical: StoredValue {
    if case .real(let real) = self, let integer = Int64(exactly: real) { return .integer(integer) }
    return self
  }

  /// The value for messages. A long value is shown by its beginning and its length.
  package var summary: String {
    switch self {
    case .null: return "null"
    case .integer(let value): return "\(value)"
    case .real(let value): return "\(value)"
    case .text(let text):
      // Escapes make direction marks and other invisible characters visible.
      let shown = text.unicodeScalars.prefix(60).map { scalar in
        scalar.properties.generalCategory == .format || scalar.value < 0x20
          ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
      }.joined()
      return text.unicodeScalars.count > 60
        ? "\"\(shown)…\" (\(text.utf8.count) bytes)" : "\"\(shown)\""
    case .blob(let data):
      let shown = data.prefix(16).hexadecimal
      return data.count > 16 ? "<\(shown)…> (\(data.count) bytes)" : "<\(shown)>"
    }
  }
}
