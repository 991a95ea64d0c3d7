internal import SchemaModel

/// Reviews removed elements and their possible new names.
extension StepReview {
  func unacknowledged() -> [Diagnostic] {
    let questions = Dictionary(grouping: renameQuestions, by: \.removed)
    return pending.flatMap { change -> [Diagnostic] in
      if let questions = questions[change.element] { return questions.map(\.finding) }
      // The destination's removal has a question that settles this removal, too.
      if let was = removedDestination(of: change), questions[was] == nil { return [] }
      return [unacknowledgedDrop(change)]
    }
  }

  /// The destination of a removed relationship, if the destination's removal is unconfirmed.
  private func removedDestination(of change: SchemaChange) -> ElementPath? {
    guard change.kind == .relationshipRemoved, let name = change.element.member,
      let was = pairing.oldModels[change.element.owner]?.property(named: name)?.relationship
    else { return nil }
    let destination = ElementPath(was.destination.value)
    return pending.contains { $0.element == destination } ? destination : nil
  }

  var pending: [SchemaChange] {
    changes.filter {
      $0.classification.needsAcknowledgement && $0.acknowledgement == nil
        && !misnaming.covers($0.element)
    }
  }

  func findRenameQuestions() -> [RenameQuestion] {
    let open = changes.filter {
      $0.classification.needsAcknowledgement
        && ($0.acknowledgement ?? .unconfirmed) == .unconfirmed
    }
    guard !open.isEmpty else { return [] }
    let finder = RenameFinder(
      old: StorageTypes(version: old), new: StorageTypes(version: new))
    return open.flatMap { ambiguities($0, finder) }
  }

  /// Reports drops with a reason although a new element could be a rename. People write reasons without thinking of
  /// renames, so `notCarriedTo:` must name the elements that receive none of the values.
  func findAmbiguousDrops() -> [Diagnostic] {
    guard !isShipped, !isRecord, !new.drops.isEmpty else { return [] }
    let drops = Dictionary(new.drops, keyedBy: \.element.value)
    let finder = RenameFinder(
      old: StorageTypes(version: old), new: StorageTypes(version: new))
    return changes.compactMap { change in
      guard [.modelRemoved, .attributeRemoved, .relationshipRemoved].contains(change.kind),
        let drop = drops[change.element], case .reason = drop.acknowledgement
      else { return nil }
      let questions = ambiguities(change, finder)
      let others = possibleSuccessors(of: change.element).filter { property in
        !questions.contains { $0.successor == property.name }
      }
      let ways =
        questions.map {
          ($0.successor, "if '\($0.successor)' is its new name, remove the drop, and \($0.way)")
        }
        + others.map {
          (
            $0.name,
            "if '\($0.name)' is its new name, remove the drop, and "
              + renaming(change.element.member ?? "", to: $0)
          )
        }
        + possibleParts(of: change.element).map {
          (
            $0.name,
            "if rows of '\($0.name)' take over its values, remove the drop, and "
              + taking(change.element.owner, into: $0)
          )
        }
      let named = Set(drop.notCarriedTo.map(\.value))
      let unnamed = ways.filter { !named.contains($0.0) }
      guard !unnamed.isEmpty else { return nil }
      return ambiguousDrop(change, drop, unnamed, all: ways.map(\.0))
    }
  }

  private func ambiguousDrop(
    _ change: SchemaChange, _ drop: Drop, _ ways: [(name: String, help: String)],
    all: [String]
  ) -> Diagnostic {
    let isModel = change.element.member == nil
    let names = ways.prefix(3).map { "'\($0.name)'" }
    let list = (names + (ways.count > 3 ? ["\(ways.count - 3) more"] : [])).enumeration
    var whole = drop
    whole.notCarriedTo = all.map { Located($0) }
    let edit = answers.instruction(
      "write", answers.drop(whole, hasOwner: !isModel && isThere(change.element.owner)))
    return Diagnostic(
      .ambiguousRename,
      "'\(change.element)' is dropped while \(list) \(ways.count == 1 ? "is" : "are") new and could be its new name: "
        + "'notCarriedTo:' must confirm that its \(isModel ? "rows" : "values") are lost",
      element: change.element, at: drop.element.location,
      help: ways.prefix(3).map(\.help) + [
        "if no new element takes the dropped \(isModel ? "rows" : "values"), " + edit
      ], severity: policy == .inferred ? .warning : .error)
  }

  private func unacknowledgedDrop(_ change: SchemaChange) -> Diagnostic {
    let row = change.classification
    let successors = possibleSuccessors(of: change.element)
    let parts = possibleParts(of: change.element)
    let others = otherSuccessors(of: change.element)
    let isGone = successors.isEmpty && parts.isEmpty && others.isEmpty
    let drop = answers.instruction(
      "to drop it, write",
      answers.drop(
        change.element, notCarriedTo: successors.map(\.name) + parts.map(\.name),
        hasOwner: change.element.member != nil && isThere(change.element.owner)))
    // The answer that keeps the values comes first, because people often take the first one.
    var help = isGone ? [drop] : []
    switch change.kind {
    case .modelRemoved:
      help.append(
        answers.isInClass
          ? "if the model has another name now, write above that class: // schemagen:renamedFrom \(change.element)"
          : "if the model has another name now, write 'renamedFrom: \(change.element)' at that model"
      )
      help += keepingRows(ofSubclass: change.element.owner)
    case .attributeRemoved, .relationshipRemoved:
      let name = change.element.member ?? ""
      help += successors.prefix(3).map { successor in
        "if '\(successor.name)' is its new name, " + renaming(name, to: successor)
      }
      help += parts.prefix(3).map { part in
        "if rows of '\(part.name)' take over its values, "
          + taking(change.element.owner, into: part)
      }
      help += others.prefix(3).map { successor in
        answers.instruction(
          "if '\(successor.property.name)' is made from the old property, write",
          answers.property(
            successor.property, [("from", name), ("convert", successor.convert)]))
      }
      help.append(
        !isGone
          ? drop
          : answers.isInClass
            ? "if the property has another name now, write at that property: "
              + (change.kind == .attributeRemoved ? "@Attribute" : "@Relationship")
              + "(originalName: \"\(name)\")"
            : "if the property has another name now, write 'renamedFrom: \(name)' at that property")
    case .attributeBecameValueType:
      help +=
        carrying(change.element).map { [answers.instruction("to keep the values", $0)] }
        ?? []
    case .structFieldRemoved:
      help += carryingField(of: change.element).map {
        answers.instruction("to keep the values", $0)
      }
    default: break
    }
    return Diagnostic(
      .unacknowledgedDrop,
      "\(oldName)'s '\(change.element)' is gone in \(new.number.name): \(row.reason)"
        + (change.kind == .modelRemoved && !change.detail.isEmpty ? "; \(change.detail)" : ""),
      element: change.element, at: change.location, help: help,
      severity: policy == .inferred ? .warning : .error)
  }

  /// The edits by which properties that store a struct keep a removed field's values. Fields cannot be renamed in
  /// columns.
  private func carryingField(of element: ElementPath) -> [String] {
    let name = element.owner
    guard case .structure(let was)? = old.type(named: name)?.kind,
      case .structure(let now)? = new.type(named: name)?.kind
    else { return [] }
    let gone = was.filter { field in !now.contains { $0.name == field.name } }
    let values = now.map { field -> String in
      let alike = gone.filter { $0.type.unwrapped == field.type.unwrapped }
      let source = was.first { $0.name == field.name } ?? (alike.count == 1 ? alike[0] : nil)
      return "\(field.name): \(source.map { "$0.\($0.name)" } ?? "…")"
    }
    let made = "\(name)(\(values.joined(separator: ", ")))"
    return new.models.flatMap { model -> [String] in
      let continued = pairing.pair(of: model)?.properties.continued.map(\.new) ?? []
      return continued.filter(\.isStored).compactMap { property in
        let convert: String
        switch property.attribute?.valueType {
        case .named(name, arguments: []): convert = made
        case .optional(.named(name, arguments: [])), .array(.named(name, arguments: [])):
          convert = "$0.map { \(made) }"
        default: return nil
        }
        return converting(property, convert)
      }
    }
  }

  private func renaming(_ name: String, to successor: Property) -> String {
    if let kept = keeping(name, as: successor) { return kept }
    let destination = successor.relationship.flatMap { pairing.newModels[$0.destination.value] }
    return answers.instruction(
      "write",
      answers.property(
        successor, keys(ofRename: name, to: successor),
        isMade: destination?.sources.isEmpty == false))
  }

  /// The keys that give a property the values of a removed one. The values are copied if the engine cannot rename the
  /// columns.
  private func keys(ofRename name: String, to successor: Property) -> [(key: String, value: String)]
  {
    configuration.obstacle(toRenaming: successor, in: new) == nil
      ? [("renamedFrom", name)] : [("from", name), ("convert", "$0")]
  }

  private func isThere(_ owner: String) -> Bool {
    pairing.newModels[owner] != nil || new.type(named: owner) != nil
  }

  /// New properties that could take a removed property's values, whatever their names are.
  func possibleSuccessors(of element: ElementPath) -> [Property] {
    guard let was = pairing.oldModels[element.owner],
      let removed = element.member.flatMap(was.property(named:)),
      let pair = pairing.pair(ofOld: was.name)
    else { return [] }
    return pair.properties.added.filter {
      Self.isNew($0, beside: removed) && isRenameable(removed, to: $0)
    }
  }

  /// New properties into which a removed attribute's values can be converted, although a rename is impossible.
  private func otherSuccessors(of element: ElementPath) -> [(property: Property, convert: String)] {
    guard let was = pairing.oldModels[element.owner],
      let removed = element.member.flatMap(was.property(named:)), removed.attribute != nil,
      let pair = pairing.pair(ofOld: was.name)
    else { return [] }
    return pair.properties.added.compactMap { added in
      guard Self.isNew(added, beside: removed), !isRenameable(removed, to: added),
        added.attribute != nil
      else { return nil }
      let convert = conversion(
        from: removed.type, to: added.type, isOfUnits: Self.isOfUnits(removed.name, added.name))
      // A conversion that may merge or lose values is no obvious guess.
      return ["…", "??", "Int("].contains { convert.contains($0) } ? nil : (added, convert)
    }
  }

  /// New models that have an attribute with the removed attribute's name and type, and may be made from parts of the
  /// rows.
  func possibleParts(of element: ElementPath) -> [Model] {
    guard
      let was = element.member.flatMap({ pairing.oldModels[element.owner]?.property(named: $0) }),
      was.attribute != nil, pairing.newModels[element.owner] != nil
    else { return [] }
    return new.models.filter { model in
      guard model.sources.isEmpty, pairing.oldModels[model.name] == nil,
        let now = model.property(named: was.name), now.isStored, now.attribute != nil
      else { return false }
      return now.type.unwrapped == was.type.unwrapped
    }
  }

  private func taking(_ source: String, into part: Model) -> String {
    answers.instruction("write", answers.origin(source, of: part.name))
      + (answers.isInClass ? "" : " at '\(part.name)'")
  }

  /// Whether an added property could be a rename of a removed one, because nothing in the manifest says where its
  /// values come from.
  private static func isNew(_ added: Property, beside removed: Property) -> Bool {
    !added.isTransient && added.name != removed.name && added.migration.from.isEmpty
      && added.migration.renamedFrom == nil
  }

  private func isRenameable(_ old: Property, to new: Property) -> Bool {
    (old.type.unwrapped == new.type.unwrapped
      || leadsToTheRenamed(old, new))
      && (new.type.isOptional || !old.type.isOptional || new.attribute?.defaultValue != nil
        || new.migration.fill != nil)
  }

  /// Whether two relationships differ only in their destination's new name. If the new destination is made from several
  /// models, or is only a part of one, the relationship does not continue.
  private func leadsToTheRenamed(_ old: Property, _ new: Property) -> Bool {
    guard pairing.isFollowed(old, new), let now = new.relationship else { return false }
    return old.relationship?.cardinality == now.cardinality
      && pairing.newModels[now.destination.value]?.isRenamed == true
  }

  private func keepingRows(ofSubclass name: String) -> [String] {
    guard let superclass = pairing.oldModels[name]?.superclass?.value,
      pairing.newModels[superclass] != nil
    else { return [] }
    return [
      "to keep the class's rows among those of '\(superclass)', keep the class, without its own properties: "
        + "\(name): { inherits: \(superclass), properties: {} }",
      "or make the class's rows plain rows, which needs a new name for '\(superclass)': "
        + "… { renamedFrom: \(superclass), … }",
    ]
  }

  private func carrying(_ element: ElementPath) -> String? {
    guard let name = element.member, let model = pairing.newModels[element.owner],
      let property = model.property(named: name),
      let old = pairing.predecessor(of: model)?.property(named: name)
    else { return nil }
    var convert = "…"
    if let type = pairing.new.type(named: property.type.unwrapped.description),
      case .enumeration(let raw?, _) = type.kind, raw == old.type
    {
      convert = "\(type.name)(rawValue: $0)" + (property.type.isOptional ? "" : " ?? …")
    } else if let type = pairing.old.type(named: old.type.description),
      case .enumeration(let raw?, _) = type.kind, raw == property.type.unwrapped
    {
      convert = "$0.rawValue"
    }
    return converting(property, convert)
  }

  private func ambiguities(
    _ change: SchemaChange, _ finder: RenameFinder
  ) -> [RenameQuestion] {
    switch change.kind {
    case .modelRemoved:
      guard let removed = pairing.oldModels[change.element.owner] else { return [] }
      let added = new.models.filter { $0.sources.isEmpty && pairing.oldModels[$0.name] == nil }
      let candidates = finder.candidates(for: removed, among: added)
      return candidates.map { ambiguity(removed, $0, beside: candidates.map(\.element.name)) }
    case .attributeRemoved, .relationshipRemoved:
      guard let name = change.element.member, let was = pairing.oldModels[change.element.owner],
        let removed = was.property(named: name),
        let pair = pairing.pair(ofOld: was.name)
      else { return [] }
      let added = pair.properties.added.filter { Self.isNew($0, beside: removed) }
      let candidates = finder.candidates(for: removed, among: added)
      let alike = Set(candidates.map(\.element.name))
      let others = possibleSuccessors(of: change.element).filter { !alike.contains($0.name) }
      return candidates.map {
        ambiguity(
          removed, $0, pair.new, change.element, beside: candidates.map(\.element), others)
      }
    default: return []
    }
  }

  private func ambiguity(
    _ removed: Property, _ candidate: RenameFinder.Candidate<Property>, _ model: Model,
    _ element: ElementPath, beside alike: [Property], _ others: [Property]
  ) -> RenameQuestion {
    let added = candidate.element
    let isSplit = alike.count > 1
    let keys =
      isRenameable(removed, to: added)
      ? keys(ofRename: removed.name, to: added)
      : [
        ("from", removed.name),
        (
          "convert",
          conversion(
            from: removed.type, to: added.type, isOfUnits: Self.isOfUnits(removed.name, added.name))
        ),
      ]
    let kept = isRenameable(removed, to: added) ? keeping(removed.name, as: added) : nil
    let split =
      isSplit
      ? [
        answers.instruction(
          "if the old property is split, write",
          answers.property(added, [("from", removed.name), ("convert", "…")]))
      ] : []
    return question(
      element, as: ElementPath(model.name, added.name), at: added.location, candidate.score, keys,
      way: kept ?? answers.instruction("write", answers.property(added, keys)),
      others: split
        + others.prefix(2).map {
          "if '\($0.name)' is its new name, \(renaming(removed.name, to: $0))"
        },
      notCarriedTo: (alike + others).map(\.name))
  }

  private func ambiguity(
    _ removed: Model, _ candidate: RenameFinder.Candidate<Model>, beside names: [String]
  ) -> RenameQuestion {
    let added = candidate.element
    return question(
      ElementPath(removed.name), as: ElementPath(added.name), at: added.location, candidate.score,
      [("renamedFrom", removed.name)],
      way: answers.instruction("write", answers.rename(removed.name, to: added.name)),
      notCarriedTo: names)
  }

  /// - Parameters:
  ///   - way: What to write if the new element is the removed one.
  ///   - others: Instructions for other possible answers.
  private func question(
    _ removed: ElementPath, as new: ElementPath, at location: SourceLocation?, _ score: Double,
    _ keys: [(key: String, value: String)], way: String, others: [String] = [],
    notCarriedTo names: [String]
  ) -> RenameQuestion {
    let question =
      "'\(new)' may be \(oldName)'s '\(removed.member ?? removed.owner)' under a new name "
      + "(score \(Self.decimal(score)))"
    let drop = answers.drop(
      removed, notCarriedTo: names, hasOwner: removed.member != nil && isThere(removed.owner))
    return RenameQuestion(
      removed: removed, successor: new.member ?? new.owner, way: way,
      finding: Diagnostic(
        .ambiguousRename, question, element: new, at: location,
        help: ["if it is, \(way)"] + others
          + [answers.instruction("if it is new and the old one can be dropped, write", drop)],
        severity: policy == .inferred ? .warning : .error),
      question: question, keys: keys.map { "\($0.key): \($0.value)" }.joined(separator: ", "))
  }

  /// An expression that converts values to another type and never traps.
  ///
  /// - Parameter isOfUnits: Whether the new values count hundredths of the old ones.
  func conversion(
    from old: TypeReference, to new: TypeReference, isOfUnits: Bool = false
  ) -> String {
    if old.unwrapped == new.unwrapped {
      return old.isOptional && !new.isOptional ? "$0 ?? …" : "$0"
    }
    let (was, now) = (old.unwrapped.description, new.unwrapped.description)
    let fallback = new.isOptional ? "" : " ?? 0"
    let made: String
    let mayBeNil: Bool
    switch (was, now) {
    case ("String", "Int"), ("String", "Double"), ("String", "Int64"), ("String", "Int32"):
      (made, mayBeNil) = ("\(now)($0)", true)
    case ("Int", "String"), ("Double", "String"), ("TimeInterval", "String"), ("Bool", "String"),
      ("Int64", "String"):
      (made, mayBeNil) = ("String($0)", false)
    default:
      // A value that does not fit becomes nil, and does not trap.
      guard let number = SwiftExpression.Number(was), SwiftExpression.Number(now) != nil else {
        return "…"
      }
      let value = isOfUnits ? "$0 * 100" : "$0"
      if now.contains("Int") {
        let whole = isOfUnits ? "(\(value)).rounded()" : "\(value).rounded()"
        (made, mayBeNil) = ("\(now)(exactly: \(number == .fraction ? whole : "$0"))", true)
      } else {
        (made, mayBeNil) = ("\(now)($0)", false)
      }
    }
    guard old.isOptional else { return made + (mayBeNil ? fallback : "") }
    let other = now == "String" ? " ?? \"\"" : " ?? 0"
    return "$0.\(mayBeNil ? "flatMap" : "map") { \(made) }" + (new.isOptional ? "" : other)
  }

  /// Whether only the new name says that values count cents, as with `price` and `priceInCents`.
  static func isOfUnits(_ old: String, _ new: String) -> Bool {
    func countsCents(_ name: String) -> Bool {
      RenameFinder.words(name).contains { ["cent", "cents", "pence", "pennies"].contains($0) }
    }
    return countsCents(new) && !countsCents(old)
  }

  static func decimal(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
