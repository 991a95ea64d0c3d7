import SchemaModel

@testable import SchemaEvolution

extension Difference {
  /// Makes the newer version's part out of the older's.
  ///
  /// The order of models and properties is not kept, nor what belongs to a step: `SchemaVersion.canonical` of the
  /// result is the canonical newer version.
  func apply(to version: inout SchemaVersion) {
    switch self {
    case .modelAdded(let model), .modelDerived(let model, _): version.models.append(model)
    case .modelRemoved(let model): version.models.removeAll { $0.name == model.name }
    case .modelRenamed(let from, let to):
      let isParked = version.models.contains { $0.name == Self.parked(from) }
      version.updateModel(to) { $0.name = Self.parked(to) }
      version.updateModel(isParked ? Self.parked(from) : from) { $0.name = to }
    case .superclass(let model, _, let to):
      version.updateModel(model) { $0.superclass = to.map { Located($0) } }
    case .entity(let model, _, let to): version.updateModel(model) { $0.entity = to }
    case .modelDocumentation(let model, _, let to):
      version.updateModel(model) { $0.documentation = to }
    case .uniqueAdded(let model, let unique):
      version.updateModel(model) { $0.uniques.append(unique) }
    case .uniqueRemoved(let model, let unique):
      version.updateModel(model) { $0.uniques.removeAll { $0.names == unique.names } }
    case .indexAdded(let model, let index):
      version.updateModel(model) { $0.indexes.append(index) }
    case .indexRemoved(let model, let index):
      version.updateModel(model) { $0.indexes.removeAll { $0 == index } }
    case .propertyAdded(let model, let property):
      version.updateModel(model) { $0.properties.append(property) }
    case .propertyRemoved(let model, let property):
      version.updateModel(model) { $0.properties.removeAll { $0.name == property.name } }
    case .propertyRenamed(let model, let from, let to):
      version.updateModel(model) { model in
        let isParked = model.properties.contains { $0.name == Self.parked(from) }
        model.renameProperty(to, to: Self.parked(to))
        model.renameProperty(isParked ? Self.parked(from) : from, to: to)
      }
    case .propertyConverted(let model, _, let removed, let to):
      version.updateModel(model) { model in
        model.properties.removeAll { removed.contains($0.name) }
        model.properties.append(to)
      }
    case .property(let model, _, let to, let aspect):
      version.updateProperty(model, to.name) { aspect.copy(from: to, to: &$0) }
    case .typeAdded(let type): version.types.append(type)
    case .typeRemoved(let type): version.types.removeAll { $0.name == type.name }
    case .typeReplaced(_, let to): version.updateType(to.name) { $0 = to }
    case .typeDescription(_, let to):
      version.updateType(to.name) {
        $0.documentation = to.documentation
        $0.isOwn = to.isOwn
      }
    case .caseAdded(let type, let new):
      version.updateCases(type) { $0.append(new) }
    case .caseRemoved(let type, let old), .caseReplaced(let type, let old, _):
      version.updateCases(type) { $0.removeAll { $0.name == old.name } }
    case .rawValue(let type, let from, let to), .caseRenamed(let type, let from, let to):
      version.updateCases(type) { cases in
        // Names can be swapped: the case with the old raw value is meant.
        let place = cases.firstIndex { $0.name == from.name && $0.rawValue == from.rawValue }
        if let place { cases.remove(at: place) }
        cases.append(to)
      }
    case .fieldAdded(let type, let new):
      version.updateFields(type) { $0.append(new) }
    case .fieldRemoved(let type, let old):
      version.updateFields(type) { $0.removeAll { $0.name == old.name } }
    case .fieldType(let type, let from, let to):
      version.updateFields(type) { fields in
        for index in fields.indices where fields[index].name == from.name {
          fields[index].type = to.type
        }
      }
    case .fieldDefault(let type, let from, let to):
      version.updateFields(type) { fields in
        for index in fields.indices where fields[index].name == from.name {
          fields[index].defaultValue = to.defaultValue
        }
      }
    }
  }
}

extension Difference {
  /// A temporary name for an element whose name another takes before its own rename: names can be swapped.
  private static func parked(_ name: String) -> String { "\(name) (renamed)" }
}

extension PropertyAspect {
  /// Copies this aspect from one property to another.
  fileprivate func copy(from source: Property, to target: inout Property) {
    switch self {
    case .kind: target.kind = source.kind
    case .transient: target.isTransient = source.isTransient
    case .hashModifier: target.hashModifier = source.hashModifier
    case .originalName: target.originalName = source.originalName
    case .initializerDefault: target.initializerDefault = source.initializerDefault
    case .mapping: target.mapping = source.mapping
    case .documentation: target.documentation = source.documentation
    default:
      switch (source.kind, target.kind) {
      case (.attribute(let from), .attribute(var to)):
        copy(from: from, to: &to)
        target.kind = .attribute(to)
      case (.relationship(let from), .relationship(var to)):
        copy(from: from, to: &to)
        target.kind = .relationship(to)
      default: break
      }
    }
  }

  private func copy(from source: Attribute, to target: inout Attribute) {
    switch self {
    case .type: target.type = source.type
    case .defaultValue: target.defaultValue = source.defaultValue
    case .transformer: target.transformer = source.transformer
    case .encodes: target.encodes = source.encodes
    case .fallback: target.fallback = source.fallback
    default:
      guard let option = Attribute.Option(rawValue: rawValue) else { return }
      if source.options.contains(option) {
        target.options.insert(option)
      } else {
        target.options.remove(option)
      }
    }
  }

  private func copy(from source: Relationship, to target: inout Relationship) {
    switch self {
    case .destination: target.destination = source.destination
    case .cardinality: target.cardinality = source.cardinality
    case .inverse:
      target.inverse = source.inverse
      target.declaresInverse = source.declaresInverse
    case .deleteRule: target.deleteRule = source.deleteRule
    case .relationshipUnique: target.isUnique = source.isUnique
    case .bounds:
      target.minimum = source.minimum
      target.maximum = source.maximum
    default: break
    }
  }
}

extension Model {
  fileprivate mutating func renameProperty(_ old: String, to new: String) {
    guard let index = properties.firstIndex(where: { $0.name == old }) else { return }
    properties[index].name = new
    self = renamingConstraints([old: new])
  }
}

extension SchemaVersion {
  fileprivate mutating func updateType(
    _ name: String, _ change: (inout ValueTypeDeclaration) -> Void
  ) {
    guard let index = types.firstIndex(where: { $0.name == name }) else { return }
    change(&types[index])
  }

  fileprivate mutating func updateCases(_ name: String, _ change: (inout [EnumCase]) -> Void) {
    updateType(name) { type in
      guard case .enumeration(let rawType, var cases) = type.kind else { return }
      change(&cases)
      type.kind = .enumeration(rawType: rawType, cases: cases)
    }
  }

  fileprivate mutating func updateFields(_ name: String, _ change: (inout [StructField]) -> Void) {
    updateType(name) { type in
      guard case .structure(var fields) = type.kind else { return }
      change(&fields)
      type.kind = .structure(fields: fields)
    }
  }
}
