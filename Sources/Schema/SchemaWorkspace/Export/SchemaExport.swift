internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
package import SchemaModel
internal import SchemaReporting

/// Versions of a schema as data for other programs: Schemas/export.schema.json describes the format.
package struct SchemaExport: Sendable {
  /// Why a folder is not exported.
  package struct Refusal: Error, Sendable {
    package let diagnostics: [Diagnostic]
    package let sources: [String: String]
  }

  package let numbers: [VersionNumber]
  private let evolution: Evolution
  private let lock: SchemaLock

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
    var versions: [JSONObject] = []
    for evolved in evolution.versions where wanted.contains(evolved.declared.number) {
      let stored = VersionModel(evolved.stored.schema, types: types, after: last)
      last = stored
      versions.append(
        entry(evolved, stored.model.entitiesByName, locked[evolved.declared.number]))
    }
    // The format rises when a key changes its meaning or is removed; new keys may be added at any time.
    return JSONText.encode(JSONObject(["format": 1, "versions": versions]))
  }

  // MARK: Entries

  private func entry(
    _ evolved: EvolvedVersion, _ stored: [String: ManagedEntity], _ locked: SchemaLock.Entry?
  ) -> JSONObject {
    let version = evolved.declared
    let proven = locked?.hashes.flatMap { $0.isProven ? $0 : nil }
    // These models have the generated classes' original names and hash modifiers.
    let resolved = Dictionary(evolved.stored.schema.models, keyedBy: \.name)
    let models = version.models.map { model in
      // An uncertain hash is left out.
      let hash =
        proven?.entities[model.name]
        ?? evolved.identity.hashes.entities[model.name]?.base64EncodedString()
      return self.entry(model, resolved[model.name], stored[model.name], hash: hash)
    }
    return JSONObject([
      "name": version.number.name, "number": version.number, "summary": version.summary,
      "state": (locked?.state ?? .draft).rawValue, "identity": version.identity.rawValue,
      "checksum": proven?.checksum ?? evolved.identity.checksum, "areHashesProven": proven != nil,
      "models": models, "types": version.types.map { entry($0) },
    ])
  }

  private func entry(
    _ model: Model, _ resolved: Model?, _ stored: ManagedEntity?, hash: String?
  ) -> JSONObject {
    let properties = Dictionary(resolved?.properties ?? [], keyedBy: \.name)
    let attributes = Dictionary(stored?.attributes ?? [], keyedBy: \.name)
    return JSONObject([
      "name": model.name, "documentation": model.documentation, "entity": model.entity,
      "superclass": model.superclass?.value, "hash": hash, "uniques": model.uniques.map(\.names),
      "indexes": model.indexes.map {
        JSONObject(["kind": $0.kind.rawValue, "properties": $0.names])
      },
      "properties": model.properties.map {
        entry($0, properties[$0.name], attributes[$0.name])
      },
    ])
  }

  private func entry(
    _ property: Property, _ resolved: Property?, _ stored: ManagedAttribute?
  ) -> JSONObject {
    let options =
      property.attribute?.options.sorted().map(\.rawValue)
      ?? (property.isUnique ? [Attribute.Option.unique.rawValue] : [])
    return JSONObject([
      "name": property.name, "documentation": property.documentation,
      "type": property.type.description, "isTransient": property.isTransient, "options": options,
      "originalName": resolved?.originalName, "hashModifier": resolved?.hashModifier,
      "attribute": property.attribute.map {
        JSONObject([
          "default": $0.defaultValue?.text, "transformer": $0.transformer,
          // `stored` is left out if the attribute is not stored.
          "encodes": $0.encodes?.description, "stored": stored.map { entry($0) },
        ])
      },
      "relationship": property.relationship.map {
        JSONObject([
          "destination": $0.destination.value, "inverse": $0.inverse?.value,
          "isToMany": $0.cardinality.isMany, "deleteRule": $0.deleteRule.rawValue,
          "minimumCount": $0.minimum, "maximumCount": $0.maximum,
        ])
      },
    ])
  }

  private func entry(_ attribute: ManagedAttribute) -> JSONObject {
    JSONObject([
      "name": attribute.name, "type": "\(attribute.type)", "isOptional": attribute.isOptional,
      "elements": attribute.elements.map { entry($0) },
    ])
  }

  private func entry(_ type: ValueTypeDeclaration) -> JSONObject {
    var rawType: TypeReference?
    var cases: [JSONObject]?
    var fields: [JSONObject]?
    switch type.kind {
    case .enumeration(let raw, let all):
      rawType = raw
      cases = all.map {
        JSONObject(["name": $0.name, "rawValue": raw == nil ? nil : $0.storedText])
      }
    case .structure(let all):
      fields = all.map {
        JSONObject([
          "name": $0.name, "type": $0.type.description, "default": $0.defaultValue?.text,
        ])
      }
    case .opaque: break
    }
    return JSONObject([
      "name": type.name, "documentation": type.documentation, "isOwn": type.isOwn,
      "appName": type.appName, "rawType": rawType?.description, "cases": cases, "fields": fields,
    ])
  }
}
