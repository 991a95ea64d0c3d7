internal import SchemaModel

/// Reviews keys of the step: whether each has an effect, and whether the elements that it names exist.
extension StepReview {
  func findMisnaming() -> Misnaming {
    var found = Misnaming()
    func note(
      _ name: String, at element: ElementPath, among known: some Collection<String>,
      meant: (String) -> [ElementPath]
    ) {
      guard !known.contains(name) else { return }
      found.elements.insert(element)
      found.meant.formUnion(Suggestion.nearest(to: name, among: known).map(meant) ?? [])
    }
    for model in pairing.changed {
      for source in model.sources {
        note(
          source.value, at: ElementPath(model.name), among: Array(pairing.oldModels.keys)
        ) { [ElementPath($0)] }
      }
      let origins = pairing.origins(of: model)
      guard !origins.isEmpty else { continue }
      let known = Set(origins.flatMap { $0.properties.map(\.name) })
      for property in model.properties {
        let migration = property.migration
        for name in migration.from + (migration.renamedFrom.map { [$0] } ?? []) {
          note(name.value, at: ElementPath(model.name, property.name), among: known) { meant in
            origins.map { ElementPath($0.name, meant) }
          }
        }
      }
    }
    for type in new.types {
      guard let known = old.type(named: type.name)?.cases.map(\.name) else { continue }
      for one in type.cases {
        guard let source = one.renamedFrom else { continue }
        note(source.value, at: ElementPath(type.name, one.name), among: known) {
          [ElementPath(type.name, $0)]
        }
      }
    }
    return found
  }

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
        if pairing.oldModels[model.name] != nil {
          return [
            Diagnostic(
              .unusedHint,
              "\(oldName) already has a model '\(model.name)', which keeps its own rows",
              element: ElementPath(model.name), at: source.location,
              help: ["give the model that takes the rows a name that \(oldName) does not have"])
          ]
        }
        if model.isRenamed, pairing.newModels[source.value] != nil {
          return [
            Diagnostic(
              .unusedHint,
              "'\(source.value)' still exists in \(new.number.name): it was not renamed",
              element: ElementPath(model.name), at: source.location,
              help: [
                answers.instruction(
                  "to make rows of '\(model.name)' from the rows of '\(source.value)'",
                  answers.origin(source.value, of: model.name))
              ])
          ]
        }
        return []
      }
    }
  }

  func propertyHints() -> [Diagnostic] {
    // Models are in the manifest's order, because findings about one model may mention others.
    new.models.filter { !pairing.isUnchanged($0.name) }.flatMap { model -> [Diagnostic] in
      let sources = pairing.origins(of: model)
      let stepProperties = model.properties.filter { property in
        !property.migration.isEmpty || property.attribute?.dedupe != nil
      }
      return stepProperties.flatMap { hints($0, of: model, sources) } + duplicateRenames(model)
        + reverts(model)
        + missingSources(model) + unlinkedParts(model) + carriedUniques(model) + unorderable(model)
        + linksToDuplicates(model)
        + unlinkable(model, sources) + uninherited(model) + unusedDedupes(model)
    }
  }

  private func hints(
    _ property: Property, of model: Model, _ sources: [Model]
  ) -> [Diagnostic] {
    guard !sources.isEmpty else { return [withoutRows(property, of: model)] }
    return unknownSources(property, of: model, sources) + renames(property, of: model, sources)
      + unusedSources(property, of: model)
      + unusedRevert(property, of: model, sources) + copies(property, of: model, sources)
      + unusedFill(property, of: model) + unusedDedupe(property, of: model)
  }

  private func withoutRows(_ property: Property, of model: Model) -> Diagnostic {
    let migration = property.migration
    return unused(
      "renamedFrom, from, fill, revert or dedupe",
      "'\(model.name)' is new in \(new.number.name) and has no rows yet",
      ElementPath(model.name, property.name),
      migration.renamedFrom?.location ?? migration.from.first?.location ?? migration.fill?.location
        ?? migration.revert.first?.location ?? property.location,
      removing: ["renamedFrom", "from", "fill", "revert", "dedupe"])
  }

  private func unknownSources(
    _ property: Property, of model: Model, _ sources: [Model]
  ) -> [Diagnostic] {
    let migration = property.migration
    let known = Set(sources.flatMap { $0.properties.map(\.name) })
    let names = migration.from + (migration.renamedFrom.map { [$0] } ?? [])
    return names.filter { !known.contains($0.value) }.map { name in
      Diagnostic(
        .unknownSource,
        "\(oldName)'s '\(sources[0].name)' has no property '\(name.value)'",
        element: ElementPath(model.name, property.name),
        at: name.location, help: Suggestion.help(for: name.value, among: known))
    }
  }

  /// Reports sources that the expression does not use. Other checks count them as used, so nothing else would report
  /// the loss of their values.
  private func unusedSources(_ property: Property, of model: Model) -> [Diagnostic] {
    let migration = property.migration
    guard migration.from.count > 1, case .expression(let expression)? = migration.convert?.value
    else { return [] }
    // A placeholder in a string is not a use.
    let code = expression.code
    return migration.from.enumerated().compactMap { index, source in
      let uses = code.ranges(of: "$\(index)").contains { range in
        !(code[range.upperBound...].first?.isNumber ?? false)
      }
      guard !uses else { return nil }
      return Diagnostic(
        .unusedHint,
        "'convert:' does not use '$\(index)', so the values of '\(source.value)' would be lost",
        element: ElementPath(model.name, property.name), at: source.location,
        help: [
          "use '$\(index)' in 'convert:'",
          "or remove '\(source.value)' from 'from:', and say what becomes of its values",
        ], severity: .error)
    }
  }

  /// Reports renames whose old name is not removed, or whose new name is not added.
  private func renames(
    _ property: Property, of model: Model, _ sources: [Model]
  ) -> [Diagnostic] {
    guard let renamed = property.migration.renamedFrom else { return [] }
    let element = ElementPath(model.name, property.name)
    let known = Set(sources.flatMap { $0.properties.map(\.name) })
    let was = sources.lazy.compactMap { $0.property(named: renamed.value) }.first
    if let was, was.isTransient, !property.isTransient {
      return [
        unused("renamedFrom", "transient properties are not stored", element, renamed.location)
      ]
    }
    if renamed.value == property.name {
      return [
        unused("renamedFrom", "the old and the new name are the same", element, renamed.location)
      ]
    }
    guard known.contains(renamed.value) else { return [] }
    if let successor = model.property(named: renamed.value), successor.migration.renamedFrom == nil
    {
      return [reusedName(property, successor, model, sources[0], renamed)]
    }
    return known.contains(property.name)
      ? [reusedName(property, property, model, sources[0], renamed)] : []
  }

  private func reusedName(
    _ property: Property, _ successor: Property, _ model: Model, _ old: Model,
    _ source: Located<String>
  ) -> Diagnostic {
    let wasOwn = old.property(named: successor.name) != nil && successor.name == property.name
    let message =
      wasOwn
      ? "'\(property.name)' is a name that \(oldName) uses for another property of '\(model.name)'"
      : "'\(source.value)' is renamed to '\(property.name)' and the old name is used again in the same step"
    return Diagnostic(
      .reusedName,
      message
        + (wasOwn
          ? ": two columns would change names in the same step"
          : ": both properties take the old values, and the next migration fails (134140, underlying error 134190)"),
      element: ElementPath(model.name, property.name), at: source.location,
      help: [
        "give the new property a name that no version had",
        "or copy the values through a bridge: "
          + answers.property(
            property, [("from", source.value), ("convert", "$0"), ("revert", "$0")]),
      ])
  }

  func duplicateRenames(_ model: Model) -> [Diagnostic] {
    var successors: [String: Property] = [:]
    var found: [Diagnostic] = []
    for property in model.properties {
      guard let source = property.migration.renamedFrom else { continue }
      guard let first = successors[source.value] else {
        successors[source.value] = property
        continue
      }
      found.append(
        Diagnostic(
          .reusedName,
          "'\(first.name)' is already renamed from '\(source.value)': both properties would take the values, and the "
            + "next migration fails (134140, underlying error 134190)",
          element: ElementPath(model.name, property.name), at: source.location,
          help: [
            answers.instruction(
              "to copy the values as well",
              answers.property(property, [("from", source.value), ("convert", "$0")]))
              + (answers.isInClass ? ", in place of 'originalName:'" : "")
          ]))
    }
    return found
  }

  private func unusedRevert(
    _ property: Property, of model: Model, _ sources: [Model]
  ) -> [Diagnostic] {
    let migration = property.migration
    let name = migration.renamedFrom?.value ?? property.name
    guard let revert = migration.revert.first, migration.from.isEmpty,
      !sources.contains(where: { $0.property(named: name) != nil })
    else { return [] }
    return [
      unused(
        "revert", "\(oldName) has no property to convert the values back to",
        ElementPath(model.name, property.name), revert.location)
    ]
  }

  /// Reports a second `revert:` for the same value, and a `revert:` for a value that continues in another property.
  private func reverts(_ model: Model) -> [Diagnostic] {
    pairing.pairs(of: model).flatMap { pair -> [Diagnostic] in
      var first: [String: Property] = [:]
      let kept = Set(pair.properties.continued.map(\.old.name))
      return pair.properties.converted.flatMap { _, property -> [Diagnostic] in
        let (from, reverts) = (property.migration.from, property.migration.revert)
        let element = ElementPath(model.name, property.name)
        if let first = reverts.first, from.allSatisfy({ kept.contains($0.value) }) {
          return [
            unused(
              "revert", "the property that 'revert' would restore still exists", element,
              first.location)
          ]
        }
        return zip(from, reverts).compactMap { from, reversion in
          // With several sources, the manifest must define a revert for each.
          guard !kept.contains(from.value), pair.old.property(named: from.value) != nil,
            let other = first.updateValue(property, forKey: from.value)
          else { return nil }
          return secondRevert(to: from.value, other, element, reversion)
        }
      }
    }
  }

  private func secondRevert(
    to name: String, _ first: Property, _ element: ElementPath, _ second: Reversion
  ) -> Diagnostic {
    var both = first
    let conversion = Located(Conversion.expression(.name("…")))
    let from = [first.name, element.member ?? ""].map { Located($0) }
    both.migration.revert = both.migration.revert.enumerated().map { index, reversion in
      first.migration.from[index].value == name ? Reversion(conversion, from: from) : reversion
    }
    return Diagnostic(
      .secondRevert,
      "'\(first.name)' already has a 'revert' to \(oldName)'s '\(name)': a second one would do nothing",
      element: element, at: second.location,
      help: [
        "remove it",
        "or make the old value from both properties, in one 'revert': "
          + ManifestEdit.property(both),
      ])
  }

  private func unusedFill(_ property: Property, of model: Model) -> [Diagnostic] {
    let element = ElementPath(model.name, property.name)
    guard model.sources.isEmpty, let fill = property.migration.fill,
      kinds(of: element).isDisjoint(with: [
        .attributeFilled, .attributeMadeRequiredFilled, .relationshipFilled,
      ])
    else { return [] }
    return [unused("fill", "every row of \(oldName) has a value", element, fill.location)]
  }

  /// - Parameter keys: The keys to remove; `nil` for `key` alone.
  func unused(
    _ key: String, _ reason: String, _ element: ElementPath, _ location: SourceLocation?,
    removing keys: [String]? = nil
  ) -> Diagnostic {
    Diagnostic(
      .unusedHint, "'\(key)' has no effect: \(reason)", element: element, at: location,
      help: ["remove it"], correction: .removalOfKeys(keys ?? [key]))
  }

  func kinds(of element: ElementPath) -> Set<ChangeKind> {
    Set(changes.filter { $0.element == element }.map(\.kind))
  }

  func unusedDrops() -> [Diagnostic] {
    let droppable = Set(droppable.map(\.element))
    return notCarried(droppable)
      + new.drops.filter { !droppable.contains($0.element.value) }.map { drop in
        let meant = Suggestion.nearest(
          to: drop.element.value.description, among: droppable.map(\.description))
        return Diagnostic(
          .unusedHint,
          "'\(drop.element.value)' is not dropped between \(oldName) and \(new.number.name)",
          element: drop.element.value, at: drop.element.location,
          help: meant == nil
            ? ["remove the line"] : Suggestion.help(meant) + ["if not, remove the line"],
          correction: meant == nil ? .removal : nil)
      }
  }

  /// Reports names under `notCarriedTo:` that no new element has.
  private func notCarried(_ droppable: Set<ElementPath>) -> [Diagnostic] {
    new.drops.filter { droppable.contains($0.element.value) }.flatMap { drop -> [Diagnostic] in
      guard !drop.notCarriedTo.isEmpty else { return [] }
      let element = drop.element.value
      let known: [String]
      if element.member == nil {
        known = new.models.map(\.name).filter { pairing.oldModels[$0] == nil }
      } else {
        known =
          (pairing.pair(ofOld: element.owner)?.properties.added ?? []).map(\.name)
          + possibleParts(of: element).map(\.name)
      }
      return drop.notCarriedTo.filter { !known.contains($0.value) }.map { name in
        Diagnostic(
          .unusedHint,
          "'notCarriedTo' has no effect: \(new.number.name) adds no '\(name.value)'"
            + (element.member == nil ? "" : " to '\(element.owner)'"),
          element: element, at: name.location,
          help: Suggestion.help(for: name.value, among: known) + ["remove the name"])
      }
    }
  }
}
