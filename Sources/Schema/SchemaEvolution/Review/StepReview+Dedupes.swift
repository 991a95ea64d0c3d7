internal import SchemaModel

/// Reviews `dedupe:`: whether there can be duplicates, and whether the property for the choice has an order.
extension StepReview {
  func unusedDedupe(_ property: Property, of model: Model) -> [Diagnostic] {
    let element = ElementPath(model.name, property.name)
    let kinds = kinds(of: element)
    guard model.sources.isEmpty, property.attribute?.dedupe != nil,
      kinds.isDisjoint(with: [.uniqueDeduped, .uniqueAdded])
    else { return [] }
    let isNew = kinds.contains(.optionalAttributeAdded)
    let reason = isNew ? "every old row holds nil, and nils may repeat" : "'unique' is not new"
    return [unused("dedupe", reason, element, property.location)]
  }

  func unusedDedupes(_ model: Model) -> [Diagnostic] {
    model.uniques.filter { unique in
      unique.dedupe != nil
        && !changes.contains {
          [.compoundUniqueDeduped, .compoundUniqueAdded].contains($0.kind)
            && $0.element == ElementPath(model.name) && $0.constraint == unique.names
        }
    }.map {
      unused("dedupe", "the constraint is not new", ElementPath(model.name), $0.location)
    }
  }

  /// Reports links to deleted duplicates that the kept row cannot take over. Without an inverse, no row knows which
  /// rows link to it.
  func linksToDuplicates(_ model: Model) -> [Diagnostic] {
    let property = model.properties.first { $0.attribute?.dedupe != nil }
    let unique = model.uniques.first { $0.dedupe != nil }
    guard property != nil || unique != nil, let was = pairing.predecessor(of: model) else {
      return []
    }
    let family = Set(
      [was.name] + was.ancestors { pairing.oldModels[$0] }.map(\.name)
        + old.models.filter { other in
          other.ancestors { pairing.oldModels[$0] }.contains { $0.name == was.name }
        }.map(\.name))
    let isLeftToCode = hook?.concerns([model.name, was.name]) ?? false
    return old.models.flatMap { other in
      other.properties.compactMap { link -> Diagnostic? in
        guard let relationship = link.relationship, relationship.inverse == nil,
          family.contains(relationship.destination.value)
        else { return nil }
        let name = "\(other.name).\(link.name)"
        return Diagnostic(
          .linkToDuplicate,
          "'\(name)' has no inverse: its links to rows of '\(was.name)' that 'dedupe:' deletes are lost",
          element: ElementPath(model.name, property?.name),
          at: property?.location ?? unique?.location ?? model.location,
          related: link.location.map {
            [Diagnostic.Related("'\(name)' in \(oldName)", at: $0)]
          } ?? [],
          help: [
            "give '\(name)' an inverse in an earlier version: the row that stays then takes over the links",
            "or, in the step's 'before' hook, move the links to the row that stays",
          ], severity: isLeftToCode ? .warning : .error)
      }
    }
  }

  func unorderable(_ model: Model) -> [Diagnostic] {
    let own = model.properties.compactMap { property in
      property.attribute?.dedupe.map { ($0, [property.name], property.location) }
    }
    let strategies =
      own
      + model.uniques.compactMap { unique in
        unique.dedupe.map { ($0, unique.names, unique.location) }
      }
    let storage = StorageTypes(version: new)
    return strategies.compactMap { strategy, keys, location in
      let name: String
      switch strategy {
      case .latest(let by), .earliest(let by): name = by
      case .function: return nil
      }
      guard let property = model.property(named: name) else { return nil }
      if property.migration.isEmpty, let was = pairing.predecessor(of: model),
        was.property(named: name) == nil
      {
        return Diagnostic(
          .unorderable,
          "'\(model.name).\(name)' is new: it has the same value in all rows of \(oldName)",
          element: ElementPath(model.name, name), at: location,
          help: ["name a property that \(oldName) has, or write 'dedupe: { function: … }'"])
      }
      if keys == [name] {
        return Diagnostic(
          .unorderable,
          "rows are equal in '\(model.name).\(name)' itself, so that property cannot decide which row stays",
          element: ElementPath(model.name, name), at: location,
          help: ["name another property, or write 'dedupe: { function: … }'"])
      }
      let type = property.attribute.flatMap { storage.storage(of: $0.type).primitive }
      // The order of identifiers has no meaning.
      if let type, type != .uuid, type.row.hasOrder { return nil }
      return Diagnostic(
        .unorderable,
        "values of '\(model.name).\(name)' (\(property.type)) have no order",
        element: ElementPath(model.name, name), at: location,
        help: ["name a date, a number or a string, or write 'dedupe: { function: … }'"])
    }
  }
}
