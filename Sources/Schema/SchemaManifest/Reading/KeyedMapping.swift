internal import SchemaModel

/// The keys that one kind of mapping may have, spelt as in the manifest.
protocol MappingKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  static var table: KeyTable<Self> { get }
}

extension MappingKey {
  static var table: KeyTable<Self> { KeyTable() }
}

/// Rules for combining the keys of a mapping, as in the JSON Schema of manifests.
struct KeyTable<Key: MappingKey>: Sendable {
  var required: [Key] = []
  /// Whether exactly one key is allowed.
  var isChoice = false
  var needs: [(key: Key, needed: Key)] = []
  var excludes: [(key: Key, refused: Key)] = []
  /// The keys of each form of the mapping. The first key of a form identifies it.
  var forms: [[Key]] = []
  var marks: [KeyMark: [Key]] = [:]
  var examples: [Key: String] = [:]

  fileprivate func example(_ key: Key) -> String {
    "'\(key.rawValue): \(examples[key] ?? "…")'"
  }
}

enum KeyMark: Sendable {
  /// The key belongs to the step from the previous version.
  case step
  /// The key names paths or versions of one app, so a configuration that others extend cannot have it.
  case app
  /// The key's mapping is merged, key by key, with the mappings in extended configurations.
  case merged
}

/// A mapping with its known keys. `NodeInterpreter` reports all other keys.
struct KeyedMapping<Key: MappingKey> {
  let location: SourceLocation
  /// The entries in the order of the file. A mapping has few entries, so a linear search is faster than hashing.
  private(set) var entries: [(key: Key, entry: YAMLEntry)] = []

  init(location: SourceLocation) { self.location = location }

  subscript(key: Key) -> YAMLEntry? {
    entries.last { $0.key == key }?.entry
  }

  func has(_ key: Key) -> Bool { entries.contains { $0.key == key } }

  fileprivate func says(_ key: Key) -> Bool {
    self[key].map { $0.value.scalar?.text != "false" } ?? false
  }

  func hasAny(of keys: some Sequence<Key>) -> Bool { keys.contains { has($0) } }

  mutating func add(_ entry: YAMLEntry, of key: Key) { entries.append((key, entry)) }

  var only: YAMLEntry? { entries.count == 1 ? entries[0].entry : nil }
}

extension NodeInterpreter {
  mutating func mapping<Key: MappingKey>(
    _ entry: YAMLEntry, by key: Key.Type, named what: String? = nil
  ) -> KeyedMapping<Key>? {
    mapping(
      pointed(entry), by: key, named: what ?? "'\(entry.key)'", lacking: entry.keyLocation)
  }

  /// Reads a mapping; nil, with a finding, if the node is not a mapping.
  ///
  /// - Parameter place: Where missing keys are reported.
  mutating func mapping<Key: MappingKey>(
    _ node: YAMLNode, by key: Key.Type, named what: String, lacking place: SourceLocation? = nil
  ) -> KeyedMapping<Key>? {
    guard let entries = entries(of: node, named: what) else { return nil }
    var mapping = KeyedMapping<Key>(location: node.location)
    // A misspelt key is not reported as missing as well.
    var unread: Set<String> = []
    for entry in entries {
      if let key = Key(rawValue: entry.key) {
        mapping.add(entry, of: key)
      } else {
        let known = Key.allCases.map(\.rawValue)
        let meant = findings.suggestion(for: entry.key, among: known)
        unread.formUnion(meant.map { [$0] } ?? (known.count == 1 ? known : []))
        report(
          .unknownKey, "unknown key '\(entry.key)' in \(what)", at: entry.keyLocation,
          help: meant.map(Suggestion.help) ?? ["known here: " + known.joined(separator: ", ")],
          correction: meant.map { .write($0) })
      }
    }
    let isUnread = mapping.entries.isEmpty && !entries.isEmpty
    check(mapping, what, isUnread: isUnread, unread, at: place ?? node.location)
    return mapping
  }

  private mutating func check<Key>(
    _ keys: KeyedMapping<Key>, _ what: String, isUnread: Bool, _ unread: Set<String>,
    at place: SourceLocation
  ) {
    let table = Key.table
    for key in table.required where !keys.has(key) && !unread.contains(key.rawValue) {
      report(
        .missingKey, "'\(key.rawValue)' is missing", at: place,
        help: table.examples[key] == nil ? [] : ["write \(table.example(key))"])
    }
    if table.isChoice, keys.entries.count != 1, !isUnread {
      let all = Key.allCases.map { "'\($0.rawValue)'" }
      report(.wrongValue, "\(what) takes one of \(all.joined(separator: ", "))", at: place)
    }
    for (key, needed) in table.needs where keys.says(key) && !keys.says(needed) {
      keys[key].map {
        reportConflict(
          [$0], "needs '\(needed.rawValue)'", help: ["write \(table.example(needed))"])
      }
    }
    for (key, refused) in table.excludes where keys.says(key) && keys.says(refused) {
      keys[refused].map { reportConflict([$0], "and '\(key.rawValue)' exclude each other") }
    }
    guard !table.forms.isEmpty else { return }
    guard let form = table.forms.first(where: { keys.has($0[0]) }) else {
      guard table.forms.allSatisfy({ !unread.contains($0[0].rawValue) }) else { return }
      report(
        .missingKey,
        "\(table.forms.map { "'\($0[0].rawValue)'" }.joined(separator: " or ")) is missing",
        at: place,
        help: ["write \(table.forms.map { table.example($0[0]) }.joined(separator: " or "))"])
      return
    }
    for (key, entry) in keys.entries where !form.contains(key) {
      guard let other = table.forms.first(where: { $0.contains(key) })?[0] else { continue }
      reportConflict(
        [entry],
        key == other
          ? "and '\(form[0].rawValue)' exclude each other" : "belongs to '\(other.rawValue)'",
        help: [
          "delete '\(entry.key)', or write '\(other.rawValue):' in place of '\(form[0].rawValue):'"
        ])
    }
  }

  /// The entries of a mapping whose keys are names chosen by the user.
  mutating func entries(of node: YAMLNode, named what: String) -> [YAMLEntry]? {
    if case .mapping(let entries) = node.content { return entries }
    reportKind(of: node, expected: "a mapping", named: what)
    return nil
  }

  mutating func entries(of entry: YAMLEntry) -> [YAMLEntry] {
    entries(of: pointed(entry), named: "'\(entry.key)'") ?? []
  }

  mutating func items(of node: YAMLNode, named what: String) -> [YAMLNode]? {
    if case .sequence(let items) = node.content { return items }
    reportKind(of: node, expected: "a list", named: what)
    return nil
  }

  mutating func items(of entry: YAMLEntry) -> [YAMLNode] {
    items(of: pointed(entry), named: "'\(entry.key)'") ?? []
  }

  mutating func reportKind(
    of node: YAMLNode, expected: String, named what: String, help: [String] = [],
    correction: Correction? = nil
  ) {
    report(
      .wrongValue, "expected \(expected) for \(what), found \(node.kind)", at: node.location,
      help: help, correction: correction)
  }

  /// Reports a conflict at each of the keys. The message is the key and then `reason`.
  mutating func reportConflict(_ entries: [YAMLEntry], _ reason: String, help: [String] = []) {
    for entry in entries {
      report(.conflictingKeys, "'\(entry.key)' \(reason)", at: entry.keyLocation, help: help)
    }
  }
}
