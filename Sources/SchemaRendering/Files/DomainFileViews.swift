internal import SchemaEvolution
internal import SchemaModel

/// What Entities.mustache reads.
struct EntitiesView: TemplateView {
  var mark: String
  var imports: [String]
  var entities: [StructureView]

  static var members: [String: (Self) -> Any?] {
    ["mark": { $0.mark }, "imports": { $0.imports }, "entities": { $0.entities }]
  }
}

/// What ValueTypes.mustache reads.
struct ValueTypesView: TemplateView {
  var mark: String
  var imports: [String]
  var enumerations: [EnumerationView]
  var structures: [StructureView]

  static var members: [String: (Self) -> Any?] {
    [
      "mark": { $0.mark }, "imports": { $0.imports }, "enumerations": { $0.enumerations },
      "structures": { $0.structures },
    ]
  }
}

/// A struct with stored properties and a memberwise initialiser.
struct StructureView: TemplateView {
  var access: String
  var name: String
  var documentation: [String]
  var conformances: String
  var properties: [String]
  var initializer: [String]

  static var members: [String: (Self) -> Any?] {
    [
      "access": { $0.access }, "name": { $0.name }, "documentation": { $0.documentation },
      "conformances": { $0.conformances }, "properties": { $0.properties },
      "hasProperties": { !$0.properties.isEmpty }, "initializer": { $0.initializer },
    ]
  }
}

/// An enum without associated values.
struct EnumerationView: TemplateView {
  var access: String
  var name: String
  var documentation: [String]
  var conformances: String
  /// `low = 1`
  var cases: [String]

  static var members: [String: (Self) -> Any?] {
    [
      "access": { $0.access }, "name": { $0.name }, "documentation": { $0.documentation },
      "conformances": { $0.conformances }, "cases": { $0.cases },
    ]
  }
}

extension StructureView {
  /// One stored property of a struct.
  struct Field {
    var name: String
    var type: TypeReference
    var documentation: String?
    var defaultValue: SwiftExpression?
  }

  init(
    name: String, documentation: String, conformances: [String], fields: [Field], access: String
  ) {
    self.access = access
    self.name = name
    self.documentation = SwiftText.documentation(documentation)
    self.conformances = conformances.sorted().joined(separator: ", ")
    properties = fields.flatMap { field in
      SwiftText.documentation(field.documentation, indent: 2).map { "///" + $0 }
        + ["\(access)var \(SwiftIdentifier.quoted(field.name)): \(field.type)"]
    }
    let parameters = fields.map { field in
      let value = field.defaultValue?.text ?? (field.type.isOptional ? "nil" : nil)
      return "\(SwiftIdentifier.quoted(field.name)): \(field.type)"
        + (value.map { " = \($0)" } ?? "")
    }
    // Without a default an internal struct's own memberwise initialiser is the same.
    let isSynthesized =
      access.isEmpty && fields.allSatisfy { $0.defaultValue == nil && !$0.type.isOptional }
    guard !isSynthesized else {
      initializer = []
      return
    }
    if fields.isEmpty {
      initializer = ["\(access)init() {}"]
    } else {
      initializer =
        SwiftText.list("\(access)init", parameters, " {", indent: 2)
        + fields.map {
          let name = SwiftIdentifier.quoted($0.name)
          return "  self.\(name) = \(name)"
        } + ["}"]
    }
  }
}

extension EntitiesView {
  init(evolution: Evolution, mark: String) {
    let configuration = evolution.configuration
    self.mark = mark
    imports = Imports.list(["Foundation"], configuration)
    entities = evolution.entities.map { entity in
      let own = ["Codable", "Hashable", "Sendable"]
      return StructureView(
        name: entity.name,
        documentation: entity.documentation ?? "What `\(entity.model)` stores, as the app uses it.",
        conformances: entity.isIdentifiable ? own + ["Identifiable"] : own,
        fields: entity.fields.map {
          StructureView.Field(
            name: $0.name, type: $0.type, documentation: $0.documentation,
            defaultValue: $0.defaultValue)
        }, access: configuration.access.prefix)
    }
  }
}

extension ValueTypesView {
  /// Types of the newest version and, of older ones, those that it no longer has: their models still name them.
  init(evolution: Evolution, mark: String) {
    let configuration = evolution.configuration
    let access = configuration.access.prefix
    self.mark = mark
    imports = Imports.list(["Foundation"], configuration)
    let generated = evolution.history.newestTypes.values.filter { !$0.isOwn }.sorted {
      $0.name < $1.name
    }
    enumerations = generated.compactMap { EnumerationView($0, access: access) }
    structures = generated.compactMap { type in
      guard case .structure(let fields) = type.kind else { return nil }
      return StructureView(
        name: type.name, documentation: type.documentation ?? "A value that models store.",
        conformances: ["Codable", "Hashable", "Sendable"],
        fields: fields.map {
          StructureView.Field(name: $0.name, type: $0.type, defaultValue: $0.defaultValue)
        }, access: access)
    }
  }

  var isEmpty: Bool { enumerations.isEmpty && structures.isEmpty }
}

extension EnumerationView {
  init?(_ type: ValueTypeDeclaration, access: String) {
    guard case .enumeration(let rawType, let cases) = type.kind else { return nil }
    self.access = access
    name = type.name
    documentation = SwiftText.documentation(type.documentation ?? "A value that models store.")
    let protocols = ["CaseIterable", "Codable", "Hashable", "Sendable"].joined(separator: ", ")
    conformances = (rawType.map { "\($0), " } ?? "") + protocols
    self.cases = cases.map { enumCase in
      let name = SwiftIdentifier.quoted(enumCase.name)
      guard rawType != nil, let value = enumCase.rawValue, value.text != "\"\(enumCase.name)\""
      else {
        return name
      }
      return "\(name) = \(value.text)"
    }
  }
}
