internal import ManagedModels
internal import SchemaEvolution
internal import SchemaModel
internal import SchemaReporting
internal import SchemaWorkspace
internal import StoreFormat

/// Compares the changes of one step with the rows of a store of an earlier version, or of the step's own.
struct StepMeasurement {
  typealias Finding = RowMeasurements.Finding
  typealias Field = RowProvenance.Field

  let step: VersionStep
  let old: SchemaVersion
  let new: SchemaVersion
  let provenance: RowProvenance.Step
  let survey: StoreSurvey

  /// What the rows show about a change; nil if it leaves them alone.
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
      try provenance.predecessor(ofNew: field(change)) == nil ? addition(change) : nils(change)
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
    case .uniqueAdded, .uniqueDeduped: try unique(change, [field(change).property])
    case .compoundUniqueAdded, .compoundUniqueDeduped: try unique(change, change.constraint)
    case .relationshipMadeRequired, .toManyToOne, .relationshipNarrowed: try bounds(change)
    case .relationshipMadeExclusive: try exclusive(change)
    case .enumCaseRemoved, .enumCaseReplaced, .enumCaseCarried, .plainEnumCaseRemoved,
      .rawValueChanged, .structFieldRemoved,
      .structFieldAdded, .structFieldNullTrap, .structFieldChanged, .structFieldNumberChanged,
      .structFieldMadeRequired, .valueTypeChanged:
      try valueType(change)
    // What is left lies in how the framework knows the model, whatever rows hold.
    default:
      change.effect == .atRisk || change.effect == .dropped
        ? Finding(.unknown, "the rows do not show it") : nil
    }
  }

  // MARK: Elements

  /// `Model.property`, as the change names it.
  func field(_ change: SchemaChange) -> Field {
    Field(change.element.owner, change.element.member ?? "")
  }

  func oldProperty(_ field: Field) -> Property? {
    old.model(named: field.model)?.property(named: field.property)
  }

  func newProperty(_ field: Field) -> Property? {
    new.model(named: field.model)?.property(named: field.property)
  }

  /// A property of the newer version, as the store has it; nil where its values are made on the way.
  func origin(_ change: SchemaChange) -> Field? {
    provenance.predecessor(ofNew: field(change)).flatMap(provenance.origin)
  }

  /// The finding for an element whose values no row of the store has yet.
  static let madeOnTheWay = Finding(
    .unknown, "its values are made by an earlier step: rows of this store do not have them yet")

  func count(_ models: [String]) throws -> Int64 {
    try models.reduce(0) { try $0 + survey.rowCount(of: $1) }
  }

  /// Whether the author has said that this may be lost.
  func isAcknowledged(_ change: SchemaChange) -> Bool {
    // That nobody has confirmed it is no word for it.
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
      let count = try count(provenance.rows(ofNew: change.element.owner))
      let verb = change.kind == .modelRenamed ? "carried over" : "made into rows of it"
      return Finding(
        count == 0 ? .kept : .handled,
        "\(CountWords.rows(count)) \(count == 1 ? "is" : "are") \(verb)", rows: count)
    }
    let count = try count(provenance.rows(ofOld: change.element.owner))
    return loss(
      change, StoreSurvey.Tally(rows: count),
      count == 0
        ? "there are no rows"
        : "\(CountWords.rows(count)) \(count == 1 ? "is dropped" : "are dropped")")
  }

  // MARK: Properties that come and go

  private func removal(_ change: SchemaChange) throws -> Finding {
    // What is gone is called as it was; what stays as another kind of property, as it is.
    let isGone = change.kind == .attributeRemoved || change.kind == .relationshipRemoved
    let was = isGone ? field(change) : provenance.predecessor(ofNew: field(change))
    guard let was, let property = oldProperty(was) else { return Self.madeOnTheWay }
    guard let origin = provenance.origin(ofOld: was) else { return Self.madeOnTheWay }
    let total = try count([origin.model])
    guard let relationship = property.relationship else {
      let tally = try survey.tally(of: origin.model, origin.property, isNull: false)
      let part = CountWords.part(tally.rows, of: total, "has a value", "have a value")
      return loss(change, tally, tally.rows == 0 ? part : part + ", which is dropped")
    }
    let tally = try survey.tally(of: origin.model, linksBy: origin.property, outside: 0...0)
    if relationship.cardinality.isMany, let inverse = relationship.inverse?.value,
      provenance.continued.contains(where: {
        $0.old == Field(relationship.destination.value, inverse)
          && newProperty($0.new)?.relationship?.cardinality.isMany == false
      })
    {
      return Finding(
        .kept, "links stay in '\(relationship.destination.value).\(inverse)'", rows: tally.rows)
    }
    let part = CountWords.part(tally.rows, of: total, "has links", "have links")
    return loss(change, tally, tally.rows == 0 ? part : part + ", which are dropped")
  }

  private func addition(_ change: SchemaChange) throws -> Finding {
    let count = try count(provenance.rows(ofNew: field(change).model))
    let rows = CountWords.rows(count)
    guard count > 0 else { return Finding(.kept, "there are no rows", rows: 0) }
    switch change.kind {
    case .missingDefault, .requiredStructAdded:
      return Finding(.fails, "\(rows) would have no value", rows: count)
    case .mandatoryRelationship: return Finding(.fails, "\(rows) would have no link", rows: count)
    case .nullTrap:
      return Finding(.fails, "\(rows) would hold NULL, and reading one traps", rows: count)
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
      return failure(tally, tally.rows == 0 ? part : part + ", and reading one traps")
    default: break
    }
    let how = change.kind == .attributeMadeRequiredFilled ? "'fill'" : "the default"
    return Finding(
      tally.rows == 0 ? .kept : .handled,
      tally.rows == 0 ? part : "\(part): \(how) takes its place",
      rows: tally.rows, examples: CountWords.names(tally.examples))
  }

  private func conversion(_ change: SchemaChange) throws -> Finding {
    let field = field(change)
    let count = try count(provenance.rows(ofNew: field.model))
    let sources = provenance.sources(ofNew: field)
    let names = sources.map { "'\($0.property)'" }.joined(separator: ", ")
    let how =
      newProperty(field)?.migration.convert == nil && sources.isEmpty ? "'fill'" : "'convert'"
    var text = "\(how) makes a value for \(CountWords.rows(count))"
    if !names.isEmpty { text += " of \(names)" }
    // A to-many relationship that becomes a to-one one: somebody has to choose.
    if newProperty(field)?.relationship?.cardinality.isMany == false,
      let source = sources.first, oldProperty(source)?.relationship?.cardinality.isMany == true,
      let origin = provenance.origin(ofOld: source)
    {
      let several = try survey.tally(
        of: origin.model, linksBy: origin.property, outside: 0...1)
      text += "; \(CountWords.part(several.rows, of: count, "leads to several", "lead to several"))"
    }
    return Finding(count == 0 ? .kept : .handled, text, rows: count)
  }

  private func cast(_ change: SchemaChange) throws -> Finding? {
    let field = field(change)
    guard let type = newProperty(field)?.attribute?.type.unwrapped.description,
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

  /// The finding for what no stage can do, whatever rows hold.
  private func refused(_ change: SchemaChange) throws -> Finding {
    guard let origin = origin(change) else { return Self.madeOnTheWay }
    let isLink = newProperty(field(change))?.relationship != nil
    let tally =
      isLink
      ? try survey.tally(of: origin.model, linksBy: origin.property, outside: 0...0)
      : try survey.tally(of: origin.model, origin.property, isNull: false)
    let total = try count([origin.model])
    let what = isLink ? "links" : "a value"
    return Finding(
      .fails,
      "it fails whatever the rows hold; "
        + CountWords.part(tally.rows, of: total, "has \(what)", "have \(what)"),
      rows: tally.rows)
  }

  /// Links that the engine loses, or leads to other rows.
  private func lostLinks(_ change: SchemaChange) throws -> Finding {
    guard let origin = origin(change) else { return Self.madeOnTheWay }
    let tally = try survey.tally(of: origin.model, linksBy: origin.property, outside: 0...0)
    let part = CountWords.part(
      tally.rows, of: try count([origin.model]), "has links", "have links")
    return loss(
      change, tally,
      part + (change.kind == .destinationChanged ? ", which would lead to other rows" : ""))
  }

  /// The finding for values in a form that is not examined.
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
      let relationship = newProperty(field(change))?.relationship
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
      words = ("leads to several", "lead to several")
    default:
      let most = relationship.maximum.flatMap { $0 == 0 ? nil : $0 } ?? .max
      range = min(relationship.minimum ?? 0, most)...most
      words = ("is outside the new bounds", "are outside the new bounds")
    }
    let tally = try survey.tally(of: origin.model, linksBy: origin.property, outside: range)
    var found = failure(tally, CountWords.part(tally.rows, of: total, words.one, words.several))
    if change.kind == .toManyToOne {
      // The engine does not look at rows.
      found.outcome = .fails
      found.text = "it fails whatever the rows hold; " + found.text
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
        ? "no row is the target of several"
        : "\(words) \(tally.rows == 1 ? "is" : "are") the target of several, and one of them keeps it"
    )
  }
}
