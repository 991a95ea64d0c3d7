internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
package import SchemaModel
internal import SchemaReporting

/// Versions of a schema as data, for programs of others: Schemas/export.schema.json says what stands where.
package struct SchemaExport: Sendable {
  /// Why a folder is not exported.
  package struct Refusal: Error, Sendable {
    /// Sorted; errors are among them.
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

  /// The versions of these numbers as JSON, in ascending order, each once. What stands in no version is passed over.
  package func json(_ numbers: [VersionNumber]) -> String {
    let wanted = Set(numbers)
    let indexes = evolution.history.indices.filter { wanted.contains(evolution.history[$0].number) }
    let locked = Dictionary(lock.entries, keyedBy: \.version)
    var last: VersionModel?
    let types = evolution.types.values.sorted { $0.name < $1.name }
    let versions = indexes.map { index in
      let stored = VersionModel(
        evolution.chain[evolution.positions[index]].schema, types: types, after: last)
      last = stored
      return VersionMaker(
        evolution, index, stored, locked[evolution.history[index].number]
      ).version()
    }
    return JSONText.encode(Document(versions: versions))
  }
}

// MARK: - What is written

/// `format` rises when a key changes its meaning or goes; new keys may come at any time. A key without a value is left
/// out.
private struct Document: Encodable {
  var format = 1
  var versions: [Version]
}

private struct Version: Encodable {
  var name: String
  var number: String
  var summary: String?
  var state: String
  var identity: String
  var checksum: String?
  var areHashesProven: Bool
  var place: Place?
  var step: Step?
  var models: [ModelEntry]
  var types: [TypeEntry]
}

private struct Place: Encodable {
  var file: String
  var line: Int
  var column: Int

  init?(_ location: SourceLocation?) {
    guard let location else { return nil }
    // Manifests lie in the folder itself.
    file = location.file.split(separator: "/").last.map(String.init) ?? location.file
    line = location.line
    column = location.column
  }
}

private struct Step: Encodable {
  var from: String
  var kind: String
  var isBarrier: Bool
  var bridges: Int
}

private struct ModelEntry: Encodable {
  var name: String
  var documentation: String?
  var entity: String?
  var superclass: String?
  var place: Place?
  var hash: Hash
  var uniques: [[String]]
  var indexes: [IndexEntry]
  var properties: [PropertyEntry]
}

private struct Hash: Encodable {
  var isCertain: Bool
  var base64: String?
  var doubts: [Doubt]
}

private struct Doubt: Encodable {
  var element: String
  var reason: String
  var evidence: String
}

private struct IndexEntry: Encodable {
  var kind: String
  var properties: [String]
}

private struct PropertyEntry: Encodable {
  var name: String
  var documentation: String?
  var kind: String
  var type: String
  var isOptional: Bool
  var isTransient: Bool
  var options: [String]
  var originalName: String?
  var hashModifier: String?
  var place: Place?
  var attribute: AttributeEntry?
  var relationship: RelationshipEntry?
}

private struct AttributeEntry: Encodable {
  var `default`: String?
  var transformer: String?
  var encodes: String?
  /// Nil where no store has it.
  var stored: Stored?
}

private struct Stored: Encodable {
  var name: String
  var type: String
  var code: Int
  var isOptional: Bool
  var elements: [Stored]

  init(_ attribute: ManagedAttribute) {
    name = attribute.name
    type = attribute.type.name
    code = attribute.type.rawValue
    isOptional = attribute.isOptional
    elements = attribute.elements.map(Stored.init)
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
  var kind: String
  var isOwn: Bool
  var appName: String?
  var rawType: String?
  var cases: [CaseEntry]?
  var fields: [FieldEntry]?
  var place: Place?
}

private struct CaseEntry: Encodable {
  var name: String
  var rawValue: String?
  var place: Place?
}

private struct FieldEntry: Encodable {
  var name: String
  var type: String
  var `default`: String?
  var place: Place?
}

extension AttributeType {
  /// The type as `AttributeType` calls it, for whoever reads the export: an interface, which no renaming may change.
  fileprivate var name: String {
    switch self {
    case .undefined: "undefined"
    case .integer16: "integer16"
    case .integer32: "integer32"
    case .integer64: "integer64"
    case .decimal: "decimal"
    case .double: "double"
    case .float: "float"
    case .string: "string"
    case .boolean: "boolean"
    case .date: "date"
    case .binary: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    case .transformable: "transformable"
    case .composite: "composite"
    }
  }
}

// MARK: - Making

private struct VersionMaker {
  private let evolution: Evolution
  private let index: Int
  private let entry: SchemaLock.Entry?
  private let identity: StructuralIdentity
  private let source: SchemaVersion
  /// The models with the original names and hash modifiers that the generated classes have.
  private let resolved: [String: Model]
  private let stored: [String: ManagedEntity]
  /// Nil where no store has proven them.
  private let proven: LockedHashes?

  init(
    _ evolution: Evolution, _ index: Int, _ stored: VersionModel, _ entry: SchemaLock.Entry?
  ) {
    self.evolution = evolution
    self.index = index
    self.entry = entry
    source = evolution.history[index]
    identity = evolution.identities[evolution.positions[index]]
    resolved = Dictionary(
      evolution.chain[evolution.positions[index]].schema.models, keyedBy: \.name)
    self.stored = stored.model.entitiesByName
    proven = entry?.hashes.flatMap { $0.isProven ? $0 : nil }
  }

  func version() -> Version {
    Version(
      name: source.number.name, number: source.number.description, summary: source.summary,
      state: (entry?.state ?? .draft).rawValue, identity: source.identity.rawValue,
      checksum: proven?.checksum ?? identity.checksum, areHashesProven: proven != nil,
      place: Place(source.location), step: step(), models: source.models.map(model),
      types: source.types.map(type))
  }

  private func step() -> Step? {
    guard index > 0 else { return nil }
    let step = evolution.steps[index - 1]
    let stages = evolution.stages(of: step)
    return Step(
      from: evolution.history[step.from].number.name,
      kind: stages.contains(where: \.isCustom) ? "custom" : "lightweight",
      isBarrier: stages.contains(where: \.isBarrier), bridges: step.plan.bridges)
  }

  private func hash(of model: String) -> Hash {
    let doubts = proven == nil ? identity.doubts[model] ?? [] : []
    return Hash(
      isCertain: doubts.isEmpty,
      base64: proven?.entities[model] ?? identity.hashes.entities[model]?.base64EncodedString(),
      doubts: doubts.map { Doubt(element: $0.element, reason: $0.reason, evidence: $0.evidence) })
  }

  private func model(_ model: Model) -> ModelEntry {
    let resolved = Dictionary(self.resolved[model.name]?.properties ?? [], keyedBy: \.name)
    let attributes = Dictionary(stored[model.name]?.attributes ?? [], keyedBy: \.name)
    return ModelEntry(
      name: model.name, documentation: model.documentation, entity: model.entity,
      superclass: model.superclass?.value, place: Place(model.location),
      hash: hash(of: model.name),
      uniques: model.uniques.map(\.names),
      indexes: model.indexes.map { IndexEntry(kind: $0.kind.rawValue, properties: $0.names) },
      properties: model.properties.map { property in
        self.property(
          property, resolved[property.name], attributes[property.name])
      })
  }

  private func property(
    _ property: Property, _ resolved: Property?, _ stored: ManagedAttribute?
  ) -> PropertyEntry {
    PropertyEntry(
      name: property.name, documentation: property.documentation,
      kind: property.attribute == nil ? "relationship" : "attribute",
      type: property.type.description, isOptional: property.type.isOptional,
      isTransient: property.isTransient,
      options: property.attribute?.options.sorted().map(\.rawValue)
        ?? (property.isUnique ? [Attribute.Option.unique.rawValue] : []),
      originalName: resolved?.originalName, hashModifier: resolved?.hashModifier,
      place: Place(property.location),
      attribute: property.attribute.map {
        AttributeEntry(
          default: $0.defaultValue?.text, transformer: $0.transformer,
          encodes: $0.encodes?.description, stored: stored.map(Stored.init))
      },
      relationship: property.relationship.map {
        RelationshipEntry(
          destination: $0.destination.value, inverse: $0.inverse?.value,
          isToMany: $0.cardinality.isMany, deleteRule: $0.deleteRule.rawValue,
          minimumCount: $0.minimum, maximumCount: $0.maximum)
      })
  }

  private func type(_ type: ValueTypeDeclaration) -> TypeEntry {
    var entry = TypeEntry(
      name: type.name, documentation: type.documentation, kind: "opaque", isOwn: type.isOwn,
      appName: type.appName, place: Place(type.location))
    switch type.kind {
    case .enumeration(let rawType, let cases):
      entry.kind = "enum"
      entry.rawType = rawType?.description
      entry.cases = cases.map {
        CaseEntry(
          name: $0.name, rawValue: rawType == nil ? nil : $0.storedText, place: Place($0.location))
      }
    case .structure(let fields):
      entry.kind = "struct"
      entry.fields = fields.map {
        FieldEntry(
          name: $0.name, type: $0.type.description, default: $0.defaultValue?.text,
          place: Place($0.location))
      }
    case .opaque: break
    }
    return entry
  }
}
