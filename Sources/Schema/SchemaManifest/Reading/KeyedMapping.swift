internal import SchemaModel

/// The keys that one kind of mapping may have, spelt as in the manifest.
protocol MappingKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// A mapping by its known keys; making one reports all others.
struct KeyedMapping<Key: MappingKey> {
  let location: SourceLocation
  /// Whether an unknown key was written, which may be the one that is missing.
  var hasUnknownKey = false
  /// In the order written; there are few, so a search is faster than hashing.
  private var entries: [(key: Key, entry: YAMLEntry)] = []

  init(location: SourceLocation) { self.location = location }

  subscript(key: Key) -> YAMLEntry? {
    entries.last { $0.key == key }?.entry
  }

  func has(_ key: Key) -> Bool { entries.contains { $0.key == key } }

  func hasAny(of keys: some Sequence<Key>) -> Bool { keys.contains { has($0) } }

  mutating func add(_ entry: YAMLEntry, of key: Key) { entries.append((key, entry)) }

  /// The one entry of a mapping of which one is chosen; nil for none and for several.
  var only: YAMLEntry? { entries.count == 1 ? entries[0].entry : nil }

  /// The entries for those of the keys that were written, in the list's order.
  func written(of keys: some Sequence<Key>) -> [YAMLEntry] { keys.compactMap { self[$0] } }
}

extension NodeInterpreter {
  /// Takes a mapping apart; nil, and reported, if the node is none.
  mutating func mapping<Key: MappingKey>(
    _ node: YAMLNode, by key: Key.Type, named what: String
  ) -> KeyedMapping<Key>? {
    guard let entries = entries(of: node, named: what) else { return nil }
    var mapping = KeyedMapping<Key>(location: node.location)
    for entry in entries {
      if let key = Key(rawValue: entry.key) {
        mapping.add(entry, of: key)
      } else {
        mapping.hasUnknownKey = true
        let known = Key.allCases.map(\.rawValue)
        let meant = findings.suggestion(for: entry.key, among: known)
        report(
          .unknownKey, "unknown key '\(entry.key)' in \(what)", at: entry.keyLocation,
          help: meant.map(Suggestion.help) ?? ["known here: " + known.joined(separator: ", ")],
          correction: meant.map { .write($0) })
      }
    }
    return mapping
  }

  /// The entries of a mapping whose keys are the user's names.
  mutating func entries(of node: YAMLNode, named what: String) -> [YAMLEntry]? {
    if case .mapping(let entries) = node.content { return entries }
    reportKind(of: node, expected: "a mapping", named: what)
    return nil
  }

  mutating func items(of node: YAMLNode, named what: String) -> [YAMLNode]? {
    if case .sequence(let items) = node.content { return items }
    reportKind(of: node, expected: "a list", named: what)
    return nil
  }

  mutating func reportKind(
    of node: YAMLNode, expected: String, named what: String, help: [String] = [],
    correction: Correction? = nil
  ) {
    report(
      .wrongValue, "expected \(expected) for \(what), found \(node.kind)", at: node.location,
      help: help, correction: correction)
  }

  /// Reports, at each of the keys, that they do not belong together.
  mutating func reportConflict(_ entries: [YAMLEntry], _ reason: String, help: [String] = []) {
    for entry in entries {
      report(.conflictingKeys, "'\(entry.key)' \(reason)", at: entry.keyLocation, help: help)
    }
  }
}
