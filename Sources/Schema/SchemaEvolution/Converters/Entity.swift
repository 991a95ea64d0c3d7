package import SchemaModel

/// A domain entity, which `toEntity()` returns and `fromEntity(_:)` takes. The newest version defines it.
package struct Entity: Sendable, Equatable {
  package var name: String
  package var documentation: String?
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
  /// The newest version's property with the field's values.
  package var property: String
  /// Whether the field is a list whose order SwiftData does not keep.
  package var isUnordered = false
}

/// The two converters of one model of one version.
package struct Converter: Sendable, Equatable {
  package var model: String
  package var entity: String
  package var toEntity: [ConvertedValue]
  /// A value for each parameter of the initialiser that needs one, in order.
  package var fromEntity: [ConvertedValue]
  /// The relationships that use the initialiser's defaults. The caller sets their links.
  package var unlinked: [String] = []
  /// The update of an existing row from an entity; `nil` except in the newest version, whose rows the app uses.
  package var update: EntityUpdate?
}

/// The values and links that `update(from:)` sets in a row of the newest version.
package struct EntityUpdate: Sendable, Equatable {
  package var values: [ConvertedValue]
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

  /// The reason why an argument is more than the value of a property or a field.
  package enum Note: Sendable, Equatable {
    case since(VersionNumber)
    case unspecified(by: VersionNumber)
    case unordered(by: VersionNumber)
    /// No property has held the value since a version.
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

/// The change of one field in one step: a row of the data-integrity map.
package struct FieldRoute: Sendable, Equatable {
  package var from: ElementPath?
  package var to: ElementPath?
  /// The value if there is no old value.
  package var fallback: Fallback?

  package enum Fallback: Sendable, Equatable {
    case value(String)
    case dropped(Acknowledgement)
  }
}
