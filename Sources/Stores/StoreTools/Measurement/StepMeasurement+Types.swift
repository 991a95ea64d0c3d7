internal import ManagedModels
internal import SchemaEvolution
internal import SchemaModel
internal import SchemaWorkspace
internal import StoreFormat

extension StepMeasurement {
  /// The finding for a change of an enum or a struct, over all properties that keep the type. Nil if there are none.
  func valueType(_ change: SchemaChange) throws -> Finding? {
    let type = change.element.owner
    if new.model(named: type) != nil { return try otherType(change) }
    let uses = uses(of: type)
    var tally = StoreSurvey.Tally()
    var isUnknown = uses.isHidden
    for use in uses.fields {
      guard let origin = origin(ofOld: use) else {
        isUnknown = true
        continue
      }
      let found = try self.tally(change, change.element.member ?? "", type, origin)
      tally.rows += found.rows
      tally.examples += found.examples
    }
    tally.examples = Array(tally.examples.prefix(5))
    guard !uses.fields.isEmpty || isUnknown else { return nil }
    if isUnknown, tally.rows == 0 {
      return Finding(
        .unknown, "an earlier step makes the values, or they are not examined")
    }
    return words(change, tally)
  }

  /// The finding for a property that gets another type of the app, whose values look the same to the store.
  private func otherType(_ change: SchemaChange) throws -> Finding {
    guard let origin = origin(change) else { return Self.madeOnTheWay }
    let name = new.property(at: change.element)?.attribute?.type.unwrapped.description ?? ""
    guard case .enumeration(.some, let cases)? = new.type(named: name)?.kind else {
      let tally = try survey.tally(of: origin.model, origin.property, isNull: false)
      return words(change, tally)
    }
    var readAlike = cases
    if let was = predecessor(of: change.element).flatMap(old.property(at:))?
      .attribute?.type.unwrapped.description,
      case .enumeration(_, let before)? = old.type(named: was)?.kind
    {
      let misread = Set(before.misread(as: cases).map(\.storedText))
      readAlike.removeAll { misread.contains($0.storedText) }
    }
    let known = Set(readAlike.flatMap { Self.stored($0.storedText) ?? [] })
    let path = origin.property + ".rawValue"
    let tally = try survey.tally(of: origin.model, path) { !known.contains($0) }
    let total = try count([origin.model])
    return failure(
      tally,
      CountWords.part(
        tally.rows, of: total, "has a value that means another case of \(name), or no case",
        "have values that mean other cases of \(name), or no case"))
  }

  private func words(_ change: SchemaChange, _ tally: StoreSurvey.Tally) -> Finding {
    let has = "\(CountWords.rows(tally.rows)) \(tally.rows == 1 ? "has" : "have")"
    switch change.kind {
    case .enumCaseRemoved, .rawValueChanged:
      return failure(
        tally,
        tally.rows == 0 ? "no row has the case" : "\(has) the case, and cannot be read any more")
    case .enumCaseReplaced, .enumCaseCarried:
      return Finding(
        tally.rows == 0 ? .kept : .handled,
        tally.rows == 0 ? "no row has the case" : "\(has) the case, and gets another case",
        rows: tally.rows,
        examples: CountWords.names(tally.examples))
    case .plainEnumCaseRemoved:
      return loss(
        change, tally,
        tally.rows == 0 ? "no row has the case" : "\(has) the case, and loses its value")
    case .structFieldRemoved:
      return loss(
        change, tally, tally.rows == 0 ? "no row has a value" : "\(has) a value, which is dropped")
    default:
      return Finding(
        tally.rows == 0 ? .kept : isAcknowledged(change) ? .acknowledged : .unknown,
        tally.rows == 0
          ? "no row has a value" : "\(has) a value: it may not be readable afterwards",
        rows: tally.rows, examples: CountWords.names(tally.examples))
    }
  }

  private func tally(
    _ change: SchemaChange, _ part: String, _ type: String, _ origin: Column
  ) throws -> StoreSurvey.Tally {
    switch change.kind {
    case .enumCaseRemoved, .plainEnumCaseRemoved, .rawValueChanged, .enumCaseReplaced,
      .enumCaseCarried:
      guard case .enumeration(let raw, let cases)? = old.type(named: type)?.kind,
        let was = oldCase(change, part, type, cases)
      else { return StoreSurvey.Tally() }
      guard raw != nil else {
        return try survey.tally(of: origin.model, "\(origin.property).\(was.name)", isNull: false)
      }
      if case .enumeration(_, let now)? = new.type(named: type)?.kind,
        now.contains(where: { $0.storedText == was.storedText })
      {
        return StoreSurvey.Tally()
      }
      guard let value = Self.stored(was.storedText) else { return StoreSurvey.Tally() }
      return try survey.tally(of: origin.model, "\(origin.property).rawValue", in: value)
    case .structFieldRemoved, .structFieldChanged, .structFieldNumberChanged:
      return try survey.tally(of: origin.model, "\(origin.property).\(part)", isNull: false)
    default:
      return try survey.tally(of: origin.model, origin.property, isNull: false)
    }
  }

  private func oldCase(
    _ change: SchemaChange, _ name: String, _ type: String, _ cases: [EnumCase]
  ) -> EnumCase? {
    if [.enumCaseRemoved, .plainEnumCaseRemoved, .enumCaseReplaced].contains(change.kind) {
      return cases.first { $0.name == name }
    }
    guard case .enumeration(_, let now)? = new.type(named: type)?.kind,
      let found = now.first(where: { $0.name == name })
    else { return nil }
    return cases.first { change.detail == "\($0.storedText) → \(found.storedText)" }
  }

  /// A Swift literal as stored in rows. A number may be stored as an integer or as a real number. Nil for any other
  /// literal.
  static func stored(_ literal: String) -> [StoredValue]? {
    if literal.hasPrefix("\"") {
      var text = ""
      var isEscaped = false
      for character in literal.dropFirst().dropLast() {
        if !isEscaped, character == "\\" {
          isEscaped = true
        } else {
          text.append(character)
          isEscaped = false
        }
      }
      return [.text(text)]
    }
    let digits = literal.filter { $0 != "_" }
    if let number = Int64(digits) { return [.integer(number), .real(Double(number))] }
    return Double(digits).map { [.real($0)] }
  }

  // MARK: Uses

  /// The older version's properties of a type that continue, and whether other values contain the type.
  private func uses(of type: String) -> (fields: [ElementPath], isHidden: Bool) {
    var fields: [ElementPath] = []
    var isHidden = false
    for was in step.continued.map(\.old) {
      guard let attribute = old.property(at: was)?.attribute else { continue }
      if attribute.type.unwrapped == .named(type) {
        fields.append(was)
      } else if attribute.valueType.names.contains(type) || attribute.type.names.contains(type) {
        isHidden = true
      }
    }
    return (fields, isHidden)
  }
}
