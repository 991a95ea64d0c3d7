internal import SchemaEvolution
internal import SchemaModel

/// What JSONImport.mustache reads.
struct JSONImportView: TemplateView {
  var mark: String
  var imports: [String]
  var access: String
  var sourcesInit: [String]
  var entities: [JSONEntityView]
  /// The outcomes' variables, as the elements of a list.
  var outcomes: [String]

  static var members: [String: (Self) -> Any?] {
    [
      "mark": { $0.mark }, "imports": { $0.imports }, "access": { $0.access },
      "sourcesInit": { $0.sourcesInit }, "entities": { $0.entities },
      "hasLinks": { $0.entities.contains { $0.links != nil } }, "outcomes": { $0.outcomes },
    ]
  }
}

/// One entity that can be brought in.
struct JSONEntityView: TemplateView {
  var access: String
  var entity: String
  /// The name of its JSON among the sources.
  var source: String
  /// The statement that reads its JSON.
  var run: [String]
  /// The type that reads its JSON.
  var json: String
  var insertion: [String]
  var links: [String]?
  var fields: [String]
  var keys: [String]
  var reads: [String]
  var toEntity: [String]

  static var members: [String: (Self) -> Any?] {
    [
      "access": { $0.access }, "entity": { $0.entity }, "source": { $0.source },
      "run": { $0.run }, "json": { $0.json },
      "insertion": { SwiftText.block($0.insertion, indent: 4) },
      "links": { $0.links.map { SwiftText.block($0, indent: 4) } },
      "members": { SwiftText.block($0.fields, indent: 2) },
      "keys": { SwiftText.block($0.keys, indent: 4) },
      "reads": { SwiftText.block($0.reads, indent: 4) },
      "toEntity": { SwiftText.block($0.toEntity, indent: 4) },
    ]
  }
}

/// The entities of an evolution that JSON can be brought into the store from, in the order of their insertion.
struct JSONImportPlan {
  /// An entity and the model that keeps it.
  struct Item {
    var entity: Entity
    var model: Model
    /// Its fields that are identifiers of other rows, each with the relationship that they are.
    var links: [(field: EntityField, property: Property, relationship: Relationship)]
    /// The entities that stand within it.
    var nested: Set<String>

    /// The model's property that the entity has for its `id`.
    var identifier: String? {
      guard entity.isIdentifiable else { return nil }
      return entity.fields.first { $0.name == "id" }?.property
    }
  }

  let items: [Item]

  init(_ evolution: Evolution) {
    let newest = evolution.history[evolution.history.count - 1]
    let models = Dictionary(newest.models.map { ($0.name, $0) }) { first, _ in first }
    let isGenerated = evolution.configuration.entities == .generated
    let found = evolution.entities.compactMap { entity -> Item? in
      guard let model = models[entity.model] else { return nil }
      let properties = model.effectiveProperties(among: models)
      var item = Item(entity: entity, model: model, links: [], nested: [])
      for field in entity.fields {
        guard let property = properties.first(where: { $0.name == field.property }),
          let relationship = property.relationship
        else { continue }
        if property.mapping.form == .identifiers {
          item.links.append((field, property, relationship))
        } else if let name = models[relationship.destination.value]?.entity {
          item.nested.insert(name)
        }
      }
      // Without an identifier two rows are told apart by all that is in them, which links would change.
      let isComparable = isGenerated && item.links.isEmpty && item.nested.isEmpty
      return entity.isIdentifiable || isComparable ? item : nil
    }
    items = Self.ordered(found)
  }

  /// Entities before those that stand within them, whose rows they make.
  private static func ordered(_ items: [Item]) -> [Item] {
    var rest = items
    var done: [Item] = []
    while !rest.isEmpty {
      let names = rest.map(\.nested).reduce(into: Set<String>()) { $0.formUnion($1) }
      let next = rest.firstIndex { !names.contains($0.entity.name) } ?? 0
      done.append(rest.remove(at: next))
    }
    return done
  }
}

extension JSONImportView {
  init(_ evolution: Evolution, mark: String) {
    let configuration = evolution.configuration
    let plan = JSONImportPlan(evolution)
    let access = configuration.access.prefix
    self.mark = mark
    imports = Imports.list(["Foundation", "SwiftData"], configuration)
    self.access = access
    entities = plan.items.map { JSONEntityView($0, plan, configuration) }
    let parameters = entities.map { "\($0.source): Data? = nil" }
    sourcesInit =
      SwiftText.list("\(access)init", parameters, " {", indent: 4)
      + entities.map { "  self.\($0.source) = \($0.source)" } + ["}"]
    outcomes = SwiftText.elements(
      plan.items.map { "\(JSONEntityView.run($0.entity.name)).outcome" })
  }
}

extension JSONEntityView {
  init(_ item: JSONImportPlan.Item, _ plan: JSONImportPlan, _ configuration: Configuration) {
    let name = item.entity.name
    access = configuration.access.prefix
    entity = name
    source = SwiftIdentifier.quoted(name.lowercasedFirst)
    json = Self.json(name)
    run = SwiftText.list(
      "var \(Self.run(name)) = JSONImportRun<\(json)>",
      ["\"\(name)\"", "sources.\(source)", "decoder"], indent: 4)
    let active = configuration.names.active(model: item.model.name)
    insertion =
      item.entity.isIdentifiable
      ? Self.insertionByIdentifier(item, active) : Self.insertionByValue(item, active)
    let importable = Dictionary(plan.items.map { ($0.model.name, $0) }) { first, _ in first }
    links = item.links.isEmpty ? nil : Self.links(item, importable, configuration)
    let nested = plan.items.reduce(into: Set<String>()) { $0.formUnion($1.nested) }
    fields = item.entity.fields.map {
      "let \(SwiftIdentifier.quoted($0.name)): \(Self.jsonType($0.type, nested))"
    }
    keys = item.entity.fields.map { "case \(SwiftIdentifier.quoted($0.name))" }
    reads = item.entity.fields.flatMap { Self.read($0, nested) }
    let arguments = item.entity.fields.map { field in
      let quoted = SwiftIdentifier.quoted(field.name)
      let isNested = !nested.isDisjoint(with: field.type.names)
      return "\(field.name): \(isNested ? Self.entities(quoted, field.type) : quoted)"
    }
    toEntity = SwiftText.list(name, arguments, indent: 4)
  }

  static func run(_ entity: String) -> String { entity.lowercasedFirst + "Run" }
  private static func rows(_ entity: String) -> String { entity.lowercasedFirst + "Rows" }
  private static func json(_ entity: String) -> String { entity + "JSON" }

  // MARK: Rows

  private static func insertionByIdentifier(
    _ item: JSONImportPlan.Item, _ active: String
  ) -> [String] {
    let name = item.entity.name
    let rows = rows(name)
    let key = SwiftIdentifier.quoted(item.identifier ?? "id")
    return [
      "var \(rows) = Dictionary(",
      "  try context.fetch(FetchDescriptor<\(active)>()).map { ($0.\(key), $0) }",
      ") { first, _ in first }",
      "try \(run(name)).insert(in: context) {",
      "  \(rows)[$0.id] != nil",
      "} make: {",
      "  let row = \(active).fromEntity($0.toEntity())",
      "  context.insert(row)",
      "  \(rows)[$0.id] = row",
      "}",
    ]
  }

  private static func insertionByValue(
    _ item: JSONImportPlan.Item, _ active: String
  ) -> [String] {
    let name = item.entity.name
    let rows = rows(name)
    return [
      "// Rows of \(name) have no identifier: as many as are alike stand for as many elements.",
      "var \(rows) = try context.fetch(FetchDescriptor<\(active)>())",
      "  .reduce(into: [\(name): Int]()) { $0[$1.toEntity(), default: 0] += 1 }",
      "try \(run(name)).insert(in: context) {",
      "  let entity = $0.toEntity()",
      "  guard let count = \(rows)[entity], count > 0 else { return false }",
      "  \(rows)[entity] = count - 1",
      "  return true",
      "} make: {",
      "  context.insert(\(active).fromEntity($0.toEntity()))",
      "}",
    ]
  }

  // MARK: Links

  private static func links(
    _ item: JSONImportPlan.Item, _ importable: [String: JSONImportPlan.Item],
    _ configuration: Configuration
  ) -> [String] {
    let name = item.entity.name
    var lines: [String] = []
    var body: [String] = []
    for (field, property, relationship) in item.links {
      let target = relationship.destination.value
      let rows: String
      if let known = importable[target], known.identifier == "id" {
        rows = Self.rows(known.entity.name)
      } else {
        // Rows that are not brought in may be there all the same.
        let active = configuration.names.active(model: target)
        rows = field.name + "Rows"
        lines += [
          "let \(rows) = Dictionary(",
          "  try context.fetch(FetchDescriptor<\(active)>()).map { ($0.id, $0) }",
          ") { first, _ in first }",
        ]
      }
      let value = "element.\(SwiftIdentifier.quoted(field.name))"
      let end = "row.\(SwiftIdentifier.quoted(property.name))"
      switch relationship.cardinality {
      case .optionalOne:
        body += [
          "if \(end) == nil, let id = \(value) {",
          "  \(end) = \(rows)[id]",
          "  if \(rows)[id] == nil { missing += 1 }",
          "}",
        ]
      case .many, .optionalMany:
        let list = relationship.cardinality == .many ? end : "(\(end) ?? [])"
        let assigned =
          relationship.cardinality == .many
          ? "\(end).append(found)" : "\(end) = \(list) + [found]"
        body += [
          "for id in \(value) {",
          "  guard let found = \(rows)[id] else {",
          "    missing += 1",
          "    continue",
          "  }",
          "  if !\(list).contains(where: { $0.id == id }) { \(assigned) }",
          "}",
        ]
      case .one: break
      }
    }
    return lines + [
      "\(run(name)).link(onlyNew: isLinked) { element in",
      "  guard let row = \(Self.rows(name))[element.id] else { return 0 }",
      "  var missing = 0",
    ] + body.map { "  " + $0 } + ["  return missing", "}"]
  }

  // MARK: JSON

  private static func jsonType(_ type: TypeReference, _ nested: Set<String>) -> TypeReference {
    switch type {
    case .named(let name, []) where nested.contains(name): .named(json(name))
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

  private static func read(_ field: EntityField, _ nested: Set<String>) -> [String] {
    let type = jsonType(field.type, nested)
    let key = "forKey: .\(SwiftIdentifier.quoted(field.name))"
    let target = "self.\(SwiftIdentifier.quoted(field.name))"
    guard field.defaultValue != nil || type.isOptional else {
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
