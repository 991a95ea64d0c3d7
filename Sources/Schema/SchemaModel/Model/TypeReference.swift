/// A parsed Swift type: `[String: Decimal]?`, `Set<UUID>`, `Habits.Kind`.
package indirect enum TypeReference: Hashable, Sendable {
  case named(String, arguments: [TypeReference] = [])
  case optional(TypeReference)
  case array(TypeReference)
  case dictionary(TypeReference, TypeReference)
}

extension TypeReference: CustomStringConvertible {
  /// The type in Swift's short form: `Array<Int>` becomes `[Int]`.
  package var description: String {
    switch self {
    case .named(let name, let arguments):
      arguments.isEmpty
        ? name : "\(name)<\(arguments.map(\.description).joined(separator: ", "))>"
    case .optional(let wrapped): "\(wrapped)?"
    case .array(let element): "[\(element)]"
    case .dictionary(let key, let value): "[\(key): \(value)]"
    }
  }
}

extension TypeReference {
  package var isOptional: Bool {
    if case .optional = self { return true }
    return false
  }

  package var unwrapped: TypeReference {
    if case .optional(let wrapped) = self { return wrapped }
    return self
  }

  package var optionalized: TypeReference { isOptional ? self : .optional(self) }

  package var names: [String] {
    switch self {
    case .named(let name, let arguments): [name] + arguments.flatMap(\.names)
    case .optional(let wrapped): wrapped.names
    case .array(let element): element.names
    case .dictionary(let key, let value): key.names + value.names
    }
  }
}

extension TypeReference {
  /// The placeholder in a draft for a type that could not be read. A manifest with this placeholder is not valid.
  package static let unread = TypeReference.named("…")
}

// MARK: - Reading

extension TypeReference {
  package struct SyntaxError: Error, Hashable, Sendable {
    /// A clause: `'(' does not belong in a type`.
    package var reason: String
    /// The number of scalars before the error.
    package var offset: Int
  }

  /// Reads a type. Tuples, functions, `some`, `any` and `T!` are refused, because SwiftData does not store them.
  ///
  /// - Throws: `SyntaxError`, with the offset in the text.
  package init(parsing text: String) throws(SyntaxError) {
    var reader = TypeReader(text: text)
    self = try reader.readWhole()
  }
}

/// A recursive-descent reader for the grammar `type = ('[' type (':' type)? ']' | name ('<' type, … '>')?) '?'*`.
private struct TypeReader {
  static let deepest = 16

  var scalars: [Unicode.Scalar]
  var position = 0
  var depth = 0

  init(text: String) { scalars = Array(text.unicodeScalars) }

  mutating func readWhole() throws(TypeReference.SyntaxError) -> TypeReference {
    let type = try readType()
    skipSpace()
    if let extra = peek() {
      if extra == "!" {
        throw error("an implicitly unwrapped type ('!') cannot be stored: write '?', or no mark")
      }
      throw error("'\(extra)' does not belong in a type")
    }
    return type
  }

  mutating func readType() throws(TypeReference.SyntaxError) -> TypeReference {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw error("types nest more than \(Self.deepest) deep") }
    skipSpace()
    var type: TypeReference
    if take("[") {
      let first = try readType()
      skipSpace()
      if take(":") {
        let value = try readType()
        type = .dictionary(first, value)
      } else {
        type = .array(first)
      }
      skipSpace()
      guard take("]") else { throw error("']' is missing") }
    } else {
      type = try readNamed()
    }
    while take("?") {
      if type.isOptional { throw error("an optional of an optional cannot be stored") }
      type = .optional(type)
    }
    return type
  }

  mutating func readNamed() throws(TypeReference.SyntaxError) -> TypeReference {
    let name = try readQualifiedName()
    skipSpace()
    guard take("<") else { return .named(name) }
    var arguments: [TypeReference] = []
    repeat {
      arguments.append(try readType())
      skipSpace()
    } while take(",")
    guard take(">") else { throw error("'>' is missing") }
    switch (name, arguments.count) {
    case ("Array", 1): return .array(arguments[0])
    case ("Optional", 1):
      if arguments[0].isOptional { throw error("an optional of an optional cannot be stored") }
      return .optional(arguments[0])
    case ("Dictionary", 2): return .dictionary(arguments[0], arguments[1])
    default: return .named(name, arguments: arguments)
    }
  }

  mutating func readQualifiedName() throws(TypeReference.SyntaxError) -> String {
    var name = ""
    repeat {
      if !name.isEmpty { name += "." }
      let start = position
      while let next = peek(), next.isASCII, isNamePart(next) { position += 1 }
      let part = String(String.UnicodeScalarView(scalars[start..<position]))
      guard SwiftIdentifier.isValid(part) else {
        position = start
        guard let found = peek() else { throw error("a type's name is missing") }
        if found == "(" {
          throw error("tuples and functions cannot be stored: declare a struct under 'types:'")
        }
        throw error("'\(found)' cannot begin a type")
      }
      guard !SwiftIdentifier.keywords.contains(part) else {
        position = start
        throw error("'\(part)' is a Swift keyword, not a type")
      }
      name += part
    } while take(".")
    return name
  }

  func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }

  func peek() -> Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    position += 1
    return true
  }

  mutating func skipSpace() { while peek() == " " { position += 1 } }

  func error(_ reason: String) -> TypeReference.SyntaxError {
    TypeReference.SyntaxError(reason: reason, offset: position)
  }
}
