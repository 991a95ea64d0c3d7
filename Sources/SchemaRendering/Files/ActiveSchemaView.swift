internal import SchemaEvolution
internal import SchemaModel

/// What ActiveSchema.mustache reads: the newest version and its aliases.
struct ActiveSchemaView: TemplateView {
  var mark: String
  var access: String
  var name: String
  var schema: String
  var plan: String
  /// Lines of aliases such as `ActiveHabitModel`.
  var aliases: [String]

  static var members: [String: (Self) -> Any?] {
    [
      "mark": { $0.mark }, "access": { $0.access }, "name": { $0.name }, "schema": { $0.schema },
      "plan": { $0.plan }, "aliases": { $0.aliases },
    ]
  }
}

extension ActiveSchemaView {
  init(evolution: Evolution, mark: String) {
    let names = evolution.configuration.names
    self.mark = mark
    access = evolution.configuration.access.prefix
    name = names.activeSchema
    plan = names.plan
    let newest = evolution.history[evolution.history.count - 1]
    let schema = names.schema(newest.number)
    self.schema = schema
    let access = access
    aliases = newest.models.map(\.name).sorted().flatMap {
      SwiftText.alias(access, names.active(model: $0), "\(schema).\($0)")
    }
  }
}

/// What MigrationSupport.mustache reads.
struct SupportView: TemplateView {
  var mark: String
  var batchSize: Int
  /// Whether stages tell `SchemaMigrationKit` what they do.
  var tellsKit: Bool

  static var members: [String: (Self) -> Any?] {
    [
      "mark": { $0.mark }, "batchSize": { $0.batchSize }, "tellsKit": { $0.tellsKit },
    ]
  }
}

/// What MigrationLog.mustache reads.
struct LogView: TemplateView {
  var mark: String

  static var members: [String: (Self) -> Any?] { ["mark": { $0.mark }] }
}
