package import ManagedModels
internal import SchemaEvolution
package import SchemaManifest
package import SchemaModel
internal import SchemaWorkspace
internal import StoreFormat

/// Whether SwiftData can open the stores of a Core Data model's version in place. SwiftData can if a manifest's
/// entities have the same hashes.
package struct CoreDataVerdict: Sendable {
  /// Why SwiftData cannot have an entity.
  package struct Obstacle: Hashable, Sendable {
    package var element: ElementPath
    /// A clause that follows the element: `is abstract`.
    package var clause: String
    /// What to change in a new version of the Core Data model; nil if another obstacle is the cause.
    package var way: String?
    package var location: SourceLocation?
  }

  /// An entity, and whether SwiftData's entity has the same hash.
  package struct Entity: Sendable {
    package var name: String
    package var obstacles: [Obstacle]
    /// Why equal hashes may both be wrong.
    package var doubts: [HashDoubt]

    package var isEqual: Bool { obstacles.isEmpty }
  }

  package let model: CoreDataModel
  package let hashes: VersionHashes
  package private(set) var version: SchemaVersion
  /// Comments in the manifest: what to look up, and what is lost.
  package private(set) var notes: [StoreSchema.Note]
  package private(set) var entities: [Entity] = []

  package var isEqual: Bool { entities.allSatisfy(\.isEqual) }
  package var obstacles: [Obstacle] { entities.flatMap(\.obstacles) }

  package init(_ model: CoreDataModel, number: VersionNumber) {
    self.model = model
    hashes = model.model.versionHashes
    let made = StoreSchema.version(
      of: model.model, number: number, transformers: model.transformers)
    version = made.version
    version.encrypt(model.cloudEncrypted)
    notes = made.notes + model.notes
    judge()
  }

  private mutating func judge() {
    let file = SourceFile(path: "\(version.number.name).yaml", text: ManifestText(version).text)
    let folder = SchemaFolder.read(".", fileSystem: MemoryFiles([file]))
    // If the manifest cannot be read, the version from which it was written is compared, for the entities without
    // obstacles.
    let physical = VersionModel(folder.versions.first ?? version).model
    let hashes = self.hashes.entities
    let made = physical.versionHashes.entities
    let doubts = model.model.hashDoubts
    let comparison = ModelComparison(
      model.model, physical,
      hashes: (VersionHashes(entities: hashes), VersionHashes(entities: made)))
    let refused = folder.diagnostics.filter { $0.severity == .error }
    let known = model.model.entitiesByName
    for entity in model.model.entities {
      var found = obstacles(of: entity, refused)
      if found.isEmpty, let parent = entity.superentity, known[parent] != nil,
        hashes[entity.name] != made[entity.name], hashes[parent] != made[parent]
      {
        found = [
          obstacle(
            ElementPath(entity.name),
            "inherits from '\(parent)', which has another hash in SwiftData", nil)
        ]
      }
      if found.isEmpty, hashes[entity.name] != made[entity.name] {
        found = comparison.differences.filter {
          $0.isHashed && ElementPath(parsing: $0.element).owner == entity.name
        }.map { difference in
          obstacle(
            ElementPath(parsing: difference.element),
            "is \(difference.store ?? "missing") in Core Data, and \(difference.version ?? "missing") in SwiftData"
          )
        }
      }
      if found.isEmpty, hashes[entity.name] != made[entity.name] {
        found = [obstacle(ElementPath(entity.name), "has another hash in SwiftData")]
      }
      entities.append(
        Entity(name: entity.name, obstacles: found, doubts: doubts[entity.name] ?? []))
    }
  }

  private func obstacle(
    _ element: ElementPath, _ clause: String,
    _ way: String? = "change the element to what SwiftData has, or remove the element"
  ) -> Obstacle {
    Obstacle(element: element, clause: clause, way: way, location: model.places[element])
  }

  private func obstacles(of entity: ManagedEntity, _ refused: [Diagnostic]) -> [Obstacle] {
    let path = ElementPath(entity.name)
    var found: [Obstacle] = []
    if entity.isAbstract {
      found.append(
        obstacle(
          path, "is abstract",
          "uncheck 'Abstract Entity': an entity without rows need not be abstract"))
    }
    if let modifier = entity.hashModifier {
      found.append(
        obstacle(path, "has the hash modifier '\(modifier)'", "clear the entity's 'Hash Modifier'"))
    }
    for attribute in entity.attributes {
      let path = path.appending(attribute.name)
      if attribute.derivation != nil {
        found.append(
          obstacle(path, "is derived", "uncheck 'Derived', and let the app write its value"))
      } else if attribute.type == .undefined {
        found.append(obstacle(path, "has no type", "give it one"))
      }
    }
    for relationship in entity.relationships where relationship.isOrdered {
      found.append(
        obstacle(
          path.appending(relationship.name), "is ordered",
          "in one release write each row's place into an attribute of '\(relationship.destination)', and in the next uncheck "
            + "'Ordered': unchecking it alone loses the order of all rows"))
    }
    for finding in refused {
      guard case .element(let element)? = finding.subject, element.owner == entity.name,
        !found.contains(where: { $0.element == element })
      else { continue }
      found.append(
        obstacle(
          element, "cannot be in a manifest: \(finding.message)",
          finding.help.first ?? "rename the element, and write its old name as 'Renaming ID'"))
    }
    return found
  }
}

extension SchemaVersion {
  /// Marks attributes that CloudKit encrypts, which no store and no hash shows.
  fileprivate mutating func encrypt(_ attributes: Set<ElementPath>) {
    for place in models.indices {
      for index in models[place].properties.indices {
        let property = models[place].properties[index]
        guard attributes.contains(ElementPath(models[place].name, property.name)),
          var attribute = property.attribute
        else { continue }
        attribute.options.insert(.allowsCloudEncryption)
        models[place].properties[index].kind = .attribute(attribute)
      }
    }
  }
}

extension CoreDataModel {
  fileprivate var cloudEncrypted: Set<ElementPath> {
    Set(traits.filter { $0.kind == .cloudEncrypted }.map(\.element))
  }

  fileprivate var transformers: [ElementPath: StoreSchema.Transformer] {
    var found: [ElementPath: StoreSchema.Transformer] = [:]
    for trait in traits {
      guard case .transformed(let name?, let className?) = trait.kind,
        SwiftIdentifier.isValid(className)
      else { continue }
      found[trait.element] = StoreSchema.Transformer(name: name, className: className)
    }
    return found
  }

  /// What Core Data does in addition to storing values, and SwiftData does not do.
  fileprivate var notes: [StoreSchema.Note] {
    traits.compactMap { trait in
      let owner = ElementPath(trait.element.owner)
      let name = trait.element.member ?? ""
      var element = trait.element
      let clause: String?
      switch trait.kind {
      // A manifest cannot have such a property, so its entity gets the comment.
      case .fetchedProperty:
        element = owner
        clause =
          "has the fetched property '\(name)', which SwiftData does not have: fetch with a descriptor"
      case .transient:
        element = owner
        clause =
          "has the transient property '\(name)', which is in no store: declare it in the class, with '@Transient'"
      default: clause = trait.kind.clause
      }
      return clause.map { StoreSchema.Note(element: element, clause: $0) }
    }
  }
}

extension CoreDataModel.Trait.Kind {
  fileprivate var clause: String? {
    switch self {
    case .fetchedProperty, .transient, .transformed, .cloudEncrypted: nil
    case .validation: "has bounds that Core Data checks when it saves: SwiftData checks none"
    case .className(let name):
      "has the class '\(name)' in Core Data: in SwiftData the class has the entity's name"
    case .renamedEntity(let name): "was called '\(name)' in an older version"
    case .fetchRequest: "has a fetch request in the model: write it as a 'FetchDescriptor'"
    case .index: "has an index of an expression, which SwiftData cannot have"
    case .userInfo: "has the app's entries in 'User Info', which SwiftData does not keep"
    case .unreadDefault: "has a default that no literal expresses: write it here"
    }
  }
}
