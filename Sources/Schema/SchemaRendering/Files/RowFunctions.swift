internal import SchemaEvolution
internal import SchemaModel

/// What `willMigrate` does in one step, as functions over a context.
struct RowFunctions {
  struct Function {
    var name: String
    var documentation: String
    var body: [String]
  }

  private(set) var functions: [Function] = []
  private(set) var calls: [String] = []
  private let schema: String
  private let plan: StepPlan

  /// A value's expression. The changed row is called `row`, as in every function.
  private static func text(_ value: DerivedValue, counting property: String? = nil) -> String {
    ConversionText(row: "row", counted: property).text(value)
  }

  static func enumName(_ step: VersionStep) -> String { step.name + "Rows" }

  init(_ step: VersionStep, _ evolution: Evolution) {
    plan = step.plan
    schema = evolution.schemaOfUserCode(in: step)
    if plan.hooks.before { calls.append("try \(step.name).before(context)") }
    for transfer in plan.transfers { functions.append(transferring(transfer)) }
    for group in grouped(plan.relationshipUpdates) {
      functions.append(updatingRelationships(group))
    }
    for update in plan.rowUpdates { functions.append(updating(update)) }
    for (index, dedupe) in plan.dedupes.enumerated() {
      functions.append(deduping(dedupe, index, step.name))
    }
    calls += functions.map { "try \(Self.enumName(step)).\($0.name)(in: context)" }
  }

  private func grouped(_ updates: [RelationshipUpdate]) -> [[RelationshipUpdate]] {
    var groups: [[RelationshipUpdate]] = []
    for update in updates {
      if let index = groups.firstIndex(where: { $0[0].model == update.model }) {
        groups[index].append(update)
      } else {
        groups.append([update])
      }
    }
    return groups
  }

  /// Iterates over a model's rows; `following` names the relationships that the body uses.
  private func walk(_ model: String, following names: [String] = [], _ body: [String]) -> [String] {
    let row = "\(schema).\(model).self"
    let head =
      names.isEmpty
      ? ["try MigrationBatch.forEach(\(row), in: context) { row in"]
      : ["try MigrationBatch.forEach("]
        + rows(row, following: names).map { "  " + $0 } + [") { row in"]
    return head + body.map { "  " + $0 } + ["}"]
  }

  private func rows(_ row: String, following names: [String]) -> [String] {
    let paths = names.map { "\\.\(SwiftIdentifier.quoted($0))" }
    let list = paths.joined(separator: ", ")
    let line = "\(row), \(paths.isEmpty ? "" : "prefetching: [\(list)], ")in: context"
    if 6 + line.columns < SwiftText.width { return [line] }
    return ["\(row),", "prefetching: ["] + SwiftText.elements(paths).map { "  " + $0 }
      + ["], in: context"]
  }

  // MARK: Transfers

  private func transferring(_ transfer: RowTransfer) -> Function {
    let arguments = transfer.values.map {
      "\($0.property): \(Self.text($0.value, counting: $0.property))"
    }
    let attempt = transfer.values.contains(where: \.canThrow) ? "try " : ""
    var body = ["guard row.\(transfer.link) == nil else { return }"]
    body += SwiftText.list(
      "let new = \(attempt)\(schema).\(transfer.target)", arguments, indent: 6)
    body += ["context.insert(new)", "row.\(transfer.link) = new"]
    return Function(
      name: "transfer\(transfer.source)To\(transfer.target)",
      documentation:
        "Makes a row of `\(transfer.target)` for each row of `\(transfer.source)` that has none yet. "
        + "Each remembers its new row, so a repetition makes none twice.",
      body: counting(transfer.target, transfer.values, walk(transfer.source, body)))
  }

  /// Counts the values that take a fallback, if any can.
  private func counting(
    _ model: String, _ values: [Assignment], _ walk: [String]
  ) -> [String] {
    let counts = values.contains {
      Self.text($0.value) != Self.text($0.value, counting: $0.property)
    }
    return counts
      ? ["let fallbacks = MigrationFallbacks(\"\(model)\")"] + walk + ["fallbacks.log()"] : walk
  }

  // MARK: Links

  private func updatingRelationships(_ updates: [RelationshipUpdate]) -> Function {
    let body = updates.flatMap { update -> [String] in
      let owner = update.ownerLink.map { "row.\($0)?" } ?? "row"
      let target = "\(owner).\(SwiftIdentifier.quoted(update.target))"
      let value =
        update.source.map { Self.links(update, "row.\(SwiftIdentifier.quoted($0))") }
        ?? Self.rows(update)
      return SwiftText.assignment(target, value, indent: 6)
    }
    var seen: Set<String> = []
    let followed = updates.flatMap { update in
      [update.source ?? update.destinationLink, update.ownerLink].compactMap(\.self)
    }.filter { seen.insert($0).inserted }
    return Function(
      name: "updateRelationshipsOf\(updates[0].model)",
      documentation:
        updates.contains { $0.source != nil }
        ? "Sets the links of `\(updates[0].model)` again, to the rows that were transferred."
        : "Links the rows made from one row of `\(updates[0].model)`. A repetition sets the same links.",
      body: walk(updates[0].model, following: followed, body))
  }

  /// The row itself, or the row that replaced it.
  private static func rows(_ update: RelationshipUpdate) -> String {
    guard let link = update.destinationLink else { return update.isMany ? "[row]" : "row" }
    return update.isMany ? "[row.\(link)].compactMap(\\.self)" : "row.\(link)"
  }

  private static func links(_ update: RelationshipUpdate, _ source: String) -> String {
    guard let link = update.destinationLink else {
      return update.isMany && update.isSourceOptional && !update.isTargetOptional
        ? "\(source) ?? []" : source
    }
    if update.isMany {
      let transferred = "\(source)\(update.isSourceOptional ? "?" : "").compactMap(\\.\(link))"
      return update.isSourceOptional && !update.isTargetOptional
        ? "\(transferred) ?? []" : transferred
    }
    return "\(source)\(update.isSourceOptional ? "?" : "").\(link)"
  }

  // MARK: Values

  private func updating(_ update: RowUpdate) -> Function {
    // The columns' names in the newer version, by their names in the bridge.
    let names = Dictionary(
      (plan.bridgeNames[update.model] ?? [:]).map { ($0.value, $0.key) }
    ) { first, _ in first }
    var body = update.cases.flatMap { change -> [String] in
      let target = "row.\(SwiftIdentifier.quoted(change.property))"
      // For an optional, '.none' alone would be nil.
      return ["if \(target) == \(change.type).\(SwiftIdentifier.quoted(change.old)) {"]
        + SwiftText.assignment(
          target, "\(change.type).\(SwiftIdentifier.quoted(change.new))", indent: 8
        ).map { "  " + $0 } + ["}"]
    }
    body += update.assignments.flatMap { assignment -> [String] in
      let target = "row.\(SwiftIdentifier.quoted(assignment.property))"
      let value =
        (assignment.canThrow ? "try " : "")
        + Self.text(assignment.value, counting: names[assignment.property] ?? assignment.property)
      guard assignment.onlyWhereNil else {
        return SwiftText.assignment(target, value, indent: 6)
      }
      return ["if \(target) == nil {"]
        + SwiftText.assignment(target, value, indent: 8).map { "  " + $0 } + ["}"]
    }
    let isFill = update.assignments.allSatisfy(\.onlyWhereNil) && update.cases.isEmpty
    return Function(
      name: "\(isFill ? "fill" : "update")\(update.model)",
      documentation:
        !update.cases.isEmpty && update.assignments.isEmpty
        ? "Gives rows of `\(update.model)` a case in place of one that is gone. Nothing changes them back, so a "
          + "repetition is harmless."
        : isFill
          ? "Fills nil values of `\(update.model)`. Other values stay, so a repetition is harmless."
          : "Updates rows of `\(update.model)`. No value is made from the one it replaces, so a repetition is "
            + "harmless.",
      body: counting(update.model, update.assignments, walk(update.model, body)))
  }

  // MARK: Equal rows

  private func deduping(_ dedupe: Deduplication, _ index: Int, _ enumeration: String) -> Function {
    let names = dedupe.keys.map(\.name)
    var body = [
      "try MigrationBatch.duplicates("
    ]
    // If the app's function handles the rows, it is unknown which relationships it uses.
    var followed = dedupe.relationships.map(\.name)
    if case .function = dedupe.strategy { followed = [] }
    let arguments = rows("\(schema).\(dedupe.model).self", following: followed)
    body += arguments.map { "  " + $0 }
    body[body.count - 1] += ","
    body += keyClosure(dedupe).map { "  " + $0 }
    body.append("  resolve: { rows in")
    switch dedupe.strategy {
    case .function(let name):
      body.append("    try \(enumeration).\(SwiftIdentifier.quoted(name))(rows, in: context)")
    case .latest(let by): body += keeping(dedupe, by, isLatest: true).map { "  " + $0 }
    case .earliest(let by): body += keeping(dedupe, by, isLatest: false).map { "  " + $0 }
    }
    body += ["  }", ")"]
    let rule: String =
      switch dedupe.strategy {
      case .latest(let by): "the one with the latest `\(by)` stays"
      case .earliest(let by): "the one with the earliest `\(by)` stays"
      case .function(let name): "`\(enumeration).\(name)` decides which are deleted"
      }
    let suffix = names.map(\.uppercasedFirst).joined(separator: "And")
    return Function(
      name: "dedupe\(dedupe.model)By\(suffix)",
      documentation:
        "Of rows of `\(dedupe.model)` with equal \(names.map { "`\($0)`" }.joined(separator: " and ")), "
        + "\(rule).",
      body: body)
  }

  private func keyClosure(_ dedupe: Deduplication) -> [String] {
    let optional = dedupe.keys.filter(\.isOptional)
    func value(_ key: Deduplication.Key) -> String {
      key.isOptional ? SwiftIdentifier.quoted(key.name) : "row.\(SwiftIdentifier.quoted(key.name))"
    }
    let list = "[\(dedupe.keys.map(value).joined(separator: ", "))]"
    guard !optional.isEmpty else { return ["keys: { row in \(list) },"] }
    let bindings = optional.map {
      "let \(SwiftIdentifier.quoted($0.name)) = row.\(SwiftIdentifier.quoted($0.name))"
    }.joined(separator: ", ")
    return [
      "keys: { row in",
      "  guard \(bindings) else { return nil }",
      "  return \(list)",
      "},",
    ]
  }

  /// Moves the links of deleted rows to the row that is kept, so deletions do not cascade to linked rows.
  private func keeping(_ dedupe: Deduplication, _ property: String, isLatest: Bool) -> [String] {
    let name = SwiftIdentifier.quoted(property)
    let pair = isLatest ? "$1.\(name), $0.\(name)" : "$0.\(name), $1.\(name)"
    var lines = [
      "  let sorted = rows.sorted { MigrationBatch.precedes(\(pair)) }",
      "  for row in sorted.dropFirst() {",
    ]
    for link in dedupe.relationships { lines += Self.takingOver(link).map { "    " + $0 } }
    return lines + ["    context.delete(row)", "  }"]
  }

  private static func takingOver(_ link: Deduplication.Link) -> [String] {
    let name = SwiftIdentifier.quoted(link.name)
    let (kept, gone) = ("sorted[0].\(name)", "row.\(name)")
    let nothing = link.cardinality == .optionalMany ? " ?? []" : ""
    var lines: [String] = []
    switch link.cardinality {
    case .many where link.isShared, .optionalMany where link.isShared:
      lines = SwiftText.assignment(
        kept, "MigrationBatch.union(\(kept)\(nothing), \(gone)\(nothing))", indent: 10)
    case .many: lines = ["\(kept) += \(gone)"]
    case .optionalMany: lines = ["\(kept) = (\(kept) ?? []) + (\(gone) ?? [])"]
    case .optionalOne: lines = ["if \(kept) == nil { \(kept) = \(gone) }"]
    case .one: break
    }
    guard link.isEmptied, link.cardinality != .one else { return lines }
    return lines + ["\(gone) = \(link.cardinality.isMany ? "[]" : "nil")"]
  }
}
