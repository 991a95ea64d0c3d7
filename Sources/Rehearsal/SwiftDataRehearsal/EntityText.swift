internal import Foundation

/// Converts a domain entity's fields to strings that are equal if the values are equal.
enum EntityText {
  /// The strings by field name. A collection has a string for each element.
  static func fields(of entity: Any) -> [String: [String]] {
    var fields: [String: [String]] = [:]
    for child in Mirror(reflecting: entity).children {
      guard let label = child.label else { continue }
      fields[label] = elements(of: child.value) ?? [text(of: child.value)]
    }
    return fields
  }

  private static func elements(of value: Any) -> [String]? {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .collection: return mirror.children.map { text(of: $0.value) }
    // Sets and dictionaries have no order.
    case .set, .dictionary: return mirror.children.map { text(of: $0.value) }.sorted()
    case .optional: return mirror.children.first.flatMap { elements(of: $0.value) }
    default: return nil
    }
  }

  /// The string as `debugDescription` shows it. `debugDescription` itself takes milliseconds for a long string.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'")
        && byte != UInt8(ascii: "\\")
    }
    return isPlain ? "\"\(text)\"" : text.debugDescription
  }

  private static func text(of value: Any) -> String {
    switch value {
    case let text as String: return quoted(text)
    // The bits distinguish -0, NaN and values whose description is rounded.
    case let number as Double: return "\(number) (\(String(number.bitPattern, radix: 16)))"
    case let date as Date: return text(of: date.timeIntervalSinceReferenceDate)
    case let data as Data: return data.base64EncodedString()
    case let url as URL: return url.absoluteString
    case let number as any BinaryInteger: return "\(number)"
    case is Bool, is UUID, is Decimal: return "\(value)"
    default: break
    }
    let mirror = Mirror(reflecting: value)
    if let elements = elements(of: value) { return "[\(elements.joined(separator: ", "))]" }
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { text(of: $0.value) } ?? "nil"
    case .struct, .class, .tuple, .enum:
      guard !mirror.children.isEmpty else { return "\(value)" }
      let parts = mirror.children.map { "\($0.label ?? "_"): \(text(of: $0.value))" }
      return "\(type(of: value))(\(parts.joined(separator: ", ")))"
    default: return "\(value)"
    }
  }
}
