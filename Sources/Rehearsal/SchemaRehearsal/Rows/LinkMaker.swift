internal import RehearsalHarness
internal import SchemaModel

/// Links the rows of one version as their relationships allow.
struct LinkMaker {
  let lookup: VersionIndex
  private(set) var drafts: RowDrafts
  let hasCycles: Bool
  /// Relationships, as `Model.property`, in which no two rows may lead to the same row, because a later version does
  /// not allow it.
  let exclusive: Set<String>
  private(set) var limits: [String] = []

  /// One relationship with the model that declares it.
  private struct End {
    var model: String
    var name: String
    var relationship: Relationship
    var inverse: (model: String, name: String, relationship: Relationship)?

    var comesFirst: Bool {
      guard let inverse else { return true }
      return (model, name) <= (inverse.model, inverse.name)
    }
  }

  mutating func link() {
    let ends = self.ends()
    if hasCycles { addCycles(ends) }
    for end in ends {
      let isMany = end.relationship.cardinality.isMany
      switch (isMany, end.inverse?.relationship.cardinality.isMany) {
      case (false, false): if end.comesFirst { linkPairs(end) }
      case (false, _): linkToOne(end)
      // The other end is set instead, because it has the column.
      case (true, false): break
      case (true, true):
        if end.comesFirst { linkToMany(end, isExclusive: willBeExclusive(end)) }
      case (true, nil): linkToMany(end, isExclusive: true)
      }
    }
    removeUnlinked(ends)
  }

  private func willBeExclusive(_ end: End) -> Bool {
    let inverse = end.inverse.map { "\($0.model).\($0.name)" }
    return exclusive.contains("\(end.model).\(end.name)") || inverse.map(exclusive.contains) == true
  }

  private func ends() -> [End] {
    lookup.version.models.sorted { $0.name < $1.name }.flatMap { model in
      model.properties.compactMap { property -> End? in
        guard let relationship = property.relationship, property.isStored else { return nil }
        let destination = relationship.destination.value
        var end = End(model: model.name, name: property.name, relationship: relationship)
        if let inverse = relationship.inverse?.value,
          let other = lookup.property(inverse, of: destination)?.relationship
        {
          end.inverse = (lookup.owner(of: inverse, in: destination), inverse, other)
        }
        return end
      }
    }
  }

  private func sources(_ end: End) -> [Int] {
    let isRequired = end.relationship.cardinality == .one
    return drafts.places(of: lookup.family(of: end.model)).filter { place in
      let draft = drafts.drafts[place]
      return draft.row.links[end.name] == nil && (isRequired || draft.isLinked)
        && !(draft.category == .cycles && isOnItself(end))
    }
  }

  private func partners(_ end: End) -> [Int] {
    drafts.places(of: lookup.family(of: end.relationship.destination.value))
      .filter { drafts.drafts[$0].isPartner }
  }

  private func isOnItself(_ end: End) -> Bool { end.relationship.destination.value == end.model }

  // MARK: Kinds of relationships

  private mutating func linkToOne(_ end: End) {
    let partners = partners(end)
    guard !partners.isEmpty else { return }
    var room: Int?
    if let maximum = end.inverse?.relationship.maximum, maximum > 0 { room = maximum }
    if end.relationship.isUnique || willBeExclusive(end) { room = 1 }
    let minimum = end.inverse?.relationship.minimum ?? 0
    var counts: [Int: Int] = [:]
    for (number, source) in sources(end).enumerated() {
      // Partners take turns, so that each has equally many links. The second partner comes first, so that a row does
      // not lead to itself by chance. The third row leads to the first row's partner, which not every version allows.
      let wanted = number == 2 && minimum == 0 ? 1 : number + 1
      let free = (0..<partners.count).lazy.map { partners[(wanted + $0) % partners.count] }
        .first { room == nil || counts[$0, default: 0] < room! }
      guard let free else { continue }
      counts[free, default: 0] += 1
      drafts.link(source, end.name, to: free)
    }
    guard minimum > 0 else { return }
    let needy = drafts.places(of: lookup.family(of: end.relationship.destination.value))
    if needy.contains(where: { counts[$0, default: 0] < minimum }) {
      limits.append(
        "\(lookup.version.number.name): not every row has the \(minimum) links that '\(end.inverse!.model).\(end.inverse!.name)' requires"
      )
    }
  }

  private mutating func linkPairs(_ end: End) {
    guard let inverse = end.inverse else { return }
    let isSame = inverse.model == end.model && inverse.name == end.name
    var free = partners(end).filter { drafts.drafts[$0].row.links[inverse.name] == nil }
    for source in sources(end) {
      if drafts.drafts[source].row.links[end.name] != nil { continue }
      guard let place = free.firstIndex(where: { $0 != source }) else { continue }
      let partner = free.remove(at: place)
      drafts.link(source, end.name, to: partner)
      drafts.link(partner, inverse.name, to: source)
      if isSame { free.removeAll { $0 == source } }
    }
  }

  /// - Parameter isExclusive: Whether a partner can be in one list only, because the link is in the partner's column.
  private mutating func linkToMany(_ end: End, isExclusive: Bool) {
    var partners = partners(end)
    for (number, source) in sources(end).enumerated() {
      guard !partners.isEmpty else { return }
      var wanted = max(end.relationship.minimum ?? 0, number.isMultiple(of: 2) ? 2 : 1)
      if let maximum = end.relationship.maximum, maximum > 0 { wanted = min(wanted, maximum) }
      for offset in 0..<min(wanted, partners.count) {
        let partner =
          isExclusive ? partners.removeFirst() : partners[(number + offset) % partners.count]
        drafts.link(source, end.name, to: partner)
        if partners.isEmpty { break }
      }
    }
  }

  // MARK: Cycles

  /// Adds two rows that lead to each other and one that leads to itself, for each relationship of a model to itself.
  private mutating func addCycles(_ ends: [End]) {
    for end in ends where isOnItself(end) && end.comesFirst {
      let isMany = end.relationship.cardinality.isMany
      let isInverseMany = end.inverse?.relationship.cardinality.isMany
      // If the inverse is to-one, the inverse is set instead.
      if isMany, isInverseMany == false {
        guard let inverse = end.inverse else { continue }
        addCycle(of: end.model, inverse.name)
      } else {
        let other = !isMany && isInverseMany == false ? end.inverse?.name : nil
        addCycle(of: end.model, end.name, pairedBy: other)
      }
    }
  }

  /// - Parameter inverse: The other end of a one-to-one relationship. Its column is set too, because no app writes one
  ///   column without the other.
  private mutating func addCycle(
    of model: String, _ relationship: String, pairedBy inverse: String? = nil
  ) {
    guard
      let pattern = drafts.drafts.first(where: {
        $0.row.entity == model && $0.category == nil
      })
    else { return }
    let first = drafts.drafts.count
    for number in 1...(inverse == nil ? 3 : 2) {
      var draft = pattern
      draft.category = .cycles
      draft.row.category = AdversarialCategory.cycles.rawValue
      draft.row.label = "\(model) cycles \(relationship) \(number)"
      draft.row.links = [:]
      for (slot, value) in draft.row.values {
        guard case .stored(let stored) = value, !slot.contains("."),
          ["String", "UUID", "Int"].contains(
            lookup.property(slot, of: model)?.type.unwrapped.description)
        else { continue }
        draft.row.values[slot] = .stored(stored.distinguished(by: 1_000_000_000 + number))
      }
      draft.ordinary = draft.row.values
      drafts.drafts.append(draft)
    }
    drafts.link(first, relationship, to: first + 1)
    drafts.link(first + 1, relationship, to: first)
    guard let inverse else {
      drafts.link(first + 2, relationship, to: first + 2)
      return
    }
    if inverse != relationship {
      drafts.link(first, inverse, to: first + 1)
      drafts.link(first + 1, inverse, to: first)
    }
  }

  // MARK: Rows without partners

  /// Removes rows that lack a mandatory partner. Of two models that need each other, one may have more rows.
  private mutating func removeUnlinked(_ ends: [End]) {
    // A removed row may leave another without its partner.
    while let place = unlinked(ends) { drafts.remove(place) }
  }

  private func unlinked(_ ends: [End]) -> Int? {
    for end in ends where end.relationship.cardinality == .one {
      let place = drafts.places(of: lookup.family(of: end.model)).first {
        drafts.drafts[$0].row.links[end.name] == nil
      }
      if let place { return place }
    }
    return nil
  }
}
