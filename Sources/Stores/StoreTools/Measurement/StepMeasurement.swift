internal import ManagedModels
internal import SchemaEvolution
internal import SchemaModel
internal import SchemaReporting
internal import SchemaWorkspace
internal import StoreFormat

/// Compares the changes of one step with the rows of a store. The store has the step's older version, or an earlier
/// version.
struct StepMeasurement {
  typealias Finding = RowMeasurements.Finding
  typealias Column = (model: String, property: String)

  let step: VersionStep
  /// The index of the step's older version.
  let place: Int
  let graph: HistoryGraph
  /// The index of the store's version.
  let start: Int
  let survey: StoreSurvey

  var old: SchemaVersion { step.old }
  var new: SchemaVersion { step.new }

  /// What the rows show about a change; nil if the change leaves rows alone.
  func finding(_ change: SchemaChange) -> Finding? {
    do {
      return try measured(change)
    } catch {
      let reason = (error as? StoreError)?.reason ?? "\(error)"
      return Finding(.unknown, "cannot be measured: \(reason.visibleInOneLine)")
    }
  }

  private func measured(_ change: SchemaChange) throws -> Finding? {
    switch change.kind {
    case .modelRemoved, .modelRenamed, .modelDerived: try model(change)
    case .attributeRemoved, .relationshipRemoved, .storedToTransient,
      .attributeBecameValueType, .attributeBecameRelationship:
      try removal(change)
    case .missingDefault, .requiredStructAdded, .structOfOptionalsAdded, .mandatoryRelationship,
      .optionalAttributeAdded,
      .defaultedAttributeAdded, .attributeFilled:
      try addition(change)
    case .sharedDefault, .nullTrap:
      try predecessor(of: change.element) == nil ? addition(change) : nils(change)
    case .requiredWithoutFill, .enumMadeRequired, .attributeMadeRequiredDefaulted,
      .attributeMadeRequiredFilled:
      try nils(change)
    case .attributeConverted, .relationshipFilled: try conversion(change)
    case .numberTypeChanged, .numberRangeChanged: try cast(change)
    case .typeChanged, .externalStorageRemoved, .toOneToManyNoInverse: try refused(change)
    case .destinationChanged, .toOneToManyNewInverse: try lostLinks(change)
    case .encodedTypeChanged where new.model(named: change.element.owner) == nil:
      try valueType(change)
    case .encodedTypeChanged, .transformerChanged, .arrayElementChanged: try unreadable(change)
    case .uniqueAdded, .uniqueDeduped: try unique(change, [change.element.member ?? ""])
    case .compoundUniqueAdded, .compoundUniqueDeduped: try unique(change, change.constraint)
    case .relationshipMadeRequired, .toManyToOne, .relationshipNarrowed: try bounds(change)
    case .relationshipMadeExclusive: try exclusive(change)
    case .enumCaseRemoved, .enumCaseReplaced, .enumCaseCarried, .plainEnumCaseRemoved,
      .rawValueChanged, .structFieldRemoved,
      .structFieldAdded, .structFieldNullTrap, .structFieldChanged, .structFieldNumberChanged,
      .structFieldMadeRequired, .valueTypeChanged:
      try valueType(change)
    // Other changes depend on how the engine sees the model, not on rows.
    default:
      change.effect == .atRisk || change.effect == .dropped
        ? Finding(.unknown, "the store's rows do not show what the change does") : nil
    }
  }

  // MARK: Elements

  /// The older version's property that a property of the newer version continues; nil for a new property.
  func predecessor(of element: ElementPath) -> ElementPath? {
    step.edges(into: element).first { $0.kind != .converted }?.old
  }

  func sources(of element: ElementPath) -> [ElementPath] {
    step.edges(into: element).filter { $0.kind == .converted }.map(\.old)
  }

  /// The store's column for a property of the older version; nil if an earlier step makes its values.
  func origin(ofOld element: ElementPath) -> Column? {
    graph.origin(of: element, at: place, in: start).flatMap { origin in
      origin.member.map { (origin.owner, $0) }
    }
  }

  func origin(_ change: SchemaChange) -> Column? {
    predecessor(of: change.element).flatMap(origin(ofOld:))
  }

  func count(ofNew model: String) throws -> Int64 {
    try count(graph.rows(of: model, at: place + 1, in: start))
  }

  /// The finding for an element without values in the store's rows.
  static let madeOnTheWay = Finding(
    .unknown, "an earlier step makes the values: rows of this store do not have them yet")

  func count(_ models: [String]) throws -> Int64 {
    try models.reduce(0) { try $0 + survey.rowCount(of: $1) }
  }

  func isAcknowledged(_ change: SchemaChange) -> Bool {
    // An unconfirmed removal is not an acknowledgement.
    (change.acknowledgement ?? .unconfirmed) != .unconfirmed
      || step.accepted.contains {
        $0.finding.rule.id == change.ruleID && $0.finding.path == change.element
      }
  }

  func loss(_ change: SchemaChange, _ tally: StoreSurvey.Tally, _ text: String) -> Finding {
    Finding(
      tally.rows == 0 ? .kept : isAcknowledged(change) ? .acknowledged : .lost, text,
      rows: tally.rows, examples: CountWords.names(tally.examples))
  }

  func failure(_ tally: StoreSurvey.Tally, _ text: String) -> Finding {
    Finding(
      tally.rows == 0 ? .kept : .fails, text, rows: tally.rows,
      examples: CountWords.names(tally.examples))
  }

  // MARK: Models

  private func model(_ change: SchemaChange) throws -> Finding {
    guard change.kind == .modelRemoved else {
      let count = try count(ofNew: change.element.owner)
      let verb =
        change.kind == .modelRenamed
        ? "carried over" : "made into rows of '\(change.element.owner)'"
      return Finding(
        count == 0 ? .kept : .handled,
        "\(CountWords.rows(count)) \(count == 1 ? "is" : "are") \(verb)", rows: count)
    }
    let count = try count(graph.rows(of: change.element.owner, at: place, in: start))
    return loss(
      change, StoreSurvey.Tally(rows: count),
      count == 0
        ? "there are no rows"
        : "\(CountWords.rows(count)) \(count == 1 ? "is dropped" : "are dropped")")
  }

  // MARK: Properties that come and go

  private func removal(_ change: SchemaChange) throws -> Finding {
    // The change of a removed element has the old name. If an element becomes another kind of property, the change has
    // the new name.
    let isGone = change.kind == .attributeRemoved || change.kind == .relationshipRemoved
    let was = isGone ? change.element : predecessor(of: change.element)
    guard let was, let property = old.property(at: was), let origin = origin(ofOld: was) else {
      return Self.madeOnTheWay
    }
    let total = try count([origin.model])
    guard let relationship = property.relationship else {
      let tally = try survey.tally(of: origin.model, origin.property, isNull: false)
      let part = CountWords.part(tally.rows, of: total, "has a value", "have a value")
      return loss(change, tally, tally.rows == 0 ? part : part + ", which is dropped")
    }
    let tally = try survey.tally(of: origin.model, linksBy: origin.property, outside: 0...0)
    if relationship.cardinality.isMany, let inverse = relationship.inverse?.value,
      step.continued.contains(where: {
        $0.old == ElementPath(relationship.destination.value, inverse)
          && new.property(at: $0.new)?.relationship?.cardinality.isMany == false
      })
    {
      return Finding(
        .kept, "links stay in '\(relationship.destination.value).\(inverse)'", rows: tally.rows)
    }
    let part = CountWords.part(tally.rows, of: total, "has links", "have links")
    return loss(change, tally, tally.rows == 0 ? part : part + ", which are dropped")
  }

  private func addition(_ change: SchemaChange) throws -> Finding {
    let count = try count(ofNew: change.element.owner)
    let rows = CountWords.rows(count)
    guard count > 0 else { return Finding(.kept, "there are no rows", rows: 0) }
    switch change.kind {
    case .missingDefault, .requiredStructAdded:
      return Finding(.fails, "\(rows) would have no value", rows: count)
    case .mandatoryRelationship: return Finding(.fails, "\(rows) would have no link", rows: count)
    case .nullTrap:
      return Finding(.fails, "\(rows) would hold NULL, and reading such a row traps", rows: count)
    case .optionalAttributeAdded, .structOfOptionalsAdded:
      return Finding(.kept, "\(rows) \(count == 1 ? "gets" : "get") nil", rows: count)
    case .attributeFilled:
      return Finding(.handled, "'fill' gives \(rows) a value", rows: count)
    default:
      return Finding(
        .handled, "\(rows) \(count == 1 ? "gets" : "get") the default anyway", rows: count)
    }
  }

  // MARK: Values

  private func nils(_ change: SchemaChange) throws -> Finding {
    guard let origin = origin(change) else { return Self.madeOnTheWay }
    let tally = try survey.tally(of: origin.model, origin.property, isNull: true)
    let part = CountWords.part(tally.rows, of: try count([origin.model]), "holds nil", "hold nil")
    switch change.kind {
    case .requiredWithoutFill: return failure(tally, part)
    case .nullTrap, .enumMadeRequired:
      return failure(tally, tally.rows == 0 ? part : part + ", and reading such a row traps")
    default: break
    }
    let how = change.kind == .attributeMadeRequiredFilled ? "'fill'" : "the default"
    return Finding(
      tally.rows == 0 ? .kept : .handled,
      tally.rows == 0 ? part : "\(part): \(how) takes its place",
      rows: tally.rows, examples: CountWords.names(tally.examples))
  }

  private func conversion(_ change: SchemaChange) throws -> Finding {
    let property = new.property(at: change.element)
    let count = try count(ofNew: change.element.owner)
    let sources = sources(of: change.element)
    let names = sources.map { "'\($0.member ?? "")'" }.joined(separator: ", ")
    let how =
      property?.migration.convert == nil && sources.isEmpty ? "'fill'" : "'convert'"
    var text = "\(how) makes a value for \(CountWords.rows(count))"
    if !names.isEmpty { text += " of \(names)" }
    // If a to-many relationship becomes to-one, one of several rows must be chosen.
    if property?.relationship?.cardinality.isMany == false,
      let source = sources.first,
      old.property(at: source)?.relationship?.cardinality.isMany == true,
      let origin = origin(ofOld: source)
    {
      let several = try survey.tally(
        of: origin.model, linksBy: origin.property, outside: 0...1)
      text += "; \(CountWords.part(several.rows, of: count, "leads to several", "lead to several"))"
    }
    return Finding(count == 0 ? .kept : .handled, text, rows: count)
  }

  private func cast(_ change: SchemaChange) throws -> Finding? {
    guard let type = new.property(at: change.element)?.attribute?.type.unwrapped.description,
      StorageType.Primitive.bySwiftName[type]?.isNumeric == true
    else { return nil }
    guard let origin = origin(change) else { return Self.madeOnTheWay }
    let tally = try survey.tally(of: origin.model, origin.property) {
      !NumberCast.keeps($0, as: type)
    }
    let part = CountWords.part(
      tally.rows, of: try count([origin.model]), "has a number that \(type) cannot hold",
      "have a number that \(type) cannot hold")
    return loss(change, tally, part)
  }

  /// The finding for a change that no stage can make, whatever the rows are.
  private func refused(_ change: SchemaChange) throws -> Finding {
    guard let origin = origin(change) else { return Self.madeOnTheWay }
    let isLink = new.property(at: change.element)?.relationship != nil
    let tally =
      isLink
      ? try survey.tally(of: origin.model, linksBy: origin.property, outside: 0...0)
      : try survey.tally(of: origin.model, origin.property, isNull: false)
    let total = try count([origin.model])
    let what = isLink ? "links" : "a value"
    return Finding(
      .fails,
      "the step fails whatever the rows hold; "
        + CountWords.part(tally.rows, of: total, "has \(what)", "have \(what)"),
      rows: tally.rows)
  }

  /// The finding for links that the engine loses, or that lead to other rows afterwards.
  private func lostLinks(_ change: SchemaChange) throws -> Finding {
    guard let origin = origin(change) else { return Self.madeOnTheWay }
    let tally = try survey.tally(of: origin.model, linksBy: origin.property, outside: 0...0)
    let part = CountWords.part(
      tally.rows, of: try count([origin.model]), "has links", "have links")
    return loss(
      change, tally,
      part + (change.kind == .destinationChanged ? ", which would lead to other rows" : ""))
  }

  /// The finding for values whose format is not examined.
  private func unreadable(_ change: SchemaChange) throws -> Finding {
    guard let origin = origin(change) else { return Self.madeOnTheWay }
    let tally = try survey.tally(of: origin.model, origin.property, isNull: false)
    let part = CountWords.part(
      tally.rows, of: try count([origin.model]), "has a value", "have a value")
    return Finding(
      tally.rows == 0 ? .kept : isAcknowledged(change) ? .acknowledged : .unknown,
      tally.rows == 0 ? part : "\(part): it may not be readable afterwards",
      rows: tally.rows, examples: CountWords.names(tally.examples))
  }

  // MARK: Links

  private func bounds(_ change: SchemaChange) throws -> Finding {
    guard let origin = origin(change),
      let relationship = new.property(at: change.element)?.relationship
    else { return Self.madeOnTheWay }
    let total = try count([origin.model])
    let range: ClosedRange<Int>
    let words: (one: String, several: String)
    switch change.kind {
    case .relationshipMadeRequired:
      range = 1...Int.max
      words = ("has no link", "have no link")
    case .toManyToOne:
      range = 0...1
      words = ("leads to several rows", "lead to several rows")
    default:
      let most = relationship.maximum.flatMap { $0 == 0 ? nil : $0 } ?? .max
      range = min(relationship.minimum ?? 0, most)...most
      words = ("is outside the new bounds", "are outside the new bounds")
    }
    let tally = try survey.tally(of: origin.model, linksBy: origin.property, outside: range)
    var found = failure(tally, CountWords.part(tally.rows, of: total, words.one, words.several))
    if change.kind == .toManyToOne {
      // The engine fails whatever the rows are.
      found.outcome = .fails
      found.text = "the step fails whatever the rows hold; " + found.text
    } else if found.outcome == .fails, isAcknowledged(change) {
      found.outcome = .acknowledged
    }
    return found
  }

  private func exclusive(_ change: SchemaChange) throws -> Finding {
    guard let origin = origin(change) else { return Self.madeOnTheWay }
    let tally = try survey.sharedDestinations(of: origin.model, by: origin.property)
    let words = CountWords.rows(tally.rows)
    return loss(
      change, tally,
      tally.rows == 0
        ? "no row is the target of several rows"
        : "\(words) \(tally.rows == 1 ? "is" : "are") the target of several rows, and only one of the linking rows keeps its link"
    )
  }
}
