internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel
internal import SchemaWorkspace

/// The lines of a manifest with which its version is the one that a store was written with.
///
/// It is made only where that is so: the manifests are read again with the edits, and have to give the store's hashes.
package struct ManifestRevision: Sendable {
  /// Lines that are exchanged for others.
  package struct LineEdit: Hashable, Sendable {
    /// The first of the old lines, or the one that the new ones come behind; from 1.
    package var line: Int
    package var old: [String]
    package var new: [String]
  }

  /// The manifest's path.
  package let file: String
  package let edits: [LineEdit]

  /// - Parameters:
  ///   - name: The version's name.
  ///   - store: The model that the store was written with.
  init?(_ folder: ManifestFolder, _ name: String, store: ManagedModel) {
    guard let version = folder.version(named: name), let path = version.location?.file,
      let source = folder.files.first(where: { $0.path == path }),
      let candidate = folder.candidates.first(where: { $0.name == name }),
      let wanted = StoreVersion(version, from: candidate.model.model, to: store)?.version,
      let text = ManifestRewrite(source, from: version, to: wanted)?.result, text != source.text
    else { return nil }
    let files = folder.files.filter { $0.path != path } + [SourceFile(path: path, text: text)]
    let read = SchemaFolder.read(folder.path, fileSystem: MemoryFiles(files))
    guard let evolution = read.evolution,
      let revised = StoreMatch.Candidate.all(of: evolution, folder: folder.path)
        .first(where: { $0.name == name }),
      revised.model.model.versionHashes == store.versionHashes
    else { return nil }
    file = path
    self.edits = Self.lines(from: source.text, to: text)
  }

  private static func lines(from old: String, to new: String) -> [LineEdit] {
    let before = old.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let after = new.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in after.difference(from: before) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var edits: [LineEdit] = []
    var (left, right) = (0, 0)
    while left < before.count || right < after.count {
      guard removed.contains(left) || inserted.contains(right) else {
        (left, right) = (left + 1, right + 1)
        continue
      }
      var edit = LineEdit(line: left + 1, old: [], new: [])
      while removed.contains(left) || inserted.contains(right) {
        if removed.contains(left) {
          edit.old.append(before[left])
          left += 1
        } else {
          edit.new.append(after[right])
          right += 1
        }
      }
      if edit.old.isEmpty { edit.line -= 1 }
      edits.append(edit)
    }
    return edits
  }
}

/// A version as a store's model has it.
private struct StoreVersion {
  private(set) var version: SchemaVersion
  /// Relationships that write `inverse:` now, and did not before.
  private var declaring: Set<ElementPath> = []

  /// Nil where a change is more than a few lines: a model that only the store has, an enum, a struct.
  init?(_ version: SchemaVersion, from model: ManagedModel, to store: ManagedModel) {
    self.version = version
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

  private mutating func changed(
    _ model: Model, from entity: ManagedEntity, to other: ManagedEntity
  ) -> Model? {
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
        guard let type = type(of: attribute, declared: value.type, old) else { return nil }
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

  private func type(
    of attribute: ManagedAttribute, declared: TypeReference, _ old: EntityPart?
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
        guard let plain = StoreSchema.plainType(of: attribute) else { return nil }
        named = plain
      }
    }
    return attribute.isOptional ? named.optionalized : named
  }
}
