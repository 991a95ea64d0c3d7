internal import Foundation
internal import ManagedModels
internal import SchemaModel

/// Reads Swift literals whose value a store holds in one column.
///
/// The reader returns nil for all other expressions, whose values only the compiled code knows.
struct LiteralReader {
  let lookup: VersionIndex

  func value(of expression: SwiftExpression, as attribute: Attribute) -> StoredValue? {
    let text = expression.text
    if text == "nil" { return .null }
    // Code makes JSON, and only the runtime knows the format of arrays and structs.
    guard attribute.encodes == nil else { return nil }
    switch lookup.storage(of: attribute) {
    case .primitive(let primitive): return Self.value(text, primitive)
    case .rawEnum:
      guard case .named(let name, _) = attribute.type.unwrapped,
        let declaration = lookup.type(named: name), !lookup.hasMovedCases(attribute.type)
      else { return nil }
      return Self.rawValue(text, declaration)
    default: return nil
    }
  }

  private static func rawValue(
    _ text: String, _ declaration: ValueTypeDeclaration
  ) -> StoredValue? {
    guard case .enumeration(let rawType?, let cases) = declaration.kind else { return nil }
    let name =
      text.hasPrefix("\(declaration.name).")
      ? String(text.dropFirst(declaration.name.count + 1)) : nil
    guard let found = cases.first(where: { $0.name == name?.filter { $0 != "`" } }),
      let primitive = StorageType.Primitive.bySwiftName[rawType.description]
    else { return nil }
    return value(found.storedText, primitive)
  }

  static func value(_ text: String, _ primitive: StorageType.Primitive) -> StoredValue? {
    switch primitive {
    case .string: return string(text).map { .text($0) }
    case .bool: return text == "true" ? .integer(1) : text == "false" ? .integer(0) : nil
    case .int16, .int32, .int64: return integer(text).map { .integer($0) }
    case .double, .float, .decimal:
      guard let number = number(text) else { return nil }
      return .real(primitive == .float ? Double(Float(number)) : number)
    case .date: return date(text).map { .real($0) }
    case .data: return text == "Data()" ? .blob(Data()) : nil
    case .uuid, .url: return nil
    }
  }

  private static func integer(_ text: String) -> Int64? {
    let digits = text.filter { $0 != "_" }
    if let value = Int64(digits) { return value }
    switch text {
    case "Int.max", "Int64.max": return .max
    case "Int.min", "Int64.min": return .min
    default: return nil
    }
  }

  private static func number(_ text: String) -> Double? {
    let digits = text.filter { $0 != "_" }
    // `Double` would read `inf` and `nan`, which are names in Swift.
    guard digits.allSatisfy({ "0123456789.+-eE".contains($0) }) else { return nil }
    return Double(digits)
  }

  /// The contents of a string literal; nil if it has an interpolation, or an escape other than `\"` and `\\`.
  private static func string(_ text: String) -> String? {
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
    var result = ""
    var isEscaped = false
    for character in text.dropFirst().dropLast() {
      if isEscaped {
        guard character == "\"" || character == "\\" else { return nil }
        result.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        return nil
      } else {
        result.append(character)
      }
    }
    return isEscaped ? nil : result
  }

  /// The date of a literal, in seconds since 2001.
  private static func date(_ text: String) -> Double? {
    switch text {
    case "Date.distantPast": return Date.distantPast.timeIntervalSinceReferenceDate
    case "Date.distantFuture": return Date.distantFuture.timeIntervalSinceReferenceDate
    default:
      for (call, offset) in [
        ("Date(timeIntervalSinceReferenceDate: ", 0),
        ("Date(timeIntervalSince1970: ", -Date.timeIntervalBetween1970AndReferenceDate),
      ] where text.hasPrefix(call) && text.hasSuffix(")") {
        return number(String(text.dropFirst(call.count).dropLast())).map { $0 + offset }
      }
      return nil
    }
  }
}
