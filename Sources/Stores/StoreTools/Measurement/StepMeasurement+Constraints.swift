internal import ManagedModels
internal import SchemaEvolution
internal import SchemaModel
internal import SchemaWorkspace
internal import StoreFormat

extension StepMeasurement {
  /// - Parameter names: The constraint's properties, with the newer version's names.
  func unique(_ change: SchemaChange, _ names: [String]) throws -> Finding {
    let model = change.element.owner
    if change.repetition == .everyRow {
      let count = try count(ofNew: model)
      return Finding(
        count > 1 ? .fails : .kept,
        count > 1
          ? "\(CountWords.rows(count)) would get the same value"
          : "\(CountWords.rows(count)): none is equal",
        rows: count)
    }
    if change.repetition == .everyNil {
      guard let origin = origin(change) else { return Self.madeOnTheWay }
      let tally = try survey.tally(of: origin.model, origin.property, isNull: true)
      let words = CountWords.part(
        tally.rows, of: try count([origin.model]), "holds nil", "hold nil")
      return Finding(
        tally.rows > 1 ? .fails : .kept,
        tally.rows > 1 ? words + " and would get the same value" : words, rows: tally.rows,
        examples: CountWords.names(tally.examples))
    }
    let origins = names.compactMap { origin(of: $0, in: model) }
    guard let entity = origins.first?.model, origins.count == names.count,
      origins.allSatisfy({ $0.model == entity })
    else { return Self.madeOnTheWay }
    let found = try survey.duplicates(of: entity, origins.map(\.property))
    return finding(change, found)
  }

  /// The store's column for a property of a constraint. The property may be converted from one other property, because
  /// a conversion keeps equal values equal.
  private func origin(of property: String, in model: String) -> Column? {
    let element = ElementPath(model, property)
    if let was = predecessor(of: element) { return origin(ofOld: was) }
    let sources = sources(of: element)
    return sources.count == 1 ? sources.first.flatMap(origin(ofOld:)) : nil
  }

  private func finding(_ change: SchemaChange, _ found: StoreSurvey.Duplicates) -> Finding {
    guard found.values > 0 else { return Finding(.kept, "no two rows are equal", rows: 0) }
    let values = found.values == 1 ? "1 value is" : "\(found.values) values are"
    let text = "\(values) in \(CountWords.rows(found.rows))"
    let examples = CountWords.names(found.examples)
    guard change.kind == .uniqueDeduped || change.kind == .compoundUniqueDeduped else {
      return Finding(.fails, text, rows: found.rows, examples: examples)
    }
    let surplus = found.rows - found.values
    return Finding(
      .handled,
      "\(text): 'dedupe' keeps one row for each value, and \(CountWords.rows(surplus)) \(surplus == 1 ? "is dropped" : "are dropped")",
      rows: surplus, examples: examples)
  }
}
