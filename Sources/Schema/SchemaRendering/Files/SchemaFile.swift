internal import SchemaEvolution
internal import SchemaModel

/// What Schema.mustache reads: one `VersionedSchema` with its models.
struct SchemaFile: EmittedFile {
  static let template = "Schema"
  var path: String { "\(name).swift" }

  var mark: String
  var importLines: [String]
  var documentation: [String]
  var access: String
  var name: String
  var identifier: String
  var modelList: [String]
  /// The generated models; empty if the app's own classes are the version's models.
  var models: [ModelView]
  /// Aliases inside the version that make the app's classes the version's models.
  var liveAliases: [String]
  /// Aliases outside the version for the app's classes, since the version's own names hide the classes.
  var liveNames: [String]
  /// Functions that create rows of the app's classes.
  var rows: [RowView]
  var aliases: [String]

  static let sections: [String: any TemplateView.Type] = [
    "models": ModelView.self, "rows": RowView.self,
  ]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "importStatements": { SwiftText.block($0.importLines, indent: 0) },
    "documentation": { $0.documentation },
    "access": { $0.access }, "name": { $0.name }, "identifier": { $0.identifier },
    "modelList": { $0.modelList }, "models": { $0.models }, "aliases": { $0.aliases },
    "hasAliases": { !$0.aliases.isEmpty },
    "liveAliases": { $0.liveAliases }, "hasLiveAliases": { !$0.liveAliases.isEmpty },
    "liveNames": { $0.liveNames }, "rows": { $0.rows },
  ]
}

/// One `@Model` class. The template gets the properties as one string and the initialiser as another.
struct ModelView: TemplateView {
  var name: String
  var documentation: [String]
  var modifier: String
  var inheritance: String
  var macros: [String]
  var properties: [String]
  var initializer: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "name": { $0.name }, "documentation": { $0.documentation },
    "modifier": { $0.modifier }, "inheritance": { $0.inheritance }, "macros": { $0.macros },
    "hasMacros": { !$0.macros.isEmpty },
    "properties": { SwiftText.block($0.properties, indent: 4) },
    "hasProperties": { !$0.properties.isEmpty },
    "initializer": { SwiftText.block($0.initializer, indent: 4) },
  ]
}

/// A function that creates a row of a class without the class's own initialisers.
struct RowView: TemplateView {
  var access: String
  var model: String
  var head: [String]
  var assignments: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "access": { $0.access }, "model": { $0.model },
    "head": { SwiftText.block($0.head, indent: 2) },
    "assignments": { SwiftText.block($0.assignments, indent: 4) },
  ]
}

extension SchemaFile {
  static func makers(_ input: RenderingInput) -> [Maker] {
    let evolution = input.evolution
    let chain = evolution.chain
    let declared = PropertyDeclaration.all(
      in: chain, access: evolution.configuration.access.prefix)
    // A bridge belongs to the version that it leads to.
    let owners = evolution.versions.flatMap {
      Array(repeating: $0, count: ($0.step?.bridges.count ?? 0) + 1)
    }
    return chain.indices.map { position in
      { Self(chain[position], owners[position], declared[position], evolution) }
    }
  }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    let names = input.evolution.configuration.names
    return input.evolution.chain.map {
      Declaration($0.name, "a schema", .schema, at: $0.schema.location)
    }
      + input.evolution.history.flatMap { version in
        version.models.map { model in
          Declaration(
            names.alias(model: model.name, version: version.number),
            "the alias of \(version.number.name)'s '\(model.name)'", .versionAlias,
            at: model.location)
        }
      }
      + (input.evolution.configuration.classes == nil ? [] : input.newest.models).flatMap { model in
        [
          Declaration(model.name, "the class '\(model.name)'", .own, at: model.location),
          Declaration(
            names.live(model: model.name), "the name of the class '\(model.name)'", .activeAlias,
            at: model.location),
        ]
      }
  }

  private init(
    _ physical: ChainVersion, _ owner: EvolvedVersion,
    _ declared: [String: [PropertyDeclaration]], _ evolution: Evolution
  ) {
    let names = evolution.configuration.names
    let mark: String
    let documentation: String
    var aliases: [String] = []
    switch physical.role {
    case .version:
      let version = owner.declared
      mark = FileMark.generated(from: version)
      documentation =
        ("Version \(version.number)" + (version.summary.map { ": \($0)" } ?? "")).sentence
      let access = evolution.configuration.access.prefix
      aliases = version.models.map(\.name).sorted().flatMap {
        SwiftText.alias(
          access, names.alias(model: $0, version: version.number), "\(physical.name).\($0)")
      }
    case .bridge(_, _, let step):
      let new = owner.declared
      let old = owner.step?.old ?? new
      mark = FileMark.generated(from: old, new)
      documentation =
        step == 1
        ? "The bridge from \(old.number.name) to \(new.number.name): the columns of both, side by side."
          + "\n\nOnly the migration uses it, to copy values."
        : "The second bridge from \(old.number.name) to \(new.number.name): \(new.number.name)'s shape. "
          + "A column has a temporary name if an older column still has its final name."
    }
    self.init(
      physical, declared, mark: mark, documentation: documentation, aliases: aliases, evolution)
  }

  private init(
    _ version: ChainVersion, _ declared: [String: [PropertyDeclaration]], mark: String,
    documentation: String, aliases: [String], _ evolution: Evolution
  ) {
    let configuration = evolution.configuration
    let schema = version.schema
    self.mark = mark
    var shown = Imports.Shown()
    // Imports of an internal file are not visible.
    for model in schema.models where configuration.access != .internal {
      for property in model.properties {
        shown.add(property.type)
        if !property.isTransient { shown.add(property.attribute?.defaultValue) }
        shown.add(property.initializerDefault)
      }
    }
    importLines = Imports(evolution).lines(
      ["Foundation", "SwiftData"], showing: ["SwiftData"], shown)
    self.documentation = SwiftText.documentation(documentation)
    access = configuration.access.prefix
    name = version.name
    let number = version.identifier
    identifier = "\(number.major), \(number.minor), \(number.patch)"
    let byName = Dictionary(schema.models, keyedBy: \.name)
    let parents = Set(schema.models.compactMap { $0.superclass?.value })
    let sorted = schema.models.sorted { $0.name < $1.name }
    let access = access
    modelList = SwiftText.elements(sorted.map { "\(version.name).\($0.name).self" })
    self.aliases = aliases
    guard evolution.isLive(version) else {
      models = sorted.map { model in
        ModelView(
          model, declared, schema: version.name, access: access,
          isParent: parents.contains(model.name), byName: byName)
      }
      (liveAliases, liveNames, rows) = ([], [], [])
      return
    }
    let names = configuration.names
    models = []
    liveAliases = sorted.flatMap {
      SwiftText.alias(access, $0.name, names.live(model: $0.name), indent: 2)
    }
    liveNames = sorted.flatMap { SwiftText.alias(access, names.live(model: $0.name), $0.name) }
    rows =
      configuration.makesRows
      ? sorted.map { model in
        RowView(
          model, declared, schema: version.name, access: access, byName: byName)
      } : []
  }
}

extension RowView {
  fileprivate init(
    _ model: Model, _ declared: [String: [PropertyDeclaration]], schema: String, access: String,
    byName: [String: Model]
  ) {
    let properties = ([model] + model.ancestors { byName[$0] }).reversed()
      .flatMap { declared[$0.name] ?? [] }.filter { !$0.isTransient }
    self.access = access
    self.model = "\(schema).\(model.name)"
    head = SwiftText.list(
      "\(access)static func row", properties.map(\.parameter), " -> \(self.model) {", indent: 2)
    assignments = properties.flatMap { property -> [String] in
      let name = SwiftIdentifier.quoted(property.name)
      let set = property.isTransformable ? "setTransformableValue" : "setValue"
      return SwiftText.list("row.\(set)", ["forKey: \\.\(name)", "to: \(name)"], indent: 4)
    }
  }
}

extension Evolution {
  /// Whether the app's own classes are the version's models: only in the newest version, if the configuration has
  /// `classes`.
  func isLive(_ version: ChainVersion) -> Bool {
    configuration.classes != nil && version.identifier == history.last?.number
  }

  /// The callee that creates a row from its values: the generated class's initialiser, or its replacement for one of
  /// the app's classes.
  func maker(of model: String, in version: ChainVersion) -> String {
    "\(version.name).\(model)" + (isLive(version) ? ".row" : "")
  }
}

extension Configuration {
  fileprivate var makesRows: Bool { converters == .both || tests != nil }
}

extension ModelView {
  init(
    _ model: Model, _ declared: [String: [PropertyDeclaration]], schema: String, access: String,
    isParent: Bool, byName: [String: Model]
  ) {
    name = model.name
    var text = model.documentation
    if let entity = model.entity {
      let converts = "Converts to `\(entity)`."
      text = text.map { $0.sentence + "\n\n" + converts } ?? converts
    }
    documentation = SwiftText.documentation(text, indent: 2)
    modifier = isParent ? "" : "final "
    inheritance = model.superclass.map { ": \(schema).\($0.value)" } ?? ""
    macros = Self.macros(model, schema: schema)
    let declarations = declared[model.name] ?? []
    properties = declarations.flatMap(\.lines)
    initializer = Self.initializer(
      own: declarations,
      inherited: model.ancestors { byName[$0] }.reversed().flatMap { declared[$0.name] ?? [] },
      access: access, hasParent: model.superclass != nil)
  }

  private static func macros(_ model: Model, schema: String) -> [String] {
    func keys(_ names: [String]) -> String {
      "[" + names.map { "\\.\(SwiftIdentifier.quoted($0))" }.joined(separator: ", ") + "]"
    }
    let type = "<\(schema).\(model.name)>"
    var lines: [String] = []
    if !model.uniques.isEmpty {
      lines += SwiftText.list("#Unique\(type)", model.uniques.map { keys($0.names) }, indent: 4)
    }
    if !model.indexes.isEmpty {
      let isPlain = model.indexes.allSatisfy { $0.kind == .binary }
      let arguments = model.indexes.map { index in
        isPlain ? keys(index.names) : ".\(index.kind.rawValue)(\(keys(index.names)))"
      }
      lines += SwiftText.list("#Index\(type)", arguments, indent: 4)
    }
    return lines
  }

  private static func initializer(
    own: [PropertyDeclaration], inherited: [PropertyDeclaration], access: String, hasParent: Bool
  ) -> [String] {
    let mine = own.filter { !$0.isTransient }
    let parents = inherited.filter { !$0.isTransient }
    // If the class adds no parameter, its initialiser overrides the parent's.
    let overrides = hasParent && mine.isEmpty ? "override " : ""
    var lines = SwiftText.list(
      "\(overrides)\(access)init", (parents + mine).map(\.parameter), " {", indent: 4)
    lines += mine.map(\.assignment)
    if hasParent {
      lines += SwiftText.list(
        "super.init",
        parents.map { "\($0.name): \(SwiftIdentifier.quoted($0.name))" }, indent: 6
      ).map { "  " + $0 }
    }
    if lines.count == 1, lines[0].hasSuffix(" {") { return [lines[0] + "}"] }
    lines.append("}")
    return SwiftText.guarded(lines, indent: 4)
  }
}

/// A stored property as declared in its model, and as a parameter of the initialiser.
struct PropertyDeclaration {
  let name: String
  let isTransient: Bool
  let isTransformable: Bool
  let lines: [String]
  let parameter: String
  let assignment: String

  init(_ property: Property, schema: String, access: String) {
    name = property.name
    isTransient = property.isTransient
    isTransformable = property.attribute?.transformer != nil
    let type = SwiftText.qualified(property, in: schema)
    let quoted = SwiftIdentifier.quoted(property.name)
    let value = Self.initialValue(property)
    let declaration = "\(access)var \(quoted): \(type)" + (value.map { " = \($0)" } ?? "")
    parameter =
      "\(quoted): \(type)" + (Self.parameterValue(property).map { " = \($0)" } ?? "")
    assignment = "  self.\(quoted) = \(quoted)"
    let documentation = Self.documentation(property).map { "///" + $0 }
    var lines: [String] = []
    if let attribute = Self.attribute(property, schema: schema) {
      if attribute.count == 1,
        4 + attribute[0].columns + 1 + declaration.columns <= SwiftText.width,
        property.relationship == nil
      {
        lines.append("\(attribute[0]) \(declaration)")
      } else {
        lines += attribute + [declaration]
      }
    } else {
      lines.append(declaration)
    }
    // A comment comes before the documentation. Between documentation and declaration it would separate the two.
    let note =
      property.hashModifier == nil
      ? []
      : [
        "// `hashModifier` belongs to the identity of stores: without it, none would be recognised."
      ]
    self.lines = SwiftText.guarded(note + documentation + lines, indent: 4)
  }

  /// The properties of each version, by model. Attributes of a model that has not changed since the previous version
  /// are reused.
  static func all(
    in chain: [ChainVersion], access: String
  ) -> [[String: [PropertyDeclaration]]] {
    var known: [String: (model: Model, declarations: [PropertyDeclaration])] = [:]
    return chain.map { version in
      var declared: [String: [PropertyDeclaration]] = [:]
      for model in version.schema.models {
        let before = known[model.name].flatMap { $0.model == model ? $0.declarations : nil }
        let declarations = model.properties.enumerated().map { place, property in
          // Relationships contain the version's name.
          if let before, property.relationship == nil { return before[place] }
          return PropertyDeclaration(property, schema: version.name, access: access)
        }
        known[model.name] = (model, declarations)
        declared[model.name] = declarations
      }
      return declared
    }
  }

  private static func documentation(_ property: Property) -> [String] {
    var text = property.documentation
    if let encodes = property.attribute?.encodes {
      let json = "JSON of `\(encodes)`."
      text = text.map { $0.sentence + "\n\n" + json } ?? json
    }
    return SwiftText.documentation(text, indent: 4)
  }

  private static func initialValue(_ property: Property) -> String? {
    switch property.kind {
    case .attribute(let attribute): attribute.storedDefault
    case .relationship(let relationship): relationship.cardinality == .many ? "[]" : nil
    }
  }

  private static func parameterValue(_ property: Property) -> String? {
    property.initializerValue.map { property.attribute?.stored($0) ?? $0.initializerText }
  }

  private static func attribute(_ property: Property, schema: String) -> [String]? {
    if property.isTransient { return ["@Transient"] }
    var arguments: [String] = []
    let originalName = property.originalName.map { "originalName: \"\($0)\"" }
    let modifier = property.hashModifier.map { "hashModifier: \"\(SwiftText.escaped($0))\"" }
    switch property.kind {
    case .attribute(let attribute):
      arguments += attribute.options.sorted().map { ".\($0.rawValue)" }
      if let transformer = attribute.transformer {
        arguments.append(".transformable(by: \"\(SwiftText.escaped(transformer))\")")
      }
      arguments += [originalName, modifier].compactMap { $0 }
      return arguments.isEmpty ? nil : SwiftText.list("@Attribute", arguments, indent: 4)
    case .relationship(let relationship):
      if relationship.isUnique { arguments.append(".unique") }
      if relationship.deleteRule != .nullify {
        arguments.append("deleteRule: .\(relationship.deleteRule.rawValue)")
      }
      if let minimum = relationship.minimum { arguments.append("minimumModelCount: \(minimum)") }
      if let maximum = relationship.maximum { arguments.append("maximumModelCount: \(maximum)") }
      if let originalName { arguments.append(originalName) }
      if relationship.declaresInverse, let inverse = relationship.inverse {
        let path = "\\\(schema).\(relationship.destination.value)"
        arguments.append("inverse: \(path).\(SwiftIdentifier.quoted(inverse.value))")
      }
      if let modifier { arguments.append(modifier) }
      return arguments.isEmpty ? nil : SwiftText.list("@Relationship", arguments, indent: 4)
    }
  }
}
