package import SchemaModel

/// A type as the engine sees it, as far as a classification depends on it
/// (docs/facts/identity.md#what-swiftdata-makes-of-swift-types).
enum StoredForm: Equatable {
  case plain(StorageType.Primitive)
  /// An enum. Its columns are optional even if the property is not. `raw` is nil without raw values.
  case enumeration(raw: StorageType.Primitive?)
  /// A struct: a column for each field.
  case structure(StructOptionality)
  /// An array of plain values, or a transformer's output: one archive.
  case archive
  /// An array of structs or enums.
  case json
  /// A type whose parts are not declared.
  case unknown

  /// Whether columns of a struct may be mandatory.
  enum StructOptionality: Equatable {
    /// Every column is optional, whatever the struct is in.
    case optionalFields
    /// A column is mandatory unless an enclosing value is optional.
    case requiredFields
  }

  /// Whether no part of a value is mandatory although the property or field is not optional.
  var isOptionalAnyway: Bool {
    switch self {
    case .enumeration, .structure(.optionalFields): true
    default: false
    }
  }

  /// Whether the engine sees the values as bytes, JSON or not.
  var isBinary: Bool { self == .json || self == .plain(.data) }

  /// Whether values are stored in columns of their parts, which get no default.
  var hasLeaves: Bool {
    switch self {
    case .enumeration, .structure: true
    default: false
    }
  }
}

extension TypeReference {
  /// Whether it is one of Swift's collections, which are stored as one value like arrays
  /// (docs/facts/identity.md#type-dictionary). No part of one is an optional column.
  package var isCollection: Bool {
    switch unwrapped {
    case .array, .dictionary: true
    case .named("Set", _): true
    default: false
    }
  }
}

extension StorageTypes {
  /// The maximum depth of nested structs: in a manifest one may contain itself, although no compiler accepts that.
  static let deepest = 16

  func form(of type: TypeReference, transformable: Bool = false) -> StoredForm {
    form(of: type, transformable: transformable, depth: 0)
  }

  private func form(of type: TypeReference, transformable: Bool, depth: Int) -> StoredForm {
    switch storage(of: type, transformable: transformable) {
    case .primitive(let primitive): return .plain(primitive)
    case .rawEnum(let primitive): return .enumeration(raw: primitive)
    case .archived, .transformable: return .archive
    case .composite: break
    }
    switch declaration(of: type)?.kind {
    case .enumeration(nil, _): return .enumeration(raw: nil)
    case .structure(let fields):
      guard depth < Self.deepest else { return .unknown }
      let isOptional = fields.allSatisfy { field in
        field.type.isOptional
          || form(of: field.type, transformable: false, depth: depth + 1).isOptionalAnyway
      }
      return .structure(isOptional ? .optionalFields : .requiredFields)
    case .enumeration, .opaque: return .unknown
    case nil:
      if case .array = type.unwrapped { return .json }
      return .unknown
    }
  }
}

extension [EnumCase] {
  /// The cases whose stored values become another case, or none, if an enum with `others` replaces this one. A new name
  /// for a removed case's raw value counts as a rename.
  package func misread(as others: [EnumCase]) -> [EnumCase] {
    filter { was in
      let same =
        others.first { $0.name == was.name } ?? others.first { $0.plainName == was.plainName }
      if let same { return same.storedText != was.storedText }
      guard let reader = others.first(where: { $0.storedText == was.storedText }) else {
        return true
      }
      return contains { $0.plainName == reader.plainName }
    }
  }

  /// Whether the two enums share no case name.
  func hasNoName(of others: [EnumCase]) -> Bool {
    Set(map(\.plainName)).isDisjoint(with: others.map(\.plainName))
  }
}

extension EnumCase {
  /// The name regardless of its spelling: `main_course` and `MainCourse` are equal.
  fileprivate var plainName: String { name.lowercased().filter { $0 != "_" } }
}
