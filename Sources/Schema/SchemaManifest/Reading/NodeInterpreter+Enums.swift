internal import SchemaModel

extension NodeInterpreter {
  mutating func enumeration(
    _ entry: YAMLEntry, _ cases: YAMLEntry?
  ) -> ValueTypeDeclaration.Kind? {
    let raw = text(entry, help: ["write 'enum: String', or 'enum: none'"])
    let kind = raw.flatMap { rawKind($0) }
    guard let cases else {
      report(.missingKey, "'cases' is missing", at: entry.keyLocation)
      return nil
    }
    let list: [EnumCase]
    switch cases.value.content {
    case .sequence(let items):
      reportEmpty(items.isEmpty, cases)
      list = bareCases(items, kind, raw)
    case .mapping(let entries):
      reportEmpty(entries.isEmpty, cases)
      list = rawCases(entries, cases, kind)
    case .scalar:
      reportKind(of: pointed(cases), expected: "a list or a mapping", named: "'cases'")
      return nil
    }
    guard let raw, let kind else { return nil }
    return .enumeration(rawType: kind == .none ? nil : .named(raw.text), cases: list)
  }

  private mutating func reportEmpty(_ isEmpty: Bool, _ cases: YAMLEntry) {
    guard isEmpty else { return }
    report(.wrongValue, "an enum needs at least one case", at: cases.keyLocation)
  }

  private mutating func rawKind(_ source: SourceText) -> RawKind? {
    if let kind = RawKind(swiftName: source.text) { return kind }
    let meant = findings.suggestion(for: source.text, among: RawKind.swiftNames)
    report(
      .wrongValue, "'\(source.text)' cannot be the raw type of an enum", at: source.location,
      help: meant.map(Suggestion.help)
        ?? ["write String, an integer type, Double, Float, or none for no raw values"],
      correction: meant.map { .write($0) })
    return nil
  }

  /// Cases whose raw values are their names: `cases: [a, b, c: { renamedFrom: d }]`.
  private mutating func bareCases(
    _ items: [YAMLNode], _ kind: RawKind?, _ raw: SourceText?
  ) -> [EnumCase] {
    if let kind, kind != .none, kind != .string, let raw, let first = items.first {
      report(
        .wrongValue, "write out the raw values of an enum of \(raw.text)",
        at: first.location,
        help: [
          "write 'cases: { \(Self.caseName(first)): 0 }':"
            + " implicit raw values would change with the order of the cases"
        ])
    }
    var renames: [String: Located<String>] = [:]
    let names = items.compactMap { item -> Located<String>? in
      guard case .mapping(let entries) = item.content, let entry = entries.first,
        entries.count == 1
      else { return text(item, named: "a case").flatMap { name($0, as: .case) } }
      guard isName(entry.key, at: entry.keyLocation, as: .case) else { return nil }
      if let keys = mapping(entry, by: CaseKey.self, named: "a case") {
        reportConflict(
          keys[.rawValue].map { [$0] } ?? [], "does not belong in a list of cases",
          help: ["write the cases as a mapping: 'cases: { \(entry.key): { rawValue: … } }'"])
        renames[entry.key] = keys[.renamedFrom].flatMap { reference($0) }
      }
      return Located(entry.key, at: entry.keyLocation)
    }
    return distinct(names, in: "'cases'", correction: .removal).map {
      EnumCase(name: $0.value, renamedFrom: renames[$0.value], location: $0.location)
    }
  }

  private static func caseName(_ item: YAMLNode) -> String {
    if case .mapping(let entries) = item.content, let entry = entries.first { return entry.key }
    return item.scalar?.text ?? "first"
  }

  /// Cases with raw values: `cases: { a: 1, b: { rawValue: 2, renamedFrom: c } }`.
  private mutating func rawCases(
    _ entries: [YAMLEntry], _ cases: YAMLEntry, _ kind: RawKind?
  ) -> [EnumCase] {
    if kind == RawKind.none {
      report(
        .conflictingKeys, "an enum without a raw type has no raw values",
        at: cases.value.location, help: ["write a list of cases: 'cases: [a, b]'"])
    }
    var first: [RawLiteral: SourceLocation] = [:]
    return entries.map { entry in
      _ = isName(entry.key, at: entry.keyLocation, as: .case)
      var enumCase = EnumCase(name: entry.key, location: entry.keyLocation)
      var value: YAMLEntry? = entry
      if case .mapping = entry.value.content {
        guard let keys = mapping(entry.value, by: CaseKey.self, named: "a case") else {
          return enumCase
        }
        enumCase.renamedFrom = keys[.renamedFrom].flatMap { reference($0) }
        value = keys[.rawValue]
        if value == nil, let kind, kind != .none, kind != .string {
          report(.missingKey, "'rawValue' is missing", at: entry.keyLocation)
        }
      }
      guard let value else { return enumCase }
      enumCase.statesRawValue = true
      guard let kind, kind != .none, let literal = rawLiteral(value, kind) else { return enumCase }
      if let place = first.updateValue(literal, at: value.value.location) {
        reportDuplicate(
          "the raw value \(literal.source) appears twice", at: value.value.location, first: place)
      }
      if literal.source != "\"\(entry.key)\"" {
        enumCase.rawValue = try? SwiftExpression(literal.source)
      }
      return enumCase
    }
  }

  private mutating func rawLiteral(_ entry: YAMLEntry, _ kind: RawKind) -> RawLiteral? {
    guard let scalar = entry.value.scalar, !scalar.isNothing else {
      _ = text(entry, help: ["a raw value must be a literal"])
      return nil
    }
    let source = SourceText(scalar, at: entry.value.location)
    guard isVisible(scalar.text, source, breaks: false) else { return nil }
    if let literal = kind.literal(scalar.text) { return literal }
    report(
      .wrongValue, "'\(scalar.text)' is not a raw value of this enum: \(kind.wanted)",
      at: source.location)
    return nil
  }
}

extension [RawLiteral: SourceLocation] {
  fileprivate mutating func updateValue(
    _ literal: RawLiteral, at place: SourceLocation
  ) -> SourceLocation? {
    if let first = self[literal] { return first }
    self[literal] = place
    return nil
  }
}
