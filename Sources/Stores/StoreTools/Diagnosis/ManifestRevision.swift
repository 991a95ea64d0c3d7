internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel
package import SchemaWorkspace

/// The lines of manifests with which a version is the one that a store was written with, and the next one goes on from it.
///
/// It is made only where that is so: the manifests are read again with the edits, and have to give the store's hashes, all
/// other versions as they are, and no error in another manifest that was not there.
package struct ManifestRevision: Encodable, Sendable {
  /// The version's own manifest first.
  package let changes: [FileChange]

  /// - Parameters:
  ///   - name: The version's name.
  ///   - store: The model that the store was written with.
  ///   - renames: What the version calls models of the store, where that is another name.
  init?(
    _ folder: ManifestFolder, _ name: String, store: ManagedModel, renames: [String: String]
  ) {
    guard let version = folder.version(named: name),
      let candidate = folder.candidates.first(where: { $0.name == name }),
      let wanted = StoreVersion(
        version, from: candidate.model.model, to: store, renames: renames,
        history: folder.history)
    else { return nil }
    var edited = [(from: version, to: wanted.version)]
    if let next = folder.history.first(where: { version.number < $0.number }) {
      let following = wanted.following(next)
      if following != next { edited.append((next, following)) }
    }
    var changes: [FileChange] = []
    var texts: [String: String] = [:]
    for (old, new) in edited {
      guard let path = old.location?.file,
        let source = folder.files.first(where: { $0.path == path }),
        let text = ManifestRewrite.text(of: source, from: old, to: new), text != source.text
      else { return nil }
      texts[path] = text
      changes.append(
        FileChange(
          action: .update, path: path, contents: Array(text.utf8), previous: source.bytes))
    }
    guard Self.isSound(folder, texts, version, store) else { return nil }
    self.changes = changes
  }

  /// A list of differences as `diff -u` writes them.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(changes.map { LineDifference($0).text })
  }

  /// Whether the manifests with other texts give the store's hashes, and are otherwise as they were.
  private static func isSound(
    _ folder: ManifestFolder, _ texts: [String: String], _ version: SchemaVersion,
    _ store: ManagedModel
  ) -> Bool {
    let files = folder.files.map { file in
      texts[file.path].map { SourceFile(path: file.path, text: $0) } ?? file
    }
    let read = SchemaFolder.read(folder.path, fileSystem: MemoryFiles(files))
    guard let evolution = read.evolution, let standing = folder.evolution else { return false }
    // What the version's own step lacks now, it lacked when it shipped; other versions must not be the worse for it.
    func errors(_ evolution: Evolution) -> Set<[String]> {
      Set(
        evolution.diagnostics
          .filter { $0.severity == .error && $0.location?.file != version.location?.file }
          .map { [$0.rule.id, $0.element ?? ""] })
    }
    guard errors(evolution).isSubset(of: errors(standing)) else { return false }
    let candidates = StoreMatch.Candidate.all(of: evolution, folder: folder.path)
      .filter { !$0.isBridge }
    let hashes = Dictionary(
      folder.candidates.map { ($0.name, $0.model.model.versionHashes) }
    ) { first, _ in first }
    return candidates.allSatisfy { candidate in
      let isIt = candidate.name == version.number.name
      let wanted = isIt ? store.versionHashes : hashes[candidate.name]
      return candidate.model.model.versionHashes == wanted
    }
  }
}

/// A version as a store's model has it.
private struct StoreVersion {
  private(set) var version: SchemaVersion
  /// Relationships that write `inverse:` now, and did not before.
  private var declaring: Set<ElementPath> = []
  private let history: [SchemaVersion]
  /// What the version called models of the store, where that is another name.
  private let models: [String: String]
  /// What the version called properties of the store, where that is another name.
  private var properties: [ElementPath: String] = [:]

  /// Nil where a change is more than a few lines: a model that only the store has, a type that nothing declares.
  init?(
    _ version: SchemaVersion, from model: ManagedModel, to store: ManagedModel,
    renames: [String: String], history: [SchemaVersion]
  ) {
    self.version = version
    self.history = history
    models = renames
    var model = model
    for (name, old) in renames {
      model = model.renaming(old, to: name)
      self.version.rename(old, to: name)
    }
    let entities = model.entitiesByName
    let wanted = store.entitiesByName
    guard wanted.keys.allSatisfy({ entities[$0] != nil }) else { return nil }
    for (name, entity) in entities.sorted(by: { $0.key < $1.key }) {
      guard let other = wanted[name] else {
        self.version.models.removeAll { $0.name == name }
        continue
      }
      guard let place = self.version.models.firstIndex(where: { $0.name == name }),
        entity.superentity == other.superentity,
        let changed = changed(self.version.models[place], from: entity, to: other)
      else { return nil }
      self.version.models[place] = changed
    }
  }

  /// The version after it, which takes what has another name now from there.
  func following(_ next: SchemaVersion) -> SchemaVersion {
    var next = next
    for place in next.models.indices {
      let name = next.models[place].name
      let former = models.first { $0.value == name }?.key
      if let former, next.models[place].sources.isEmpty,
        !next.models.contains(where: { $0.name == former })
      {
        next.models[place].sources = [Located(former)]
        next.models[place].isRenamed = true
      }
      for (path, old) in properties.sorted(by: { $0.key < $1.key })
      where path.owner == former ?? name {
        guard let member = path.member else { continue }
        next.models[place].properties.take(member, calledBefore: old)
      }
    }
    return next
  }

  /// A model whose properties have the names that the store has for them, where they are the same otherwise.
  private mutating func renamed(
    _ model: Model, from entity: inout ManagedEntity, to other: ManagedEntity
  ) -> Model {
    var model = model
    let names = Set(entity.parts.map(\.name))
    let wanted = Set(other.parts.map(\.name))
    for part in other.parts where !names.contains(part.name) {
      let hash = part.hash(in: entity.name)
      let fitting = entity.parts.filter {
        !wanted.contains($0.name) && $0.named(part.name).hash(in: entity.name) == hash
      }
      guard fitting.count == 1, let old = fitting.first?.name,
        let place = model.properties.firstIndex(where: { $0.name == old })
      else { continue }
      entity.rename(old, to: part.name)
      model.properties[place].name = part.name
      for index in model.uniques.indices {
        for name in model.uniques[index].properties.indices
        where model.uniques[index].properties[name].value == old {
          model.uniques[index].properties[name] = Located(part.name)
        }
      }
      properties[ElementPath(entity.name, part.name)] = old
    }
    return model
  }

  private mutating func changed(
    _ declared: Model, from entity: ManagedEntity, to other: ManagedEntity
  ) -> Model? {
    var entity = entity
    let model = renamed(declared, from: &entity, to: other)
    var changed = model
    let own = Dictionary(entity.parts.map { ($0.name, $0) }) { first, _ in first }
    let parts = Dictionary(other.parts.map { ($0.name, $0) }) { first, _ in first }
    let singles = Set(other.uniqueness.filter { $0.count == 1 }.map { $0[0] })
    // A constraint of one property may stand in the list too.
    let listed = Set(model.uniques.map(\.names).filter { $0.count == 1 }.map { $0[0] })
    for name in Set(own.keys).union(parts.keys).sorted() {
      guard let part = parts[name] else {
        changed.properties.removeAll { $0.name == name }
        continue
      }
      let old = own[name]
      let isUnique = singles.contains(name) && !listed.contains(name)
      let isSame = old.map { $0.hash(in: entity.name) == part.hash(in: entity.name) } ?? false
      let declared = model.property(named: name)
      if isSame, isUnique == (declared?.isUnique ?? false) { continue }
      guard
        let property = revised(
          ElementPath(model.name, name), declared, old, part, isUnique: isUnique)
      else { return nil }
      if let place = changed.properties.firstIndex(where: { $0.name == name }) {
        changed.properties[place] = property
      } else {
        changed.properties.append(property)
      }
    }
    let wanted = other.uniqueness.filter { $0.count > 1 || listed.contains($0[0]) }
    if Set(model.uniques.map(\.names)) != Set(wanted) {
      changed.uniques.removeAll { !wanted.contains($0.names) }
      let kept = changed.uniques.map(\.names)
      changed.uniques += wanted.filter { !kept.contains($0) }.map { names in
        UniqueConstraint(properties: names.map { Located($0) })
      }
    }
    return changed
  }

  /// A property as the store had it; nil where its type has to be declared.
  private mutating func revised(
    _ path: ElementPath, _ declared: Property?, _ old: EntityPart?, _ part: EntityPart,
    isUnique: Bool
  ) -> Property? {
    switch part {
    case .attribute(let attribute):
      guard
        var value = declared?.attribute
          ?? StoreSchema.plainType(of: attribute).map({ Attribute(type: $0) })
      else { return nil }
      if declared != nil {
        guard let type = type(of: attribute, at: path, declared: value.type, old) else {
          return nil
        }
        value.type = type
        // No store tells a default, and one of another type would not compile.
        if let literal = value.defaultValue?.literal, type.accepts(literal) == false {
          value.defaultValue = nil
        }
      } else if attribute.isOptional {
        value.type = value.type.optionalized
      }
      set(.externalStorage, attribute.isExternal, &value)
      set(.preserveValueOnDeletion, attribute.isPreservedOnDeletion, &value)
      set(.unique, isUnique, &value)
      var property =
        declared ?? Property(name: attribute.name, kind: .attribute(value))
      property.kind = .attribute(value)
      if attribute.type != .composite { property.hashModifier = attribute.hashModifier }
      return property
    case .relationship(let relationship):
      if declared?.attribute != nil { return nil }
      var link = declared?.relationship ?? Relationship(destination: Located(""), cardinality: .one)
      link.destination = Located(relationship.destination)
      link.cardinality = Relationship.Cardinality(
        isMany: relationship.isToMany, isOptional: relationship.isOptional)
      if link.inverse?.value != relationship.inverse {
        link.inverse = relationship.inverse.map { Located($0) }
        link.declaresInverse = declaresInverse(path, relationship)
      }
      if relationship.isToMany {
        if (link.minimum ?? 0) != relationship.minimumCount {
          link.minimum = relationship.minimumCount
        }
        if (link.maximum ?? 0) != relationship.maximumCount {
          link.maximum = relationship.maximumCount
        }
      }
      link.isUnique = isUnique
      var property =
        declared
        ?? Property(
          name: relationship.name, kind: .relationship(link), mapping: EntityMapping(form: .omit))
      property.kind = .relationship(link)
      property.hashModifier = relationship.hashModifier
      return property
    }
  }

  /// One end writes `inverse:`, not both.
  private mutating func declaresInverse(
    _ path: ElementPath, _ relationship: ManagedRelationship
  ) -> Bool {
    guard let inverse = relationship.inverse else { return false }
    let other = ElementPath(relationship.destination, inverse)
    let end = version.property(at: other)?.relationship
    let isDeclared = end?.declaresInverse == true && end?.inverse?.value == path.member
    guard !isDeclared, !declaring.contains(other) else { return false }
    declaring.insert(path)
    return true
  }

  private func set(_ option: Attribute.Option, _ isOn: Bool, _ attribute: inout Attribute) {
    if isOn { attribute.options.insert(option) } else { attribute.options.remove(option) }
  }

  private mutating func type(
    of attribute: ManagedAttribute, at path: ElementPath, declared: TypeReference,
    _ old: EntityPart?
  ) -> TypeReference? {
    guard case .attribute(let own)? = old else { return nil }
    var named = declared.unwrapped
    if own.type != attribute.type
      || attribute.type == .composite && own.elements != attribute.elements
    {
      // What a struct of another optionality comes to is its elements.
      let isSameStruct =
        own.type == attribute.type && own.elements.map(\.name) == attribute.elements.map(\.name)
        && own.isOptional != attribute.isOptional
      if !isSameStruct {
        if let plain = StoreSchema.plainType(of: attribute) {
          named = plain
        } else if own.type == .composite, redeclare(named, as: attribute) {
          // The type has another declaration now.
        } else if let known = enumeration(of: attribute, at: path) {
          named = known
        } else {
          return nil
        }
      }
    }
    return attribute.isOptional ? named.optionalized : named
  }

  /// Gives a type the cases or the fields that a store has of it; false where these are not told.
  private mutating func redeclare(
    _ type: TypeReference, as attribute: ManagedAttribute
  ) -> Bool {
    guard let place = version.types.firstIndex(where: { $0.name == type.description }) else {
      return false
    }
    switch version.types[place].kind {
    case .opaque: return false
    case .enumeration(let rawType?, let cases):
      guard let raw = attribute.rawValueElement, let plain = StoreSchema.plainType(of: raw),
        plain != rawType
      else { return false }
      version.types[place].kind = .enumeration(rawType: plain, cases: cases)
    case .enumeration(nil, let cases):
      let names = attribute.elements.map(\.name)
      let kept = cases.filter { names.contains($0.name) }
      let new = names.filter { name in !cases.contains { $0.name == name } }
      version.types[place].kind = .enumeration(
        rawType: nil, cases: kept + new.map { EnumCase(name: $0) })
    case .structure(let fields):
      var found: [StructField] = []
      for element in attribute.elements {
        guard var plain = StoreSchema.plainType(of: element) else { return false }
        // Where the property is optional, all its columns are.
        if element.isOptional, !attribute.isOptional { plain = plain.optionalized }
        found.append(StructField(name: element.name, type: plain))
      }
      let names = found.map(\.name)
      let kept = fields.filter { names.contains($0.name) }.map { field in
        attribute.isOptional ? field : found.first { $0.name == field.name } ?? field
      }
      version.types[place].kind = .structure(
        fields: kept + found.filter { field in !fields.contains { $0.name == field.name } })
    }
    return true
  }

  /// The enum that another version has for a property, declared in this one too; nil where none has.
  private mutating func enumeration(
    of attribute: ManagedAttribute, at path: ElementPath
  ) -> TypeReference? {
    guard let raw = attribute.rawValueElement, let plain = StoreSchema.plainType(of: raw) else {
      return nil
    }
    for other in history {
      guard let type = other.property(at: path)?.attribute?.type.unwrapped,
        let declaration = other.type(named: type.description),
        case .enumeration(let rawType?, _) = declaration.kind, rawType == plain
      else { continue }
      if version.type(named: declaration.name) == nil { version.types.append(declaration) }
      return type
    }
    return nil
  }
}

extension SchemaVersion {
  /// Gives a model another name, wherever it is named.
  fileprivate mutating func rename(_ old: String, to name: String) {
    for place in models.indices {
      if models[place].name == old { models[place].name = name }
      if models[place].superclass?.value == old { models[place].superclass = Located(name) }
      for index in models[place].properties.indices {
        guard var link = models[place].properties[index].relationship,
          link.destination.value == old
        else { continue }
        link.destination = Located(name)
        models[place].properties[index].kind = .relationship(link)
      }
    }
  }
}

extension [Property] {
  /// Lets the property that went on from one go on from it under another name.
  fileprivate mutating func take(_ name: String, calledBefore old: String) {
    for index in indices {
      let sources = self[index].migration.from.map(\.value)
      let isFormer = self[index].migration.renamedFrom?.value == old
      if isFormer || sources == [old] {
        // Where it has that name itself, there is nothing to say.
        let source = self[index].name == name ? nil : Located(name)
        if isFormer {
          self[index].migration.renamedFrom = source
        } else {
          self[index].migration.from = source.map { [$0] } ?? []
        }
      } else if self[index].name == old, self[index].migration == PropertyMigration(),
        !contains(where: { $0.name == name })
      {
        self[index].migration.renamedFrom = Located(name)
      }
    }
  }
}
