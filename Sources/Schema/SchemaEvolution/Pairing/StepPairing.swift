internal import SchemaModel

/// A model of the newer version with an older model from which its rows come.
struct ModelPairing: Sendable {
  let old: Model
  let new: Model
  let properties: PropertyPairing
}

/// The models and properties of the newer version with those that they continue.
///
/// The pairing follows from names and from declarations in the newer manifest. Nothing is guessed.
struct StepPairing: Sendable {
  let old: SchemaVersion
  let new: SchemaVersion
  let oldModels: [String: Model]
  let newModels: [String: Model]
  /// The newer version's models that are new or changed, sorted by name. All differences are in these models, and most
  /// steps have few.
  let changed: [Model]
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

  /// The older version's model that has the rows of a newer one; `nil` for an added or a derived model.
  func predecessor(of model: Model) -> Model? {
    if model.isRenamed, let source = model.sources.first { return oldModels[source.value] }
    return model.sources.isEmpty ? oldModels[model.name] : nil
  }

  func sources(of model: Model) -> [Model] { model.sources.compactMap { oldModels[$0.value] } }

  func origins(of model: Model) -> [Model] {
    predecessor(of: model).map { [$0] } ?? sources(of: model)
  }

  func pairs(of model: Model) -> [ModelPairing] {
    pairs[model.name] ?? origins(of: model).map { pair($0, model) }
  }

  func pair(of model: Model) -> ModelPairing? {
    predecessor(of: model) == nil ? nil : pairs(of: model).first
  }

  /// The pair of an older model and its successor; `nil` if the model was removed, or if other models are made from it.
  func pair(ofOld model: String) -> ModelPairing? {
    new.models.first { predecessor(of: $0)?.name == model }.flatMap(pair)
  }

  /// The newer model that has all rows of an older one; `nil` if the older model was split or removed.
  func successor(of model: String) -> Model? {
    if let same = newModels[model], same.sources.isEmpty { return same }
    let successors = successors(of: model)
    return successors.count == 1 ? successors[0] : nil
  }

  /// The newer models that take rows from an older model with another name.
  func successors(of model: String) -> [Model] {
    new.models.filter { $0.sources.contains { $0.value == model } }
  }

  /// The newer models that take rows of an older model. They are made from the model or from its superclass, whose rows
  /// include the model's rows.
  func takers(of model: Model) -> [Model] {
    ([model] + model.ancestors { oldModels[$0] }).flatMap { successors(of: $0.name) }
  }

  func continues(_ model: String) -> Bool {
    if let same = newModels[model], same.sources.isEmpty { return true }
    return oldModels[model].map { !takers(of: $0).isEmpty } ?? false
  }

  /// Whether the rows of a relationship's destination are transferred to another model, so links must be set again.
  func isFollowed(_ old: Property, _ new: Property) -> Bool {
    guard let was = old.relationship, let now = new.relationship else { return false }
    return was.destination != now.destination
      && successors(of: was.destination.value).contains { $0.name == now.destination.value }
  }

  /// Whether a property's values can continue. A transient property has no stored values.
  private static func continues(_ old: Property, _ new: Property) -> Bool {
    old.isStored || !new.isStored
  }

  /// Whether a fill replaces the values because a plain column becomes a composite, or the reverse. The engine drops
  /// the old column, and the new columns are NULL in every row (docs/facts/migration.md#plain-to-composite).
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

  /// The properties that a model inherits, in the initialiser's order, from the older version's ancestors. An ancestor
  /// that only the newer version has is included.
  func inherited(by model: Model) -> [Property] {
    model.inheritedProperties { oldModels[$0] ?? newModels[$0] }
  }

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

/// The pairing of one model's properties with those of its predecessor.
struct PropertyPairing: Sendable {
  /// Properties that keep their values. Their names may differ, among other things.
  var continued: [(old: Property, new: Property)] = []
  var converted: [(sources: [Property], new: Property)] = []
  var added: [Property] = []
  /// Removed properties whose values no conversion uses.
  var removed: [Property] = []
  /// Removed properties whose values a conversion uses.
  var consumed: [Property] = []

  var renames: [String: String] {
    var renames: [String: String] = [:]
    for (old, new) in continued where old.name != new.name { renames[old.name] = new.name }
    return renames
  }
}

extension Model {
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
