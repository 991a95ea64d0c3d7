package import SchemaModel

/// The changes that a migration makes to rows, in addition to the engine's inference.
package struct StepPlan: Sendable {
  package var transfers: [RowTransfer] = []
  package var relationshipUpdates: [RelationshipUpdate] = []
  package var rowUpdates: [RowUpdate] = []
  package var dedupes: [Deduplication] = []
  package var hooks = Hooks()
  /// Names of the bridge's columns that have another name in the newer version: model → property → bridge name.
  package var bridgeNames: [String: [String: String]] = [:]
  package var isCustomByPolicy = false
  package var bridges = 0

  package var hasWork: Bool {
    !transfers.isEmpty || !relationshipUpdates.isEmpty || !rowUpdates.isEmpty || !dedupes.isEmpty
      || hooks.before
  }

  var ways: [(part: Stage.Part, isCustom: Bool)] {
    switch bridges {
    case 0: [(.whole, isCustom)]
    case 1: [(.expand, false), (.contract, true)]
    default: [(.expand, false), (.contract, true), (.rename, hooks.after)]
    }
  }

  package var isCustom: Bool { hasWork || hooks.after || isCustomByPolicy }
}

/// Rows of one model that become rows of another model. Each old row stores a link to the new row made from it, so
/// repeating the step after a kill creates no duplicates.
package struct RowTransfer: Sendable, Equatable {
  package var source: String
  package var target: String
  package var link: String
  package var values: [Assignment]
}

/// A relationship that is set from an old row's links, or to a new row that was made from the same old row.
package struct RelationshipUpdate: Sendable, Equatable {
  package var model: String
  /// The link from a row of `model` to the new row made from it, which gets the relationship. Nil if rows of `model`
  /// are not transferred: the row itself gets the relationship.
  package var ownerLink: String?
  /// The old relationship that is read from the row; `nil` if the relationship leads to another row made from the same
  /// old row.
  package var source: String?
  package var target: String
  /// The link from destination rows to the new rows made from them; `nil` if the destination is not transferred.
  package var destinationLink: String?
  /// Whether the relationship is to-many. It may be set from old links, or to a single row.
  package var isMany: Bool
  package var isSourceOptional: Bool
  package var isTargetOptional: Bool
}

/// New values for the rows of a model.
package struct RowUpdate: Sendable, Equatable {
  package var model: String
  package var assignments: [Assignment]
  package var cases: [CaseUpdate] = []
}

/// A case that replaces another case in rows. The enum has both cases.
package struct CaseUpdate: Sendable, Equatable {
  /// The property's name in the version that `willMigrate` sees.
  package var property: String
  package var type: String
  package var old: String
  package var new: String
}

/// The value of one property of a row.
package struct Assignment: Sendable, Equatable {
  package var property: String
  package var value: DerivedValue
  /// Whether the value is set only if the old value is nil, as with a fill.
  package var onlyWhereNil: Bool
  /// Whether computing the value can throw, as in the app's functions that use the context.
  package var canThrow = false
}

/// A new unique constraint, with the choice of the duplicate that is kept.
package struct Deduplication: Sendable, Equatable {
  package var model: String
  /// The key's columns in the version that `willMigrate` sees.
  package var keys: [Key]
  package var strategy: Dedupe
  package var relationships: [Link]

  package struct Key: Sendable, Equatable {
    package var name: String
    package var isOptional: Bool
  }

  package struct Link: Sendable, Equatable {
    package var name: String
    package var cardinality: Relationship.Cardinality
    package var isShared: Bool
    /// Whether a row's links are removed before the row is deleted, because its delete rule would follow the links.
    package var isEmptied: Bool
  }
}

/// A function in a user file that the app has to implement.
package struct UserFunction: Sendable, Equatable {
  package enum Purpose: Sendable, Equatable {
    case convert(parameters: [Parameter], result: Value)
    /// Restores a value of the previous version from one or more values.
    case revert(parameters: [Parameter], result: Value)
    case fill(result: Value)
    /// Finds a relationship's destination, given a model's row and the context.
    case relate(row: String, result: Value)
    /// Returns the duplicates to delete.
    case dedupe(row: String)
    case before, after
  }

  package enum Value: Sendable, Equatable {
    case value(TypeReference)
    case row(of: String)
    case rows(of: String)
  }

  package struct Parameter: Sendable, Equatable {
    package var name: String
    package var value: Value
  }

  package var name: String
  package var purpose: Purpose
  /// The element that needs the function; `nil` for a hook.
  package var element: ElementPath?
}
