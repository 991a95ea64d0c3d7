internal import SchemaEvolution
internal import SchemaModel

struct JSONImportFile: EmittedFile {
  static let template = "JSONImport"
  var path: String { "JSONImport.swift" }

  var mark: String
  var importLines: [String]
  var access: String
  var sourcesInit: [String]
  var entities: [JSONEntityView]
  var structures: [JSONStructureView]
  var hasKeys: Bool
  var outcomes: [String]

  static let sections: [String: any TemplateView.Type] = [
    "entities": JSONEntityView.self, "structures": JSONStructureView.self,
  ]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "importStatements": { SwiftText.block($0.importLines, indent: 0) },
    "access": { $0.access },
    "sourcesInit": { $0.sourcesInit }, "entities": { $0.entities },
    "structures": { $0.structures }, "hasKeys": { $0.hasKeys },
    "hasLinks": { $0.entities.contains { !$0.linkCall.isEmpty } }, "outcomes": { $0.outcomes },
  ]
}

/// One entity that can be imported.
struct JSONEntityView: TemplateView {
  var access: String
  var source: String
  var runName: String
  var run: [String]
  var rows: [String]
  var settling: [String]?
  var insertion: [String]
  var linking: [String]?
  var linkCall: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "access": { $0.access }, "source": { $0.source }, "runName": { $0.runName },
    "run": { $0.run }, "rows": { SwiftText.block($0.rows, indent: 2) },
    "settling": { $0.settling.map { SwiftText.block($0, indent: 2) } },
    "insertion": { SwiftText.block($0.insertion, indent: 2) },
    "linking": { $0.linking.map { SwiftText.block($0, indent: 2) } },
    "linkCall": { $0.linkCall },
  ]
}

/// A struct that reads an entity's JSON.
struct JSONStructureView: TemplateView {
  var entity: String
  var json: String
  var fields: [String]
  var keys: [String]
  var reads: [String]
  var toEntity: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "entity": { $0.entity }, "json": { $0.json },
    "members": { SwiftText.block($0.fields, indent: 2) },
    "keys": { SwiftText.block($0.keys, indent: 4) },
    "reads": { SwiftText.block($0.reads, indent: 4) },
    "toEntity": { SwiftText.block($0.toEntity, indent: 4) },
  ]
}

extension JSONImportFile {
  static func makers(_ input: RenderingInput) -> [Maker] {
    input.has(.jsonImport) ? [{ Self(input) }] : []
  }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    guard input.has(.jsonImport) else { return [] }
    let own = [
      "JSONElement", "JSONElements", "JSONImport", "JSONImportKeys", "JSONImportRun",
      "JSONImportState",
    ]
    return (own + input.evolution.entities.map { JSONEntityView.json($0.name) })
      .map { .own($0, input) }
  }

  private init?(_ input: RenderingInput) {
    let configuration = input.evolution.configuration
    let plan = JSONImportPlan(input.evolution)
    guard !plan.items.isEmpty else { return nil }
    let access = configuration.access.prefix
    mark = FileMark.generated(from: input.newest)
    let modules = ["Foundation", "SwiftData"]
    importLines = Imports(input.evolution).lines(modules, showing: modules)
    self.access = access
    entities = plan.items.map { JSONEntityView($0, plan, configuration) }
    structures = plan.all.map { JSONStructureView($0, plan) }
    hasKeys = plan.items.contains { !$0.uniques.isEmpty }
    let parameters = entities.map { "\($0.source): Data? = nil" }
    sourcesInit =
      SwiftText.list("\(access)init", parameters, " {", indent: 4)
      + entities.map { "  self.\($0.source) = \($0.source)" } + ["}"]
    outcomes = SwiftText.elements(entities.map { "\($0.runName).outcome" })
  }
}

extension JSONEntityView {
  static func json(_ entity: String) -> String { entity + "JSON" }
  private static func rows(_ entity: String) -> String { entity.lowercasedFirst + "Rows" }

  init(_ item: JSONImportPlan.Item, _ plan: JSONImportPlan, _ configuration: Configuration) {
    let name = item.entity.name
    access = configuration.access.prefix
    source = SwiftIdentifier.quoted(name.lowercasedFirst)
    runName = name.lowercasedFirst + "Run"
    run = SwiftText.list(
      "var \(runName) = JSONImportRun<\(Self.json(name))>",
      ["\"\(name)\"", "sources.\(source)", "decoder"], indent: 2)
    let active = configuration.names.active(model: item.model.name)
    rows = Self.rows(item, active)
    settling = plan.hasSettling(item) ? Self.settling(item, active, plan) : nil
    insertion = Self.insertion(item, active, runName, settles: plan.hasSettling(item))
    guard plan.hasLinks(item) else {
      linking = nil
      linkCall = []
      return
    }
    linking = Self.linking(item, plan, configuration)
    linkCall = SwiftText.list(
      "\(runName).link", ["state", "key: { \"\\($0.id)\" }", "link\(name)"], indent: 2)
  }

  // MARK: Rows

  private static func rows(_ item: JSONImportPlan.Item, _ active: String) -> [String] {
    let name = item.entity.name
    let rows = rows(name)
    let all = "try context.fetch(FetchDescriptor<\(active)>())"
    var lines: [String]
    if let identifier = item.identifier {
      lines = [
        "var \(rows) = Dictionary(",
        "  \(all).map { ($0.\(SwiftIdentifier.quoted(identifier)), $0) }",
        ") { first, _ in first }",
      ]
    } else {
      lines = [
        "// Rows of \(name) have no identifier: each of several equal rows matches one equal element.",
        "var \(rows) = \(all)",
        "  .reduce(into: [\(name): Int]()) { $0[$1.toEntity(), default: 0] += 1 }",
      ]
    }
    for (index, unique) in item.uniques.enumerated() {
      let values = unique.map { "$0.\(SwiftIdentifier.quoted($0.name))" }.joined(separator: ", ")
      let source = item.identifier == nil ? all : "\(rows).values"
      lines += [
        "var \(keys(name, index)) = JSONImportKeys(", "  \(source).map {", "    [\(values)]",
        "  })",
      ]
    }
    return lines
  }

  private static func keys(_ entity: String, _ index: Int) -> String {
    "\(entity.lowercasedFirst)Keys\(index + 1)"
  }

  /// The function that replaces rows nested in a new row by existing rows.
  private static func settling(
    _ item: JSONImportPlan.Item, _ active: String, _ plan: JSONImportPlan
  ) -> [String] {
    var lines = ["func settle\(item.entity.name)(_ row: \(active)) {"]
    for link in item.nested {
      guard let nested = plan.identified(link.entity), let identifier = nested.identifier else {
        continue
      }
      let end = "row.\(SwiftIdentifier.quoted(link.property.name))"
      let rows = rows(nested.entity.name)
      let key = "child.\(SwiftIdentifier.quoted(identifier))"
      let map: String
      switch link.relationship.cardinality {
      case .many, .optionalOne: map = "\(end) = \(end).map { child in"
      case .optionalMany: map = "\(end) = \(end)?.map { child in"
      case .one: continue
      }
      lines += ["  \(map)", "    if let known = \(rows)[\(key)] { return known }"]
      if plan.hasSettling(nested) { lines.append("    settle\(nested.entity.name)(child)") }
      lines += ["    \(rows)[\(key)] = child", "    return child", "  }"]
    }
    return lines + ["}"]
  }

  private static func insertion(
    _ item: JSONImportPlan.Item, _ active: String, _ run: String, settles: Bool
  ) -> [String] {
    let name = item.entity.name
    let rows = rows(name)
    let hasIdentifier = item.identifier != nil
    var lines = ["try \(run).insert(in: context, state, areKeysUnique: \(hasIdentifier)) {"]
    if hasIdentifier {
      lines += ["  \"\\($0.id)\"", "} isThere: {", "  \(rows)[$0.id] != nil"]
    } else {
      lines += [
        "  StoredJSON.text($0.toEntity())", "} isThere: {", "  let entity = $0.toEntity()",
        "  guard let count = \(rows)[entity], count > 0 else { return false }",
        "  \(rows)[entity] = count - 1", "  return true",
      ]
    }
    lines += ["} make: {", "  let row = \(active).fromEntity($0.toEntity())"]
    for (index, unique) in item.uniques.enumerated() {
      let values = unique.map { "row.\(SwiftIdentifier.quoted($0.name))" }.joined(separator: ", ")
      let names = unique.map { "'\($0.name)'" }.joined(separator: " and ")
      lines += [
        "  guard \(keys(name, index)).take([\(values)]) else {",
        "    return \"another row has its \(names)\"", "  }",
      ]
    }
    if settles { lines.append("  settle\(name)(row)") }
    lines.append("  context.insert(row)")
    if hasIdentifier { lines.append("  \(rows)[$0.id] = row") }
    return lines + ["  return nil", "}"]
  }

  // MARK: Links

  private static func linking(
    _ item: JSONImportPlan.Item, _ plan: JSONImportPlan, _ configuration: Configuration
  ) -> [String] {
    let name = item.entity.name
    var lines: [String] = []
    var body: [String] = []
    for link in item.links {
      let target = link.relationship.destination.value
      let rows: String
      if let known = plan.items.first(where: { $0.model.name == target }), known.identifier == "id"
      {
        rows = Self.rows(known.entity.name)
      } else {
        // If rows of the other model are not imported, the link may lead to rows that exist already.
        let active = configuration.names.active(model: target)
        rows = "\(name.lowercasedFirst)\(link.field.name.uppercasedFirst)Rows"
        lines += [
          "let \(rows) = Dictionary(",
          "  try context.fetch(FetchDescriptor<\(active)>()).map { ($0.id, $0) }",
          ") { first, _ in first }",
        ]
      }
      let value = "element.\(SwiftIdentifier.quoted(link.field.name))"
      let end = "row.\(SwiftIdentifier.quoted(link.property.name))"
      switch link.relationship.cardinality {
      case .optionalOne:
        body += [
          "if \(end) == nil, let id = \(value) {", "  \(end) = \(rows)[id]",
          "  if \(rows)[id] == nil { missing += 1 }", "}",
        ]
      case .many, .optionalMany:
        let isOptional = link.relationship.cardinality == .optionalMany
        let list = isOptional ? "(\(end) ?? [])" : end
        body += [
          "for id in \(value) {", "  guard let found = \(rows)[id] else {", "    missing += 1",
          "    continue", "  }", "  if !\(list).contains(where: { $0.id == id }) {",
          isOptional ? "    \(end) = \(list) + [found]" : "    \(end).append(found)", "  }", "}",
        ]
      case .one: break
      }
    }
    lines += [
      "func link\(name)(_ element: \(json(name))) -> Int {", "  var missing = 0",
    ]
    if !body.isEmpty {
      lines += ["  if let row = \(rows(name))[element.id] {"] + body.map { "    " + $0 } + ["  }"]
    }
    for link in item.nested {
      guard let nested = plan.identified(link.entity), plan.hasLinks(nested) else { continue }
      let value = "element.\(SwiftIdentifier.quoted(link.field.name))"
      let call = "missing += link\(nested.entity.name)"
      switch link.field.type {
      case .array: lines.append("  for nested in \(value) { \(call)(nested) }")
      case .optional: lines.append("  if let nested = \(value) { \(call)(nested) }")
      case .named, .dictionary: lines.append("  \(call)(\(value))")
      }
    }
    return lines + ["  return missing", "}"]
  }
}

extension JSONStructureView {
  init(_ item: JSONImportPlan.Item, _ plan: JSONImportPlan) {
    let name = item.entity.name
    entity = name
    json = JSONEntityView.json(name)
    let nested = Set(plan.all.flatMap { $0.nested.compactMap(\.entity) })
    fields = item.entity.fields.map {
      "let \(SwiftIdentifier.quoted($0.name)): \(Self.jsonType($0.type, nested))"
    }
    keys = item.entity.fields.map { "case \(SwiftIdentifier.quoted($0.name))" }
    reads = item.entity.fields.flatMap { field in
      // The value by which a repeated import finds a row must be in the JSON, since a default such as `UUID()` differs
      // in every run.
      let isTelling =
        item.entity.isIdentifiable
        ? field.name == "id" : field.defaultValue?.isVolatile ?? false
      return Self.read(field, nested, isRequired: isTelling)
    }
    let arguments = item.entity.fields.map { field in
      let quoted = SwiftIdentifier.quoted(field.name)
      let isNested = !nested.isDisjoint(with: field.type.names)
      return "\(field.name): \(isNested ? Self.entities(quoted, field.type) : quoted)"
    }
    toEntity = SwiftText.list(name, arguments, indent: 4)
  }

  private static func jsonType(_ type: TypeReference, _ nested: Set<String>) -> TypeReference {
    switch type {
    case .named(let name, []) where nested.contains(name): .named(JSONEntityView.json(name))
    case .array(let element): .array(jsonType(element, nested))
    case .optional(let wrapped): .optional(jsonType(wrapped, nested))
    case .named, .dictionary: type
    }
  }

  private static func entities(_ name: String, _ type: TypeReference) -> String {
    switch type {
    case .array: "\(name).map { $0.toEntity() }"
    case .optional: "\(name)?.toEntity()"
    case .named, .dictionary: "\(name).toEntity()"
    }
  }

  private static func read(
    _ field: EntityField, _ nested: Set<String>, isRequired: Bool
  ) -> [String] {
    let type = jsonType(field.type, nested)
    let key = "forKey: .\(SwiftIdentifier.quoted(field.name))"
    let target = "self.\(SwiftIdentifier.quoted(field.name))"
    guard !isRequired, field.defaultValue != nil || type.isOptional else {
      return SwiftText.assignment(
        target, "try container.decode(\(type).self, \(key))", indent: 4)
    }
    let found = "try container.decodeIfPresent(\(type.unwrapped).self, \(key))"
    guard let value = field.defaultValue?.text, value != "nil" else {
      return SwiftText.assignment(target, found, indent: 4)
    }
    let line = "\(target) = \(found) ?? \(value)"
    if 4 + line.columns <= SwiftText.width { return [line] }
    return SwiftText.guarded(["\(target) =", "  \(found)", "  ?? \(value)"], indent: 4)
  }
}
