/// How a store keeps a type, as far as inference and identity depend on the storage
/// (docs/facts/identity.md#what-swiftdata-makes-of-swift-types).
package enum StorageType: Hashable, Sendable {
  case primitive(Primitive)
  /// An enum with raw values, stored as one element of the raw type.
  case rawEnum(Primitive)
  /// Any other Codable type, with an element for each field of a struct or case of an enum.
  case composite([String])
  /// An array of primitive types, which is stored as an archive.
  case archived(String)
  case transformable

  package var primitive: Primitive? {
    if case .primitive(let primitive) = self { return primitive }
    return nil
  }

  /// Whether the value is stored as a composite. The composite's columns are NULL in old rows, whatever the property's
  /// default is.
  package var isCodableValue: Bool {
    switch self {
    case .rawEnum, .composite: true
    default: false
    }
  }
}

extension StorageType {
  /// Types of the system that no manifest declares, with the oldest systems that have them. How stores keep these types
  /// is unknown (docs/facts/identity.md#type-2200).
  package static let systemTypes: [String: Configuration.Generation] = ["AttributedString": .iOS26]
}

/// Finds out how types are stored in one version. Create one value for each version, because it indexes the
/// declarations.
package struct StorageTypes: Sendable {
  private let declarations: [String: ValueTypeDeclaration]

  package init(version: SchemaVersion) { self.init(types: version.types) }

  package init(types: [ValueTypeDeclaration]) {
    declarations = Dictionary(types, keyedBy: \.name)
  }

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

  /// A field's type, with each struct and enum replaced by its fields or cases, because stores have no names of types.
  private func parts(of type: TypeReference, depth: Int) -> String {
    // A struct in a manifest may contain itself.
    guard depth < 16, let declaration = declaration(of: type) else { return type.description }
    let text: String
    switch declaration.kind {
    case .enumeration(let rawType?, _): text = "(\(rawType))"
    // Hashes do not depend on the order of the names.
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
