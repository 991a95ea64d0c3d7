internal import SchemaEvolution
internal import SchemaModel

struct EntitiesFile: EmittedFile {
  static let template = "Entities"
  var path: String { "Entities.swift" }

  var mark: String
  var importLines: [String]
  var entities: [StructureView]

  static let sections: [String: any TemplateView.Type] = ["entities": StructureView.self]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "importStatements": { SwiftText.block($0.importLines, indent: 0) },
    "entities": { $0.entities },
  ]
}

extension EntitiesFile {
  static func makers(_ input: RenderingInput) -> [Maker] {
    let configuration = input.evolution.configuration
    guard configuration.entities == .generated, !input.evolution.entities.isEmpty,
      configuration.converters != .none
    else { return [] }
    return [{ Self(input) }]
  }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    input.evolution.entities.map { entity in
      Declaration(
        entity.name, "an entity", .domain,
        at: input.newest.model(named: entity.model)?.location)
    }
  }

  private init(_ input: RenderingInput) {
    let evolution = input.evolution
    let configuration = evolution.configuration
    mark = FileMark.generated(from: input.newest)
    var shown = Imports.Shown()
    for field in evolution.entities.flatMap(\.fields) {
      shown.add(field.type)
      shown.add(field.defaultValue)
    }
    importLines = Imports(evolution).lines(["Foundation"], shown)
    entities = evolution.entities.map { entity in
      let own = ["Codable", "Hashable", "Sendable"]
      return StructureView(
        name: entity.name,
        documentation: entity.documentation ?? "A row of `\(entity.model)` as the app uses it.",
        conformances: entity.isIdentifiable ? own + ["Identifiable"] : own,
        fields: entity.fields.map {
          StructureView.Field(
            name: $0.name, type: $0.type, documentation: Self.documentation(of: $0),
            defaultValue: $0.defaultValue)
        }, access: configuration.access.prefix)
    }
  }

  /// The field's documentation. If nothing sorts a list, the documentation says that the list has no order.
  private static func documentation(of field: EntityField) -> String? {
    guard field.isUnordered else { return field.documentation }
    return (field.documentation.map { $0.sentence + " " } ?? "") + "Unordered."
  }
}
