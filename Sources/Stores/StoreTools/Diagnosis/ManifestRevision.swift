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
      let root = YAMLReader.read(source).root,
      let edits = EditList(version, root, from: candidate.model.model, to: store)?.edits,
      !edits.isEmpty
    else { return nil }
    var editor = YAMLEditor(source, root: root)
    guard editor.apply(edits), editor.isFaithful else { return nil }
    let text = editor.result
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

/// The edits of one manifest.
private struct EditList {
  private(set) var edits: [YAMLEdit] = []
  private let root: YAMLNode
  private let version: SchemaVersion
  /// Relationships that write `inverse:` now, and did not before.
  private var declaring: Set<ElementPath> = []

  /// Nil where a change is more than a few lines: a model that only the store has, an enum, a struct.
  init?(
    _ version: SchemaVersion, _ root: YAMLNode, from model: ManagedModel, to store: ManagedModel
  ) {
    self.root = root
    self.version = version
    let entities = model.entitiesByName
    let wanted = store.entitiesByName
    guard wanted.keys.allSatisfy({ entities[$0] != nil }) else { return nil }
    for (name, entity) in entities.sorted(by: { $0.key < $1.key }) {
      guard let other = wanted[name] else {
        edits.append(.remove(["models", .key(name)]))
        continue
      }
      guard let declared = version.model(named: name), entity.superentity == other.superentity,
        change(declared, from: entity, to: other)
      else { return nil }
    }
  }

  private mutating func change(
    _ model: Model, from entity: ManagedEntity, to other: ManagedEntity
  ) -> Bool {
    let path: YAMLPath = ["models", .key(model.name)]
    let own = Dictionary(entity.parts.map { ($0.name, $0) }) { first, _ in first }
    let parts = Dictionary(other.parts.map { ($0.name, $0) }) { first, _ in first }
    let singles = Set(other.uniqueness.filter { $0.count == 1 }.map { $0[0] })
    // A constraint of one property may stand in the list too.
    let listed = Set(model.uniques.map(\.names).filter { $0.count == 1 }.map { $0[0] })
    for name in Set(own.keys).union(parts.keys).sorted() {
      let place = path.appending("properties").appending(.key(name))
      switch (own[name], parts[name]) {
      case (_?, nil): edits.append(.remove(place))
      case (let old, let part?):
        let isUnique = singles.contains(name) && !listed.contains(name)
        let isSame = old.map { $0.hash(in: entity.name) == part.hash(in: entity.name) } ?? false
        let declared = model.property(named: name)
        let wasUnique = declared?.isUnique ?? false
        if isSame, isUnique == wasUnique { continue }
        guard
          let property = revised(
            ElementPath(model.name, name), declared, old, part, isUnique: isUnique)
        else { return false }
        guard let declared else {
          add(property, to: path.appending("properties"))
          continue
        }
        guard change(declared, to: property, at: place) else { return false }
      case (nil, nil): break
      }
    }
    return changeUniques(model, other, at: path)
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

  // MARK: YAML

  private mutating func add(_ property: Property, to path: YAMLPath) {
    let text = ManifestEdit.property(property)
    let keys = Self.keys(of: property)
    // What is only a type needs no braces.
    let value =
      keys.count == 1 && property.attribute != nil
      ? ManifestEdit.scalar(keys[0].1) : String(text.dropFirst(property.name.count + 2))
    edits.append(.add(key: property.name, value: value, to: path))
  }

  /// What of a property enters its hash, as a manifest says it.
  private static func keys(of property: Property) -> [(key: String, String)] {
    var keys: [(String, String)] = []
    switch property.kind {
    case .attribute(let attribute):
      keys.append(("type", attribute.type.description))
      for option in [Attribute.Option.unique, .externalStorage, .preserveValueOnDeletion]
      where attribute.options.contains(option) {
        keys.append((option.rawValue, "true"))
      }
    case .relationship(let relationship):
      keys.append(("relationship", relationship.type.description))
      if relationship.declaresInverse, let inverse = relationship.inverse {
        keys.append(("inverse", inverse.value))
      }
      if relationship.isUnique { keys.append(("unique", "true")) }
      if let minimum = relationship.minimum { keys.append(("minimum", "\(minimum)")) }
      if let maximum = relationship.maximum { keys.append(("maximum", "\(maximum)")) }
    }
    if let modifier = property.hashModifier { keys.append(("hashModifier", modifier)) }
    return keys
  }

  private mutating func change(_ old: Property, to new: Property, at path: YAMLPath) -> Bool {
    guard let node = root.node(at: path) else { return false }
    let before = Dictionary(Self.keys(of: old)) { first, _ in first }
    let after = Dictionary(Self.keys(of: new)) { first, _ in first }
    guard node.scalar == nil else {
      if after.count == 1, let type = after["type"] {
        let text = new.attribute?.defaultValue.map { "\(type) = \($0.text)" } ?? type
        edits.append(.replace(path, with: ManifestEdit.scalar(text)))
      } else {
        let whole = ManifestEdit.property(new)
        edits.append(.replace(path, with: String(whole.dropFirst(new.name.count + 2))))
      }
      return true
    }
    for key in Set(before.keys).union(after.keys).sorted() where before[key] != after[key] {
      let place = path.appending(.key(key))
      let isThere = root.node(at: place) != nil
      switch after[key] {
      case let value? where isThere:
        edits.append(.replace(place, with: ManifestEdit.scalar(value)))
      case let value?:
        edits.append(.add(key: key, value: ManifestEdit.scalar(value), to: path))
      case nil:
        // A hash modifier that the generator gave stands nowhere.
        if !isThere { return false }
        edits.append(.remove(place))
      }
    }
    return true
  }

  private mutating func changeUniques(
    _ model: Model, _ entity: ManagedEntity, at path: YAMLPath
  ) -> Bool {
    let own = model.uniques.map(\.names)
    let wanted = entity.uniqueness.filter { $0.count > 1 || own.contains($0) }
    guard Set(own) != Set(wanted) else { return true }
    let place = path.appending("unique")
    for (index, names) in own.enumerated() where !wanted.contains(names) {
      edits.append(.remove(place.appending(.index(index))))
    }
    let new = wanted.filter { !own.contains($0) }
    guard !new.isEmpty else { return true }
    let lists = new.map { "[\($0.joined(separator: ", "))]" }.joined(separator: ", ")
    if root.node(at: place) == nil {
      edits.append(.add(key: "unique", value: "[\(lists)]", to: path))
      return true
    }
    // What stays and what comes, in one line; strategies of the old ones would be lost.
    guard model.uniques.allSatisfy({ $0.dedupe == nil }) else { return false }
    edits.removeAll { edit in
      if case .remove(let removed) = edit { removed.parent == place } else { false }
    }
    let all = wanted.map { "[\($0.joined(separator: ", "))]" }.joined(separator: ", ")
    edits.append(.replace(place, with: "[\(all)]"))
    return true
  }
}
