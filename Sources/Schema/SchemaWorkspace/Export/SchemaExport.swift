internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
package import SchemaModel
internal import SchemaReporting

/// Versions of a schema as data for other programs: Schemas/export.schema.json describes the format.
package struct SchemaExport: Sendable {
  /// Why a folder is not exported.
  package struct Refusal: Error, Sendable {
    /// The sorted diagnostics, with errors among them.
    package let diagnostics: [Diagnostic]
    /// The files' texts by path, for snippets.
    package let sources: [String: String]
  }

  /// All versions of the folder, in ascending order.
  package let numbers: [VersionNumber]
  private let evolution: Evolution
  private let lock: SchemaLock

  /// Reads a folder of manifests.
  ///
  /// - Throws: The findings, if there is an error in the manifests, a step or the lock.
  package init(_ path: String, fileSystem: some FileSystem) throws(Refusal) {
    let review = GenerationPipeline(fileSystem: fileSystem).review(path)
    guard let evolution = review.folder?.evolution, !review.diagnostics.hasErrors else {
      throw Refusal(diagnostics: review.diagnostics, sources: review.folder?.sources ?? [:])
    }
    self.evolution = evolution
    lock = SchemaFolder.lock(in: path, fileSystem: fileSystem)
    numbers = evolution.history.map(\.number)
  }

  /// The versions with these numbers as JSON, in ascending order, each once. Numbers without a version are ignored.
  package func json(_ numbers: [VersionNumber]) -> String {
    let wanted = Set(numbers)
    let locked = Dictionary(lock.entries, keyedBy: \.version)
    let types = evolution.types.values.sorted { $0.name < $1.name }
    var last: VersionModel?
    var versions: [VersionEntry] = []
    for evolved in evolution.versions where wanted.contains(evolved.declared.number) {
      let version = evolved.declared
      let resolved = evolved.stored.schema
      let stored = VersionModel(resolved, types: types, after: last)
      last = stored
      versions.append(
        VersionEntry(
          version, resolved, stored.model, evolved.identity, locked[version.number]))
    }
    return JSONText.encode(Document(versions: versions))
  }
}

/// `format` rises when a key changes its meaning or is removed; new keys may come at any time. A key without a value is
/// left out.
private struct Document: Encodable {
  var format = 1
  var versions: [VersionEntry]
}

private struct VersionEntry: Encodable {
  var name: String
  var number: String
  var summary: String?
  var state: String
  var identity: String
  var checksum: String?
  var areHashesProven: Bool
  var models: [ModelEntry]
  var types: [TypeEntry]

  /// - Parameters:
  ///   - version: The version as its manifest has it.
  ///   - resolved: The version with the generated classes' original names and hash modifiers.
  ///   - stored: The version as stores have it.
  init(
    _ version: SchemaVersion, _ resolved: SchemaVersion, _ stored: ManagedModel,
    _ identity: StructuralIdentity, _ entry: SchemaLock.Entry?
  ) {
    let proven = entry?.hashes.flatMap { $0.isProven ? $0 : nil }
    name = version.number.name
    number = version.number.description
    summary = version.summary
    state = (entry?.state ?? .draft).rawValue
    self.identity = version.identity.rawValue
    checksum = proven?.checksum ?? identity.checksum
    areHashesProven = proven != nil
    let models = Dictionary(resolved.models, keyedBy: \.name)
    let entities = stored.entitiesByName
    self.models = version.models.map {
      ModelEntry(
        $0, models[$0.name], entities[$0.name],
        hash: proven?.entities[$0.name]
          ?? identity.hashes.entities[$0.name]?.base64EncodedString())
    }
    types = version.types.map(TypeEntry.init)
  }
}

private struct ModelEntry: Encodable {
  var name: String
  var documentation: String?
  var entity: String?
  var superclass: String?
  /// Nil if it is not certain.
  var hash: String?
  var uniques: [[String]]
  var indexes: [IndexEntry]
  var properties: [PropertyEntry]

  init(_ model: Model, _ resolved: Model?, _ stored: ManagedEntity?, hash: String?) {
    name = model.name
    documentation = model.documentation
    entity = model.entity
    superclass = model.superclass?.value
    self.hash = hash
    uniques = model.uniques.map(\.names)
    indexes = model.indexes.map { IndexEntry(kind: $0.kind.rawValue, properties: $0.names) }
    let properties = Dictionary(resolved?.properties ?? [], keyedBy: \.name)
    let attributes = Dictionary(stored?.attributes ?? [], keyedBy: \.name)
    self.properties = model.properties.map {
      PropertyEntry($0, properties[$0.name], attributes[$0.name])
    }
  }
}

private struct IndexEntry: Encodable {
  var kind: String
  var properties: [String]
}

private struct PropertyEntry: Encodable {
  var name: String
  var documentation: String?
  var type: String
  var isTransient: Bool
  var options: [String]
  var originalName: String?
  var hashModifier: String?
  var attribute: AttributeEntry?
  var relationship: RelationshipEntry?

  init(_ property: Property, _ resolved: Property?, _ stored: ManagedAttribute?) {
    name = property.name
    documentation = property.documentation
    type = property.type.description
    isTransient = property.isTransient
    options =
      property.attribute?.options.sorted().map(\.rawValue)
      ?? (property.isUnique ? [Attribute.Option.unique.rawValue] : [])
    originalName = resolved?.originalName
    hashModifier = resolved?.hashModifier
    attribute = property.attribute.map {
      AttributeEntry(
        default: $0.defaultValue?.text, transformer: $0.transformer,
        encodes: $0.encodes?.description, stored: stored.map(StoredEntry.init))
    }
    relationship = property.relationship.map {
      RelationshipEntry(
        destination: $0.destination.value, inverse: $0.inverse?.value,
        isToMany: $0.cardinality.isMany, deleteRule: $0.deleteRule.rawValue,
        minimumCount: $0.minimum, maximumCount: $0.maximum)
    }
  }
}

private struct AttributeEntry: Encodable {
  var `default`: String?
  var transformer: String?
  var encodes: String?
  /// Nil if no store has it.
  var stored: StoredEntry?
}

private struct StoredEntry: Encodable {
  var name: String
  var type: String
  var isOptional: Bool
  var elements: [StoredEntry]

  init(_ attribute: ManagedAttribute) {
    name = attribute.name
    type = "\(attribute.type)"
    isOptional = attribute.isOptional
    elements = attribute.elements.map(StoredEntry.init)
  }
}

private struct RelationshipEntry: Encodable {
  var destination: String
  var inverse: String?
  var isToMany: Bool
  var deleteRule: String
  var minimumCount: Int?
  var maximumCount: Int?
}

private struct TypeEntry: Encodable {
  var name: String
  var documentation: String?
  var isOwn: Bool
  var appName: String?
  var rawType: String?
  var cases: [CaseEntry]?
  var fields: [FieldEntry]?

  init(_ type: ValueTypeDeclaration) {
    name = type.name
    documentation = type.documentation
    isOwn = type.isOwn
    appName = type.appName
    switch type.kind {
    case .enumeration(let rawType, let cases):
      self.rawType = rawType?.description
      self.cases = cases.map {
        CaseEntry(name: $0.name, rawValue: rawType == nil ? nil : $0.storedText)
      }
    case .structure(let fields):
      self.fields = fields.map {
        FieldEntry(name: $0.name, type: $0.type.description, default: $0.defaultValue?.text)
      }
    case .opaque: break
    }
  }
}

private struct CaseEntry: Encodable {
  var name: String
  var rawValue: String?
}

private struct FieldEntry: Encodable {
  var name: String
  var type: String
  var `default`: String?
}
