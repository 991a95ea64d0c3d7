internal import Foundation
internal import SchemaModel

/// Writes JSON as `JSONEncoder` would, for values that a declaration allows.
struct JSONMaker {
  let lookup: VersionIndex

  /// JSON for a value of a type; nil if only the app knows its form.
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
      // A raw value's source is JSON as well, but for escapes and separators that nobody writes there.
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
    switch primitive {
    case .string: quoted(text)
    case .bool: number.isMultiple(of: 2) ? "true" : "false"
    case .int16: "\(number % 100)"
    case .int32, .int64, .decimal: "\(number)"
    case .double, .float: "\(number).5"
    case .date: "\(700_000_000 + number)"
    case .data: quoted(Data(text.utf8).base64EncodedString())
    case .uuid: quoted(uuid(number))
    case .url: quoted("https://example.com/\(number)")
    }
  }

  private static func uuid(_ number: Int) -> String {
    let digits = String(UInt32(truncatingIfNeeded: number), radix: 16, uppercase: true)
    return "00000000-0000-4000-8000-0000" + String(repeating: "0", count: 8 - digits.count)
      + digits
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
