internal import Foundation
internal import SchemaModel

/// Writes JSON as `JSONEncoder` would, for values that a declaration allows.
struct JSONMaker {
  let lookup: VersionIndex

  /// JSON for a value of a type; nil if only the app knows the JSON of the type.
  ///
  /// - Parameters:
  ///   - text: The value of every `String`.
  ///   - number: The value of every number.
  func json(_ type: TypeReference, text: String, number: Int, depth: Int = 0) -> String? {
    guard depth < 8 else { return nil }
    func inner(_ type: TypeReference) -> String? {
      json(type, text: text, number: number, depth: depth + 1)
    }
    switch type {
    case .optional(let wrapped): return inner(wrapped)
    case .array(let element): return inner(element).map { "[\($0),\($0)]" }
    case .dictionary(.named("String", _), let value):
      return inner(value).map { "{\(Self.quoted(text)):\($0)}" }
    case .dictionary: return nil
    case .named(let name, let arguments):
      if name == "Set", let element = arguments.first { return inner(element).map { "[\($0)]" } }
      guard arguments.isEmpty else { return nil }
      if let primitive = StorageType.Primitive.bySwiftName[name] {
        return Self.json(primitive, text: text, number: number)
      }
      return lookup.type(named: name).flatMap {
        declared($0, text: text, number: number, depth: depth)
      }
    }
  }

  private func declared(
    _ declaration: ValueTypeDeclaration, text: String, number: Int, depth: Int
  ) -> String? {
    switch declaration.kind {
    case .opaque: return nil
    case .enumeration(let rawType, _):
      guard let cases = lookup.cases(of: .named(declaration.name, arguments: []))?.kept,
        !cases.isEmpty
      else {
        return nil
      }
      let chosen = cases[number % cases.count]
      guard let rawType else { return "{\(Self.quoted(chosen.name)):{}}" }
      // A raw value's source is also JSON, since it has no escapes and no separators of digits.
      return rawType.description == "String" || Int64(chosen.storedText) != nil
        ? chosen.storedText : nil
    case .structure(let fields):
      var members: [String] = []
      for field in fields {
        guard
          let value = json(field.type, text: text, number: number, depth: depth + 1)
        else {
          if field.type.isOptional { continue }
          return nil
        }
        members.append("\(Self.quoted(field.name)):\(value)")
      }
      return "{\(members.joined(separator: ","))}"
    }
  }

  private static func json(
    _ primitive: StorageType.Primitive, text: String, number: Int
  ) -> String {
    if let json = primitive.row.json { return json(number) }
    return quoted(primitive == .data ? Data(text.utf8).base64EncodedString() : text)
  }

  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
