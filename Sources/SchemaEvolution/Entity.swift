package import SchemaModel

/// A domain entity: what `toEntity()` returns and `fromEntity(_:)` takes, as the newest version maps it.
package struct Entity: Sendable, Equatable {
  package var name: String
  package var documentation: String?
  /// The model of the newest version that maps to it.
  package var model: String
  package var fields: [EntityField]

  /// Whether it can be `Identifiable`.
  package var isIdentifiable: Bool { fields.contains { $0.name == "id" && !$0.type.isOptional } }
}

/// A stored property of a domain entity.
package struct EntityField: Sendable, Equatable {
  package var name: String
  package var type: TypeReference
  package var documentation: String?
  package var defaultValue: SwiftExpression?
  /// The property of the newest version's model that it comes from.
  package var property: String
}

/// The two converters of one model of one version.
package struct Converter: Sendable, Equatable {
  package var model: String
  package var entity: String
  /// A value for each of the entity's fields, in their order.
  package var toEntity: [ConvertedValue]
  /// A value for each of the initialiser's parameters that needs one, in their order.
  package var fromEntity: [ConvertedValue]
}

/// One argument of a converter's call.
package struct ConvertedValue: Sendable, Equatable {
  /// Stands in an expression for the name of the version's enum.
  package static let schemaMark = "\u{E000}"

  package var label: String
  package var value: SwiftExpression
  /// Why it is not simply the value: `since V9`.
  package var note: String?
}

/// What became of one field in one step: a row of the data-integrity map.
package struct FieldRoute: Sendable, Equatable {
  /// `Model.property`, or nil for a new one.
  package var from: String?
  package var to: String?
  /// What stands in where there is no old value.
  package var fallback: String?
}
