internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel

/// A version whose models are what the app's classes say, with what only its manifest can say.
///
/// From the classes comes all that a store holds, and what stands in Swift anyway: names, types, defaults, options,
/// relationships, constraints, documentation. From the manifest comes the rest: the entity, how values appear in it, and
/// the keys of the step. The manifest's order stays, and what is new stands behind it.
struct ClassMerge {
  private(set) var version: SchemaVersion
  /// Models and properties of the manifest that the classes call by another name, as `originalName` and comments say.
  private(set) var renames: [ElementPath: String] = [:]
  private let comments: ClassComments
  /// The version before as its manifest says it: what a comment said of that step is done.
  private let earlier: SchemaVersion?
  /// The version before as its classes are, original names in place; nil for the first.
  private let before: SchemaVersion?

  /// - Parameters:
  ///   - evolution: With at least one version; its newest is the one whose models the classes are.
  ///   - classes: The app's, with the comments beside them.
  init(_ evolution: Evolution, _ classes: LiveClasses) {
    let last = evolution.history.count - 1
    func physical(_ index: Int) -> SchemaVersion {
      evolution.chain[evolution.positions[index]].schema
    }
    let manifest = evolution.history[last]
    let written = classes.version
    let demanded = physical(last)
    before = last > 0 ? physical(last - 1) : nil
    earlier = last > 0 ? evolution.history[last - 1] : nil
    comments = classes.comments
    version = manifest
    let known = Dictionary(written.models, keyedBy: \.name)
    // A class that a comment calls another's new name has that one's place.
    var renamed: [String: Model] = [:]
    for model in written.models where manifest.model(named: model.name) == nil {
      guard let old = comments.said[ElementPath(model.name)]?.model, old.isRenamed,
        let source = old.sources.first?.value, known[source] == nil,
        manifest.model(named: source) != nil
      else { continue }
      renamed[source] = model
      renames[ElementPath(source)] = model.name
    }
    version.models = manifest.models.compactMap { model in
      (known[model.name] ?? renamed[model.name]).map {
        merged(model, $0, demanded.model(named: model.name))
      }
    }
    let names = Set(renamed.values.map(\.name))
    version.models += written.models.filter {
      manifest.model(named: $0.name) == nil && !names.contains($0.name)
    }.map(commented)
    let types = Dictionary(written.types, keyedBy: \.name)
    version.types = manifest.types.compactMap { type in types[type.name].map { merged(type, $0) } }
    version.types += written.types.filter { manifest.type(named: $0.name) == nil }
    for drop in comments.drops where !(earlier?.drops.contains { $0.says(drop) } ?? false) {
      if let place = version.drops.firstIndex(where: { $0.element.value == drop.element.value }) {
        version.drops[place].take(drop)
      } else {
        version.drops.append(drop)
      }
    }
  }

  // MARK: Comments

  /// A new model with what comments say of it.
  private func commented(_ model: Model) -> Model {
    var model = model
    take(&model)
    for place in model.properties.indices {
      take(&model.properties[place], of: model.name, earlier: nil)
    }
    return model
  }

  /// Takes over what a comment says of a model.
  private func take(_ model: inout Model) {
    guard let written = comments.said[ElementPath(model.name)]?.model else { return }
    model.entity = written.entity ?? model.entity
    let known = earlier?.model(named: model.name)
    guard !written.sources.isEmpty, written.sources != known?.sources else { return }
    model.sources = written.sources
    model.isRenamed = written.isRenamed
  }

  /// Takes over what a comment says of a property.
  private func take(_ property: inout Property, of model: String, earlier: Property?) {
    guard let said = comments.said[ElementPath(model, property.name)],
      let written = said.property
    else { return }
    for key in said.keys {
      // What was said of the step before is done.
      if let earlier,
        ManifestRewrite.value(of: key, in: earlier) == ManifestRewrite.value(of: key, in: written)
      {
        continue
      }
      switch key {
      case "renamedFrom": property.migration.renamedFrom = written.migration.renamedFrom
      case "from": property.migration.from = written.migration.from
      case "convert": property.migration.convert = written.migration.convert
      case "revert": property.migration.revert = written.migration.revert
      case "fill": property.migration.fill = written.migration.fill
      case "inEntity": property.mapping.form = written.mapping.form
      case "entityProperty": property.mapping.name = written.mapping.name
      case "sortedBy": property.mapping.sortedBy = written.mapping.sortedBy
      default:
        guard case .attribute(var attribute) = property.kind, let other = written.attribute else {
          continue
        }
        switch key {
        case "dedupe": attribute.dedupe = other.dedupe
        case "fallback": attribute.fallback = other.fallback
        default: attribute.encodes = other.encodes
        }
        property.kind = .attribute(attribute)
      }
    }
  }

  // MARK: Models

  private mutating func merged(_ said: Model, _ written: Model, _ physical: Model?) -> Model {
    var model = written
    model.entity = said.entity
    model.sources = said.sources
    model.isRenamed = said.isRenamed
    for place in model.uniques.indices {
      let names = model.uniques[place].names
      model.uniques[place].dedupe = said.uniques.first { $0.names == names }?.dedupe
    }
    take(&model)
    let earlier = self.earlier?.model(named: model.isRenamed ? said.name : model.name)
    let names = names(said, written)
    for (old, new) in names where old != new { renames[ElementPath(said.name, old)] = new }
    model.properties = said.properties.compactMap { property in
      names[property.name].flatMap(written.property).map {
        merged(property, $0, physical?.property(named: property.name), of: said)
      }
    }
    let kept = Set(names.values)
    model.properties += written.properties.filter { !kept.contains($0.name) }
      .map { declaringRename($0, of: said) }
    for place in model.properties.indices {
      let known = earlier?.property(named: model.properties[place].name)
      take(&model.properties[place], of: model.name, earlier: known)
    }
    return model
  }

  /// What the class calls the manifest's properties; those that it has no more are left out.
  private func names(_ said: Model, _ written: Model) -> [String: String] {
    var names: [String: String] = [:]
    for property in said.properties where written.property(named: property.name) != nil {
      names[property.name] = property.name
    }
    for property in written.properties where said.property(named: property.name) == nil {
      guard let source = source(of: property, of: said) else { continue }
      // Under the name of the version before, or under one that the same rename has had until now.
      let old = said.properties.first {
        names[$0.name] == nil
          && ($0.migration.renamedFrom.map { $0.value == source } ?? ($0.name == source))
      }
      if let old { names[old.name] = property.name }
    }
    return names
  }

  private func merged(
    _ said: Property, _ written: Property, _ physical: Property?, of model: Model
  ) -> Property {
    var property = written
    if (said.relationship == nil) == (written.relationship == nil) {
      property.mapping = said.mapping
    }
    property.migration = said.migration
    switch (property.kind, said.kind) {
    case (.attribute(var attribute), .attribute(let known)):
      attribute.encodes = known.encodes
      attribute.fallback = known.fallback
      attribute.dedupe = known.dedupe
      property.kind = .attribute(attribute)
    case (.relationship(var relationship), .relationship(let known))
    where relationship.inverse?.value == known.inverse?.value
      && relationship.destination.value == known.destination.value:
      // Which end declares it makes no difference.
      relationship.declaresInverse = known.declaresInverse
      property.kind = .relationship(relationship)
    default: break
    }
    // What follows from the steps before stands in no manifest.
    if written.hashModifier == physical?.hashModifier { property.hashModifier = said.hashModifier }
    if written.name == said.name, written.originalName == physical?.originalName {
      property.originalName = said.originalName
      return property
    }
    return declaringRename(property, of: model)
  }

  /// A property with the step's key for what its original name says.
  private func declaringRename(_ property: Property, of model: Model) -> Property {
    guard let source = source(of: property, of: model) else { return property }
    var property = property
    property.originalName = nil
    if source != property.name, property.migration.from.isEmpty {
      property.migration.renamedFrom = Located(source)
    }
    return property
  }

  /// What the version before calls the property whose original name a class gives.
  private func source(of property: Property, of model: Model) -> String? {
    guard let original = property.originalName else { return nil }
    let name = model.isRenamed ? model.sources.first?.value ?? model.name : model.name
    let stored = before?.model(named: name)?.properties.filter(\.isStored) ?? []
    // The first name that any store knew is the engine's; the last is what people remember.
    return
      (stored.first { ($0.originalName ?? $0.name) == original }
      ?? stored.first { $0.name == original })?.name
  }

  // MARK: Types

  private func merged(
    _ said: ValueTypeDeclaration, _ written: ValueTypeDeclaration
  ) -> ValueTypeDeclaration {
    var type = written
    // What no file of the app's declares is generated.
    if !said.isOwn, written.kind == .opaque, said.kind != .opaque { return said }
    // What an opaque type is made of, the manifest leaves to the app.
    if said.kind == .opaque { type.kind = .opaque }
    switch type.kind {
    case .enumeration(let raw, let cases):
      let cases = Self.arranged(cases, as: said.cases, by: \.name).map { written in
        var found = written
        found.renamedFrom = said.cases.first { $0.name == written.name }?.renamedFrom
        return found
      }
      type.kind = .enumeration(rawType: raw, cases: cases)
    case .structure(let fields):
      type.kind = .structure(fields: Self.arranged(fields, as: said.fields, by: \.name))
    case .opaque: break
    }
    return type
  }

  /// Parts in the order in which the manifest has them, and new ones behind: no store knows of an order.
  private static func arranged<Part>(
    _ parts: [Part], as known: [Part], by name: (Part) -> String
  ) -> [Part] {
    let places = Dictionary(known.enumerated().map { (name($0.element), $0.offset) }) { $1 }
    return parts.filter { places[name($0)] != nil }
      .sorted { places[name($0)] ?? 0 < places[name($1)] ?? 0 }
      + parts.filter { places[name($0)] == nil }
  }
}

extension Drop {
  /// Takes over what a comment says; what it leaves out stays.
  fileprivate mutating func take(_ comment: Drop) {
    acknowledgement = comment.acknowledgement
    revert = comment.revert ?? revert
    replacedBy = comment.replacedBy ?? replacedBy
    if !comment.notCarriedTo.isEmpty { notCarriedTo = comment.notCarriedTo }
  }

  /// Whether two say the same of the same.
  fileprivate func says(_ other: Drop) -> Bool {
    element.value == other.element.value && acknowledgement == other.acknowledgement
  }
}
