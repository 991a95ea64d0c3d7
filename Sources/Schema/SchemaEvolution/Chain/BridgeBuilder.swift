internal import SchemaModel

/// Builds the schemas of bridges between two versions.
struct BridgeBuilder {
  let pairing: StepPairing
  let plan: StepPlan

  /// The older version, plus the newer version's columns that have no column in the older one.
  ///
  /// Properties that will be required are optional in this bridge, and only the older version's unique constraints
  /// exist, because the engine infers such additions most safely.
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

  /// Gives links from old rows to new ones an explicit inverse. If the framework took one of the author's relationships
  /// for the inverse, it would set that relationship, too.
  private func withOwnLinks(_ version: SchemaVersion) -> SchemaVersion {
    var bridge = version
    for transfer in plan.transfers
    where InferredInverses(bridge).contains(ElementPath(transfer.source, transfer.link)) {
      let back = "carriedFrom\(transfer.source)"
      bridge.updateProperty(transfer.source, transfer.link) { link in
        guard case .relationship(var relationship) = link.kind else { return }
        relationship.inverse = Located(back)
        relationship.declaresInverse = true
        link.kind = .relationship(relationship)
      }
      bridge.updateModel(transfer.target) { target in
        target.properties.append(
          Property(
            name: back,
            documentation: "The row of `\(transfer.source)` from which this row was made.",
            kind: .relationship(
              Relationship(
                destination: Located(transfer.source), cardinality: .optionalOne,
                inverse: Located(transfer.link)))))
      }
    }
    return bridge
  }

  /// The newer version, with other names for columns whose names older columns still use.
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
    // The relationships here are the newer version's. An inverse whose property has another name in the bridge takes that name.
    for index in bridge.models.indices {
      followInverses(&bridge.models[index], inNewVersion: true)
    }
    return bridge
  }

  private func expanded(_ old: Model) -> Model {
    var model = old
    model.entity = nil
    for transfer in plan.transfers where transfer.source == old.name {
      model.properties.append(
        Property(
          name: transfer.link,
          documentation: "The row of `\(transfer.target)` that this row became.",
          kind: .relationship(
            Relationship(destination: Located(transfer.target), cardinality: .optionalOne))))
    }
    guard let new = pairing.newModels[old.name], new.sources.isEmpty,
      let properties = pairing.pair(of: new)?.properties
    else { return model }
    let names = plan.bridgeNames[old.name] ?? [:]
    // A new property may have the name of a transient property, or of a dropped property that was stored differently.
    model.properties.removeAll { was in
      properties.added.contains { $0.name == was.name }
    }
    for property in properties.added {
      var column = column(property, property.name)
      // The hash modifier only distinguishes the newer version from earlier ones.
      column.hashModifier = nil
      model.properties.append(column)
    }
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

  private func column(_ property: Property, _ name: String) -> Property {
    var column = property.withoutStep
    column.name = name
    column.originalName = nil
    let isCarried =
      !property.migration.from.isEmpty || property.migration.fill != nil || name != property.name
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

  /// A new model in the bridge. Its relationships are optional, because they are set after the rows are created.
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

  private func isNew(_ name: String, in model: String, _ relationship: Relationship) -> Bool {
    guard let was = pairing.oldModels[model]?.property(named: name)?.relationship else {
      return true
    }
    return was.destination != relationship.destination
  }

  private func isSet(_ property: String, of model: String) -> Bool {
    plan.rowUpdates.contains { update in
      update.model == model && update.assignments.contains { $0.property == property }
    }
      || plan.relationshipUpdates.contains { update in
        let owner = update.ownerLink == nil ? update.model : nil
        return update.target == property
          && (owner == model || update.ownerLink == RowTransfer.link(to: model))
      }
  }

  /// Removes relationships whose other end has no inverse in the bridge. The newer version adds these relationships. A
  /// relationship whose links are set in the bridge stays, without an inverse.
  private func withoutLooseEnds(_ version: SchemaVersion) -> SchemaVersion {
    var bridge = version
    while true {
      let models = Dictionary(bridge.models, keyedBy: \.name)
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
