internal import SchemaModel

/// A struct with stored properties and a memberwise initialiser.
struct StructureView: TemplateView {
  var access: String
  var name: String
  var documentation: [String]
  var conformances: String
  var properties: [String]
  var initializer: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "access": { $0.access }, "name": { $0.name }, "documentation": { $0.documentation },
    "conformances": { $0.conformances },
    "guarding": { view in
      SwiftText.guarding(
        ["nonisolated \(view.access)struct \(view.name): \(view.conformances) {"], indent: 0)
    },
    "properties": { $0.properties },
    "hasProperties": { !$0.properties.isEmpty && !$0.initializer.isEmpty },
    "initializer": { $0.initializer },
  ]
}

extension StructureView {
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
    // An internal struct without defaults gets the same initialiser from the compiler.
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
