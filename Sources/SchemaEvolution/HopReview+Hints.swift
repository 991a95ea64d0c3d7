internal import SchemaDiagnostics
internal import SchemaModel

/// Keys of the step: whether each has something to do, and whether what it needs is there.
extension HopReview {
  func modelHints() -> [Diagnostic] {
    new.models.flatMap { model in
      model.sources.flatMap { source -> [Diagnostic] in
        guard pairing.oldModels[source.value] != nil else {
          return [
            Diagnostic(
              .unknownSource, "\(oldName) has no model '\(source.value)'",
              element: ElementPath(model.name),
              at: source.location,
              help: Suggestion.help(for: source.value, among: pairing.oldModels.keys))
          ]
        }
        if model.isRenamed, pairing.newModels[source.value] != nil {
          return [
            Diagnostic(
              .unusedHint,
              "'\(source.value)' still stands in \(new.number.name): it was not renamed",
              element: ElementPath(model.name), at: source.location,
              help: ["to make rows of '\(model.name)' from its rows, write 'from: \(source.value)'"]
            )
          ]
        }
        if pairing.oldModels[model.name] != nil {
          return [
            Diagnostic(
              .unusedHint,
              "\(oldName) already has a model '\(model.name)', whose rows stay its own",
              element: ElementPath(model.name), at: source.location,
              help: ["give the model that takes the rows a new name"])
          ]
        }
        return []
      }
    }
  }

  func propertyHints() -> [Diagnostic] {
    new.models.flatMap { model -> [Diagnostic] in
      let sources = pairing.origins(of: model)
      let stepProperties = model.properties.filter { property in
        !property.hop.isEmpty || property.attribute?.dedupe != nil
      }
      var found = stepProperties.flatMap { hints($0, of: model, sources) }
      found += duplicateRenames(model)
      found += missingSources(model)
      found += carriedUniques(model)
      found += unorderable(model)
      found += unlinkable(model, sources)
      found += uninherited(model)
      for unique in model.uniques where unique.dedupe != nil {
        let isNew = changes.contains {
          [.compoundUniqueDeduped, .compoundUniqueAdded].contains($0.kind)
            && $0.element == ElementPath(model.name) && $0.constraint == unique.names
        }
        if !isNew {
          found.append(
            unused(
              "dedupe", "the constraint is not new", ElementPath(model.name), unique.location))
        }
      }
      return found
    }
  }

  private func hints(
    _ property: Property, of model: Model, _ sources: [Model]
  ) -> [Diagnostic] {
    let element = ElementPath(model.name, property.name)
    let hop = property.hop
    var found: [Diagnostic] = []
    if sources.isEmpty {
      let place =
        hop.renamedFrom?.location ?? hop.from.first?.location ?? hop.fill?.location
        ?? hop.revert.first?.location ?? property.location
      return [
        unused(
          "renamedFrom, from, fill, revert or dedupe",
          "'\(model.name)' is new in \(new.number.name) and has no rows yet", element, place)
      ]
    }
    let known = Set(sources.flatMap { $0.properties.map(\.name) })
    for name in hop.from + (hop.renamedFrom.map { [$0] } ?? []) where !known.contains(name.value) {
      found.append(
        Diagnostic(
          .unknownSource,
          "\(oldName)'s '\(sources[0].name)' has no property '\(name.value)'", element: element,
          at: name.location, help: Suggestion.help(for: name.value, among: known)))
    }
    if let renamed = hop.renamedFrom {
      let was = sources.lazy.compactMap { $0.property(named: renamed.value) }.first
      if let was, was.isTransient, !property.isTransient {
        found.append(
          unused("renamedFrom", "no store holds what is transient", element, renamed.location))
      } else if renamed.value == property.name {
        found.append(unused("renamedFrom", "the name is the same", element, renamed.location))
      } else if known.contains(renamed.value),
        let heir = model.property(named: renamed.value), heir.hop.renamedFrom == nil
      {
        found.append(reusedName(property, heir, model, sources[0], renamed))
      } else if known.contains(renamed.value), known.contains(property.name) {
        found.append(reusedName(property, property, model, sources[0], renamed))
      }
    }
    if let revert = hop.revert.first, hop.from.isEmpty,
      !known.contains(hop.renamedFrom?.value ?? property.name)
    {
      found.append(
        unused(
          "revert", "\(oldName) has nothing that it could go back to", element, revert.location))
    }
    found += copies(property, of: model, sources)
    let kinds = Set(changes.filter { $0.element == element }.map(\.kind))
    let isCarried = !model.sources.isEmpty
    if !isCarried, let fill = hop.fill,
      kinds.isDisjoint(with: [
        .attributeFilled, .attributeMadeRequiredFilled, .relationshipFilled,
      ])
    {
      found.append(
        unused("fill", "every row of \(oldName) has a value", element, fill.location))
    }
    if !isCarried, let attribute = property.attribute, attribute.dedupe != nil,
      kinds.isDisjoint(with: [.uniqueDeduped, .uniqueAdded])
    {
      let isNew = kinds.contains(.optionalAttributeAdded)
      let reason = isNew ? "every old row holds nil, and nils may repeat" : "'unique' is not new"
      found.append(unused("dedupe", reason, element, property.location))
    }
    return found
  }

  private func unused(
    _ key: String, _ reason: String, _ element: ElementPath, _ location: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      .unusedHint, "'\(key)' has nothing to do: \(reason)", element: element, at: location,
      help: ["remove it"])
  }

  private func reusedName(
    _ property: Property, _ heir: Property, _ model: Model, _ old: Model,
    _ source: Located<String>
  ) -> Diagnostic {
    let wasOwn = old.property(named: heir.name) != nil && heir.name == property.name
    let message =
      wasOwn
      ? "'\(property.name)' is a name that \(oldName) uses for another property of '\(model.name)'"
      : "'\(source.value)' is renamed to '\(property.name)' and used again in the same step"
    return Diagnostic(
      .reusedName, message + ": the engine would mix up the two",
      element: ElementPath(model.name, property.name), at: source.location,
      help: [
        "give the new property a name that no version had",
        "or carry the values through a bridge: "
          + ManifestEdit.property(
            property, adding: [("from", source.value), ("convert", "$0"), ("revert", "$0")]),
      ])
  }

  private func duplicateRenames(_ model: Model) -> [Diagnostic] {
    var heirs: [String: Property] = [:]
    var found: [Diagnostic] = []
    for property in model.properties {
      guard let source = property.hop.renamedFrom else { continue }
      guard let first = heirs[source.value] else {
        heirs[source.value] = property
        continue
      }
      found.append(
        Diagnostic(
          .reusedName,
          "'\(first.name)' is renamed from '\(source.value)' already",
          element: ElementPath(model.name, property.name), at: source.location,
          help: ["to copy its values as well: from: \(source.value), convert: $0"]))
    }
    return found
  }

  /// A carried model's required properties need values: by name, by a rename or a conversion, by default or fill.
  private func missingSources(_ model: Model) -> [Diagnostic] {
    guard pairing.predecessor(of: model) == nil else { return [] }
    return pairing.sources(of: model).flatMap { source in
      model.properties.compactMap { property -> Diagnostic? in
        guard !property.isTransient, property.hop.from.isEmpty, property.hop.fill == nil else {
          return nil
        }
        let name = property.hop.renamedFrom?.value ?? property.name
        let same = source.property(named: name)
        if let same, same.type.unwrapped == property.type.unwrapped,
          property.type.isOptional || !same.type.isOptional
            || property.attribute?.defaultValue != nil
        {
          return nil
        }
        if same == nil,
          property.attribute?.defaultValue != nil || property.type.isOptional
            || property.relationship?.cardinality.isMany == true
        {
          return nil
        }
        // A relationship to a model that is carried over as well is followed.
        if let was = same?.relationship, let now = property.relationship,
          pairing.takers(of: was.destination.value).contains(where: {
            $0.name == now.destination.value
          }), was.cardinality == now.cardinality
        {
          return nil
        }
        return Diagnostic(
          .missingSource,
          "nothing says what '\(model.name).\(property.name)' is for a row of '\(source.name)'",
          element: ElementPath(model.name, property.name), at: property.location,
          help: [
            "say which property it comes from: "
              + ManifestEdit.property(property, adding: [("from", "…"), ("convert", "$0")]),
            "or give it a value: "
              + ManifestEdit.property(property, adding: [("fill", "…")]),
          ])
      }
    }
  }

  /// Without `convert:` a value is copied, which needs the same type at both ends.
  private func copies(_ property: Property, of model: Model, _ sources: [Model]) -> [Diagnostic] {
    guard !property.hop.from.isEmpty, property.hop.convert == nil else { return [] }
    let types = property.hop.from.flatMap { from in
      sources.compactMap { $0.property(named: from.value) }
    }.map { $0.attribute?.valueType ?? $0.type }
    let own = property.attribute?.valueType ?? property.type
    if property.hop.from.count == 1, property.attribute != nil,
      types.allSatisfy({ $0 == own || $0.optionalized == own })
    {
      return []
    }
    let shown = types.map(\.description).joined(separator: ", ")
    return [
      Diagnostic(
        .missingSource,
        "'from' gives \(shown.isEmpty ? "nothing" : shown), and nothing says how it becomes \(own)",
        element: ElementPath(model.name, property.name), at: property.hop.from.first?.location,
        help: [
          "say how: "
            + ManifestEdit.property(
              property,
              adding: [("from", property.hop.from.first?.value ?? "…"), ("convert", "…")])
        ])
    ]
  }

  /// One link cannot become many while it is set anew: the two are steps of their own.
  private func unlinkable(_ model: Model, _ sources: [Model]) -> [Diagnostic] {
    model.properties.compactMap { property in
      guard let now = property.relationship, property.hop.convert == nil else { return nil }
      let name = property.hop.renamedFrom?.value ?? property.name
      let was = sources.lazy.compactMap { $0.property(named: name)?.relationship }.first
      guard let was, !was.cardinality.isMany, now.cardinality.isMany,
        !model.sources.isEmpty
          || pairing.takers(of: was.destination.value).contains(where: {
            $0.name == now.destination.value
          })
      else { return nil }
      return Diagnostic(
        .missingSource,
        "'\(model.name).\(property.name)' cannot become to-many while rows are carried over",
        element: ElementPath(model.name, property.name), at: property.location,
        help: ["keep it to-one here, and make it to-many in the next version"])
    }
  }

  /// Rows of a model that inherits need the values that they inherit.
  private func uninherited(_ model: Model) -> [Diagnostic] {
    guard !model.sources.isEmpty, model.superclass != nil else { return [] }
    let inherited = pairing.inherited(by: model)
    return pairing.sources(of: model).flatMap { source -> [Diagnostic] in
      let whole = pairing.withInherited(source)
      return inherited.compactMap { property in
        guard !property.isTransient else { return nil }
        let was = whole.property(named: property.name)
        if property.relationship == nil {
          if was?.type == property.type, was?.isTransient == false { return nil }
          if was == nil, property.type.isOptional || property.attribute?.defaultValue != nil {
            return nil
          }
        } else if was == nil, property.relationship?.cardinality != .one {
          return nil
        }
        return Diagnostic(
          .missingSource,
          "a row of '\(model.name)' made of one of '\(source.name)' would lose '\(property.name)', "
            + "which it inherits",
          element: ElementPath(model.name), at: model.superclass?.location ?? model.location,
          help: [
            "keep the model's name",
            "or move '\(property.name)' from the superclass into its subclasses first",
          ])
      }
    }
  }

  /// Which row stays is decided by comparing values, so there has to be an order among them.
  private func unorderable(_ model: Model) -> [Diagnostic] {
    let own = model.properties.compactMap { property in
      property.attribute?.dedupe.map { ($0, property.location) }
    }
    let strategies =
      own
      + model.uniques.compactMap { unique in
        unique.dedupe.map { ($0, unique.location) }
      }
    let storage = StorageTypes(version: new)
    return strategies.compactMap { strategy, location in
      let name: String
      switch strategy {
      case .latest(let by), .earliest(let by): name = by
      case .function: return nil
      }
      guard let property = model.property(named: name) else { return nil }
      if property.hop.isEmpty, let was = pairing.predecessor(of: model),
        was.property(named: name) == nil
      {
        return Diagnostic(
          .unorderable,
          "'\(model.name).\(name)' is new: it is the same in all rows of \(oldName)",
          element: ElementPath(model.name, name), at: location,
          help: ["name a property that \(oldName) has, or say 'dedupe: { function: … }'"])
      }
      let type = property.attribute.flatMap { storage.storage(of: $0.type).primitive }
      switch type {
      case .int16, .int32, .int64, .decimal, .double, .float, .string, .date: return nil
      default: break
      }
      return Diagnostic(
        .unorderable,
        "there is no order among values of '\(model.name).\(name)' (\(property.type))",
        element: ElementPath(model.name, name), at: location,
        help: ["name a date, a number or a text, or say 'dedupe: { function: … }'"])
    }
  }

  /// Rows that come from several places may collide in what was unique in each.
  private func carriedUniques(_ model: Model) -> [Diagnostic] {
    guard pairing.predecessor(of: model)?.name != model.name else { return [] }
    let sources = pairing.origins(of: model)
    guard !sources.isEmpty else { return [] }
    return model.properties.compactMap { property in
      guard let attribute = property.attribute, attribute.options.contains(.unique),
        attribute.dedupe == nil
      else { return nil }
      let name = property.hop.renamedFrom?.value ?? property.name
      let wasUnique = sources.allSatisfy {
        $0.property(named: name)?.attribute?.options.contains(.unique) ?? false
      }
      if wasUnique, sources.count == 1, property.hop.from.isEmpty { return nil }
      if case .expression(let fill)? = property.hop.fill?.value, fill.isVolatile { return nil }
      let row = ClassificationTable[.uniqueAdded]
      return Diagnostic(
        row.rule,
        "'\(model.name).\(property.name)': rows that are carried over may hold the same value",
        element: ElementPath(model.name, property.name), at: property.location,
        help: [
          "say which stays: "
            + ManifestEdit.property(property, adding: [("dedupe", "{ latest: … }")])
        ])
    }
  }

  func unusedDrops() -> [Diagnostic] {
    let droppable = Set(
      changes.filter { $0.classification.needsAcknowledgement || $0.kind == .enumCaseRemoved }
        .map(\.element))
    return new.drops.filter { !droppable.contains($0.element.value) }.map { drop in
      Diagnostic(
        .unusedHint,
        "'\(drop.element.value)' is not dropped between \(oldName) and \(new.number.name)",
        element: drop.element.value, at: drop.element.location,
        help: Suggestion.help(
          for: drop.element.value.description, among: droppable.map(\.description)) + [
            "else remove the line"
          ])
    }
  }
}
