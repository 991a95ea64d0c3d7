internal import SchemaModel

extension Property {
  /// The expression that reads the property's value as the app means it: decoded, where JSON is stored.
  ///
  /// `base` is what it is read from: `row`, or nil for a member of the model itself.
  func reading(from base: String?) -> SwiftExpression {
    let quoted = SwiftIdentifier.quoted(name)
    let path = base.map { "\($0).\(quoted)" } ?? quoted
    guard let attribute, let encodes = attribute.encodes else { return .name(path) }
    let decode = "StoredJSON.decode(\(encodes.unwrapped).self, from: \(path)"
    // Without a fallback what cannot be read is nil, which is what a fallback of nil means.
    let fallback = attribute.fallback.flatMap { $0.text == "nil" ? nil : $0.text }
    return .name(fallback.map { "\(decode), or: \($0))" } ?? "\(decode))")
  }
}

extension Attribute {
  /// The expression that makes what is stored of a value that the app means.
  ///
  /// - Parameter canThrow: Whether JSON that cannot be made is an error; else it is left empty.
  func storing(_ value: SwiftExpression, canThrow: Bool = false) -> SwiftExpression {
    guard encodes != nil else { return value }
    let isText = type.unwrapped.description == "String"
    let function =
      canThrow ? (isText ? "encodedText" : "encoded") : (isText ? "text" : "data")
    // A literal has no type of its own in a generic place, also behind an operator.
    let isTyped = value.isPrimary && !value.text.hasPrefix("[") && !value.text.hasPrefix("nil")
    let typed = isTyped ? value.text : "\(value.text) as \(valueType)"
    if type.isOptional, valueType.isOptional {
      return .name("StoredJSON.\(function)(ifPresent: \(typed))")
    }
    return .name("StoredJSON.\(function)(\(typed))")
  }
}

/// Swift expressions for conversions that the generator knows by itself.
enum BuiltInConversion {
  /// A value of one number type as another; nil where Swift has no such conversion without a question.
  ///
  /// Whole numbers are clamped and fractions cut off, so that no value traps.
  static func number(
    _ value: SwiftExpression, from old: String, to new: String
  ) -> SwiftExpression? {
    guard old != new else { return value }
    let integers: Set<String> = [
      "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    ]
    let floats: Set<String> = ["Double", "Float", "TimeInterval", "CGFloat"]
    let operand = value.operandText
    switch (old, new) {
    case ("Bool", _) where integers.contains(new) || floats.contains(new) || new == "Decimal":
      return .compound("\(operand) ? 1 : 0")
    case (_, "Bool") where integers.contains(old) || floats.contains(old) || old == "Decimal":
      return .compound("\(operand) != 0")
    case _ where integers.contains(old) && integers.contains(new):
      return .name("\(new)(clamping: \(value.text))")
    case _ where (integers.contains(old) || floats.contains(old)) && floats.contains(new):
      return .name("\(new)(\(value.text))")
    case _ where integers.contains(old) && new == "Decimal",
      ("Double", "Decimal"), ("TimeInterval", "Decimal"):
      return .name("Decimal(\(value.text))")
    case ("Float", "Decimal"), ("CGFloat", "Decimal"):
      return .name("Decimal(Double(\(value.text)))")
    case _ where floats.contains(old) && integers.contains(new):
      return .compound("\(new)(exactly: \(operand).rounded(.towardZero)) ?? 0")
    case ("Decimal", "Double"), ("Decimal", "TimeInterval"):
      return .name("NSDecimalNumber(decimal: \(value.text)).doubleValue")
    case ("Decimal", "Float"):
      return .name("NSDecimalNumber(decimal: \(value.text)).floatValue")
    case ("Decimal", "CGFloat"):
      return .name("CGFloat(NSDecimalNumber(decimal: \(value.text)).doubleValue)")
    case ("Decimal", "Int"): return .name("NSDecimalNumber(decimal: \(value.text)).intValue")
    case ("Decimal", _) where integers.contains(new):
      return .name("\(new)(clamping: NSDecimalNumber(decimal: \(value.text)).int64Value)")
    default: return nil
    }
  }

  /// A value that goes on in a property of another type: from optional to required, from number to number.
  ///
  /// - Parameter substitute: What stands in for nil. Nil when there is nothing, and then the result may be nil too.
  static func adapt(
    _ value: SwiftExpression, from old: TypeReference, to new: TypeReference,
    substitute: SwiftExpression?
  ) -> SwiftExpression? {
    // What `drops:` says of a property that later versions do not have.
    if value.text == "nil" { return new.isOptional ? value : substitute }
    var value = value
    if old.unwrapped != new.unwrapped {
      let before = old.unwrapped.description
      let after = new.unwrapped.description
      if old.isOptional {
        guard let one = number(.name("$0"), from: before, to: after) else { return nil }
        value = .compound("\(value.operandText).map { \(one.text) }")
      } else {
        guard let one = number(value, from: before, to: after) else { return nil }
        value = one
      }
    }
    guard old.isOptional, !new.isOptional else { return value }
    guard let substitute else { return nil }
    return .compound("\(value.operandText) ?? \(substitute.operandText)")
  }
}

extension SwiftExpression {
  /// The expression as an argument that others are made of: a bare `nil` has no type there.
  func typedNil(as type: TypeReference) -> SwiftExpression {
    text == "nil" ? .name("(nil as \(type.optionalized))") : self
  }
}

extension Conversion {
  /// The conversion as an expression over `$0`, `$1`, …; a function is called by its fixed signature.
  func expression(arguments: Int, in owned: String) -> SwiftExpression {
    switch self {
    case .expression(let expression): return expression
    case .function(let name):
      let list = (0..<arguments).map { "$\($0)" }.joined(separator: ", ")
      let call = "\(owned).\(SwiftIdentifier.quoted(name))(\(list))"
      // Made of a checked name and placeholders: it scans.
      return (try? SwiftExpression(call)) ?? .name(call)
    }
  }
}

extension SwiftExpression {
  /// Whether anybody sees that the value cannot be nil: a literal, or what Foundation always has.
  var isPlainlyThere: Bool {
    if Self.neverNil.contains(text) || Double(text) != nil { return true }
    return text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
      && !text.dropFirst().dropLast().contains("\"")
  }

  private static let neverNil: Set<String> = [
    "true", "false", "[]", "[:]", "Date()", "Date.now", "Date.distantPast", "Date.distantFuture",
    "UUID()", "Data()",
  ]
}
