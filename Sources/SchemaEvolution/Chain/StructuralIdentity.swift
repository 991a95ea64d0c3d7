internal import SchemaDigests
package import SchemaModel

/// What the framework hashes of a version, as far as that is known (docs/facts/identity.md#the-hash-of-an-entity).
package struct StructuralIdentity: Hashable, Sendable {
  /// SHA-256 over everything that enters the framework's checksum, certainly or likely, in lower-case hex.
  package var full: String
  /// The same over what enters it for certain. Two versions that are equal in this may be equal to the framework:
  /// they get a hash modifier, which does no harm where it was not needed.
  package var certain: String
  /// The certain part by model, to see which models differ.
  var models: [String: [UInt8]]

  package init(of version: SchemaVersion) {
    let storage = StorageTypes(version: version)
    var models: [String: [UInt8]] = [:]
    var certain = SHA256()
    var full = SHA256()
    for model in version.models.sorted(by: { $0.name < $1.name }) {
      let lines = Self.lines(of: model, storage)
      let digest = SHA256.hash(lines.certain)
      models[model.name] = digest
      certain.update(digest)
      full.update(lines.full)
    }
    self.models = models
    self.certain = certain.finalize().hexadecimal
    self.full = full.finalize().hexadecimal
  }

  /// A model's hashed parts, one a line, in an order that the manifest's does not influence.
  private static func lines(
    of model: Model, _ storage: StorageTypes
  ) -> (certain: String, full: String) {
    var uniques = model.uniques.map { $0.names.sorted().joined(separator: ",") }
    var properties: [(name: String, certain: String, full: String)] = []
    for property in model.properties where !property.isTransient {
      let lines = self.lines(of: property, storage)
      properties.append((property.name, lines.certain, lines.full))
      if property.attribute?.options.contains(.unique) ?? property.relationship?.isUnique ?? false {
        uniques.append(property.name)
      }
    }
    properties.sort { $0.name < $1.name }
    let head =
      "entity \(model.name) super \(model.superclass?.value ?? "-") unique "
      + uniques.sorted().joined(separator: ";") + "\n"
    var certain = head
    var full = head
    for property in properties {
      certain += property.certain
      full += property.full
    }
    return (certain, full)
  }

  private static func lines(
    of property: Property, _ storage: StorageTypes
  ) -> (certain: String, full: String) {
    let modifier = property.hashModifier.map { " modifier \($0)" } ?? ""
    let optional = property.type.isOptional ? " optional" : ""
    switch property.kind {
    case .attribute(let attribute):
      let type = storage.storage(of: attribute.type, transformable: attribute.transformer != nil)
      let name = "  attribute \(property.name)"
      let tail = "\(optional)\(modifier)\n"
      var likely = ""
      for option in [Attribute.Option.externalStorage, .preserveValueOnDeletion]
      where attribute.options.contains(option) {
        likely += " \(option.rawValue)"
      }
      return (
        "\(name) \(type.certainName)\(tail)", "\(name) \(type.fullName)\(likely)\(tail)"
      )
    case .relationship(let relationship):
      let bounds = "\(relationship.minimum ?? 0)...\(relationship.maximum ?? 0)"
      let line =
        "  relationship \(property.name) \(relationship.destination.value)"
        + (relationship.cardinality.isMany ? " many" : " one") + optional
        + " inverse \(relationship.inverse?.value ?? "-") \(bounds)\(modifier)\n"
      return (line, line)
    }
  }
}

extension StorageType {
  /// The type as far as it is certain to be hashed: the elements of a composite are only likely to be, and an
  /// archived array's are nowhere in the model: it is a transformable, whatever it holds
  /// (docs/facts/identity.md#array-element-neutral).
  fileprivate var certainName: String {
    switch self {
    case .rawEnum, .composite: "composite"
    case .archived, .transformable: "transformable"
    default: fullName
    }
  }

  fileprivate var fullName: String {
    switch self {
    case .primitive(let primitive): primitive.rawValue
    case .rawEnum(let primitive): "composite(\(primitive.rawValue))"
    case .composite(let elements): "composite(\(elements.joined(separator: "; ")))"
    case .archived(let type): "archived(\(type))"
    case .transformable: "transformable"
    }
  }
}
