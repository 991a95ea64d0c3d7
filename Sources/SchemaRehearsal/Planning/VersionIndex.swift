internal import ManagedModels
internal import SchemaModel

/// Looks models, inherited properties and stored types of one version up.
struct VersionIndex: Sendable {
  let version: SchemaVersion
  let models: [String: Model]
  private let storage: StorageTypes
  private let declarations: [String: ValueTypeDeclaration]
  /// Looked up all the time, and walked together once.
  private let lineages: [String: [Model]]
  private let properties: [String: [Property]]

  /// - Parameter declarations: The value types as the generated code declares them: once for all versions, as the
  ///   newest version that has the type says.
  init(_ version: SchemaVersion, declarations: [String: ValueTypeDeclaration]) {
    self.version = version
    models = Dictionary(version.models, keyedBy: \.name)
    self.declarations = declarations
    storage = StorageTypes(types: declarations.values.sorted { $0.name < $1.name })
    lineages = models.mapValues { [models] model in
      model.ancestors { models[$0] }.reversed() + [model]
    }
    properties = lineages.mapValues { $0.flatMap(\.properties) }
  }

  /// A model's stored properties, inherited ones first.
  func properties(of model: String) -> [Property] { properties[model] ?? [] }

  /// The model and those it inherits from, the root first.
  func lineage(of model: String) -> [Model] { lineages[model] ?? [] }

  func isModel(_ name: String, within ancestor: String) -> Bool {
    lineage(of: name).contains { $0.name == ancestor }
  }

  /// The models whose rows a fetch of this one gives: itself and what inherits from it, sorted.
  func family(of model: String) -> [String] {
    models.keys.filter { isModel($0, within: model) }.sorted()
  }

  func property(_ name: String, of model: String) -> Property? {
    properties(of: model).first { $0.name == name }
  }

  /// The model that declares a property which another may only inherit.
  func owner(of property: String, in model: String) -> String {
    lineage(of: model).last { $0.property(named: property) != nil }?.name ?? model
  }

  /// Whether no two rows lead to the same one: a to-many relationship without an inverse is a column of the rows at
  /// its other end.
  func isExclusive(_ relationship: Relationship) -> Bool {
    if relationship.isUnique { return true }
    guard let inverse = relationship.inverse?.value else { return relationship.cardinality.isMany }
    return property(inverse, of: relationship.destination.value)?.relationship?.cardinality.isMany
      != true
  }

  func type(named name: String) -> ValueTypeDeclaration? { declarations[name] }

  func storage(of attribute: Attribute) -> StorageType {
    storage.storage(of: attribute.type, transformable: attribute.transformer != nil)
  }

  func storage(of type: TypeReference) -> StorageType { storage.storage(of: type) }
}
