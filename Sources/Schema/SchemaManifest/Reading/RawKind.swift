internal import SchemaModel

/// The kind of an enum's raw values.
enum RawKind: Equatable {
  case none, string
  case integer(SwiftInteger)
  case floatingPoint

  static var swiftNames: [String] {
    (["none"] + StorageType.Primitive.bySwiftName.keys).filter { Self(swiftName: $0) != nil }
      .sorted()
  }

  init?(swiftName: String) {
    switch swiftName {
    case "none": self = .none
    case "String": self = .string
    case "Double", "Float": self = .floatingPoint
    default:
      guard let integer = SwiftInteger(swiftName) else { return nil }
      self = .integer(integer)
    }
  }

  var wanted: String {
    switch self {
    case .none: "it has none"
    case .string: "a string, or a Swift string literal"
    case .integer(let type):
      "a whole number \(type.isSigned ? "" : "without a sign ")of \(type.bits) bits"
    case .floatingPoint: "a number such as 1.5"
    }
  }

  /// A manifest's text as a Swift literal; nil if the text is not a value of this kind.
  func literal(_ text: String) -> RawLiteral? {
    switch self {
    case .none: nil
    case .string: stringLiteral(text)
    case .integer(let type): integerLiteral(text, type)
    case .floatingPoint: floatingPointLiteral(text)
    }
  }

  /// Quotes the text. Text that begins with a quote is already a Swift literal, and must have no interpolation.
  private func stringLiteral(_ text: String) -> RawLiteral? {
    guard text.hasPrefix("\"") else {
      var source = "\""
      for scalar in text.unicodeScalars {
        if scalar == "\\" || scalar == "\"" { source += "\\" }
        source.unicodeScalars.append(scalar)
      }
      source += "\""
      return RawLiteral(source: source, value: text)
    }
    guard text.utf8.count >= 2, text.hasSuffix("\"") else { return nil }
    var value = ""
    var isEscaped = false
    for scalar in text.unicodeScalars.dropFirst().dropLast() {
      if isEscaped {
        guard scalar == "\\" || scalar == "\"" else { return nil }
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
        continue
      } else if scalar == "\"" {
        return nil
      }
      value.unicodeScalars.append(scalar)
    }
    return isEscaped ? nil : RawLiteral(source: text, value: value)
  }

  /// The text that `literal(_:)` turns into a given Swift string literal; nil if there is none.
  static func plainText(ofLiteral literal: String) -> String? {
    guard let value = RawKind.string.literal(literal)?.value, !value.hasPrefix("\"") else {
      return nil
    }
    return RawKind.string.literal(value)?.source == literal ? value : nil
  }

  private func integerLiteral(_ text: String, _ type: SwiftInteger) -> RawLiteral? {
    let isNegative = text.hasPrefix("-")
    let digits = text.utf8.dropFirst(isNegative ? 1 : 0)
    guard let first = digits.first, first != UInt8(ascii: "_"),
      digits.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: "_") }),
      let magnitude = UInt64(String(decoding: digits.filter { $0 != 95 }, as: UTF8.self))
    else { return nil }
    // A signed type has one more value below zero than above.
    let limit = isNegative ? (type.isSigned ? type.greatest + 1 : 0) : type.greatest
    guard magnitude <= limit else { return nil }
    return RawLiteral(
      source: text, value: isNegative && magnitude > 0 ? "-\(magnitude)" : "\(magnitude)")
  }

  private func floatingPointLiteral(_ text: String) -> RawLiteral? {
    let number = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let value = Double(text), value.isFinite,
      parts.allSatisfy({ part in
        part.utf8.first.map { (48...57).contains($0) } == true
          && part.utf8.last.map { (48...57).contains($0) } == true
          && part.utf8.allSatisfy { (48...57).contains($0) || "eE+-".utf8.contains($0) }
      })
    else { return nil }
    return RawLiteral(source: text, value: "\(value == 0 ? 0 : value)")
  }
}

/// A raw value as Swift source, and as a value that does not depend on spelling.
struct RawLiteral: Hashable {
  var source: String
  var value: String

  static func == (lhs: RawLiteral, rhs: RawLiteral) -> Bool { lhs.value == rhs.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
