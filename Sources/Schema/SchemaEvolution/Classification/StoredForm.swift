package import SchemaModel

/// What a type is to the engine, as far as a verdict depends on it
/// (docs/facts/identity.md#what-swiftdata-makes-of-swift-types).
enum StoredForm: Equatable {
  case plain(StorageType.Primitive)
  /// An enum: its leaves are optional, whatever the property says. `raw` is nil without raw values.
  case enumeration(raw: StorageType.Primitive?)
  /// A struct: a leaf for each field.
  case structure(StructOptionality)
  /// An array of plain values, or what a transformer makes: one archive.
  case archive
  /// An array of structs or enums.
  case json
  /// A type whose parts are not declared.
  case unknown

  /// Whether a leaf of a struct may have to be there.
  enum StructOptionality: Equatable {
    /// Every leaf is optional, whatever is around it.
    case optionalFields
    /// A leaf is mandatory unless something around it is optional.
    case requiredFields
  }

  /// Whether nothing of a value is mandatory, though the property or field says no `?`.
  var isOptionalAnyway: Bool {
    switch self {
    case .enumeration, .structure(.optionalFields): true
    default: false
    }
  }

  /// Whether the values are bytes to the engine, JSON or not.
  var isBinary: Bool { self == .json || self == .plain(.data) }

  /// Whether values are stored in leaves, which get no default.
  var hasLeaves: Bool {
    switch self {
    case .enumeration, .structure: true
    default: false
    }
  }
}

extension TypeReference {
  /// Whether it is one of Swift's collections, which are stored as one value, as arrays are
  /// (docs/facts/identity.md#type-dictionary): no part of one is an optional column.
  package var isCollection: Bool {
    switch unwrapped {
    case .array, .dictionary: true
    case .named("Set", _): true
    default: false
    }
  }
}

extension StorageTypes {
  /// How deep structs are looked into: a manifest may say that one contains itself, which no compiler would take.
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
  /// The cases whose stored values become another case, or none, when an enum with `others` replaces this one. A new
  /// name with a removed case's raw value counts as a rename.
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
  /// The name regardless of spelling: `main_course` and `MainCourse` are one.
  fileprivate var plainName: String { name.lowercased().filter { $0 != "_" } }
}
