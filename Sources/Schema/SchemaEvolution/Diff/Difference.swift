package import SchemaModel

/// A difference between two versions, with everything needed to apply it.
///
/// Models and properties have the newer version's names. Removed models and properties have the older version's names.
package enum Difference: Equatable, Sendable {
  case modelAdded(Model)
  case modelRemoved(Model)
  /// The rows continue under another name. Differences of properties follow, with the new name.
  case modelRenamed(from: String, to: String)
  case modelDerived(Model, sources: [String])
  case superclass(model: String, from: String?, to: String?)
  case entity(model: String, from: String?, to: String?)
  case modelDocumentation(model: String, from: String?, to: String?)
  case uniqueAdded(model: String, UniqueConstraint)
  case uniqueRemoved(model: String, UniqueConstraint)
  case indexAdded(model: String, Index)
  case indexRemoved(model: String, Index)
  case propertyAdded(model: String, Property)
  case propertyRemoved(model: String, Property)
  /// The values continue under another name. Other differences of the property follow, with the new name.
  case propertyRenamed(model: String, from: String, to: String)
  /// The new property's values are made from old ones. `removed` are the old properties that no longer exist.
  case propertyConverted(model: String, from: [Property], removed: [String], to: Property)
  case property(model: String, from: Property, to: Property, PropertyAspect)
  case typeAdded(ValueTypeDeclaration)
  case typeRemoved(ValueTypeDeclaration)
  case typeReplaced(from: ValueTypeDeclaration, to: ValueTypeDeclaration)
  /// The type's documentation or coding changed, or the app declares the type now, or no longer does.
  case typeDescription(from: ValueTypeDeclaration, to: ValueTypeDeclaration)
  case caseAdded(type: String, EnumCase)
  case caseRemoved(type: String, EnumCase)
  /// The rows continue under another name, with the same raw value or another one.
  case caseRenamed(type: String, from: EnumCase, to: EnumCase)
  case caseReplaced(type: String, EnumCase, by: EnumCase)
  case rawValue(type: String, from: EnumCase, to: EnumCase)
  case fieldAdded(type: String, StructField)
  case fieldRemoved(type: String, StructField)
  case fieldType(type: String, from: StructField, to: StructField)
  case fieldDefault(type: String, from: StructField, to: StructField)
}

/// An aspect in which a property differs from the property that it continues.
package enum PropertyAspect: String, Hashable, Sendable, CaseIterable {
  case kind
  case type
  case defaultValue
  case unique, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, ephemeral
  case spotlight, codable
  case transformer
  case transient
  case hashModifier
  case originalName
  case encodes
  case fallback
  case destination
  case cardinality
  case inverse
  case deleteRule
  case relationshipUnique
  case bounds
  case initializerDefault
  case mapping
  case documentation
}

extension PropertyAspect {
  func differs(_ old: Property, _ new: Property) -> Bool {
    switch self {
    case .kind: return (old.attribute == nil) != (new.attribute == nil)
    case .transient: return old.isTransient != new.isTransient
    case .hashModifier: return old.hashModifier != new.hashModifier
    case .originalName: return old.originalName != new.originalName
    case .initializerDefault: return old.initializerDefault != new.initializerDefault
    case .mapping: return old.mapping != new.mapping
    case .documentation: return old.documentation != new.documentation
    default: break
    }
    if let old = old.attribute, let new = new.attribute {
      switch self {
      case .type: return old.type != new.type
      case .defaultValue: return old.defaultValue != new.defaultValue
      case .transformer: return old.transformer != new.transformer
      case .encodes: return old.encodes != new.encodes
      case .fallback: return old.fallback != new.fallback
      default:
        guard let option = Attribute.Option(rawValue: rawValue) else { return false }
        return old.options.contains(option) != new.options.contains(option)
      }
    }
    if let old = old.relationship, let new = new.relationship {
      switch self {
      case .destination: return old.destination != new.destination
      case .cardinality: return old.cardinality != new.cardinality
      case .inverse:
        return old.inverse != new.inverse || old.declaresInverse != new.declaresInverse
      case .deleteRule: return old.deleteRule != new.deleteRule
      case .relationshipUnique: return old.isUnique != new.isUnique
      case .bounds: return old.minimum != new.minimum || old.maximum != new.maximum
      default: return false
      }
    }
    return false
  }
}

extension SchemaVersion {
  mutating func updateModel(_ name: String, _ change: (inout Model) -> Void) {
    guard let index = models.firstIndex(where: { $0.name == name }) else { return }
    change(&models[index])
  }

  mutating func updateProperty(
    _ model: String, _ name: String, _ change: (inout Property) -> Void
  ) {
    updateModel(model) { model in
      guard let index = model.properties.firstIndex(where: { $0.name == name }) else { return }
      change(&model.properties[index])
    }
  }
}
