internal import SchemaModel

extension NodeInterpreter {
  mutating func text(_ node: YAMLNode, named what: String, help: [String] = []) -> SourceText? {
    guard let scalar = node.scalar else {
      reportKind(of: node, expected: "text", named: what, help: help)
      return nil
    }
    let source = SourceText(scalar, at: node.location)
    guard !scalar.text.isEmpty else {
      report(.wrongValue, "\(what) has no value", at: node.location, help: help)
      return nil
    }
    return source
  }

  mutating func text(_ entry: YAMLEntry, help: [String] = []) -> SourceText? {
    text(pointed(entry), named: "'\(entry.key)'", help: help)
  }

  mutating func code(_ entry: YAMLEntry) -> SourceText? {
    text(entry, help: Self.emptyStringHelp(entry.key))
  }

  static func emptyStringHelp(_ key: String) -> [String] {
    ["write an empty string as \(key): '\"\"'"]
  }

  /// Text without invisible characters and surrounding white space: a summary, a reason, a path.
  ///
  /// - Parameter breaks: Whether the text may have several lines.
  mutating func words(_ entry: YAMLEntry, breaks: Bool = false) -> String? {
    text(entry).flatMap { words($0, named: "'\(entry.key)'", breaks: breaks) }
  }

  mutating func words(_ source: SourceText, named what: String, breaks: Bool = false) -> String? {
    let trimmed = source.text.trimmingSpaces()
    guard !trimmed.isEmpty else {
      report(.wrongValue, "\(what) has no value", at: source.location)
      return nil
    }
    return isVisible(trimmed, source, breaks: breaks) ? trimmed : nil
  }

  mutating func boolean(_ entry: YAMLEntry?) -> Bool {
    guard let entry, let source = text(entry, help: ["write true or false"]) else { return false }
    switch source.text {
    case "true": return true
    case "false": return false
    default:
      let meant: [String: String] = [
        "yes": "true", "on": "true", "y": "true", "1": "true", "true": "true",
        "no": "false", "off": "false", "n": "false", "0": "false", "false": "false",
      ]
      let word = meant[source.text.lowercased()]
      report(
        .wrongValue, "'\(entry.key)' must be true or false, not '\(source.text)'",
        at: source.location,
        help: [word.map { "write \($0)" } ?? "write true or false"],
        correction: word.map { .write($0) })
      return false
    }
  }

  mutating func integer(_ entry: YAMLEntry?, in range: ClosedRange<Int>) -> Int? {
    guard let entry, let source = text(entry) else { return nil }
    if let number = Int(source.text), range.contains(number), source.text.first != "+" {
      return number
    }
    let upper = range.upperBound == .max ? "or more" : "to \(range.upperBound)"
    report(
      .wrongValue,
      "'\(entry.key)' must be a whole number, \(range.lowerBound) \(upper), not '\(source.text)'",
      at: source.location)
    return nil
  }

  mutating func choice<Choice>(_ entry: YAMLEntry?, of type: Choice.Type) -> Choice?
  where Choice: RawRepresentable<String> & CaseIterable {
    guard let entry else { return nil }
    return choice(pointed(entry), named: "'\(entry.key)'", of: type)
  }

  mutating func choice<Choice>(
    _ node: YAMLNode, named what: String, of type: Choice.Type
  ) -> Choice? where Choice: RawRepresentable<String> & CaseIterable {
    guard let source = text(node, named: what) else { return nil }
    if let choice = Choice(rawValue: source.text) { return choice }
    let known = Choice.allCases.map(\.rawValue)
    let meant = findings.suggestion(for: source.text, among: known)
    report(
      .wrongValue, "\(what) cannot be '\(source.text)'", at: source.location,
      help: meant.map(Suggestion.help) ?? ["write one of: " + known.joined(separator: ", ")],
      correction: meant.map { .write($0) })
    return nil
  }

  /// Reports invisible characters, except line breaks and tabs if `breaks` is set.
  mutating func isVisible(_ text: String, _ source: SourceText, breaks: Bool) -> Bool {
    let hidden = text.unicodeScalars.first {
      $0.isHidden && !(breaks && ($0 == "\n" || $0 == "\t"))
    }
    guard let hidden else { return true }
    if hidden == "\n" {
      report(.wrongValue, "this text must be one line", at: source.location)
    } else {
      let code = String(hidden.value, radix: 16, uppercase: true)
      let offset = source.text.unicodeScalars.prefix { $0 != hidden }.count
      report(
        .hiddenCharacter,
        "the invisible character U+\(String(repeating: "0", count: max(0, 4 - code.count)))\(code)"
          + " is in this text", at: source.place(at: offset), help: ["delete the character"])
    }
    return false
  }

  /// The value of an entry. An empty value gets the place of the key.
  func pointed(_ entry: YAMLEntry) -> YAMLNode {
    var node = entry.value
    if node.scalar?.isNothing == true { node.location = entry.keyLocation }
    return node
  }
}

// MARK: - Swift

extension NodeInterpreter {
  mutating func type(
    _ source: SourceText, isAttribute: Bool = false, isTransient: Bool = false
  ) -> TypeReference? {
    do throws(TypeReference.SyntaxError) {
      let type = try TypeReference(parsing: source.text)
      noteUse(of: type, source, isAttribute: isAttribute, isTransient: isTransient)
      return type
    } catch {
      let isDraft = source.text == TypeReference.unread.description
      report(
        .invalidType,
        isDraft ? "'…' is a placeholder for a type that schemagen could not read" : error.reason,
        at: source.place(at: error.offset),
        help: isDraft ? ["write the type, and the default if there is one"] : [])
      return nil
    }
  }

  private mutating func noteUse(
    of type: TypeReference, _ source: SourceText, isAttribute: Bool, isTransient: Bool
  ) {
    if case .named(let name, let arguments) = type.unwrapped, arguments.isEmpty,
      StorageType.Primitive.bySwiftName[name] != nil
    {
      return
    }
    references.types.append(
      References.TypeUse(
        type: type, source: source, element: element, isAttribute: isAttribute,
        isTransient: isTransient))
  }

  mutating func expression(
    _ source: SourceText, named what: String, taking most: Int = 0
  ) -> SwiftExpression? {
    do throws(SwiftExpression.SyntaxError) {
      let expression = try SwiftExpression(source.text)
      guard expression.placeholderCount > most else { return expression }
      reportPlaceholder(expression, source, named: what, taking: most)
    } catch {
      let lead = source.text.utf8.prefix { $0 == 32 || (9...13).contains($0) }.count
      report(
        .invalidExpression, error.reason, at: source.place(atByte: lead + error.offset),
        help: error.help)
    }
    return nil
  }

  private mutating func reportPlaceholder(
    _ expression: SwiftExpression, _ source: SourceText, named what: String, taking most: Int
  ) {
    let highest = "$\(expression.placeholderCount - 1)"
    let message =
      switch most {
      case 0: "\(what) takes no values: '\(highest)' has no meaning in it"
      case 1: "\(what) takes one value, '$0': '\(highest)' has no meaning in it"
      default: "\(what) takes \(most) values: '\(highest)' has no meaning in it"
      }
    report(.wrongPlaceholder, message, at: source.location)
  }

  mutating func conversion(
    _ entry: YAMLEntry, taking most: Int = 0
  ) -> Located<Conversion>? {
    if case .mapping = entry.value.content {
      let function = mapping(entry, by: FunctionKey.self)?[.function]
      return function.flatMap { name($0, as: .function) }.map {
        Located(.function($0.value), at: $0.location)
      }
    }
    guard let source = text(entry),
      let expression = expression(source, named: "'\(entry.key)'", taking: most)
    else { return nil }
    return Located(.expression(expression), at: source.location)
  }
}
