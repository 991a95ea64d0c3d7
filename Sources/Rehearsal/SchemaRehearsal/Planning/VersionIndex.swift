internal import ManagedModels
internal import SchemaModel

/// Finds models, inherited properties and stored types of one version.
///
/// The index is a class, because every step of every row uses it and a struct's tables would be retained each time.
final class VersionIndex: Sendable {
  let version: SchemaVersion
  let models: [String: Model]
  private let storage: StorageTypes
  private let declarations: [String: ValueTypeDeclaration]
  /// By type, the cases that rows of this version hold and whose raw value differs in the newest version.
  private let moved: [String: [EnumCase]]
  private let lineages: [String: [Model]]
  private let properties: [String: [Property]]
  private let propertiesByName: [String: [String: Property]]
  private let renamed: [String: Set<String>]

  /// - Parameters:
  ///   - declarations: The value types as the generated code declares them, which is once for all versions, as in the
  ///     newest version that has the type.
  ///   - moved: By type, the version's cases whose raw value changes in a later version.
  init(
    _ version: SchemaVersion, declarations: [String: ValueTypeDeclaration],
    moved: [String: [EnumCase]] = [:]
  ) {
    self.version = version
    self.moved = moved
    models = Dictionary(version.models, keyedBy: \.name)
    self.declarations = declarations
    storage = StorageTypes(types: declarations.values.sorted { $0.name < $1.name })
    lineages = models.mapValues { [models] model in
      model.ancestors { models[$0] }.reversed() + [model]
    }
    properties = lineages.mapValues { $0.flatMap(\.properties) }
    propertiesByName = properties.mapValues { Dictionary($0, keyedBy: \.name) }
    renamed = properties.mapValues { Set($0.compactMap(\.migration.renamedFrom?.value)) }
  }

  func properties(of model: String) -> [Property] { properties[model] ?? [] }

  /// The model and its ancestors, root first.
  func lineage(of model: String) -> [Model] { lineages[model] ?? [] }

  func isModel(_ name: String, within ancestor: String) -> Bool {
    lineage(of: name).contains { $0.name == ancestor }
  }

  func family(of model: String) -> [String] {
    models.keys.filter { isModel($0, within: model) }.sorted()
  }

  func property(_ name: String, of model: String) -> Property? {
    propertiesByName[model]?[name]
  }

  func isRenamed(_ name: String, in model: String) -> Bool {
    renamed[model]?.contains(name) ?? false
  }

  func owner(of property: String, in model: String) -> String {
    lineage(of: model).last { $0.property(named: property) != nil }?.name ?? model
  }

  /// Whether no two rows lead to the same row. A to-many relationship without an inverse is always exclusive, because
  /// its links are in a column at the other end.
  func isExclusive(_ relationship: Relationship) -> Bool {
    if relationship.isUnique { return true }
    guard let inverse = relationship.inverse?.value else { return relationship.cardinality.isMany }
    return property(inverse, of: relationship.destination.value)?.relationship?.cardinality.isMany
      != true
  }

  func type(named name: String) -> ValueTypeDeclaration? { declarations[name] }

  /// What happens to an enum's cases in the newest version, whose types the code is compiled with.
  struct Cases {
    /// Cases that rows may hold: cases that the newest version also has, as it declares them, and cases that a later
    /// version replaces.
    var kept: [EnumCase]
    var gone: [EnumCase]
  }

  func cases(of type: TypeReference) -> Cases? {
    guard case .named(let name, _) = type.unwrapped, let newest = enumeration(declarations[name])
    else { return nil }
    guard let own = enumeration(version.type(named: name)) else {
      return Cases(kept: newest.cases, gone: [])
    }
    // A row holds the raw value, or the name if the enum has no raw values.
    let isRaw = own.rawType != nil
    let stored = { (one: EnumCase) in isRaw ? one.storedText : one.name }
    let read = Set(newest.cases.map(stored))
    let written = Set(own.cases.map(stored))
    let moved = moved[name] ?? []
    return Cases(
      kept: newest.cases.filter { written.contains(stored($0)) } + moved,
      gone: own.cases.filter { !read.contains(stored($0)) && !moved.contains($0) })
  }

  /// Whether a later version changes raw values of an enum that this version's rows hold.
  func hasMovedCases(_ type: TypeReference) -> Bool { moved[type.unwrapped.description] != nil }

  func enums(in type: TypeReference) -> [(path: String, type: TypeReference)] {
    elements(of: type).filter { element in
      guard case .named(let name, arguments: []) = element.type.unwrapped else { return false }
      if case .enumeration? = self.type(named: name)?.kind { return true }
      return false
    }
  }

  /// The elements of a value with their paths: the value itself or, in a struct, the fields that are stored in columns.
  func elements(
    of type: TypeReference, at path: String = ""
  ) -> [(path: String, type: TypeReference)] {
    guard case .named(let name, arguments: []) = type.unwrapped,
      path.utf8.count(where: { $0 == UInt8(ascii: ".") }) < 8,
      case .structure(let fields)? = self.type(named: name)?.kind
    else { return [(path, type)] }
    return fields.flatMap { field in
      elements(of: field.type, at: path.isEmpty ? field.name : "\(path).\(field.name)")
    }
  }

  func ownCases(of type: TypeReference) -> [EnumCase]? {
    guard case .named(let name, _) = type.unwrapped else { return nil }
    return enumeration(version.type(named: name))?.cases
  }

  private func enumeration(
    _ declaration: ValueTypeDeclaration?
  ) -> (rawType: TypeReference?, cases: [EnumCase])? {
    guard case .enumeration(let rawType, let cases)? = declaration?.kind else { return nil }
    return (rawType, cases)
  }

  func storage(of attribute: Attribute) -> StorageType {
    storage.storage(of: attribute.type, transformable: attribute.transformer != nil)
  }

  /// Whether a property's values are enums or structs, which have a column for each element.
  func isComposite(_ property: Property) -> Bool {
    guard let attribute = property.attribute, case .named = attribute.type.unwrapped else {
      return false
    }
    return storage(of: attribute).isCodableValue
  }

  func storage(of type: TypeReference) -> StorageType { storage.storage(of: type) }
}
