package import SchemaModel

/// Finds all differences between the declarations of two consecutive versions.
package struct SchemaDiffer: Sendable {
  package init() {}

  /// Returns the differences of types, then of models.
  ///
  /// Applying the differences to `old` in order gives `new`, except for the order of declarations.
  package func differences(
    from old: SchemaVersion, to new: SchemaVersion
  ) -> [Difference] {
    differences(StepPairing(from: old, to: new))
  }

  package func changes(
    from old: SchemaVersion, to new: SchemaVersion, policy: Configuration.Policy = .standard
  ) -> [SchemaChange] {
    let pairing = StepPairing(from: old, to: new)
    return Classifier(pairing, configuration: Configuration(policy: policy)).changes(
      differences(pairing))
  }

  func differences(_ pairing: StepPairing) -> [Difference] {
    var found = typeDifferences(pairing)
    var continued: Set<String> = []
    var models: [(name: String, differences: [Difference])] = []
    for model in pairing.new.models {
      if pairing.isUnchanged(model.name) {
        continued.insert(model.name)
      } else if let pair = pairing.pair(of: model) {
        continued.insert(pair.old.name)
        models.append((model.name, modelDifferences(pair)))
      } else if model.sources.isEmpty {
        models.append((model.name, [.modelAdded(model.withoutStep)]))
      } else {
        let sources = model.sources.map(\.value)
        models.append((model.name, [.modelDerived(model.withoutStep, sources: sources)]))
      }
    }
    for model in pairing.old.models where !continued.contains(model.name) {
      // If other models are made from this model, its rows continue in them.
      models.append((model.name, [.modelRemoved(model)]))
    }
    models.sort { $0.name < $1.name }
    // Removals come first, so a name can be used again in the same step.
    found += models.flatMap(\.differences).filter(\.isModelRemoval)
    found += models.flatMap(\.differences).filter { !$0.isModelRemoval }
    return found
  }

  // MARK: Models

  private func modelDifferences(_ pair: ModelPairing) -> [Difference] {
    let (old, new) = (pair.old, pair.new)
    var found: [Difference] = []
    if old.name != new.name { found.append(.modelRenamed(from: old.name, to: new.name)) }
    if old.superclass != new.superclass {
      found.append(
        .superclass(model: new.name, from: old.superclass?.value, to: new.superclass?.value))
    }
    if old.entity != new.entity {
      found.append(.entity(model: new.name, from: old.entity, to: new.entity))
    }
    if old.documentation != new.documentation {
      found.append(
        .modelDocumentation(model: new.name, from: old.documentation, to: new.documentation))
    }
    found += propertyDifferences(model: new.name, pair.properties)
    found += constraintDifferences(
      from: old.renamingConstraints(pair.properties.renames), to: new)
    return found
  }

  private func constraintDifferences(from old: Model, to new: Model) -> [Difference] {
    var found: [Difference] = []
    let oldUniques = Set(old.uniques.map(\.names))
    let newUniques = Set(new.uniques.map(\.names))
    for unique in old.uniques.sorted(by: { $0.sortKey < $1.sortKey })
    where !newUniques.contains(unique.names) {
      found.append(.uniqueRemoved(model: new.name, unique))
    }
    for unique in new.uniques.sorted(by: { $0.sortKey < $1.sortKey })
    where !oldUniques.contains(unique.names) {
      found.append(.uniqueAdded(model: new.name, unique))
    }
    for index in old.indexes.sorted(by: { $0.sortKey < $1.sortKey })
    where !new.indexes.contains(index) {
      found.append(.indexRemoved(model: new.name, index))
    }
    for index in new.indexes.sorted(by: { $0.sortKey < $1.sortKey })
    where !old.indexes.contains(index) {
      found.append(.indexAdded(model: new.name, index))
    }
    return found
  }

  private func propertyDifferences(model: String, _ pairing: PropertyPairing) -> [Difference] {
    var found: [(name: String, order: Int, difference: Difference)] = []
    for property in pairing.removed {
      found.append((property.name, 0, .propertyRemoved(model: model, property)))
    }
    for (sources, new) in pairing.converted {
      let removed = pairing.consumed.map(\.name).filter { name in
        sources.contains { $0.name == name } || name == new.name
      }
      found.append(
        (
          new.name, 1,
          .propertyConverted(model: model, from: sources, removed: removed, to: new.withoutStep)
        ))
    }
    for (old, new) in pairing.continued {
      if old.name != new.name {
        found.append(
          (new.name, 2, .propertyRenamed(model: model, from: old.name, to: new.name)))
      }
      for aspect in PropertyAspect.allCases where aspect.differs(old, new) {
        found.append((new.name, 3, .property(model: model, from: old, to: new, aspect)))
        if aspect == .kind { break }
      }
    }
    for property in pairing.added {
      found.append((property.name, 4, .propertyAdded(model: model, property.withoutStep)))
    }
    // Removals come first, then conversions, renames and additions, so each difference can be applied.
    let sorted = found.enumerated().sorted { left, right in
      (left.element.order, left.element.name, left.offset)
        < (right.element.order, right.element.name, right.offset)
    }
    return sorted.map(\.element.difference)
  }

  // MARK: Value types

  private func typeDifferences(_ pairing: StepPairing) -> [Difference] {
    let (old, new) = (pairing.old.types, pairing.new.types)
    if old == new { return [] }
    return paired(old, new, by: \.name).sorted { name($0) < name($1) }.flatMap { pair in
      switch pair {
      case (let was?, let now?): return typeDifferences(from: was, to: now, pairing)
      case (let was?, nil): return [.typeRemoved(was)]
      case (nil, let now?): return [.typeAdded(now)]
      case (nil, nil): return []
      }
    }
    func name(_ pair: (old: ValueTypeDeclaration?, new: ValueTypeDeclaration?)) -> String {
      pair.old?.name ?? pair.new?.name ?? ""
    }
  }

  private func typeDifferences(
    from old: ValueTypeDeclaration, to new: ValueTypeDeclaration, _ pairing: StepPairing
  ) -> [Difference] {
    if old == new { return [] }
    var found: [Difference] = []
    switch (old.kind, new.kind) {
    case (.enumeration(let oldRaw, _), .enumeration(let newRaw, _)) where oldRaw == newRaw:
      found += caseDifferences(new.name, pairing)
    case (.structure(let oldFields), .structure(let newFields)):
      found += fieldDifferences(type: new.name, oldFields, newFields)
    case (.opaque, .opaque) where !new.hasOtherColumns(than: old): break
    default: return [.typeReplaced(from: old, to: new)]
    }
    if old.documentation != new.documentation || old.isOwn != new.isOwn
      || old.coding != new.coding
    {
      found.append(.typeDescription(from: old, to: new))
    }
    return found
  }

  private func caseDifferences(_ type: String, _ pairing: StepPairing) -> [Difference] {
    let cases = CasePairing(type, from: pairing.old, to: pairing.new)
    var gone: [(EnumCase, Difference)] = cases.removed.map {
      ($0, .caseRemoved(type: type, $0.withoutStep))
    }
    var kept: [(EnumCase, Difference)] = []
    for link in cases.links {
      let (was, now) = (link.old.withoutStep, link.new.withoutStep)
      switch link.kind {
      case .renamed: kept.append((was, .caseRenamed(type: type, from: was, to: now)))
      case .kept where was.rawValue != now.rawValue:
        kept.append((was, .rawValue(type: type, from: was, to: now)))
      case .kept: break
      case .converted: gone.append((was, .caseReplaced(type: type, was, by: now)))
      }
    }
    let added = cases.added.map { ($0, Difference.caseAdded(type: type, $0.withoutStep)) }
    return [gone, kept, added].flatMap { $0.sorted { $0.0.name < $1.0.name }.map(\.1) }
  }

  private func fieldDifferences(
    type: String, _ old: [StructField], _ new: [StructField]
  ) -> [Difference] {
    paired(old, new, by: \.name).flatMap { pair -> [Difference] in
      switch pair {
      case (let was?, let now?):
        var found: [Difference] = []
        if was.type != now.type { found.append(.fieldType(type: type, from: was, to: now)) }
        if was.defaultValue != now.defaultValue {
          found.append(.fieldDefault(type: type, from: was, to: now))
        }
        return found
      case (let was?, nil): return [.fieldRemoved(type: type, was)]
      case (nil, let now?): return [.fieldAdded(type: type, now)]
      case (nil, nil): return []
      }
    }
  }

  private func paired<Element>(
    _ old: [Element], _ new: [Element], by name: (Element) -> String
  ) -> [(old: Element?, new: Element?)] {
    let olds = Dictionary(old, keyedBy: name)
    let news = Dictionary(new, keyedBy: name)
    return olds.keys.sorted().map { (olds[$0], news[$0]) }
      + news.keys.sorted().filter { olds[$0] == nil }.map { (nil, news[$0]) }
  }
}

extension Difference {
  var isModelRemoval: Bool {
    if case .modelRemoved = self { return true }
    return false
  }
}
