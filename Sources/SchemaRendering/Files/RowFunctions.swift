internal import SchemaEvolution
internal import SchemaModel

/// What `willMigrate` of one step does, as functions over a context.
struct RowFunctions {
  struct Function {
    var name: String
    var documentation: String
    var body: [String]
  }

  private(set) var functions: [Function] = []
  /// The calls in the stage, hooks included.
  private(set) var calls: [String] = []
  private let schema: String
  private let plan: StepPlan

  /// In every function, the row that is changed is called so.
  private static let values = ConversionText(row: "row")

  /// The enum that holds the functions.
  static func enumName(_ step: VersionStep) -> String { step.name + "Rows" }

  init(_ step: VersionStep, _ evolution: Evolution) {
    plan = step.plan
    let position = evolution.positions[step.from]
    let isBridged = plan.bridges > 0
    schema = evolution.chain[isBridged ? position + 1 : position].name
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

  private func walk(_ model: String, _ body: [String]) -> [String] {
    ["try MigrationBatch.forEach(\(schema).\(model).self, in: context) { row in"]
      + body.map { "  " + $0 } + ["}"]
  }

  // MARK: Moves

  private func transferring(_ transfer: RowTransfer) -> Function {
    let arguments = transfer.values.map { "\($0.property): \(Self.values.text($0.value))" }
    let attempt = transfer.values.contains(where: \.canThrow) ? "try " : ""
    var body = ["guard row.\(transfer.link) == nil else { return }"]
    body += SwiftText.list(
      "let new = \(attempt)\(schema).\(transfer.target)", arguments, indent: 6)
    body += ["context.insert(new)", "row.\(transfer.link) = new"]
    return Function(
      name: "transfer\(transfer.source)To\(transfer.target)",
      documentation:
        "Makes a row of `\(transfer.target)` for each row of `\(transfer.source)` that has none yet. "
        + "Each remembers its new row, so that a repetition makes none twice.",
      body: walk(transfer.source, body))
  }

  // MARK: Links

  private func updatingRelationships(_ updates: [RelationshipUpdate]) -> Function {
    let body = updates.flatMap { update -> [String] in
      let owner = update.ownerLink.map { "row.\($0)?" } ?? "row"
      let target = "\(owner).\(SwiftIdentifier.quoted(update.target))"
      let source = "row.\(SwiftIdentifier.quoted(update.source))"
      return SwiftText.assignment(target, Self.links(update, source), indent: 6)
    }
    return Function(
      name: "updateRelationshipsOf\(updates[0].model)",
      documentation:
        "Sets the links of `\(updates[0].model)` again, to the rows that were transferred.",
      body: walk(updates[0].model, body))
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
    let body = update.assignments.flatMap { assignment -> [String] in
      let target = "row.\(SwiftIdentifier.quoted(assignment.property))"
      let value = (assignment.canThrow ? "try " : "") + Self.values.text(assignment.value)
      guard assignment.onlyWhereNil else {
        return SwiftText.assignment(target, value, indent: 6)
      }
      return ["if \(target) == nil {"]
        + SwiftText.assignment(target, value, indent: 8).map { "  " + $0 } + ["}"]
    }
    let isFill = update.assignments.allSatisfy(\.onlyWhereNil)
    return Function(
      name: "\(isFill ? "fill" : "update")\(update.model)",
      documentation:
        isFill
        ? "Fills nil values of `\(update.model)`. Other values stay, so a repetition is harmless."
        : "Updates rows of `\(update.model)`. Every value derives from old columns only, so a "
          + "repetition is harmless.",
      body: walk(update.model, body))
  }

  // MARK: Equal rows

  private func deduping(_ dedupe: Deduplication, _ index: Int, _ enumeration: String) -> Function {
    let names = dedupe.keys.map(\.name)
    var body = [
      "try MigrationBatch.duplicates("
    ]
    body.append("  \(schema).\(dedupe.model).self, in: context,")
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
      case .function(let name): "`\(enumeration).\(name)` says which go"
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

  /// The row that stays takes over the links of those that go, so that nothing is deleted along with them.
  private func keeping(_ dedupe: Deduplication, _ property: String, isLatest: Bool) -> [String] {
    let name = SwiftIdentifier.quoted(property)
    let pair = isLatest ? "$1.\(name), $0.\(name)" : "$0.\(name), $1.\(name)"
    var lines = [
      "  let sorted = rows.sorted { MigrationBatch.precedes(\(pair)) }",
      "  for row in sorted.dropFirst() {",
    ]
    for link in dedupe.relationships {
      let member = SwiftIdentifier.quoted(link.name)
      switch link.cardinality {
      case .many: lines.append("    sorted[0].\(member) += row.\(member)")
      case .optionalMany:
        lines.append(
          "    sorted[0].\(member) = (sorted[0].\(member) ?? []) + (row.\(member) ?? [])")
      case .optionalOne:
        lines.append("    if sorted[0].\(member) == nil { sorted[0].\(member) = row.\(member) }")
      case .one: break
      }
    }
    return lines + ["    context.delete(row)", "  }"]
  }
}
