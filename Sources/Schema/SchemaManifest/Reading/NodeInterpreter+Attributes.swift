internal import SchemaModel

extension NodeInterpreter {
  mutating func attribute(
    _ keys: KeyedMapping<PropertyKey>, of model: String
  ) -> Attribute? {
    let type = attributeType(keys)
    var attribute = Attribute(type: type ?? .named("Never"))
    attribute.encodes = keys[.encodes].flatMap { encoded($0, in: type) }
    // The fallback has the type of the decoded value. For an optional property the fallback may be nil.
    let fallen = attribute.encodes.map { _ in attribute.valueType }
    attribute.fallback = keys[.fallback].flatMap { defaultValue($0, type: fallen) }
    attribute.defaultValue = keys[.default].flatMap { defaultValue($0, type: type) }
    attribute.options = Set(
      Attribute.Option.allCases.filter { option in
        boolean(PropertyKey(rawValue: option.rawValue).flatMap { keys[$0] })
      })
    attribute.transformer = keys[.transformable].flatMap { name($0, as: .transformer)?.value }
    attribute.dedupe = keys[.dedupe].flatMap { dedupe($0, of: model) }
    return type == nil ? nil : attribute
  }

  private mutating func attributeType(_ keys: KeyedMapping<PropertyKey>) -> TypeReference? {
    let help = ["put quotes around an array type: 'type: \"[String]\"'"]
    // The value is checked where the key is read.
    let isTransient = keys[.transient]?.value.scalar?.text == "true"
    return keys[.type].flatMap { text($0, help: help) }.flatMap {
      type($0, isAttribute: true, isTransient: isTransient)
    }
  }

  private mutating func encoded(_ entry: YAMLEntry, in type: TypeReference?) -> TypeReference? {
    if let type, ![.named("Data"), .named("String")].contains(type.unwrapped) {
      report(
        .conflictingKeys, "'encodes' puts JSON into Data or String, not into \(type)",
        at: entry.keyLocation, help: ["write 'type: Data'"])
    }
    return text(entry).flatMap { self.type($0) }
  }

  private mutating func defaultValue(
    _ entry: YAMLEntry, type: TypeReference?
  ) -> SwiftExpression? {
    code(entry).flatMap { defaultValue($0, key: entry.key, type: type) }
  }

  /// Reads an initial value: an expression without `$0`, in which every member needs its type: `Mood.glad`.
  mutating func defaultValue(
    _ source: SourceText, key: String, type: TypeReference?
  ) -> SwiftExpression? {
    guard !source.text.allSatisfy({ $0 == " " }) else {
      report(
        .wrongValue, "'\(key)' has no value", at: source.location,
        help: Self.emptyStringHelp(key))
      return nil
    }
    guard let expression = expression(source, named: "'\(key)'") else { return nil }
    reportUnqualified(expression, source, type: type)
    reportLiteral(expression, source, key: key, type: type)
    return expression
  }

  /// Reports a literal of an obviously wrong type, which the compiler would otherwise report in a generated file.
  mutating func reportLiteral(
    _ expression: SwiftExpression, _ source: SourceText, key: String, type: TypeReference?
  ) {
    guard let type, let literal = expression.literal, type.accepts(literal) == false else { return }
    var help: [String] = []
    switch (type.unwrapped, literal) {
    case (_, .nothing): help = ["write a value, or make the type optional: \(type)?"]
    case (.named("String", _), .number), (.named("String", _), .fraction),
      (.named("String", _), .boolean):
      help = ["put text in double quotes inside single ones: '\"\(expression.text)\"'"]
    case (.named("Bool", _), _): help = ["write true or false"]
    default: break
    }
    report(
      .wrongValue, "'\(key)' must be \(type): \(expression.text) is \(literal.words)",
      at: source.location, help: help)
  }

  /// Reports a member without its type, such as `.current`. `@Model` copies a default to where nothing provides its
  /// type.
  mutating func reportUnqualified(
    _ expression: SwiftExpression, _ source: SourceText, type: TypeReference?
  ) {
    guard expression.isUnqualified else { return }
    let member = expression.text
    var help = "name the type in front of every member"
    var correction: Correction?
    if member.hasPrefix("."), case .named(let name, _) = type?.unwrapped {
      help = "write '\(name)\(member)'"
      // `.none` and `.some` are also members of Optional.
      let isCertain = member != ".none" && member != ".some"
      correction = isCertain ? .write(name + member, over: member) : nil
    }
    report(
      .unqualifiedDefault, "'\(member)' does not name its type",
      at: source.location, help: [help], correction: correction)
  }
}
