internal import SchemaEvolution
internal import SchemaModel

/// What ActiveSchema.mustache reads: the newest version and its aliases.
struct ActiveSchemaFile: EmittedFile {
  static let template = "ActiveSchema"
  var path: String { "\(name).swift" }

  var mark: String
  var importLines: [String]
  var access: String
  var name: String
  var schema: String
  var version: String
  var plan: String
  var hasCoreDataStep: Bool
  var aliases: [String]

  static let members: [String: @Sendable (Self) -> Any?] = [
    "mark": { $0.mark }, "importStatements": { SwiftText.block($0.importLines, indent: 0) },
    "access": { $0.access }, "name": { $0.name }, "schema": { $0.schema },
    "version": { $0.version }, "hasCoreDataStep": { $0.hasCoreDataStep }, "plan": { $0.plan },
    "aliases": { $0.aliases },
  ]
}

extension ActiveSchemaFile {
  static func makers(_ input: RenderingInput) -> [Maker] { [{ Self(input) }] }

  static func declarations(_ input: RenderingInput) -> [Declaration] {
    let names = input.evolution.configuration.names
    return [
      Declaration(names.activeSchema, "the active schema", .plan, at: input.newest.location)
    ]
      + aliased(input).map { model in
        Declaration(
          names.active(model: model.name), "the alias of '\(model.name)'", .activeAlias,
          at: model.location)
      }
  }

  /// The models that get an alias. A model is left out if one of the app's classes already has the name.
  private static func aliased(_ input: RenderingInput) -> [Model] {
    let configuration = input.evolution.configuration
    return input.newest.models.filter { model in
      configuration.classes == nil || configuration.names.active(model: model.name) != model.name
    }
  }

  private init(_ input: RenderingInput) {
    let evolution = input.evolution
    let names = evolution.configuration.names
    let newest = input.newest
    mark = FileMark.generated(from: newest)
    importLines = Imports(access: evolution.configuration.access).lines(
      ["SwiftData"], showing: ["SwiftData"])
    access = evolution.configuration.access.prefix
    name = names.activeSchema
    plan = names.plan
    version = newest.number.name
    hasCoreDataStep = input.coreDataStep != nil
    let schema = names.schema(newest.number)
    self.schema = schema
    let access = access
    aliases = Self.aliased(input).map(\.name).sorted().flatMap {
      SwiftText.alias(access, names.active(model: $0), "\(schema).\($0)")
    }
  }
}
