internal import SchemaModel

enum NamePatternKey: String, MappingKey {
  case schema, bridge, plan, activeSchema, active, alias, live

  /// The placeholders that a pattern has, each at least once.
  var placeholders: [String] {
    switch self {
    case .schema: ["version"]
    case .bridge: ["from", "to"]
    case .plan, .activeSchema: []
    case .active, .live: ["model"]
    case .alias: ["model", "version"]
    }
  }
}

extension NodeInterpreter {
  mutating func namePatterns(_ entry: YAMLEntry) -> NamePatterns {
    var patterns = NamePatterns()
    guard let keys = mapping(pointed(entry), by: NamePatternKey.self, named: "'names'") else {
      return patterns
    }
    patterns.schema = pattern(.schema, keys) ?? patterns.schema
    patterns.bridge = pattern(.bridge, keys) ?? patterns.bridge
    patterns.plan = pattern(.plan, keys) ?? patterns.plan
    patterns.activeSchema = pattern(.activeSchema, keys) ?? patterns.activeSchema
    patterns.active = pattern(.active, keys) ?? patterns.active
    patterns.alias = pattern(.alias, keys) ?? patterns.alias
    patterns.live = pattern(.live, keys) ?? patterns.live
    if patterns.plan == patterns.activeSchema {
      let place = keys[.plan] ?? keys[.activeSchema]
      report(
        .conflictingKeys, "'plan' and 'activeSchema' have one name", at: place?.value.location)
    }
    return patterns
  }

  private mutating func pattern(
    _ key: NamePatternKey, _ keys: KeyedMapping<NamePatternKey>
  ) -> String? {
    let help = ["put quotes around a value that begins with '{'"]
    guard let entry = keys[key], let source = text(entry, help: help) else { return nil }
    let pieces = Self.pieces(of: source.text)
    let found = pieces.filter(\.isPlaceholder).map(\.text)
    for unknown in found where !key.placeholders.contains(unknown) {
      let known = key.placeholders.map { "{\($0)}" }.joined(separator: ", ")
      report(
        .wrongValue, "'{\(unknown)}' means nothing in '\(entry.key)'", at: source.location,
        help: Suggestion.help(findings.suggestion(for: unknown, among: key.placeholders))
          + [known.isEmpty ? "'\(entry.key)' takes no placeholders" : "known here: \(known)"])
      return nil
    }
    for wanted in key.placeholders where !found.contains(wanted) {
      report(
        .wrongValue, "'{\(wanted)}' is missing in '\(entry.key)': its names would be alike",
        at: source.location)
      return nil
    }
    // A digit and a word stand for every value: what is a name with them is one with all.
    let sample = pieces.map { piece in
      piece.isPlaceholder ? piece.text == "model" ? "Habit" : "1" : piece.text
    }.joined()
    let type = NameKind.type
    return isName(sample, at: source.location, as: type) ? source.text : nil
  }

  /// A pattern taken apart; an unpaired bracket is text, not a name.
  private static func pieces(of pattern: String) -> [(text: String, isPlaceholder: Bool)] {
    var pieces: [(text: String, isPlaceholder: Bool)] = []
    var rest = pattern[...]
    while let open = rest.firstIndex(of: "{"),
      let close = rest[open...].firstIndex(of: "}")
    {
      pieces.append((String(rest[..<open]), false))
      pieces.append((String(rest[rest.index(after: open)..<close]), true))
      rest = rest[rest.index(after: close)...]
    }
    pieces.append((String(rest), false))
    return pieces
  }
}
