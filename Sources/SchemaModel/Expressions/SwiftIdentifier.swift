/// What Swift and SwiftData accept as a name.
package enum SwiftIdentifier {
  /// Words that need backticks where a declaration is named by them.
  package static let keywords: Set<String> = [
    "Any", "Self", "actor", "as", "associatedtype", "await", "break", "case", "catch", "class",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
    "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
    "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// Names a model cannot have: `Type` and `Protocol` cannot be nested types, and the rest hide what generated code uses.
  package static let reservedTypeNames: Set<String> = [
    "Any", "AnyObject", "Array", "Attribute", "Bool", "Data", "Date", "Decimal", "Dictionary",
    "Double", "Error", "FetchDescriptor", "Float", "Index", "Int", "Int16", "Int32", "Int64",
    "JSONDecoder",
    "JSONEncoder", "MigrationStage", "Model", "ModelConfiguration", "ModelContainer",
    "ModelContext",
    "Optional", "PersistentIdentifier", "PersistentModel", "Protocol", "Relationship", "Schema",
    "SchemaMigrationPlan", "Self", "Set", "String", "Transient", "Type", "UUID", "URL", "Unique",
    "VersionedSchema", "self",
  ]

  /// Names a stored property of a model cannot have, with the reason
  /// (docs/facts/swiftdata.md#description-is-refused).
  package static let reservedPropertyNames: [String: String] = [
    "description": "@Model rejects a stored property named 'description'",
    "entity": "SwiftData aborts on the first save of a property named 'entity'",
    "self": "'self' cannot name a property",
    "Type": "'Type' cannot name a property: 'x.Type' means a metatype",
    "init": "'init' cannot name a property: 'x.init' means an initialiser",
    "hashValue": "PersistentModel declares 'hashValue' itself",
    "persistentModelID": "PersistentModel declares 'persistentModelID' itself",
    "persistentBackingData": "PersistentModel declares 'persistentBackingData' itself",
    "modelContext": "PersistentModel declares 'modelContext' itself",
    "hasChanges": "PersistentModel declares 'hasChanges' itself",
    "isDeleted": "PersistentModel declares 'isDeleted' itself",
    "schemaMetadata": "PersistentModel declares 'schemaMetadata' itself",
    "toEntity": "generated converters declare 'toEntity' themselves",
    "CodingKeys": "'CodingKeys' would hide the keys that Codable synthesises for an entity",
    "objectID": "Core Data's managed objects declare 'objectID' themselves",
  ]

  /// Whether a text is one Swift identifier: a letter or underscore, then letters, digits, underscores.
  ///
  /// Only ASCII is taken for letters and digits: SQLite columns are named by upper-casing, and a table of
  /// Unicode's rules would be a guess at what Core Data does with the rest.
  package static func isValid(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, isHead(first), text.utf8.count <= 128 else { return false }
    return text != "_" && text.utf8.dropFirst().allSatisfy { isHead($0) || (48...57).contains($0) }
  }

  /// The name as a declaration, an argument label or a member writes it: keywords stand in backticks.
  package static func quoted(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  static func isHead(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte) || byte == 95
  }
}
