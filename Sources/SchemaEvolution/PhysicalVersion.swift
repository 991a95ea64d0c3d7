package import SchemaModel

/// A version as stores know it: a manifest's, or a bridge between two.
package struct PhysicalVersion: Sendable {
  package enum Role: Hashable, Sendable {
    /// The version of that index in the history.
    case version(Int)
    /// The bridge on the way to the version of that index; a way has one or two.
    case bridge(to: Int, step: Int)
  }

  package var role: Role
  /// The Swift enum's name: `SchemaV9`, `SchemaV8ToV9`.
  package var name: String
  package var identifier: VersionNumber
  /// The models with everything resolved that the framework looks at: original names and hash modifiers.
  package var schema: SchemaVersion
  /// Older names of properties that go on under another name: model → name → older name.
  var renames: [String: [String: String]] = [:]
  /// Models and properties that share a name with older ones and have nothing else to do with them.
  var breaks: Set<ElementPath> = []

  package var isBridge: Bool {
    if case .bridge = role { return true }
    return false
  }
}

/// Lays out the versions that the framework sees, bridges included, and resolves what only the whole chain can tell.
struct PhysicalChain {
  private(set) var versions: [PhysicalVersion] = []
  /// For each version of the history, its place in `versions`.
  private(set) var positions: [Int] = []

  init(
    history: [SchemaVersion], pairings: [HopPairing], plans: [HopPlan], names: NamePatterns
  ) {
    for (index, version) in history.enumerated() {
      if index > 0 {
        append(bridges: plans[index - 1], pairings[index - 1], names)
      }
      var physical = PhysicalVersion(
        role: .version(index), name: names.schema(version.number), identifier: version.number,
        schema: version.withoutStep)
      if index > 0 {
        let plan = plans[index - 1]
        physical.renames =
          plan.bridges == 2
          ? plan.bridgeNames : Self.renames(pairings[index - 1], plan: plan)
        if plan.bridges < 2 {
          physical.breaks = Self.breaks(pairings[index - 1], plan: plan)
        }
      }
      positions.append(versions.count)
      versions.append(physical)
    }
    resolveOriginalNames()
  }

  // MARK: Bridges

  private mutating func append(
    bridges plan: HopPlan, _ pairing: HopPairing, _ names: NamePatterns
  ) {
    guard plan.bridges > 0 else { return }
    let old = pairing.old
    let new = pairing.new
    let first = BridgeBuilder(pairing: pairing, plan: plan)
    for step in 1...plan.bridges {
      let number = VersionNumber(old.number.major, old.number.minor, old.number.patch + step)
      var schema = step == 1 ? first.expanded() : first.contracted()
      schema.number = number
      versions.append(
        PhysicalVersion(
          role: .bridge(to: plan.to, step: step),
          name: names.bridge(from: old.number, to: new.number, step: step), identifier: number,
          schema: schema,
          renames: step == 1 ? [:] : Self.renames(pairing, plan: plan),
          breaks: step == 1 ? [] : Self.breaks(pairing, plan: plan)))
    }
  }

  private static func renames(
    _ pairing: HopPairing, plan: HopPlan
  ) -> [String: [String: String]] {
    var renames: [String: [String: String]] = [:]
    for model in pairing.changed where model.sources.isEmpty {
      let was = pairing.oldModels[model.name]
      for property in model.properties {
        guard let source = property.hop.renamedFrom else { continue }
        // A renamed relationship that follows a carried model is a new column already.
        if plan.bridgeNames[model.name]?[property.name] != nil { continue }
        if let before = was?.property(named: source.value), pairing.isFollowed(before, property) {
          continue
        }
        renames[model.name, default: [:]][property.name] = source.value
      }
    }
    return renames
  }

  /// What has an older name without being it: an attribute that became a relationship, or the reverse.
  private static func breaks(
    _ pairing: HopPairing, plan: HopPlan
  ) -> Set<ElementPath> {
    var breaks: Set<ElementPath> = []
    for model in pairing.changed {
      guard let was = pairing.oldModels[model.name] else { continue }
      for property in model.properties {
        guard let before = was.property(named: property.name),
          plan.bridgeNames[model.name]?[property.name] == nil
        else { continue }
        if (before.attribute == nil) != (property.attribute == nil)
          || before.isTransient != property.isTransient
        {
          breaks.insert(ElementPath(model.name, property.name))
        }
      }
    }
    return breaks
  }

  // MARK: Original names

  /// Gives every property the first name under which any store knew it, wherever that is another.
  ///
  /// Omitting it one version later would lose the values of stores from before the rename
  /// (docs/facts/migration.md#omitted-original-name).
  private mutating func resolveOriginalNames() {
    // Only names that differ from the property's own are kept: most models have none.
    var known: [String: [String: String]] = [:]
    for position in versions.indices {
      var identifiers: [String: [String: String]] = [:]
      let broken = versions[position].breaks
      for modelIndex in versions[position].schema.models.indices {
        let model = versions[position].schema.models[modelIndex]
        let before = known[model.name]
        let renames = versions[position].renames[model.name]
        let hasNames = before != nil || renames != nil
        guard hasNames || model.properties.contains(where: { $0.originalName != nil }) else {
          continue
        }
        for (index, property) in model.properties.enumerated() {
          let name = property.name
          var identifier = property.originalName ?? name
          if !broken.contains(ElementPath(model.name, name)) {
            let older = renames?[name]
            identifier = before?[older ?? name] ?? older ?? identifier
          }
          let original = identifier == name ? nil : identifier
          if let original { identifiers[model.name, default: [:]][name] = original }
          if property.originalName != original {
            versions[position].schema.models[modelIndex].properties[index].originalName = original
          }
        }
      }
      known = identifiers
    }
  }

  // MARK: Hash modifiers

  mutating func setModifier(_ modifier: String, at position: Int, model: Int, property: Int) {
    versions[position].schema.models[model].properties[property].hashModifier = modifier
  }
}

/// Builds the schemas that stand between two versions while values are carried over.
private struct BridgeBuilder {
  let pairing: HopPairing
  let plan: HopPlan

  /// The older version's shape, and beside it everything of the newer one that has no place in it yet.
  ///
  /// What will be required is optional here, and nothing is unique that was not: adding it is the safest thing
  /// that the engine infers.
  func expanded() -> SchemaVersion {
    var bridge = pairing.old.withoutStep
    bridge.summary = nil
    let known = Set(bridge.types.map(\.name))
    bridge.types += pairing.new.types.filter { !known.contains($0.name) }
    for index in bridge.models.indices {
      bridge.models[index] = expanded(bridge.models[index])
    }
    for model in pairing.new.models where pairing.oldModels[model.name] == nil {
      bridge.models.append(newcomer(model))
    }
    return withOwnLinks(withoutLooseEnds(bridge))
  }

  /// Gives links from old rows to new ones an inverse of their own where the framework would take a relationship of
  /// the author's for it, and so set that too.
  private func withOwnLinks(_ version: SchemaVersion) -> SchemaVersion {
    var bridge = version
    for move in plan.moves
    where InferredInverses(bridge).contains(ElementPath(move.source, move.link)) {
      let back = "carriedFrom\(move.source)"
      bridge.updateProperty(move.source, move.link) { link in
        guard case .relationship(var relationship) = link.kind else { return }
        relationship.inverse = Located(back)
        relationship.declaresInverse = true
        link.kind = .relationship(relationship)
      }
      bridge.updateModel(move.target) { target in
        target.properties.append(
          Property(
            name: back, documentation: "The row of `\(move.source)` that this row was.",
            kind: .relationship(
              Relationship(
                destination: Located(move.source), cardinality: .optionalOne,
                inverse: Located(move.link)))))
      }
    }
    return bridge
  }

  /// The newer version, but for columns whose names only become free when the older ones are gone.
  func contracted() -> SchemaVersion {
    var bridge = pairing.new.withoutStep
    bridge.summary = nil
    for index in bridge.models.indices {
      bridge.models[index].entity = nil
      let names = plan.bridgeNames[bridge.models[index].name] ?? [:]
      bridge.models[index] = bridge.models[index].renamingConstraints(names)
      for (property, name) in names {
        for place in bridge.models[index].properties.indices
        where bridge.models[index].properties[place].name == property {
          bridge.models[index].properties[place].name = name
        }
      }
    }
    // All of it is the newer version's: every inverse speaks of the names that stand here.
    for index in bridge.models.indices {
      followInverses(&bridge.models[index], inNewVersion: true)
    }
    return bridge
  }

  private func expanded(_ old: Model) -> Model {
    var model = old
    model.entity = nil
    for move in plan.moves where move.source == old.name {
      model.properties.append(
        Property(
          name: move.link, documentation: "The row of `\(move.target)` that this row became.",
          kind: .relationship(
            Relationship(destination: Located(move.target), cardinality: .optionalOne))))
    }
    guard let new = pairing.newModels[old.name], new.sources.isEmpty,
      let properties = pairing.pair(of: new)?.properties
    else { return model }
    let names = plan.bridgeNames[old.name] ?? [:]
    // What only lived in memory gives its name to the column that comes.
    model.properties.removeAll { was in
      was.isTransient && properties.added.contains { $0.name == was.name }
    }
    for property in properties.added { model.properties.append(column(property, property.name)) }
    for (_, property) in properties.converted {
      model.properties.append(column(property, names[property.name] ?? property.name))
    }
    for (was, property) in properties.continued
    where names[property.name] != nil || pairing.isFollowed(was, property) {
      model.properties.append(column(property, names[property.name] ?? property.name))
    }
    followInverses(&model)
    return model
  }

  /// A property of the newer version as the bridge has it beside the older ones.
  private func column(_ property: Property, _ name: String) -> Property {
    var column = property.withoutStep
    column.name = name
    column.originalName = nil
    let isCarried =
      !property.hop.from.isEmpty || property.hop.fill != nil || name != property.name
    switch column.kind {
    case .attribute(var attribute):
      attribute.options.remove(.unique)
      if isCarried, !column.isTransient {
        attribute.type = attribute.type.optionalized
        attribute.defaultValue = nil
      }
      column.kind = .attribute(attribute)
    case .relationship(var relationship):
      if relationship.cardinality == .one { relationship.cardinality = .optionalOne }
      relationship.isUnique = false
      relationship.minimum = nil
      column.kind = .relationship(relationship)
    }
    return column
  }

  /// A model of the newer version in the bridge: links are optional, for they are set after the rows are made.
  private func newcomer(_ model: Model) -> Model {
    var model = model.withoutStep
    model.entity = nil
    model.uniques = []
    for index in model.properties.indices {
      let property = model.properties[index]
      switch property.kind {
      case .attribute(var attribute):
        attribute.options.remove(.unique)
        model.properties[index].kind = .attribute(attribute)
      case .relationship(var relationship):
        if relationship.cardinality == .one { relationship.cardinality = .optionalOne }
        relationship.isUnique = false
        relationship.minimum = nil
        model.properties[index].kind = .relationship(relationship)
      }
    }
    followInverses(&model)
    return model
  }

  /// Inverses speak of properties by their names in the bridge.
  private func followInverses(_ model: inout Model, inNewVersion isNewVersion: Bool = false) {
    for index in model.properties.indices {
      guard case .relationship(var relationship) = model.properties[index].kind,
        let inverse = relationship.inverse,
        let name = plan.bridgeNames[relationship.destination.value]?[inverse.value],
        isNewVersion || isNew(model.properties[index].name, in: model.name, relationship)
      else { continue }
      relationship.inverse = Located(name)
      model.properties[index].kind = .relationship(relationship)
    }
  }

  /// Whether a relationship is the newer version's rather than one that the bridge keeps from the older.
  private func isNew(_ name: String, in model: String, _ relationship: Relationship) -> Bool {
    guard let was = pairing.oldModels[model]?.property(named: name)?.relationship else {
      return true
    }
    return was.destination != relationship.destination
  }

  /// Whether rows get links in this relationship while the bridge is on disk.
  private func isSet(_ property: String, of model: String) -> Bool {
    plan.carries.contains { carry in
      carry.model == model && carry.assignments.contains { $0.property == property }
    }
      || plan.relinks.contains { relink in
        let owner = relink.ownerLink == nil ? relink.model : nil
        return relink.target == property
          && (owner == model || relink.ownerLink == HopPlanner.link(to: model))
      }
  }

  /// Leaves out relationships whose other end does not lead back in the bridge: they come with the newer version.
  /// Those that rows get links in stay, without a way back.
  private func withoutLooseEnds(_ version: SchemaVersion) -> SchemaVersion {
    var bridge = version
    while true {
      let models = Dictionary(bridge.models.map { ($0.name, $0) }) { first, _ in first }
      var isChanged = false
      for index in bridge.models.indices {
        for place in bridge.models[index].properties.indices {
          let property = bridge.models[index].properties[place]
          guard case .relationship(var relationship) = property.kind,
            let inverse = relationship.inverse,
            isSet(property.name, of: bridge.models[index].name)
          else { continue }
          let other = models[relationship.destination.value]?.property(named: inverse.value)
          if other?.relationship?.inverse?.value != property.name
            || other?.relationship?.destination.value != bridge.models[index].name
          {
            relationship.inverse = nil
            relationship.declaresInverse = false
            bridge.models[index].properties[place].kind = .relationship(relationship)
            isChanged = true
          }
        }
        let model = bridge.models[index]
        let kept = model.properties.filter { property in
          guard let relationship = property.relationship else { return true }
          guard let destination = models[relationship.destination.value] else { return false }
          guard let inverse = relationship.inverse else { return true }
          let other = destination.property(named: inverse.value)?.relationship
          return other?.destination.value == model.name && other?.inverse?.value == property.name
        }
        if kept.count != model.properties.count {
          bridge.models[index].properties = kept
          isChanged = true
        }
      }
      if !isChanged { return bridge }
    }
  }
}
