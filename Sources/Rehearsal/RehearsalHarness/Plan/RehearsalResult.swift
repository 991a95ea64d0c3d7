/// What came of a rehearsal. JSON with sorted keys; all of it but times and memory is the same in every run.
public struct RehearsalResult: Codable, Hashable, Sendable {
  public var format: Int = currentFormat
  /// Names of the versions, in order: `V1`, …
  public var versions: [String]
  /// By `from`, then by `to`.
  public var paths: [PathResult] = []
  public var kills: [KillResult] = []
  /// The stores of a folder, sorted by name; nil where none was given.
  public var stores: [StoreResult]?
  /// What the rehearsal could not show, each a sentence.
  public var limits: [String] = []
  /// From beginning to end, by the wall clock.
  public var seconds: Double = 0

  public static let currentFormat = 1
  /// Whether everything was as it should be.
  public var isSuccess: Bool {
    paths.allSatisfy { $0.failures.isEmpty } && kills.allSatisfy { $0.failures.isEmpty }
      && (stores ?? []).allSatisfy { $0.refusal == nil }
  }
}

/// A store of the user's, and what became of it; its paths are among `RehearsalResult.paths`.
public struct StoreResult: Codable, Hashable, Sendable {
  /// The name of its file, below the folder where one was given.
  public var store: String
  /// The version that it is of; nil where it is of none.
  public var version: String?
  /// Why it cannot be rehearsed, as a clause: `matches no version of these manifests`. It counts as a failure.
  public var refusal: String?
  /// Why there is no path to rehearse, as a clause: `is already of V9: there is no later version`.
  public var limit: String?

  /// Whether it is a store, or was meant to be one: not so what merely lies in the folder.
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

/// What came of one path.
public struct PathResult: Codable, Hashable, Sendable {
  /// Names of versions: `V3`, `V9`.
  public var from: String
  public var to: String
  /// The name of the user's own store, as `StoreResult` has it, where the rows are its; nil for rows of the plan's.
  public var store: String?
  /// One for each entity of the older version, sorted by name.
  public var entities: [EntityTally] = []
  /// The outcome of every check, by `PathCheck`'s raw value.
  public var checks: [String: CheckOutcome] = [:]
  /// Values that took a fallback on the direct way, sorted by field.
  public var fallbacks: [FallbackTally] = []
  /// The most memory that the process of the direct way held, in bytes; nil where the system does not tell.
  public var peakMemory: Int?
  public var failures: [RehearsalFailure] = []
  public var seconds: Double = 0

  /// The outcome of one check; nil where the path failed before it.
  public subscript(check: PathCheck) -> CheckOutcome? {
    get { checks[check.rawValue] }
    set { checks[check.rawValue] = newValue }
  }
}

/// What is looked at on each path.
public enum PathCheck: String, Codable, Hashable, Sendable, CaseIterable {
  /// Every row and every value is where lineage says.
  case conservation
  /// The migrated store is laid out as a fresh one of that version, and is known as that version.
  case structure
  /// Going step by step, an app of each version in turn, gives the same rows.
  case stepwise
  /// Opening the migrated store again changes nothing.
  case again
  /// `toEntity()` of the older version's rows gives what it gives of the migrated ones.
  case converters
  /// What the manifest expects of the last step holds for every row.
  case expectations
}

/// What a check found.
public enum CheckOutcome: Codable, Hashable, Sendable {
  case passed
  case failed
  /// Not looked at, with the reason.
  case skipped(String)
}

/// What became of the rows of one entity of the older version.
public struct EntityTally: Codable, Hashable, Sendable {
  public var entity: String
  /// The entities that its rows became; empty where they are dropped.
  public var targets: [String]
  public var rows: RowTally = RowTally()
  /// One for each property of each target, by `Target.property`.
  public var fields: [FieldTally] = []
  /// What went, and the author's reason.
  public var drops: [DropTally] = []
}

/// Rows of the older version by what became of them.
public struct RowTally: Codable, Hashable, Sendable {
  /// Rows that the store was filled with.
  public var source = 0
  /// Rows of which at least one row of the newer version is left.
  public var preserved = 0
  /// Rows that another, equal one stands for, as `dedupe:` says.
  public var merged = 0
  /// Rows of a model that was dropped.
  public var dropped = 0
  /// Rows that are gone and should not be.
  public var lost = 0
  /// By entity, rows that were made and neither lead to what else their older row became, nor are led to from there;
  /// nil for none.
  public var alone: [String: Int]?
}

/// Values of one property by what became of them; links of one relationship of one row count as one value.
public struct ValueTally: Codable, Hashable, Sendable {
  public var preserved = 0
  public var converted = 0
  public var defaulted = 0
  public var filled = 0
  /// New, and nil or without links.
  public var added = 0
  /// Not what was expected.
  public var failed = 0
  /// Of the converted ones, those that are nil although there was a value; nil for none.
  public var becameNil: Int?

  public var total: Int { preserved + converted + defaulted + filled + added + failed }
}

/// What became of the values of one property.
public struct FieldTally: Codable, Hashable, Sendable {
  /// `Target.property`.
  public var field: String
  /// The source's properties that it comes from.
  public var origins: [String]
  public var fate: FieldExpectation.Fate
  public var values: ValueTally = ValueTally()
}

/// What was dropped.
public struct DropTally: Codable, Hashable, Sendable {
  /// `Model` or `Model.property`, as the older version calls it.
  public var element: String
  /// Nil where the whole model goes, with its rows.
  public var property: String?
  public var step: String
  public var reason: String?
  /// Whether the step has shipped so, and nobody has confirmed it.
  public var isUnconfirmed: Bool
  /// How many rows had a value in it, or were there.
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

/// One thing that is not as it should be, with its place.
public struct RehearsalFailure: Codable, Hashable, Sendable {
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// The migration threw, or its process died.
    case migrationFailed = "migration-failed"
    /// The store could not be filled with the version's rows.
    case fillFailed = "fill-failed"
    case rowLost = "row-lost"
    /// A row that comes from none.
    case rowInvented = "row-invented"
    /// Rows that should have become one did not.
    case notMerged = "not-merged"
    case valueChanged = "value-changed"
    case valueMissing = "value-missing"
    case linkChanged = "link-changed"
    /// A case of an enum that the newer version cannot read.
    case caseUnreadable = "case-unreadable"
    /// Something goes, and nobody said that it may.
    case unacknowledgedDrop = "unacknowledged-drop"
    /// Nothing is said of a property that is there: the plan and the code are of different manifests.
    case unexpectedField = "unexpected-field"
    case structureDiffers = "structure-differs"
    case stepwiseDiffers = "stepwise-differs"
    case againDiffers = "again-differs"
    case convertersDiffer = "converters-differ"
    /// After a kill the store is not what an undisturbed run makes of it.
    case killDiffers = "kill-differs"
    /// What the author asserts of a step does not hold.
    case expectationBroken = "expectation-broken"
    /// A store of the user's cannot be read, or is of no version.
    case storeRefused = "store-refused"
  }

  public var kind: Kind
  /// `V3 → V9`.
  public var path: String
  public var entity: String?
  /// The row's label, or its key where it has none.
  public var row: String?
  /// The row's adversarial category.
  public var category: String?
  public var property: String?
  public var expected: String?
  public var found: String?
  /// What else helps to understand it: an error's text, the stage, the hooks that ran.
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

/// What came of killing the migration on one path at every point where it can be killed.
public struct KillResult: Codable, Hashable, Sendable {
  public var from: String
  public var to: String
  /// Rows in the store.
  public var rows: Int = 0
  /// How often it was killed, each time at the next point: before BEGIN, before COMMIT, after COMMIT of each
  /// transaction.
  public var kills: Int = 0
  /// After how many of these kills the second run gave what an undisturbed one gives.
  public var survived: Int = 0
  public var failures: [RehearsalFailure] = []
  public var seconds: Double = 0
}
