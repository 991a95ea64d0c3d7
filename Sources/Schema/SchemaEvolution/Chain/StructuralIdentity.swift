internal import Foundation
package import ManagedModels
package import SchemaModel

/// A value that distinguishes a version from other versions.
package struct StructuralIdentity: Hashable, Sendable {
  /// The SHA-256 of everything that defines the version in a store, in lower-case hex. The lock records this value for
  /// shipped versions.
  package var full: String
  /// Core Data's checksum of the version (docs/facts/identity.md#checksum-and-digest), computed only from what
  /// certainly enters it. If two versions have the same value, they may be equal to the framework, so one of them gets
  /// a hash modifier. The modifier is harmless if it was not needed.
  package var certain: String
  /// Core Data's exact hashes, without the models in `doubts`.
  package var hashes: VersionHashes
  /// The models whose hashes are uncertain, with the reasons.
  package var doubts: [String: [HashDoubt]]
  /// The hash of each entity, computed as for `certain`.
  var models: [String: Data]

  fileprivate init(_ subject: IdentitySubject, after known: (IdentitySubject, StructuralIdentity)?)
  {
    full = subject.full
    let careful = VersionHashes(
      of: subject.careful,
      knowing: known.map { ($0.careful, VersionHashes(entities: $1.models)) })
    models = careful.entities
    certain = careful.checksum
    let made =
      subject.model == subject.careful
      ? careful : VersionHashes(of: subject.model, knowing: (subject.careful, careful))
    let doubts = subject.doubts
    self.doubts = doubts
    hashes =
      doubts.isEmpty
      ? made : VersionHashes(entities: made.entities.filter { doubts[$0.key] == nil })
  }

  /// The version's checksum in base64; `nil` if a hash is uncertain.
  package var checksum: String? { doubts.isEmpty ? hashes.checksum : nil }

  /// Whether a store of another version is also a store of this version.
  ///
  /// - Parameters:
  ///   - full: The other version's `full`.
  ///   - checksum: The other version's checksum in base64; `nil` if it is unknown.
  package func isSameStore(asOf full: String, checksum: String?) -> Bool {
    if full == self.full { return true }
    return checksum != nil && checksum == self.checksum
  }
}

/// The properties of a version that enter its identity.
private struct IdentitySubject {
  let full: String
  let model: ManagedModel
  let doubts: [String: [HashDoubt]]
  /// The model with only what certainly enters the checksum.
  let careful: ManagedModel

  /// The hashed lines of each model, by the model's name.
  private let lines: [String: String]
  private let read: VersionModel
  private let types: [ValueTypeDeclaration]

  init(
    _ version: SchemaVersion, types: [ValueTypeDeclaration], openTypes: Set<String>,
    after previous: IdentitySubject?
  ) {
    var read = VersionModel(version, types: types, after: previous?.read)
    self.read = read
    self.types = version.types
    let known = previous.flatMap { $0.types == version.types ? $0.lines : nil } ?? [:]
    let storage = StorageTypes(version: version)
    var lines: [String: String] = [:]
    for model in version.models {
      let earlier = read.unread.contains(model.name) ? known[model.name] : nil
      lines[model.name] = earlier ?? Self.lines(of: model, storage)
    }
    self.lines = lines
    var full = SHA256()
    for name in version.models.map(\.name).sorted() { full.update(lines[name] ?? "") }
    self.full = full.finalize().hexadecimal
    model = read.model
    doubts = model.hashDoubts
    read.blur(openTypes: openTypes, of: version)
    careful = read.model
  }

  /// Describes a model for `full`, one property per line. The order does not depend on the manifest.
  private static func lines(of model: Model, _ storage: StorageTypes) -> String {
    var uniques = model.uniques.map { $0.names.sorted().joined(separator: ",") }
    var properties: [(name: String, line: String)] = []
    for property in model.properties where !property.isTransient {
      properties.append((property.name, line(of: property, storage)))
      if property.isUnique {
        uniques.append(property.name)
      }
    }
    properties.sort { $0.name < $1.name }
    let head =
      "entity \(model.name) super \(model.superclass?.value ?? "-") unique "
      + uniques.sorted().joined(separator: ";") + "\n"
    return head + properties.map(\.line).joined()
  }

  private static func line(of property: Property, _ storage: StorageTypes) -> String {
    let modifier = property.hashModifier.map { " modifier \($0)" } ?? ""
    let optional = property.type.isOptional ? " optional" : ""
    switch property.kind {
    case .attribute(let attribute):
      let type = storage.storage(of: attribute.type, transformable: attribute.transformer != nil)
      let options = [Attribute.Option.externalStorage, .preserveValueOnDeletion]
        .filter(attribute.options.contains).map { " \($0.rawValue)" }.joined()
      return "  attribute \(property.name) \(type.lockName)\(options)\(optional)\(modifier)\n"
    case .relationship(let relationship):
      let bounds = "\(relationship.minimum ?? 0)...\(relationship.maximum ?? 0)"
      return "  relationship \(property.name) \(relationship.destination.value)"
        + (relationship.cardinality.isMany ? " many" : " one") + optional
        + " inverse \(relationship.inverse?.value ?? "-") \(bounds)\(modifier)\n"
    }
  }
}

/// Computes the identities of a history's versions.
package struct IdentityReader: Sendable {
  private let types: [ValueTypeDeclaration]
  /// Types whose columns are undeclared in at least one version.
  private let openTypes: Set<String>

  package init(_ history: [SchemaVersion]) {
    types = history.newestTypes.values.sorted { $0.name < $1.name }
    openTypes = Set(
      history.flatMap { $0.types.filter { $0.kind == .opaque }.map(\.name) })
  }

  package func identity(of version: SchemaVersion) -> StructuralIdentity {
    StructuralIdentity(subject(version, after: nil), after: nil)
  }

  /// The identities of versions, in order. A model that is equal in two neighbours is hashed once.
  func identities(of versions: [SchemaVersion]) -> [StructuralIdentity] {
    var identities: [StructuralIdentity] = []
    var last: IdentitySubject?
    for version in versions {
      let subject = subject(version, after: last)
      let known = last.flatMap { last in identities.last.map { (last, $0) } }
      identities.append(StructuralIdentity(subject, after: known))
      last = subject
    }
    return identities
  }

  private func subject(_ version: SchemaVersion, after previous: IdentitySubject?)
    -> IdentitySubject
  {
    IdentitySubject(version, types: types, openTypes: openTypes, after: previous)
  }
}

extension StorageType {
  fileprivate var lockName: String {
    switch self {
    case .primitive(let primitive): primitive.rawValue
    case .rawEnum(let primitive): "composite(\(primitive.rawValue))"
    case .composite(let elements): "composite(\(elements.sorted().joined(separator: "; ")))"
    case .archived(let type): "archived(\(type))"
    case .transformable: "transformable"
    }
  }
}

extension VersionModel {
  /// Removes differences that the framework may not see: between types with undeclared columns, between values stored
  /// as different kinds of data, and between constraints and their repetitions.
  fileprivate mutating func blur(openTypes: Set<String>, of version: SchemaVersion) {
    let types = Dictionary(version.models, keyedBy: \.name)
    let hasOpenTypes = !unspecified.isEmpty || !openTypes.isEmpty
    func isOpen(_ attribute: ManagedAttribute, of entity: String) -> Bool {
      guard hasOpenTypes else { return false }
      let place = "\(entity).\(attribute.name)"
      let type = types[entity]?.property(named: attribute.name)?.attribute?.type
      if case .array? = type?.unwrapped { return false }
      return unspecified.contains { $0 == place || $0.hasPrefix(place + ".") }
        || type.map { !openTypes.isDisjoint(with: $0.names) } ?? false
    }
    for entity in model.entities.indices {
      var constraints: Set<[String]> = []
      model.entities[entity].uniqueness.removeAll { !constraints.insert($0).inserted }
      for index in model.entities[entity].attributes.indices {
        let attribute = model.entities[entity].attributes[index]
        if isOpen(attribute, of: model.entities[entity].name) {
          model.entities[entity].attributes[index].type = .composite
          model.entities[entity].attributes[index].elements = []
        } else if attribute.type == .transformable {
          model.entities[entity].attributes[index].type = .binary
        }
      }
    }
  }
}
