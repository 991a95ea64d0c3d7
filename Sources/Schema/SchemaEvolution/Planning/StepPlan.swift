package import SchemaModel

/// What the migration from one version to the next does to rows, apart from what the engine infers.
package struct StepPlan: Sendable {
  package var transfers: [RowTransfer] = []
  package var relationshipUpdates: [RelationshipUpdate] = []
  package var rowUpdates: [RowUpdate] = []
  package var dedupes: [Deduplication] = []
  package var hooks = Hooks()
  /// Columns of the bridge that have another name in the newer version: model → property → bridge name.
  package var bridgeNames: [String: [String: String]] = [:]
  package var isCustomByPolicy = false
  /// How many bridge versions there are between the two.
  package var bridges = 0

  /// Whether rows are changed in `willMigrate`.
  package var hasWork: Bool {
    !transfers.isEmpty || !relationshipUpdates.isEmpty || !rowUpdates.isEmpty || !dedupes.isEmpty
      || hooks.before
  }

  /// The parts of the step, in order, and whether each is a custom stage.
  var ways: [(part: Stage.Part, isCustom: Bool)] {
    switch bridges {
    case 0: [(.whole, isCustom)]
    case 1: [(.expand, false), (.contract, true)]
    default: [(.expand, false), (.contract, true), (.rename, hooks.after)]
    }
  }

  package var isCustom: Bool { hasWork || hooks.after || isCustomByPolicy }
}

/// Rows of one model that become rows of another. Each old row remembers its new one in a link, so that a
/// repetition after a kill makes none twice.
package struct RowTransfer: Sendable, Equatable {
  package var source: String
  package var target: String
  /// The relationship of the bridge that leads from the old row to the new one.
  package var link: String
  /// The initialiser's arguments, in its order.
  package var values: [Assignment]
}

/// A relationship that is set from an old row's own links, or to what the row itself became.
package struct RelationshipUpdate: Sendable, Equatable {
  package var model: String
  /// For a row that is itself carried over: the link to its new row, on which the relationship is set.
  package var ownerLink: String?
  /// The old relationship, read from the row; nil for the row itself, which leads to what else it became.
  package var source: String?
  /// The new relationship's name in the bridge.
  package var target: String
  /// The link from rows at the other end to their new rows; nil when they stay.
  package var destinationLink: String?
  /// Whether links to many are set: of old ones where there are any, else of the one row.
  package var isMany: Bool
  package var isSourceOptional: Bool
  package var isTargetOptional: Bool
}

/// The values that a model's rows get.
package struct RowUpdate: Sendable, Equatable {
  package var model: String
  package var assignments: [Assignment]
  package var cases: [CaseUpdate] = []
}

/// A case that rows get in place of another, in an enum that has both.
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
  /// Whether it is set only where it is nil: a fill.
  package var onlyWhereNil: Bool
  /// Whether the value's expression can throw, as a function of the app's that uses the context can.
  package var canThrow = false
}

/// A unique constraint that is new, and which of several equal rows stays.
package struct Deduplication: Sendable, Equatable {
  package var model: String
  /// Key columns in the version that `willMigrate` sees, and whether each is optional there.
  package var keys: [Key]
  package var strategy: Dedupe
  /// Relationships whose links the row that stays takes over.
  package var relationships: [Link]

  package struct Key: Sendable, Equatable {
    package var name: String
    package var isOptional: Bool
  }

  package struct Link: Sendable, Equatable {
    package var name: String
    package var cardinality: Relationship.Cardinality
    /// Whether two rows may lead to one and the same member.
    package var isShared: Bool
    /// Whether a row's links are taken away before it is deleted, as its delete rule would follow them.
    package var isEmptied: Bool
  }
}

/// A function in a user file that the app has to write.
package struct UserFunction: Sendable, Equatable {
  package enum Purpose: Sendable, Equatable {
    /// From values of the version before to a value.
    case convert(parameters: [Parameter], result: Value)
    /// From a value, or several, back to one of the version before.
    case revert(parameters: [Parameter], result: Value)
    /// The value of rows that have none.
    case fill(result: Value)
    /// The target of a relationship, found with the row of a model and the context.
    case relate(row: String, result: Value)
    /// Which of several equal rows of a model go.
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
  /// What asks for it; nil for a hook.
  package var element: ElementPath?
}
