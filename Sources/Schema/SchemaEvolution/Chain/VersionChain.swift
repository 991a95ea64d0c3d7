internal import SchemaModel

/// Builds the versions that the framework sees, including bridges, and resolves original names.
struct VersionChain {
  private(set) var versions: [ChainVersion] = []

  init(
    history: [SchemaVersion], pairings: [StepPairing], plans: [StepPlan], names: NamePatterns
  ) {
    for (index, version) in history.enumerated() {
      if index > 0 {
        append(bridges: plans[index - 1], pairings[index - 1], names)
      }
      var physical = ChainVersion(
        role: .version, name: names.schema(version.number), identifier: version.number,
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
      versions.append(physical)
    }
    OriginalNames.resolve(in: &versions)
  }

  // MARK: Bridges

  private mutating func append(
    bridges plan: StepPlan, _ pairing: StepPairing, _ names: NamePatterns
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
        ChainVersion(
          role: .bridge(from: old.number, to: new.number, number: step),
          name: names.bridge(from: old.number, to: new.number, step: step), identifier: number,
          schema: schema,
          renames: step == 1 ? [:] : Self.renames(pairing, plan: plan),
          breaks: step == 1 ? [] : Self.breaks(pairing, plan: plan)))
    }
  }

  private static func renames(
    _ pairing: StepPairing, plan: StepPlan
  ) -> [String: [String: String]] {
    var renames: [String: [String: String]] = [:]
    for model in pairing.changed where model.sources.isEmpty {
      for (was, now) in pairing.pair(of: model)?.properties.continued ?? []
      where was.name != now.name && plan.bridgeNames[model.name]?[now.name] == nil
        // A renamed relationship to a transferred model is a new column already.
        && !pairing.isFollowed(was, now)
      {
        renames[model.name, default: [:]][now.name] = was.name
      }
    }
    return renames
  }

  /// Elements that only share the name of an older element: an attribute that became a relationship, or the reverse.
  private static func breaks(
    _ pairing: StepPairing, plan: StepPlan
  ) -> Set<ElementPath> {
    var breaks: Set<ElementPath> = []
    for model in pairing.changed {
      guard let was = pairing.oldModels[model.name] else { continue }
      for property in model.properties {
        guard let before = was.property(named: property.name),
          plan.bridgeNames[model.name]?[property.name] == nil
        else { continue }
        if (before.attribute == nil) != (property.attribute == nil)
          || before.isStored != property.isStored
        {
          breaks.insert(ElementPath(model.name, property.name))
        }
      }
    }
    return breaks
  }

  // MARK: Hash modifiers

  mutating func setModifier(_ modifier: String, at position: Int, model: Int, property: Int) {
    versions[position].schema.models[model].properties[property].hashModifier = modifier
  }
}
