package import SchemaModel

/// What the migration from one version to the next does to rows, in addition to the engine's inference.
package struct StepPlan: Sendable {
  package var transfers: [RowTransfer] = []
  package var relationshipUpdates: [RelationshipUpdate] = []
  package var rowUpdates: [RowUpdate] = []
  package var dedupes: [Deduplication] = []
  package var hooks = Hooks()
  /// Columns of the bridge with another name in the newer version: model → property → bridge name.
  package var bridgeNames: [String: [String: String]] = [:]
  package var isCustomByPolicy = false
  /// How many bridge versions there are between the two.
  package var bridges = 0

  /// Whether rows are changed in `willMigrate`.
  package var hasWork: Bool {
    !transfers.isEmpty || !relationshipUpdates.isEmpty || !rowUpdates.isEmpty || !dedupes.isEmpty
      || hooks.before
  }

  /// The parts of the step in order, and whether each is a custom stage.
  var ways: [(part: Stage.Part, isCustom: Bool)] {
    switch bridges {
    case 0: [(.whole, isCustom)]
    case 1: [(.expand, false), (.contract, true)]
    default: [(.expand, false), (.contract, true), (.rename, hooks.after)]
    }
  }

  package var isCustom: Bool { hasWork || hooks.after || isCustomByPolicy }
}

/// Rows of one model that become rows of another. Each old row stores a link to its new row, so that repeating the step
/// after a kill creates no duplicates.
package struct RowTransfer: Sendable, Equatable {
  package var source: String
  package var target: String
  /// The bridge's relationship from the old row to the new one.
  package var link: String
  /// The initialiser's arguments in order.
  package var values: [Assignment]
}

/// A relationship that is set from an old row's links, or to what the row itself became.
package struct RelationshipUpdate: Sendable, Equatable {
  package var model: String
  /// The link to the row's new row, on which the relationship is set, if the row is transferred itself.
  package var ownerLink: String?
  /// The old relationship that is read from the row; nil for the row itself, which leads to its other new row.
  package var source: String?
  /// The new relationship's name in the bridge.
  package var target: String
  /// The link from rows at the other end to their new rows; nil if they stay.
  package var destinationLink: String?
  /// Whether a to-many relationship is set: from old links if there are any, otherwise to the one row.
  package var isMany: Bool
  package var isSourceOptional: Bool
  package var isTargetOptional: Bool
}

/// New values for a model's rows.
package struct RowUpdate: Sendable, Equatable {
  package var model: String
  package var assignments: [Assignment]
  package var cases: [CaseUpdate] = []
}

/// A case that replaces another in rows, in an enum with both.
package struct CaseUpdate: Sendable, Equatable {
  /// The property's name in the version that `willMigrate` sees.
  package var property: String
  package var type: String
  package var old: String
  package var new: String
}

/// One value for one property of a row.
package struct Assignment: Sendable, Equatable {
  /// The property's name in the version that `willMigrate` sees.
  package var property: String
  package var value: DerivedValue
  /// Whether it is set only if it is nil: a fill.
  package var onlyWhereNil: Bool
  /// Whether the value's expression can throw, as the app's functions that use the context can.
  package var canThrow = false
}

/// A new unique constraint, and which of several duplicates is kept.
package struct Deduplication: Sendable, Equatable {
  package var model: String
  /// The key's columns in the version that `willMigrate` sees, and whether each is optional there.
  package var keys: [Key]
  package var strategy: Dedupe
  /// Relationships whose links the kept row takes over.
  package var relationships: [Link]

  package struct Key: Sendable, Equatable {
    package var name: String
    package var isOptional: Bool
  }

  package struct Link: Sendable, Equatable {
    package var name: String
    package var cardinality: Relationship.Cardinality
    /// Whether two rows may link to the same row.
    package var isShared: Bool
    /// Whether a row's links are removed before it is deleted, since its delete rule would follow them.
    package var isEmptied: Bool
  }
}

/// A function in a user file that the app has to implement.
package struct UserFunction: Sendable, Equatable {
  package enum Purpose: Sendable, Equatable {
    /// From values of the previous version to a value.
    case convert(parameters: [Parameter], result: Value)
    /// From one or more values back to a value of the previous version.
    case revert(parameters: [Parameter], result: Value)
    /// The value for rows that have none.
    case fill(result: Value)
    /// A relationship's destination, found from a model's row and the context.
    case relate(row: String, result: Value)
    /// The duplicates of a model to delete.
    case dedupe(row: String)
    case before, after
  }

  /// What a function takes or returns.
  package enum Value: Sendable, Equatable {
    case value(TypeReference)
    /// A row of a model, if there is one, or several.
    case row(of: String)
    case rows(of: String)
  }

  package struct Parameter: Sendable, Equatable {
    package var name: String
    package var value: Value
  }

  package var name: String
  package var purpose: Purpose
  /// The element that needs it; nil for a hook.
  package var element: ElementPath?
}
