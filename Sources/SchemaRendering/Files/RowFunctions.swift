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
  private let plan: HopPlan

  /// In every function, the row that is changed is called so.
  private static let values = ConversionText(row: "row")

  /// The enum that holds the functions.
  static func enumName(_ hop: Hop) -> String { hop.ownedName + "Rows" }

  init(_ hop: Hop, _ evolution: Evolution) {
    plan = hop.plan
    let position = evolution.positions[hop.from]
    let isBridged = plan.bridges > 0
    schema = evolution.chain[isBridged ? position + 1 : position].name
    if plan.hooks.before { calls.append("try \(hop.ownedName).before(context)") }
    for move in plan.moves { functions.append(moving(move)) }
    for group in grouped(plan.relinks) { functions.append(relinking(group)) }
    for carry in plan.carries { functions.append(carrying(carry)) }
    for (index, step) in plan.dedupes.enumerated() {
      functions.append(deduping(step, index, hop.ownedName))
    }
    calls += functions.map { "try \(Self.enumName(hop)).\($0.name)(in: context)" }
  }

  private func grouped(_ relinks: [Relink]) -> [[Relink]] {
    var groups: [[Relink]] = []
    for relink in relinks {
      if let index = groups.firstIndex(where: { $0[0].model == relink.model }) {
        groups[index].append(relink)
      } else {
        groups.append([relink])
      }
    }
    return groups
  }

  private func walk(_ model: String, _ body: [String]) -> [String] {
    ["try MigrationBatch.forEach(\(schema).\(model).self, in: context) { row in"]
      + body.map { "  " + $0 } + ["}"]
  }

  // MARK: Moves

  private func moving(_ move: ModelMove) -> Function {
    let arguments = move.values.map { "\($0.property): \(Self.values.text($0.value))" }
    let attempt = move.values.contains(where: \.canThrow) ? "try " : ""
    var body = ["guard row.\(move.link) == nil else { return }"]
    body += SwiftText.list(
      "let carried = \(attempt)\(schema).\(move.target)", arguments, indent: 6)
    body += ["context.insert(carried)", "row.\(move.link) = carried"]
    return Function(
      name: "carry\(move.source)To\(move.target)",
      documentation:
        "Makes a row of `\(move.target)` for each row of `\(move.source)` that has none yet. "
        + "Each remembers its new row, so that a repetition makes none twice.",
      body: walk(move.source, body))
  }

  // MARK: Links

  private func relinking(_ relinks: [Relink]) -> Function {
    let body = relinks.flatMap { relink -> [String] in
      let owner = relink.ownerLink.map { "row.\($0)?" } ?? "row"
      let target = "\(owner).\(SwiftIdentifier.quoted(relink.target))"
      let source = "row.\(SwiftIdentifier.quoted(relink.source))"
      return SwiftText.assignment(target, Self.links(relink, source), indent: 6)
    }
    return Function(
      name: "relink\(relinks[0].model)",
      documentation:
        "Sets the links of `\(relinks[0].model)` anew: what they led to is carried over.",
      body: walk(relinks[0].model, body))
  }

  private static func links(_ relink: Relink, _ source: String) -> String {
    guard let link = relink.destinationLink else {
      return relink.isMany && relink.isSourceOptional && !relink.isTargetOptional
        ? "\(source) ?? []" : source
    }
    if relink.isMany {
      let carried = "\(source)\(relink.isSourceOptional ? "?" : "").compactMap(\\.\(link))"
      return relink.isSourceOptional && !relink.isTargetOptional ? "\(carried) ?? []" : carried
    }
    return "\(source)\(relink.isSourceOptional ? "?" : "").\(link)"
  }

  // MARK: Values

  private func carrying(_ carry: ModelCarry) -> Function {
    let body = carry.assignments.flatMap { assignment -> [String] in
      let target = "row.\(SwiftIdentifier.quoted(assignment.property))"
      let value = (assignment.canThrow ? "try " : "") + Self.values.text(assignment.value)
      guard assignment.onlyWhereNil else {
        return SwiftText.assignment(target, value, indent: 6)
      }
      return ["if \(target) == nil {"]
        + SwiftText.assignment(target, value, indent: 8).map { "  " + $0 } + ["}"]
    }
    let isFill = carry.assignments.allSatisfy(\.onlyWhereNil)
    return Function(
      name: "\(isFill ? "fill" : "carry")\(carry.model)",
      documentation:
        isFill
        ? "Fills what is nil in `\(carry.model)`. What has a value keeps it, so a repetition is harmless."
        : "Carries values of `\(carry.model)` over. Each derives from old columns alone, so a "
          + "repetition is harmless.",
      body: walk(carry.model, body))
  }

  // MARK: Equal rows

  private func deduping(_ step: DedupeStep, _ index: Int, _ owned: String) -> Function {
    let names = step.keys.map(\.name)
    var body = [
      "try MigrationBatch.duplicates("
    ]
    body.append("  \(schema).\(step.model).self, in: context,")
    body += keyClosure(step).map { "  " + $0 }
    body.append("  resolve: { rows in")
    switch step.strategy {
    case .function(let name):
      body.append("    try \(owned).\(SwiftIdentifier.quoted(name))(rows, in: context)")
    case .latest(let by): body += keeping(step, by, isLatest: true).map { "  " + $0 }
    case .earliest(let by): body += keeping(step, by, isLatest: false).map { "  " + $0 }
    }
    body += ["  }", ")"]
    let rule: String =
      switch step.strategy {
      case .latest(let by): "the one with the latest `\(by)` stays"
      case .earliest(let by): "the one with the earliest `\(by)` stays"
      case .function(let name): "`\(owned).\(name)` says which go"
      }
    let suffix = names.map(\.uppercasedFirst).joined(separator: "And")
    return Function(
      name: "dedupe\(step.model)By\(suffix)",
      documentation:
        "Of rows of `\(step.model)` with equal \(names.map { "`\($0)`" }.joined(separator: " and ")), "
        + "\(rule).",
      body: body)
  }

  private func keyClosure(_ step: DedupeStep) -> [String] {
    let optional = step.keys.filter(\.isOptional)
    func value(_ key: DedupeStep.Key) -> String {
      key.isOptional ? SwiftIdentifier.quoted(key.name) : "row.\(SwiftIdentifier.quoted(key.name))"
    }
    let list = "[\(step.keys.map(value).joined(separator: ", "))]"
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
  private func keeping(_ step: DedupeStep, _ property: String, isLatest: Bool) -> [String] {
    let name = SwiftIdentifier.quoted(property)
    let pair = isLatest ? "$1.\(name), $0.\(name)" : "$0.\(name), $1.\(name)"
    var lines = [
      "  let sorted = rows.sorted { MigrationBatch.precedes(\(pair)) }",
      "  for row in sorted.dropFirst() {",
    ]
    for link in step.relationships {
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

/// What MigrationRows.mustache reads: the functions of one step.
struct RowsFileView: TemplateView {
  var mark: String
  var imports: [String]
  var documentation: [String]
  var name: String
  var functions: [FunctionView]

  static var members: [String: (Self) -> Any?] {
    [
      "mark": { $0.mark }, "imports": { $0.imports }, "documentation": { $0.documentation },
      "name": { $0.name }, "functions": { $0.functions },
    ]
  }
}

/// One function over a context.
struct FunctionView: TemplateView {
  var name: String
  var documentation: [String]
  var body: [String]
  var isNotFirst: Bool

  static var members: [String: (Self) -> Any?] {
    [
      "name": { $0.name }, "documentation": { $0.documentation }, "body": { $0.body },
      "isNotFirst": { $0.isNotFirst },
    ]
  }
}

extension RowsFileView {
  init(_ functions: RowFunctions, hop: Hop, evolution: Evolution, mark: String) {
    self.mark = mark
    imports = Imports.list(["Foundation", "SwiftData"], evolution.configuration)
    let old = evolution.history[hop.from].number.name
    let new = evolution.history[hop.to].number.name
    documentation = SwiftText.documentation(
      "What becomes of rows on the way from \(old) to \(new), before the store takes \(new)'s shape."
    )
    name = RowFunctions.enumName(hop)
    self.functions = functions.functions.enumerated().map { index, function in
      FunctionView(
        name: function.name,
        documentation: SwiftText.documentation(function.documentation, indent: 2),
        body: function.body, isNotFirst: index > 0)
    }
  }
}
