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
  /// Whether it is a list of what SwiftData keeps in no order.
  package var isUnordered = false
}

/// The two converters of one model of one version.
package struct Converter: Sendable, Equatable {
  package var model: String
  package var entity: String
  /// A value for each of the entity's fields, in their order.
  package var toEntity: [ConvertedValue]
  /// A value for each of the initialiser's parameters that needs one, in their order.
  package var fromEntity: [ConvertedValue]
  /// The properties that the initialiser's defaults serve: links that the caller sets.
  package var unlinked: [String] = []
  /// How a row that is there takes over an entity; in the newest version only, where the app works.
  package var update: EntityUpdate?
}

/// What `update(from:)` sets in a row of the newest version.
package struct EntityUpdate: Sendable, Equatable {
  /// Values that come from the entity alone, in the order of the model's properties.
  package var values: [ConvertedValue]
  /// Relationships that the entity tells of; finding the rows is the caller's.
  package var links: [LinkUpdate]
  /// Properties that stay as they are.
  package var kept: [String]
}

/// A relationship that `update(from:)` sets to rows that the caller finds.
package struct LinkUpdate: Sendable, Equatable {
  package var property: Property
  package var field: EntityField
}

/// One argument of a converter's call.
package struct ConvertedValue: Sendable, Equatable {
  package var label: String
  package var value: DerivedValue
  package var note: Note?

  /// Why an argument is not simply a property's value, or a field's.
  package enum Note: Sendable, Equatable {
    /// The property is there since that version.
    case since(VersionNumber)
    /// The rows of that version do not tell.
    case unspecified(by: VersionNumber)
    /// The rows of that version do not tell in which order they come.
    case unordered(by: VersionNumber)
    /// Nothing keeps it since that version.
    case lost(since: VersionNumber)
  }
}

extension ConvertedValue.Note: CustomStringConvertible {
  package var description: String {
    switch self {
    case .since(let version): "since \(version.name)"
    case .unspecified(let version): "not stored by \(version.name)"
    case .unordered(let version): "in no order in \(version.name)"
    case .lost(let version): "not kept since \(version.name)"
    }
  }
}

/// What became of one field in one step: a row of the data-integrity map.
package struct FieldRoute: Sendable, Equatable {
  /// Nil for a new field.
  package var from: ElementPath?
  /// Nil for a dropped one.
  package var to: ElementPath?
  /// What stands in where there is no old value.
  package var fallback: Fallback?

  package enum Fallback: Sendable, Equatable {
    /// A value, a conversion or a function of the app's.
    case value(String)
    /// None: the field goes.
    case dropped(Acknowledgement)
  }
}
