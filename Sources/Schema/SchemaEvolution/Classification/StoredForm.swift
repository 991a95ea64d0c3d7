package import SchemaModel

/// A type as the engine sees it, as far as a classification depends on the type
/// (docs/facts/identity.md#what-swiftdata-makes-of-swift-types).
enum StoredForm: Equatable {
  case plain(StorageType.Primitive)
  /// An enum, whose columns are optional even if the property is not. `raw` is `nil` if the enum has no raw values.
  case enumeration(raw: StorageType.Primitive?)
  case structure(StructOptionality)
  /// One archive: an array of plain values, or a transformer's output.
  case archive
  /// An array of structs or enums.
  case json
  case unknown

  enum StructOptionality: Equatable {
    /// Every column is optional, even if no enclosing value is.
    case optionalFields
    /// At least one column is mandatory, unless an enclosing value is optional.
    case requiredFields
  }

  /// Whether no column of a value is mandatory, even if the property or field is not optional.
  var isOptionalAnyway: Bool {
    switch self {
    case .enumeration, .structure(.optionalFields): true
    default: false
    }
  }

  var isBinary: Bool { self == .json || self == .plain(.data) }

  /// Whether the value is stored as a composite, whose columns get no default.
  var hasLeaves: Bool {
    switch self {
    case .enumeration, .structure: true
    default: false
    }
  }
}

extension TypeReference {
  /// Whether the type is a Swift collection, which is stored as one value (docs/facts/identity.md#type-dictionary) and
  /// not in optional columns.
  package var isCollection: Bool {
    switch unwrapped {
    case .array, .dictionary: true
    case .named("Set", _): true
    default: false
    }
  }
}

extension StorageTypes {
  /// The maximum depth of nested structs. A struct in a manifest may contain itself, although no compiler accepts that.
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
  /// The cases whose stored values are read as another case, or as none, if an enum with `others` replaces this one. A
  /// case with a removed case's raw value and a new name counts as a renamed case.
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

  func hasNoName(of others: [EnumCase]) -> Bool {
    Set(map(\.plainName)).isDisjoint(with: others.map(\.plainName))
  }
}

extension EnumCase {
  /// The name without differences in spelling: `main_course` and `MainCourse` are equal.
  fileprivate var plainName: String { name.lowercased().filter { $0 != "_" } }
}
