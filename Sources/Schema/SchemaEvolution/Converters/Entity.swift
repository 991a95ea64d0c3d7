package import SchemaModel

/// A domain entity: what `toEntity()` returns and `fromEntity(_:)` takes, as defined by the newest version.
package struct Entity: Sendable, Equatable {
  package var name: String
  package var documentation: String?
  /// The model of the newest version that it belongs to.
  package var model: String
  package var fields: [EntityField]

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
  /// Whether it is a list for which SwiftData keeps no order.
  package var isUnordered = false
}

/// The two converters of one model of one version.
package struct Converter: Sendable, Equatable {
  package var model: String
  package var entity: String
  /// A value for each of the entity's fields, in order.
  package var toEntity: [ConvertedValue]
  /// A value for each of the initialiser's parameters that needs one, in order.
  package var fromEntity: [ConvertedValue]
  /// The properties that use the initialiser's defaults: links that the caller sets.
  package var unlinked: [String] = []
  /// How an existing row is updated from an entity; only in the newest version, which the app uses.
  package var update: EntityUpdate?
}

/// What `update(from:)` sets in a row of the newest version.
package struct EntityUpdate: Sendable, Equatable {
  /// Values that depend only on the entity, in the order of the model's properties.
  package var values: [ConvertedValue]
  /// Relationships that the entity represents; the caller finds the rows.
  package var links: [LinkUpdate]
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

  /// Why an argument is not just the value of a property or a field.
  package enum Note: Sendable, Equatable {
    /// The property was added in that version.
    case since(VersionNumber)
    /// The rows of that version do not determine the value.
    case unspecified(by: VersionNumber)
    /// The rows of that version have no order.
    case unordered(by: VersionNumber)
    /// No property has had the value since that version.
    case lost(since: VersionNumber)
  }
}

extension ConvertedValue.Note: CustomStringConvertible {
  package var description: String {
    switch self {
    case .since(let version): "since \(version.name)"
    case .unspecified(let version): "not stored by \(version.name)"
    case .unordered(let version): "unordered in \(version.name)"
    case .lost(let version): "not kept since \(version.name)"
    }
  }
}

/// What happened to one field in one step: a row of the data-integrity map.
package struct FieldRoute: Sendable, Equatable {
  /// Nil for a new field.
  package var from: ElementPath?
  /// Nil for a dropped one.
  package var to: ElementPath?
  /// What is used if there is no old value.
  package var fallback: Fallback?

  package enum Fallback: Sendable, Equatable {
    /// A value, a conversion or a function of the app.
    case value(String)
    /// The field was removed, so there is no value.
    case dropped(Acknowledgement)
  }
}
