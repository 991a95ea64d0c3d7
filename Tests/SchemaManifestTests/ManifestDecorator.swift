import TestSupport

@testable import SchemaManifest
@testable import SchemaModel

/// Adds random keys of manifests to versions that lack them.
struct ManifestDecorator {
  private var random: SplitMix64

  init(seed: Int) { random = SplitMix64(seed: UInt64(seed) &+ 0xDECC) }

  /// Texts with a meaning in YAML or Swift, or that seem to have one.
  static let hostile = [
    "'", "\"", "it's", "\"quoted\"", "'single'", "a: b", "a:", ":a", "a #b", "#a", "- a", "-", "-1",
    "-a", "?",
    "? a", "!tag", "&anchor", "*alias", "|", ">", "%directive", "@at", "`tick`", "{ a: b }",
    "[a, b]", ",",
    "a, b", "]", "}", "---", "...", "--- a", "null", "Null", "~", "true", "False", "yes", "no",
    "on", "off",
    "y", "N", "1", "+1", "1.5", ".5", "1e3", "0x1F", "0o17", "1_000", "12:30:45", "2027-01-31",
    "2027-01-31 12:00:00", "2 days", ".inf", ".nan", "=", "<<", "\\", "\\n", "\"\\(x)\"", "a\\",
    "é", "日本語",
    "🙂", "👨‍👩‍👧", "e\u{301}", "\"\u{301}", "'\u{301}", "\u{FFFE}", "\u{FFFD}", "\u{A0}", "\u{10FFFF}",
    "a\tb", "\ta", "a\t", "  a  ",
    "a  b", "line\nbreak", "line\r\nbreak", "line\rbreak", "a\n\nb", "a\n  b\nc", "\n\na", "a\n",
    "a\n#b", "a\n: b",
    "a\n- b\n\tc", "a \nb", "a\u{85}b", "a\u{2028}b", "\u{FEFF}a", "a\u{200B}b", "\u{0}", "\u{7F}",
    "schemagen:accept x: y",
    "a: |", "key: value\nother: value", "a\n---\nb", "a\n...", "$0", "$schema", "*/", "//", "<T>",
    "\u{1F468}\u{200D}",
    String(repeating: "long ", count: 60), String(repeating: "x", count: 1500),
  ]

  mutating func decorated(_ version: SchemaVersion) -> SchemaVersion {
    var version = version
    version.summary = line()
    for index in version.models.indices { decorate(&version.models[index]) }
    decorate(&version.types)
    for index in version.drops.indices {
      version.drops[index].acknowledgement = .reason(line() ?? "gone")
      if random.chance(30) { version.drops[index].revert = expression(nil) }
    }
    for index in version.acceptances.indices {
      version.acceptances[index].reason = line() ?? "fine"
      if random.chance(50) {
        version.acceptances[index].until = CalendarDay("2027-01-31").map { Located($0) }
      }
    }
    for model in version.models where random.chance(30) {
      let claims: [Expectation.Claim] = [
        .present(model.properties.first?.name ?? "id"),
        .holds(expression(nil)),
      ]
      version.expectations.append(
        Expectation(model: Located(model.name), random.pick(claims)))
    }
    version.hooks = Hooks(before: random.chance(30), after: random.chance(30))
    if random.chance(30) { version.expectedStage = Located(random.pick(ExpectedStage.allCases)) }
    version.identity = random.pick(IdentityOrigin.allCases)
    return version
  }

  private mutating func decorate(_ model: inout Model) {
    model.documentation = words()
    if random.chance(30) { model.entity = "E\(model.name)" }
    for index in model.properties.indices { decorate(&model.properties[index]) }
    let names = model.properties.map { Located($0.name) }
    for _ in 0..<random.below(4) {
      model.uniques.append(
        UniqueConstraint(
          properties: Array(names.prefix(1 + random.below(names.count))), dedupe: dedupe(names)))
    }
    for _ in 0..<random.below(4) {
      model.indexes.append(
        Index(
          kind: random.pick(Index.Kind.allCases),
          properties: Array(names.suffix(1 + random.below(names.count)))))
    }
  }

  private mutating func dedupe(_ names: [Located<String>]) -> Dedupe? {
    let name = random.pick(names).value
    return random.pick([nil, .latest(by: name), .earliest(by: name), .function("choose")])
  }

  private mutating func decorate(_ property: inout Property) {
    property.documentation = words()
    if random.chance(20) { property.originalName = "old\(random.below(9))" }
    if random.chance(20) { property.hashModifier = line() }
    if random.chance(20) { property.mapping.name = "e\(random.below(99))" }
    switch property.kind {
    case .relationship(var relationship):
      property.mapping.form = random.pick(EntityMapping.Form.allCases)
      relationship.deleteRule = random.pick(Relationship.DeleteRule.allCases)
      relationship.isUnique = random.chance(20)
      if random.chance(30) { relationship.minimum = random.below(3) }
      if random.chance(30) { relationship.maximum = 3 + random.below(3) }
      property.kind = .relationship(relationship)
    case .attribute(var attribute):
      if random.chance(20) { property.mapping.form = .omit }
      for option in Attribute.Option.allCases where random.chance(10) {
        attribute.options.insert(option)
      }
      if attribute.dedupe != nil { attribute.options.insert(.unique) }
      if random.chance(10) { attribute.transformer = "Transformer" }
      if attribute.type.unwrapped == .named("String"), random.chance(40) {
        attribute.encodes = random.pick([.named("Level"), .array(.named("Level"))])
        if random.chance(50) { attribute.fallback = expression(attribute.valueType) }
      }
      if attribute.defaultValue != nil, random.chance(30) {
        attribute.defaultValue = expression(attribute.type)
      }
      property.kind = .attribute(attribute)
    }
    decorateStep(of: &property)
  }

  private mutating func decorateStep(of property: inout Property) {
    guard property.attribute != nil, property.migration.isEmpty else { return }
    switch random.below(10) {
    case 0:
      property.migration = PropertyMigration(
        from: [Located("a"), Located("b")], convert: Located(conversion("$0 + $1")),
        revert: random.chance(50)
          ? [
            Reversion(Located(conversion("$0"))),
            Reversion(
              Located(conversion("$0.b")),
              from: random.chance(50) ? [Located(property.name)] : []),
          ] : [])
    case 1:
      property.migration = PropertyMigration(
        from: [Located("a")], convert: Located(conversion("$0 ?? \"a: b\"")),
        fill: random.chance(50)
          ? Located(.expression(expression(property.attribute?.valueType))) : nil)
    case 2:
      property.migration = PropertyMigration(
        revert: [Reversion(Located(conversion("$0 ?? \"\"")))])
    default: break
    }
  }

  private mutating func decorate(_ types: inout [ValueTypeDeclaration]) {
    for index in types.indices { types[index].documentation = words() }
    let raws = Set((0..<random.below(5)).map { _ in random.pick(Self.hostile) }).sorted()
      .compactMap { text in
        // Other cases have their names as raw values.
        ["null", "no"].contains(text) || text.unicodeScalars.contains { $0.isHidden }
          ? nil : RawKind.string.swiftLiteral(text)
      }
    types.append(
      ValueTypeDeclaration(
        name: "Named", documentation: words(),
        kind: .enumeration(
          rawType: .named("String"),
          cases: raws.enumerated().map { EnumCase(name: "c\($0.offset)", rawValue: $0.element) }
            + [EnumCase(name: "default"), EnumCase(name: "null"), EnumCase(name: "no")]),
        isOwn: random.chance(30)))
    types.append(
      ValueTypeDeclaration(
        name: "Counted",
        kind: .enumeration(
          rawType: .named("Int"),
          cases: [-1, 0, 5].map { EnumCase(name: "n\($0 + 1)", rawValue: .name("\($0)")) })))
    types.append(
      ValueTypeDeclaration(
        name: "Bare",
        kind: .enumeration(
          rawType: nil, cases: (0...random.below(30)).map { EnumCase(name: "case\($0)") })))
    types.append(
      ValueTypeDeclaration(
        name: "Shape",
        kind: .structure(
          fields: (0...random.below(8)).map { number in
            let type: TypeReference = random.pick([
              .named("Int"), .array(.named("Bare")), .optional(.named("Date")),
            ])
            return StructField(
              name: "field\(number)", type: type,
              defaultValue: random.chance(40) ? expression(type) : nil)
          }), isOwn: random.chance(30)))
    types.append(
      ValueTypeDeclaration(name: "Outer.Inner", documentation: words(), kind: .opaque, isOwn: true))
  }

  private mutating func words() -> String? {
    let text = random.pick(Self.hostile).manifestText
    return text.isEmpty || random.chance(50) ? nil : text
  }

  private mutating func line() -> String? {
    let text = random.pick(Self.hostile).manifestLine
    return text.isEmpty || random.chance(30) ? nil : text
  }

  private mutating func conversion(_ text: String) -> Conversion {
    random.chance(30) ? .function("make") : .expression(.name(text))
  }

  /// A value that does not clearly have another type.
  private mutating func expression(_ type: TypeReference?) -> SwiftExpression {
    let texts = [
      "\"\"", "\"a: b # c\"", "[\"a\": 1]", "[]", "nil", "-1", "0", "true", "Data()", "\"it's\"",
      "\"{ a }\"", "Mode.current", "#\"raw\"#", "\"it's \\\"quoted\\\"\"", "[1, 2]", "x ? y : z",
    ]
    return .name(
      random.pick(
        texts.filter { text in
          guard let type, let literal = (try? SwiftExpression(text))?.literal else { return true }
          return type.accepts(literal) != false
        }))
  }
}
