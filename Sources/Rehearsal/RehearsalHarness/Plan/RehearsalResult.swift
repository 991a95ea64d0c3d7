/// The result of a rehearsal. It is JSON with sorted keys; everything except times and memory is the same in every run.
public struct RehearsalResult: Codable, Hashable, Sendable {
  public var format: Int = currentFormat
  /// Names of the versions, in order: `V1`, …
  public var versions: [String]
  /// Sorted by `from`, then by `to`.
  public var paths: [PathResult] = []
  public var kills: [KillResult] = []
  /// The stores of a folder, sorted by name; nil if none was given.
  public var stores: [StoreResult]?
  /// What the rehearsal could not show, each as a sentence.
  public var limits: [String] = []
  /// The duration in real time.
  public var seconds: Double = 0

  public static let currentFormat = 1
  /// Whether there are no failures.
  public var isSuccess: Bool {
    paths.allSatisfy { $0.failures.isEmpty } && kills.allSatisfy { $0.failures.isEmpty }
      && (stores ?? []).allSatisfy { $0.refusal == nil }
  }
}

/// One of the user's stores, and what happened to it; its paths are in `RehearsalResult.paths`.
public struct StoreResult: Codable, Hashable, Sendable {
  /// The name of the store's file, relative to the folder if one was given.
  public var store: String
  /// The store's version; nil if the store matches no version.
  public var version: String?
  /// Why the store cannot be rehearsed, as a clause: `matches no version of these manifests`. A refusal counts as a
  /// failure.
  public var refusal: String?
  /// Why there is no path to rehearse, as a clause: `already has V9: there is no later version`.
  public var limit: String?

  /// Whether the file is a store, though perhaps an unusable one. The folder may contain other files.
  public var isStore: Bool { version != nil || refusal != nil }

  public init(
    store: String, version: String? = nil, refusal: String? = nil, limit: String? = nil
  ) {
    self.store = store
    self.version = version
    self.refusal = refusal
    self.limit = limit
  }
}

/// The result of one path.
public struct PathResult: Codable, Hashable, Sendable {
  /// Names of versions: `V3`, `V9`.
  public var from: String
  public var to: String
  /// The name of the user's store that the rows come from, as in `StoreResult`; nil for rows from the plan.
  public var store: String?
  /// One tally for each entity of the older version, sorted by name.
  public var entities: [EntityTally] = []
  /// The outcome of every check, by `PathCheck`'s raw value.
  public var checks: [String: CheckOutcome] = [:]
  /// Values that the direct migration replaced by a fallback, sorted by field.
  public var fallbacks: [FallbackTally] = []
  /// The peak memory of the process of the direct migration, in bytes; nil if the system does not report it.
  public var peakMemory: Int?
  public var failures: [RehearsalFailure] = []
  public var seconds: Double = 0

  /// The outcome of one check; nil if the path failed before it.
  public subscript(check: PathCheck) -> CheckOutcome? {
    get { checks[check.rawValue] }
    set { checks[check.rawValue] = newValue }
  }
}

/// What is checked on each path.
public enum PathCheck: String, Codable, Hashable, Sendable, CaseIterable {
  /// Every row and every value is where lineage expects it.
  case conservation
  /// The migrated store has the layout of a fresh store of the newer version, and is recognised as the newer version.
  case structure
  /// Migrating step by step, with an app of each version in turn, gives the same rows.
  case stepwise
  /// Opening the migrated store again changes nothing.
  case again
  /// `toEntity()` gives the same values for the older version's rows and for the migrated rows.
  case converters
  /// The manifest's expectations of the last step hold for every row.
  case expectations
}

/// What a check found.
public enum CheckOutcome: Codable, Hashable, Sendable {
  case passed
  case failed
  /// Not checked, with the reason.
  case skipped(String)
}

/// What happened to the rows of one entity of the older version.
public struct EntityTally: Codable, Hashable, Sendable {
  public var entity: String
  /// The entities that its rows became; empty if they are dropped.
  public var targets: [String]
  public var rows: RowTally = RowTally()
  /// One tally for each property of each target, sorted by `Target.property`.
  public var fields: [FieldTally] = []
  /// What was dropped, and the author's reason.
  public var drops: [DropTally] = []
}

/// Rows of the older version, by what happened to them.
public struct RowTally: Codable, Hashable, Sendable {
  /// Rows with which the store was filled.
  public var source = 0
  /// Rows from which at least one row of the newer version remains.
  public var preserved = 0
  /// Rows that were merged into an equal row, according to `dedupe:`.
  public var merged = 0
  /// Rows of a model that was dropped.
  public var dropped = 0
  /// Rows that are missing and should not be.
  public var lost = 0
  /// By entity, the number of new rows that no link connects with another row made from the same older row. Nil if
  /// there are none.
  public var alone: [String: Int]?
}

/// Values of one property by what happened to them; the links of one relationship of one row count as one value.
public struct ValueTally: Codable, Hashable, Sendable {
  public var preserved = 0
  public var converted = 0
  public var defaulted = 0
  public var filled = 0
  /// Values of new properties, which are nil or have no links.
  public var added = 0
  /// Values that differ from the expectation.
  public var failed = 0
  /// Values that a conversion turned into nil. Nil if there are none.
  public var becameNil: Int?

  public var total: Int { preserved + converted + defaulted + filled + added + failed }
}

/// What happened to the values of one property.
public struct FieldTally: Codable, Hashable, Sendable {
  /// `Target.property`.
  public var field: String
  /// The source's properties from which the values come.
  public var origins: [String]
  public var fate: FieldExpectation.Fate
  public var values: ValueTally = ValueTally()
}

/// What was dropped.
public struct DropTally: Codable, Hashable, Sendable {
  /// `Model` or `Model.property`, with its name in the older version.
  public var element: String
  /// Nil if the whole model is dropped, with its rows.
  public var property: String?
  public var step: String
  public var reason: String?
  /// Whether the step has shipped without a confirmation of the drop.
  public var isUnconfirmed: Bool
  /// The number of rows with a value in the property; for a model, the number of its rows.
  public var values: Int

  public init(_ drop: PlannedDrop, values: Int) {
    element = drop.element
    property = drop.property
    step = drop.step
    reason = drop.reason
    isUnconfirmed = drop.isUnconfirmed
    self.values = values
  }
}

/// One failure, with its place.
public struct RehearsalFailure: Codable, Hashable, Sendable {
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// The migration threw an error, or its process died.
    case migrationFailed = "migration-failed"
    /// The store could not be filled with the version's rows.
    case fillFailed = "fill-failed"
    case rowLost = "row-lost"
    /// A row that comes from no older row.
    case rowInvented = "row-invented"
    /// Rows that should have become one did not.
    case notMerged = "not-merged"
    case valueChanged = "value-changed"
    case valueMissing = "value-missing"
    case linkChanged = "link-changed"
    /// A row holds an enum case that the newer version cannot read.
    case caseUnreadable = "case-unreadable"
    /// Something is dropped without an acknowledgement.
    case unacknowledgedDrop = "unacknowledged-drop"
    /// A property is missing from the plan, because the plan and the code are from different manifests.
    case unexpectedField = "unexpected-field"
    case structureDiffers = "structure-differs"
    case stepwiseDiffers = "stepwise-differs"
    case againDiffers = "again-differs"
    case convertersDiffer = "converters-differ"
    /// After a kill the store differs from the result of an undisturbed run.
    case killDiffers = "kill-differs"
    /// An expectation of the author does not hold for a step.
    case expectationBroken = "expectation-broken"
    /// One of the user's stores cannot be read, or matches no version.
    case storeRefused = "store-refused"
  }

  public var kind: Kind
  /// `V3 → V9`.
  public var path: String
  public var entity: String?
  /// The row's label, or its key if it has none.
  public var row: String?
  /// The row's adversarial category.
  public var category: String?
  public var property: String?
  public var expected: String?
  public var found: String?
  /// Further details: an error's text, the stage, the hooks that ran.
  public var note: String?

  public init(
    _ kind: Kind, path: String, entity: String? = nil, row: String? = nil,
    category: String? = nil, property: String? = nil, expected: String? = nil,
    found: String? = nil, note: String? = nil
  ) {
    self.kind = kind
    self.path = path
    self.entity = entity
    self.row = row
    self.category = category
    self.property = property
    self.expected = expected
    self.found = found
    self.note = note
  }
}

/// The result of killing the migration on one path at every point where that is possible.
public struct KillResult: Codable, Hashable, Sendable {
  public var from: String
  public var to: String
  /// Rows in the store.
  public var rows: Int = 0
  /// How often the migration was killed, each time at the next point: before BEGIN, before COMMIT and after COMMIT of
  /// each transaction.
  public var kills: Int = 0
  /// The number of kills after which the second run gave the result of an undisturbed run.
  public var survived: Int = 0
  public var failures: [RehearsalFailure] = []
  public var seconds: Double = 0
}
