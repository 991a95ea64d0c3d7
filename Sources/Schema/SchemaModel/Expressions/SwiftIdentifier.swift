/// Rules of Swift and SwiftData for names.
package enum SwiftIdentifier {
  package static let keywords: Set<String> = [
    "Any", "Self", "actor", "as", "associatedtype", "await", "break", "case", "catch", "class",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
    "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
    "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// Names that a model, an entity or a value type cannot have. `Type` and `Protocol` cannot be nested types. The
  /// others would hide types and modules that generated code uses.
  package static let reservedTypeNames: Set<String> = [
    "AllCases", "Any", "AnyHashable", "AnyObject", "Array", "Attribute", "Bool", "CKAsset",
    "CKRecord", "CKRecordValueProtocol", "CKRecordZone", "CaseIterable", "CloudKit", "Codable",
    "CodingKey", "CodingKeys", "Comparable", "ContinuousClock", "CoreData",
    "CustomStringConvertible", "Data", "Date", "Decimal", "Decodable", "Decoder", "DecodingError",
    "Dictionary", "Double", "Encodable", "Encoder", "Error", "FetchDescriptor", "FixedWidthInteger",
    "Float", "Foundation", "Hashable", "ID", "Identifiable", "Index", "Int", "Int16", "Int32",
    "Int64", "JSONDecoder", "JSONEncoder", "KeyPath", "LosslessStringConvertible",
    "MigrationActivity", "MigrationCoordinator", "MigrationFailure", "MigrationPlanDescription",
    "MigrationStage", "Model", "ModelConfiguration", "ModelContainer", "ModelContext",
    "NSDecimalNumber", "NSDecimalString", "NSError", "NSInferMappingModelAutomaticallyOption",
    "NSManagedObjectModel", "NSMappingModel", "NSMigratePersistentStoresAutomaticallyOption",
    "NSNumber", "NSPersistentHistoryTrackingKey", "NSPersistentStoreCoordinator",
    "NSStoreModelVersionHashesKey", "NSUnderlyingErrorKey", "Never", "Observable", "Observation",
    "ObservationRegistrar", "Optional", "PartialKeyPath", "PersistentIdentifier", "PersistentModel",
    "Protocol", "RawRepresentable", "RawValue", "Relationship", "Schema", "SchemaMigrationKit",
    "SchemaMigrationPlan", "Self", "Sendable", "Set", "StoreSalvage", "StoreVersion", "String",
    "Swift", "SwiftData", "SwiftDataRehearsal", "SwiftUI", "Testing", "Transient", "Type", "URL",
    "UTF8", "UUID", "Unique", "VersionedSchema", "Void", "os", "self",
  ]

  /// Reserved names that a model's property may have as its type, because a value transformer may store these classes
  /// of Apple.
  package static let transformableTypeNames: Set<String> = [
    "CKAsset", "CKRecord", "CKRecordZone", "NSDecimalNumber", "NSError", "NSNumber",
  ]

  /// Names that a stored property of a model cannot have, with the reason
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
    "deleted":
      "Core Data's managed objects have 'deleted' themselves: each save would reset the property's value",
    "inserted": "Core Data's managed objects have 'inserted' themselves",
    "updated": "Core Data's managed objects have 'updated' themselves",
    "fault": "Core Data's managed objects have 'fault' themselves",
    "isInserted": "Core Data's managed objects have 'isInserted' themselves",
    "isUpdated": "Core Data's managed objects have 'isUpdated' themselves",
    "isFault": "Core Data's managed objects have 'isFault' themselves",
    "managedObjectContext": "Core Data's managed objects have 'managedObjectContext' themselves",
    "hasPersistentChangedValues":
      "Core Data's managed objects have 'hasPersistentChangedValues' themselves",
    "faultingState": "Core Data's managed objects have 'faultingState' themselves",
    "changedValues": "Core Data's managed objects have 'changedValues' themselves",
  ]

  /// Reserved names with which apps compile and have shipped. They are allowed in shipped versions and later ones.
  package static let shippedPropertyNames: Set<String> = [
    "isDeleted", "deleted", "inserted", "updated", "fault", "isInserted", "isUpdated", "isFault",
    "hasPersistentChangedValues", "faultingState", "changedValues",
  ]

  /// Whether a string is a Swift identifier in ASCII: a letter or underscore, then letters, digits, underscores.
  ///
  /// SQLite's columns are named by upper-casing, and it is not known what Core Data does with characters beyond ASCII.
  package static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, isHead(first), text.utf8.count <= 128 else { return false }
    return text != "_" && text.utf8.dropFirst().allSatisfy { isHead($0) || (48...57).contains($0) }
  }

  /// Whether a string is a Swift identifier in any alphabet, as the names of enum cases may be.
  package static func isAnyName(_ text: some StringProtocol) -> Bool {
    guard let first = text.unicodeScalars.first, text != "_", text.unicodeScalars.count <= 128
    else { return false }
    return !isDigit(first) && !combining.contains { $0.contains(first.value) }
      && text.unicodeScalars.allSatisfy { isDigit($0) || isNamePart($0) }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { (48...57).contains(scalar.value) }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 { return isHead(UInt8(scalar.value)) }
    return letters.contains { $0.contains(scalar.value) }
      || (0x1_0000...0xE_FFFD).contains(scalar.value) && scalar.value & 0xFFFF <= 0xFFFD
  }

  /// The ranges of identifier characters beyond ASCII in Swift's grammar.
  private static let letters: [ClosedRange<UInt32>] = [
    0xA8...0xA8, 0xAA...0xAA, 0xAD...0xAD, 0xAF...0xAF, 0xB2...0xB5, 0xB7...0xBA, 0xBC...0xBE,
    0xC0...0xD6, 0xD8...0xF6, 0xF8...0x167F, 0x1681...0x180D, 0x180F...0x1FFF, 0x200B...0x200D,
    0x202A...0x202E, 0x203F...0x2040, 0x2054...0x2054, 0x2060...0x218F, 0x2460...0x24FF,
    0x2776...0x2793, 0x2C00...0x2DFF, 0x2E80...0x2FFF, 0x3004...0x3007, 0x3021...0x302F,
    0x3031...0xD7FF, 0xF900...0xFD3D, 0xFD40...0xFDCF, 0xFDF0...0xFE44, 0xFE47...0xFFFD,
  ]

  /// The combining marks among the letters. No name begins with one of them.
  private static let combining: [ClosedRange<UInt32>] = [
    0x0300...0x036F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F,
  ]

  /// The name in backticks if it is a keyword. Declarations, argument labels and members are written like this.
  package static func quoted(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  static func isHead(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte) || byte == 95
  }
}

extension String {
  /// Whether this string is a name with a version's number before or after it: `V2Trip`, `TripV1`, `Trip_1_0`.
  package func isNumberedCopy(of name: String) -> Bool {
    guard count > name.count, hasPrefix(name) || hasSuffix(name) else { return false }
    var rest = hasPrefix(name) ? dropFirst(name.count) : dropLast(name.count)
    rest = rest.drop { $0 == "_" }
    for word in ["Schema", "V", "v"] where rest.hasPrefix(word) {
      rest = rest.dropFirst(word.count)
    }
    return rest.contains(where: \.isASCIIDigit) && rest.allSatisfy { $0.isASCIIDigit || $0 == "_" }
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
