internal import SchemaModel

/// How to read one key of a mapping into a value, and how to write it. A default is not written.
struct Field<Key: MappingKey, Value> {
  let key: Key
  let read: (inout NodeInterpreter, YAMLEntry, inout Value) -> Void
  let write: (Value) -> ManifestValue?
}

/// Creates the fields of a value in which every field has a default.
struct Fields<Key: MappingKey, Value> {
  /// The value of an empty mapping.
  let usual: Value

  /// - Parameters:
  ///   - read: Returns nil for a value that cannot be read, which leaves the default.
  ///   - write: Only called for a part that differs from the default.
  func row<Part: Equatable>(
    _ key: Key, _ part: WritableKeyPath<Value, Part>,
    read: @escaping (inout NodeInterpreter, YAMLEntry) -> Part?,
    write: @escaping (Part) -> ManifestValue?
  ) -> Field<Key, Value> {
    Field(
      key: key,
      read: { interpreter, entry, value in
        if let found = read(&interpreter, entry) { value[keyPath: part] = found }
      },
      write: { [usual] value in
        value[keyPath: part] == usual[keyPath: part] ? nil : write(value[keyPath: part])
      })
  }

  func text(
    _ key: Key, _ part: WritableKeyPath<Value, String>,
    _ read: @escaping (inout NodeInterpreter, YAMLEntry) -> String?
  ) -> Field<Key, Value> { row(key, part, read: read, write: { .text($0) }) }

  /// The field of an optional string. Nil is written as `none`.
  func optional(
    _ key: Key, _ part: WritableKeyPath<Value, String?>,
    _ read: @escaping (inout NodeInterpreter, YAMLEntry) -> String?
  ) -> Field<Key, Value> {
    row(
      key, part, read: { $1.value.scalar?.text == "none" ? .some(nil) : read(&$0, $1) },
      write: { .text($0 ?? "none") })
  }

  func choice<Part: Equatable & RawRepresentable<String> & CaseIterable>(
    _ key: Key, _ part: WritableKeyPath<Value, Part>
  ) -> Field<Key, Value> {
    row(key, part, read: { $0.choice($1, of: Part.self) }, write: { .name($0.rawValue) })
  }

  func flag(_ key: Key, _ part: WritableKeyPath<Value, Bool>) -> Field<Key, Value> {
    row(key, part, read: { $0.boolean($1) }, write: { .source("\($0)") })
  }

  func mapping<InnerKey, Part: Equatable>(
    _ key: Key, _ part: WritableKeyPath<Value, Part>, _ fields: [Field<InnerKey, Part>]
  ) -> Field<Key, Value> {
    row(
      key, part,
      read: { [usual] interpreter, entry in
        interpreter.mapping(entry, by: InnerKey.self).map {
          interpreter.read(fields, $0, into: usual[keyPath: part])
        }
      }, write: { .mapping(fields.entries(of: $0), most: 0) })
  }
}

extension ManifestValue {
  static func sorted(_ entries: [(key: String, value: ManifestValue)], most: Int = 0) -> Self {
    .mapping(
      entries.sorted { $0.key < $1.key }.map { ManifestEntry($0.key, $0.value) }, most: most)
  }
}

extension Array {
  func entries<Key, Value>(of value: Value) -> [ManifestEntry] where Element == Field<Key, Value> {
    compactMap { field in field.write(value).map { ManifestEntry(field.key.rawValue, $0) } }
  }
}

extension NodeInterpreter {
  mutating func read<Key, Value>(
    _ fields: [Field<Key, Value>], _ keys: KeyedMapping<Key>, into usual: Value
  ) -> Value {
    var value = usual
    for field in fields { keys[field.key].map { field.read(&self, $0, &value) } }
    return value
  }
}
