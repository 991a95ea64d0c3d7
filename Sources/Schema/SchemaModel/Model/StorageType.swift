/// How a store keeps a type, as far as inference and identity depend on it
/// (docs/facts/identity.md#what-swiftdata-makes-of-swift-types).
package enum StorageType: Hashable, Sendable {
  case primitive(Primitive)
  /// A raw-value enum: one element of the raw type.
  case rawEnum(Primitive)
  /// Anything else that is Codable: elements for the fields of a struct or the cases of an enum.
  case composite([String])
  /// An array of primitives, which is archived.
  case archived(String)
  /// `.transformable(by:)`
  case transformable

  package var primitive: Primitive? {
    if case .primitive(let primitive) = self { return primitive }
    return nil
  }

  /// Whether the value is stored in columns for its parts, which are NULL in old rows whatever its default is.
  package var isCodableValue: Bool {
    switch self {
    case .rawEnum, .composite: true
    default: false
    }
  }
}

extension StorageType {
  /// System types that no manifest declares, with the systems that they need. How stores keep them is unknown
  /// (docs/facts/identity.md#type-2200).
  package static let systemTypes: [String: Configuration.Generation] = ["AttributedString": .iOS26]
}

/// Looks up how types are stored in one version. Create one per version, since it indexes its declarations by name.
package struct StorageTypes: Sendable {
  private let declarations: [String: ValueTypeDeclaration]

  package init(version: SchemaVersion) { self.init(types: version.types) }

  package init(types: [ValueTypeDeclaration]) {
    declarations = Dictionary(types, keyedBy: \.name)
  }

  /// The declaration of a value type; nil for any other type.
  package func declaration(of type: TypeReference) -> ValueTypeDeclaration? {
    guard case .named(let name, arguments: []) = type.unwrapped,
      StorageType.Primitive.bySwiftName[name] == nil
    else { return nil }
    return declarations[name]
  }

  package func storage(of type: TypeReference, transformable: Bool = false) -> StorageType {
    if transformable { return .transformable }
    switch type.unwrapped {
    case .named(let name, let arguments):
      if arguments.isEmpty {
        if let primitive = StorageType.Primitive.bySwiftName[name] { return .primitive(primitive) }
        if let declaration = declarations[name] { return storage(of: declaration) }
      }
      return .composite([type.unwrapped.description])
    case .array(.named(let name, arguments: []))
    where StorageType.Primitive.bySwiftName[name] != nil:
      return .archived("[\(name)]")
    case .array(let element): return .composite(["[\(element)]"])
    case .dictionary, .optional: return .composite([type.unwrapped.description])
    }
  }

  private func storage(of declaration: ValueTypeDeclaration) -> StorageType {
    switch declaration.kind {
    case .enumeration(let rawType?, _):
      if case .primitive(let primitive) = storage(of: rawType) { return .rawEnum(primitive) }
      return .composite([declaration.name])
    case .enumeration(nil, let cases): return .composite(cases.map(\.name))
    case .structure(let fields):
      return .composite(fields.map { "\($0.name): \(parts(of: $0.type, depth: 0))" })
    case .opaque: return .composite([declaration.name])
    }
  }

  /// A field's type, with structs and enums replaced by their parts: stores do not know their names.
  private func parts(of type: TypeReference, depth: Int) -> String {
    // A struct in a manifest may contain itself.
    guard depth < 16, let declaration = declaration(of: type) else { return type.description }
    let text: String
    switch declaration.kind {
    case .enumeration(let rawType?, _): text = "(\(rawType))"
    // Hashes use the names of parts, whatever their order.
    case .enumeration(nil, let cases):
      text = "(\(cases.map(\.name).sorted().joined(separator: ", ")))"
    case .structure(let fields):
      let inner = fields.map { "\($0.name): \(parts(of: $0.type, depth: depth + 1))" }
      text = "(\(inner.sorted().joined(separator: ", ")))"
    case .opaque: return type.description
    }
    return text + (type.isOptional ? "?" : "")
  }
}
