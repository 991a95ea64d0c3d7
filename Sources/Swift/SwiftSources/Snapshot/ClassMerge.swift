internal import SchemaEvolution
internal import SchemaModel

/// A version whose models are what the app's classes say, with what only its manifest can say.
///
/// From the classes comes all that a store holds, and what stands in Swift anyway: names, types, defaults, options,
/// relationships, constraints, documentation. From the manifest comes the rest: the entity, how values appear in it, and
/// the keys of the step. The manifest's order stays, and what is new stands behind it.
struct ClassMerge {
  private(set) var version: SchemaVersion
  /// Properties of the manifest that the classes call by another name, as `originalName` says.
  private(set) var renames: [ElementPath: String] = [:]
  /// The version before as its classes are, original names in place; nil for the first.
  private let before: SchemaVersion?

  /// - Parameters:
  ///   - manifest: The newest version, as its manifest says it.
  ///   - classes: The same as the app's classes say it.
  ///   - physical: The newest version as the manifests demand it of classes.
  ///   - before: The version before, in the same way; nil for the first.
  init(
    _ manifest: SchemaVersion, classes: SchemaVersion, physical: SchemaVersion,
    before: SchemaVersion?
  ) {
    self.before = before
    version = manifest
    let known = Dictionary(classes.models, keyedBy: \.name)
    version.models = manifest.models.compactMap { model in
      known[model.name].map { merged(model, $0, physical.model(named: model.name)) }
    }
    version.models += classes.models.filter { manifest.model(named: $0.name) == nil }
    let types = Dictionary(classes.types, keyedBy: \.name)
    version.types = manifest.types.compactMap { type in types[type.name].map { merged(type, $0) } }
    version.types += classes.types.filter { manifest.type(named: $0.name) == nil }
  }

  // MARK: Models

  private mutating func merged(_ said: Model, _ written: Model, _ physical: Model?) -> Model {
    var model = written
    model.entity = said.entity
    model.sources = said.sources
    model.isRenamed = said.isRenamed
    for place in model.uniques.indices {
      let names = model.uniques[place].names
      model.uniques[place].dedupe = said.uniques.first { $0.names == names }?.dedupe
    }
    let names = names(said, written)
    for (old, new) in names where old != new { renames[ElementPath(said.name, old)] = new }
    model.properties = said.properties.compactMap { property in
      names[property.name].flatMap(written.property).map {
        merged(property, $0, physical?.property(named: property.name), of: said)
      }
    }
    let kept = Set(names.values)
    model.properties += written.properties.filter { !kept.contains($0.name) }
      .map { declaringRename($0, of: said) }
    return model
  }

  /// What the class calls the manifest's properties; those that it has no more are left out.
  private func names(_ said: Model, _ written: Model) -> [String: String] {
    var names: [String: String] = [:]
    for property in said.properties where written.property(named: property.name) != nil {
      names[property.name] = property.name
    }
    for property in written.properties where said.property(named: property.name) == nil {
      guard let source = source(of: property, of: said) else { continue }
      // Under the name of the version before, or under one that the same rename has had until now.
      let old = said.properties.first {
        names[$0.name] == nil
          && ($0.migration.renamedFrom.map { $0.value == source } ?? ($0.name == source))
      }
      if let old { names[old.name] = property.name }
    }
    return names
  }

  private func merged(
    _ said: Property, _ written: Property, _ physical: Property?, of model: Model
  ) -> Property {
    var property = written
    if (said.relationship == nil) == (written.relationship == nil) {
      property.mapping = said.mapping
    }
    property.migration = said.migration
    switch (property.kind, said.kind) {
    case (.attribute(var attribute), .attribute(let known)):
      attribute.encodes = known.encodes
      attribute.fallback = known.fallback
      attribute.dedupe = known.dedupe
      property.kind = .attribute(attribute)
    case (.relationship(var relationship), .relationship(let known))
    where relationship.inverse?.value == known.inverse?.value
      && relationship.destination.value == known.destination.value:
      // Which end declares it makes no difference.
      relationship.declaresInverse = known.declaresInverse
      property.kind = .relationship(relationship)
    default: break
    }
    // What follows from the steps before stands in no manifest.
    if written.hashModifier == physical?.hashModifier { property.hashModifier = said.hashModifier }
    if written.name == said.name, written.originalName == physical?.originalName {
      property.originalName = said.originalName
      return property
    }
    return declaringRename(property, of: model)
  }

  /// A property with the step's key for what its original name says.
  private func declaringRename(_ property: Property, of model: Model) -> Property {
    guard let source = source(of: property, of: model) else { return property }
    var property = property
    property.originalName = nil
    if source != property.name, property.migration.from.isEmpty {
      property.migration.renamedFrom = Located(source)
    }
    return property
  }

  /// What the version before calls the property whose original name a class gives.
  private func source(of property: Property, of model: Model) -> String? {
    guard let original = property.originalName else { return nil }
    let name = model.isRenamed ? model.sources.first?.value ?? model.name : model.name
    return before?.model(named: name)?.properties.first {
      $0.isStored && ($0.originalName ?? $0.name) == original
    }?.name
  }

  // MARK: Types

  private func merged(
    _ said: ValueTypeDeclaration, _ written: ValueTypeDeclaration
  ) -> ValueTypeDeclaration {
    var type = written
    // What an opaque type is made of, the manifest leaves to the app.
    if said.kind == .opaque { type.kind = .opaque }
    guard case .enumeration(let raw, var cases) = type.kind else { return type }
    for place in cases.indices {
      let known = said.cases.first { $0.name == cases[place].name }
      cases[place].renamedFrom = known?.renamedFrom
    }
    type.kind = .enumeration(rawType: raw, cases: cases)
    return type
  }
}
