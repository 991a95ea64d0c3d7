internal import SchemaEvolution
internal import SchemaModel

/// Formats values of converters and migrations as Swift expressions.
struct ConversionText {
  /// The variable from which properties are read; nil in a member of the model itself.
  var row: String?
  /// The enum of the version whose rows are created from entities.
  var schema = ""
  /// The property for which `fallbacks` counts values that take the fallback; nil to count nothing.
  var counted: String?

  func text(_ value: DerivedValue) -> String { expression(value).text }

  func expression(_ value: DerivedValue) -> SwiftExpression {
    switch value {
    case .property(let property): return reading(property)
    case .column(let name): return .name(path(name))
    case .field(let name): return .name(Self.field(name))
    case .expression(let expression): return expression
    case .nothing: return .name("nil")
    case .emptyList: return .name("[]")
    case .converted(let values, let conversion, let step):
      let call = Self.call(conversion, of: step, taking: values.count)
      if values.isEmpty { return call }
      guard let counting = counting(call, of: values) else {
        return call.applied(to: values.map(expression))
      }
      return counting.applied(to: values.map(uncounted.expression))
    case .reverted(let values, let types, let conversion, let step):
      return Self.call(conversion, of: step, taking: values.count)
        .applied(to: zip(values, types).map { expression($0).typedNil(as: $1) })
    case .adapted(let value, let old, let new, let canFail, let substitute):
      return Self.adapting(
        expression(value), from: old, to: new, canFail: canFail,
        substitute: substitute.map(expression))
    case .encoded(let value, let attribute, let canThrow):
      return Self.encoding(expression(value), attribute, canThrow: canThrow)
    case .former(let value, let attribute): return Self.storing(expression(value), attribute)
    case .required(let value, let type):
      let text = expression(value)
      return value.isPlainlyThere ? text : .compound("\(text.operandText) as \(type)")
    case .links(let link): return links(link)
    case .rows(let model, let field, let making):
      return .name(rows(of: "\(schema).\(model)", Self.field(field), making))
    case .related(let function, let step):
      let name = SwiftIdentifier.quoted(function)
      return .name("\(step).\(name)(for: \(row ?? "self"), in: context)")
    }
  }

  // MARK: Reading

  private func path(_ name: String) -> String {
    let quoted = SwiftIdentifier.quoted(name)
    return row.map { "\($0).\(quoted)" } ?? quoted
  }

  static func field(_ name: String) -> String { "entity.\(SwiftIdentifier.quoted(name))" }

  private func reading(_ property: Property) -> SwiftExpression {
    let path = path(property.name)
    if let attribute = property.attribute, attribute.former != nil {
      let type = attribute.type.unwrapped
      return .name(
        attribute.type.isOptional
          ? "\(path).map(\(type).init(former:))" : "\(type)(former: \(path))")
    }
    guard let attribute = property.attribute, let encodes = attribute.encodes else {
      return .name(path)
    }
    if let counted {
      let decode = "fallbacks.decode(\(encodes.unwrapped).self, from: \(path), of: \"\(counted)\")"
      guard let fallback = attribute.fallback, fallback.text != "nil" else { return .name(decode) }
      return .compound("\(decode) ?? \(fallback.operandText)")
    }
    let decode = "StoredJSON.decode(\(encodes.unwrapped).self, from: \(path)"
    // Without a fallback an unreadable value is nil, which is the same as a fallback of nil.
    let fallback = attribute.fallback.flatMap { $0.text == "nil" ? nil : $0.text }
    return .name(fallback.map { "\(decode), or: \($0))" } ?? "\(decode))")
  }

  private func links(_ link: LinkReading) -> SwiftExpression {
    let path = path(link.property)
    let sorted = Self.sorting(by: link.sortKeys)
    let isIdentifiers = link.form == .identifiers
    let member = isIdentifiers ? "id" : "toEntity()"
    let map = isIdentifiers ? "map(\\.id)" : "map { $0.toEntity() }"
    switch (link.cardinality, link.isList) {
    case (.many, _): return .name("\(path)\(sorted).\(map)")
    case (.optionalMany, _): return .compound("\(path)?\(sorted).\(map) ?? []")
    case (.optionalOne, true): return .compound("\(path).map { [$0.\(member)] } ?? []")
    case (.one, true): return .name("[\(path).\(member)]")
    case (.optionalOne, false): return .name("\(path)?.\(member)")
    case (.one, false): return .name("\(path).\(member)")
    }
  }

  private static func sorting(by keys: [String]) -> String {
    func side(_ row: String) -> String {
      let values = keys.map { "\(row).\(SwiftIdentifier.quoted($0))" }
      return values.count == 1 ? values[0] : "(\(values.joined(separator: ", ")))"
    }
    return keys.isEmpty ? "" : ".sorted { \(side("$0")) < \(side("$1")) }"
  }

  private func rows(of model: String, _ field: String, _ making: LinkMaking) -> String {
    switch making {
    case .each: "\(field).map(\(model).fromEntity)"
    case .first: "\(field).first.map(\(model).fromEntity)"
    case .one: "\(model).fromEntity(\(field))"
    }
  }

  // MARK: Counting

  private var uncounted: ConversionText {
    var text = self
    text.counted = nil
    return text
  }

  /// A conversion that counts values that take the fallback although the old value exists; nil if no value can take the
  /// fallback.
  private func counting(
    _ call: SwiftExpression, of values: [DerivedValue]
  ) -> SwiftExpression? {
    guard let counted, let (before, operand) = call.fallback, operand.text != "nil",
      Self.canFail(before)
    else { return nil }
    let optional = values.compactMap { value -> String? in
      guard case .property(let property) = value, property.attribute?.type.isOptional == true else {
        return nil
      }
      return "\(path(property.name)) != nil"
    }
    let condition = optional.isEmpty ? "" : "where: \(optional.joined(separator: " && ")), "
    // Both expressions in the string were scanned already.
    return try? SwiftExpression(
      "\(before) fallbacks.count(\"\(counted)\", \(condition)\(operand.text))")
  }

  /// Whether an operand of `??` can be nil although the values are not. `$0` and `$0.map { … }` cannot.
  private static func canFail(_ operand: String) -> Bool {
    if ["flatMap", "try?", "as?"].contains(where: operand.contains) { return true }
    let isMapped = operand.hasPrefix("$") && operand.dropFirst(2).hasPrefix(".map")
    return operand.contains("(") && !isMapped
  }

  // MARK: Making

  /// A conversion as an expression of `$0`, `$1`, … A function is called by its fixed signature.
  private static func call(
    _ conversion: Conversion, of step: String, taking arguments: Int
  ) -> SwiftExpression {
    switch conversion {
    case .expression(let expression): return expression
    case .function(let name):
      let list = (0..<arguments).map { "$\($0)" }.joined(separator: ", ")
      let call = "\(step).\(SwiftIdentifier.quoted(name))(\(list))"
      // The call contains only a checked name and placeholders, so scanning it does not fail.
      return (try? SwiftExpression(call)) ?? .name(call)
    }
  }

  private static func encoding(
    _ value: SwiftExpression, _ attribute: Attribute, canThrow: Bool
  ) -> SwiftExpression {
    let isText = attribute.type.unwrapped.description == "String"
    let function =
      canThrow ? (isText ? "encodedText" : "encoded") : (isText ? "text" : "data")
    // Passed to a generic function, a literal does not get the intended type, not even after an operator.
    let isTyped = value.isPrimary && !value.text.hasPrefix("[") && !value.text.hasPrefix("nil")
    let typed = isTyped ? value.text : "\(value.text) as \(attribute.valueType)"
    if attribute.type.isOptional, attribute.valueType.isOptional {
      return .name("StoredJSON.\(function)(ifPresent: \(typed))")
    }
    return .name("StoredJSON.\(function)(\(typed))")
  }

  private static func storing(_ value: SwiftExpression, _ attribute: Attribute) -> SwiftExpression {
    guard let former = attribute.former else { return value }
    guard attribute.type.isOptional else { return .name("\(former)(of: \(value.text))") }
    return .name("(\(value.operandText) as \(attribute.type)).map(\(former).init(of:))")
  }

  private static func adapting(
    _ value: SwiftExpression, from old: TypeReference, to new: TypeReference, canFail: Bool,
    substitute: SwiftExpression?
  ) -> SwiftExpression {
    var value = value
    if old.unwrapped != new.unwrapped {
      let before = old.unwrapped.description
      let after = new.unwrapped.description
      if old.isOptional {
        let one = number(.name("$0"), from: before, to: after)
        value = .compound("\(value.operandText).\(canFail ? "flatMap" : "map") { \(one.text) }")
      } else {
        value = number(value, from: before, to: after)
      }
    }
    guard let substitute else { return value }
    return .compound("\(value.operandText) ?? \(substitute.operandText)")
  }

  /// Converts a value from one number type to another.
  ///
  /// Whole numbers are clamped and fractions truncated, so no value traps.
  private static func number(
    _ value: SwiftExpression, from old: String, to new: String
  ) -> SwiftExpression {
    let integers = NumberType.integers
    let floats = NumberType.floats
    let operand = value.operandText
    switch (old, new) {
    case _ where old == new: return value
    case ("Bool", _): return .compound("\(operand) ? 1 : 0")
    case (_, "Bool"): return .compound("\(operand) != 0")
    case _ where integers.contains(old) && integers.contains(new):
      return .name("\(new)(clamping: \(value.text))")
    case ("Decimal", "Float"):
      return .name("NSDecimalNumber(decimal: \(value.text)).floatValue")
    case ("Decimal", "CGFloat"):
      return .name("CGFloat(NSDecimalNumber(decimal: \(value.text)).doubleValue)")
    case ("Decimal", _) where floats.contains(new):
      return .name("NSDecimalNumber(decimal: \(value.text)).doubleValue")
    case ("Decimal", "Int"): return .name("NSDecimalNumber(decimal: \(value.text)).intValue")
    case ("Decimal", _):
      return .name("\(new)(clamping: NSDecimalNumber(decimal: \(value.text)).int64Value)")
    case ("Float", "Decimal"), ("CGFloat", "Decimal"):
      return .name("Decimal(Double(\(value.text)))")
    case _ where floats.contains(old) && integers.contains(new):
      return .compound("\(new)(exactly: \(operand).rounded(.towardZero)) ?? 0")
    default: return .name("\(new)(\(value.text))")
    }
  }
}

extension Attribute {
  var storedDefault: String? { defaultValue.map(stored) }

  func stored(_ value: SwiftExpression) -> String {
    guard let former, value.text != "nil" else { return value.initializerText }
    return "\(former)(of: \(value.text))"
  }
}

extension SwiftExpression {
  /// The expression as an argument of a conversion. A bare `nil` gets a type, since nothing else provides one.
  fileprivate func typedNil(as type: TypeReference) -> SwiftExpression {
    text == "nil" ? .name("(nil as \(type.optionalized))") : self
  }
}

extension DerivedValue {
  /// Whether the value is certainly not nil: the conversion shows it, or the value is computed from numbers and from
  /// values that are not optional.
  fileprivate var isPlainlyThere: Bool {
    guard case .converted(let values, .expression(let expression), _) = self else { return false }
    if expression.isPlainlyThere { return true }
    return expression.text.allSatisfy { "$0123456789.+-*/() ".contains($0) }
      && values.allSatisfy {
        guard case .property(let property) = $0, let attribute = property.attribute else {
          return false
        }
        return !attribute.type.isOptional && attribute.encodes == nil
      }
  }
}
