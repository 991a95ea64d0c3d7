internal import SchemaModel

extension NamePatterns {
  static var fields: [Field<NamePatternKey, NamePatterns>] {
    let of = Fields<NamePatternKey, NamePatterns>(usual: NamePatterns())
    func pattern(
      _ key: NamePatternKey, _ part: WritableKeyPath<NamePatterns, String>,
      _ placeholders: String...
    ) -> Field<NamePatternKey, NamePatterns> {
      of.row(key, part, read: { $0.pattern($1, placeholders) }, write: { .name($0) })
    }
    return [
      pattern(.schema, \.schema, "version"),
      of.row(
        .bridge, \.bridge, read: { $0.pattern($1, ["from", "to"]) }, write: { $0.map { .name($0) } }
      ),
      pattern(.plan, \.plan),
      pattern(.activeSchema, \.activeSchema),
      pattern(.active, \.active, "model"),
      pattern(.alias, \.alias, "model", "version"),
      pattern(.live, \.live, "model"),
    ]
  }
}

extension NodeInterpreter {
  fileprivate mutating func pattern(_ entry: YAMLEntry, _ placeholders: [String]) -> String? {
    let help = ["put quotes around a value that begins with '{'"]
    guard let source = text(entry, help: help) else { return nil }
    let pieces = Self.pieces(of: source.text)
    let found = pieces.filter(\.isPlaceholder).map(\.text)
    for unknown in found where !placeholders.contains(unknown) {
      let known = placeholders.map { "{\($0)}" }.joined(separator: ", ")
      report(
        .wrongValue, "unknown placeholder '{\(unknown)}' in '\(entry.key)'", at: source.location,
        help: Suggestion.help(findings.suggestion(for: unknown, among: placeholders))
          + [known.isEmpty ? "'\(entry.key)' takes no placeholders" : "known here: \(known)"])
      return nil
    }
    for wanted in placeholders where !found.contains(wanted) {
      report(
        .wrongValue, "'{\(wanted)}' is missing in '\(entry.key)': its names would all be the same",
        at: source.location)
      return nil
    }
    // One sample is enough. If the pattern gives a valid name with a digit and a word, it does so with any values.
    let sample = pieces.map { piece in
      piece.isPlaceholder ? piece.text == "model" ? "Habit" : "1" : piece.text
    }.joined()
    let type = NameKind.type
    return isName(sample, at: source.location, as: type) ? source.text : nil
  }

  /// Splits a pattern into text and placeholders. An unpaired brace counts as text.
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
