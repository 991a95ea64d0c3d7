internal import SchemaModel

/// A model of the newer version, and an older model that its rows come from.
struct ModelPairing: Sendable {
  let old: Model
  let new: Model
  let properties: PropertyPairing
}

/// Which model and property of the newer version continues which of the older version.
///
/// It uses names and the declarations in the newer manifest; nothing is guessed.
struct StepPairing: Sendable {
  let old: SchemaVersion
  let new: SchemaVersion
  let oldModels: [String: Model]
  let newModels: [String: Model]
  /// The newer version's models that are new or changed, sorted by name. Most steps have few, and all changes are in
  /// these.
  let changed: [Model]
  /// The names of all other models.
  let unchanged: Set<String>
  private var pairs: [String: [ModelPairing]] = [:]
  private(set) var partLinks = PartLinks()

  init(from old: SchemaVersion, to new: SchemaVersion) {
    self.old = old
    self.new = new
    oldModels = Dictionary(old.models, keyedBy: \.name)
    newModels = Dictionary(new.models, keyedBy: \.name)
    var unchanged: Set<String> = []
    for model in new.models where oldModels[model.name] == model && !model.hasStep {
      unchanged.insert(model.name)
    }
    self.unchanged = unchanged
    changed = new.models.filter { !unchanged.contains($0.name) }.sorted { $0.name < $1.name }
    for model in changed {
      pairs[model.name] = origins(of: model).map { pair($0, model) }
    }
    partLinks = PartLinks(self)
  }

  func isUnchanged(_ model: String) -> Bool { unchanged.contains(model) }

  /// The model of the older version whose rows these are; nil for an added or a derived model.
  func predecessor(of model: Model) -> Model? {
    if model.isRenamed, let source = model.sources.first { return oldModels[source.value] }
    return model.sources.isEmpty ? oldModels[model.name] : nil
  }

  /// The older version's models that an added model's rows are made from.
  func sources(of model: Model) -> [Model] { model.sources.compactMap { oldModels[$0.value] } }

  /// The older version's models whose rows these are: the predecessor, or the sources.
  func origins(of model: Model) -> [Model] {
    predecessor(of: model).map { [$0] } ?? sources(of: model)
  }

  /// A model of the newer version with each of its origins, and how their properties relate.
  func pairs(of model: Model) -> [ModelPairing] {
    pairs[model.name] ?? origins(of: model).map { pair($0, model) }
  }

  /// A model of the newer version with its predecessor; nil for an added or a derived model.
  func pair(of model: Model) -> ModelPairing? {
    predecessor(of: model) == nil ? nil : pairs(of: model).first
  }

  /// A model of the older version with its successor; nil if it was removed, or others are made from it.
  func pair(ofOld model: String) -> ModelPairing? {
    new.models.first { predecessor(of: $0)?.name == model }.flatMap(pair)
  }

  /// The model that has all rows of a model afterwards; nil if it was split or removed.
  func successor(of model: String) -> Model? {
    if let same = newModels[model], same.sources.isEmpty { return same }
    let successors = successors(of: model)
    return successors.count == 1 ? successors[0] : nil
  }

  /// The models of the newer version that take rows from a model with another name.
  func successors(of model: String) -> [Model] {
    new.models.filter { $0.sources.contains { $0.value == model } }
  }

  /// The models of the newer version that take rows of a model: those made from it, and those made from its superclass,
  /// whose rows include its own.
  func takers(of model: Model) -> [Model] {
    ([model] + model.ancestors { oldModels[$0] }).flatMap { successors(of: $0.name) }
  }

  /// Whether rows of a model of the older version continue, in that model or in others.
  func continues(_ model: String) -> Bool {
    if let same = newModels[model], same.sources.isEmpty { return true }
    return oldModels[model].map { !takers(of: $0).isEmpty } ?? false
  }

  /// Whether a relationship's destination is transferred to another model, so that its links are set again.
  func isFollowed(_ old: Property, _ new: Property) -> Bool {
    guard let was = old.relationship, let now = new.relationship else { return false }
    return was.destination != now.destination
      && successors(of: was.destination.value).contains { $0.name == now.destination.value }
  }

  /// Whether a property's values can continue; a transient property has no stored values.
  private static func continues(_ old: Property, _ new: Property) -> Bool {
    old.isStored || !new.isStored
  }

  /// Whether a value of another form replaces a column and a fill defines it: the engine drops the old column, and the
  /// new columns are NULL in every row (docs/facts/migration.md#plain-to-composite).
  private func isReplaced(_ old: Property, _ new: Property) -> Bool {
    guard new.migration.fill != nil, let was = old.attribute, let now = new.attribute,
      was.type.unwrapped != now.type.unwrapped
    else { return false }
    func hasLeaves(_ attribute: Attribute, in version: SchemaVersion) -> Bool {
      StorageTypes(version: version)
        .form(of: attribute.type, transformable: attribute.transformer != nil).hasLeaves
    }
    return hasLeaves(was, in: self.old) != hasLeaves(now, in: self.new)
  }

  /// The properties that a model inherits, in the initialiser's order, at the older version's end of the step:
  /// ancestors that both versions have are the older ones.
  func inherited(by model: Model) -> [Property] {
    model.inheritedProperties { oldModels[$0] ?? newModels[$0] }
  }

  /// A model of the older version including the properties that it inherits.
  func withInherited(_ model: Model) -> Model {
    guard model.superclass != nil else { return model }
    var whole = model
    whole.properties = inherited(by: model) + model.properties
    return whole
  }

  private func pair(_ old: Model, _ new: Model) -> ModelPairing {
    ModelPairing(
      old: old, new: new, properties: properties(from: old.properties, to: new.properties))
  }

  func properties(from old: [Property], to new: [Property]) -> PropertyPairing {
    let olds = Dictionary(old, keyedBy: \.name)
    let renamed = Set(new.compactMap { $0.migration.renamedFrom?.value })
    var pairing = PropertyPairing()
    var continued: Set<String> = []
    var consumed: Set<String> = []
    for property in new {
      if let source = property.migration.renamedFrom, let was = olds[source.value],
        Self.continues(was, property)
      {
        pairing.continued.append((was, property))
        continued.insert(was.name)
      } else if !property.migration.from.isEmpty {
        let sources = property.migration.from.compactMap { olds[$0.value] }
        pairing.converted.append((sources, property))
        consumed.formUnion(sources.map(\.name))
      } else if property.migration.renamedFrom == nil, !renamed.contains(property.name),
        let was = olds[property.name], Self.continues(was, property), !isReplaced(was, property)
      {
        pairing.continued.append((was, property))
        continued.insert(was.name)
      } else {
        pairing.added.append(property)
      }
    }
    for property in old where !continued.contains(property.name) {
      if consumed.contains(property.name) {
        pairing.consumed.append(property)
      } else {
        pairing.removed.append(property)
      }
    }
    return pairing
  }
}

/// How the properties of one model relate to those of its predecessor.
struct PropertyPairing: Sendable {
  /// Properties with the same values, perhaps renamed or with other changes.
  var continued: [(old: Property, new: Property)] = []
  /// Properties whose values are made from other values.
  var converted: [(sources: [Property], new: Property)] = []
  var added: [Property] = []
  /// Properties that were removed with their values.
  var removed: [Property] = []
  /// Properties that were removed and whose values a conversion uses.
  var consumed: [Property] = []

  /// New names by old ones, if they differ.
  var renames: [String: String] {
    var renames: [String: String] = [:]
    for (old, new) in continued where old.name != new.name { renames[old.name] = new.name }
    return renames
  }
}

extension Model {
  /// The model with its constraints and indexes under new property names.
  func renamingConstraints(_ renames: [String: String]) -> Model {
    guard !renames.isEmpty else { return self }
    var model = self
    for index in model.uniques.indices {
      model.uniques[index].properties = model.uniques[index].properties.map {
        Located(renames[$0.value] ?? $0.value, at: $0.location)
      }
    }
    for index in model.indexes.indices {
      model.indexes[index].properties = model.indexes[index].properties.map {
        Located(renames[$0.value] ?? $0.value, at: $0.location)
      }
    }
    return model
  }
}
