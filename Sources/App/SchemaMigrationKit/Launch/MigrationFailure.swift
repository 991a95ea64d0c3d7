public import Foundation

/// Why a store was not migrated or opened, what became of it, and where its backup is.
public struct MigrationFailure: Error, Sendable, LocalizedError, CustomStringConvertible {
  /// What went wrong.
  public let kind: Kind
  /// What went wrong in detail, in English: for logs and developers.
  public let reason: String
  /// What became of the store.
  public let store: StoreCondition
  /// The backup from before the migration, where there is one.
  public let backup: URL?
  /// What the validation found, where it came to one.
  public let validation: ValidationReport?
  /// What was thrown.
  public let underlyingError: (any Error)?

  /// What went wrong, for code that decides what to do next.
  public enum Kind: Sendable, Hashable {
    /// The store is of a newer version than the app knows.
    case newer(identifier: String)
    /// The store is of a version that was in the plan once; `through` is the last release of the app that migrates it.
    case retired(StoreVersion, through: String?)
    /// The store is of no version that the app knows.
    case unknown(PreflightReport.Unknown)
    /// The store cannot be read.
    case damaged
    /// The file is none of Core Data's.
    case notAStore
    /// There is not enough room for a backup and the migration, in bytes.
    case noSpace(needed: Int64, available: Int64)
    /// No backup could be made, or what is there could not be looked at.
    case backup(BackupError.Kind)
    /// The store could not be moved to its new place: nothing is there, and the old place is as it was.
    case relocation(BackupError.Kind)
    /// `open` has thrown.
    case open
    /// Rows are gone that should not be.
    case rowsLost
    /// The migration was killed in the middle, and what it left is not a store that the app knows.
    case interrupted
    /// It failed so many times that it is not tried again by itself.
    case gaveUp(attempts: Int)
    /// Another process or task migrates the store.
    case busy
    /// The data is locked until the device is unlocked.
    case protectedData
    /// The system gave the app no more time in the background before the store was opened.
    case backgroundTimeExpired
    /// The file that says that a migration is under way cannot be read, written or removed.
    case journal
  }

  /// What became of the store.
  public enum StoreCondition: Sendable, Hashable {
    /// Nothing was done to it.
    case untouched
    /// The backup is in its place. What was there before is kept beside it.
    case restored(replaced: URL?)
    /// It is as the migration has left it: the backup was not put in its place.
    case left
  }

  init(
    _ kind: Kind, _ reason: String, store: StoreCondition = .untouched, backup: URL? = nil,
    validation: ValidationReport? = nil, underlyingError: (any Error)? = nil
  ) {
    self.kind = kind
    self.reason = reason
    self.store = store
    self.backup = backup
    self.validation = validation
    self.underlyingError = underlyingError
  }

  init(_ error: BackupError) {
    self.init(Kind(error, or: Kind.backup), error.reason, underlyingError: error)
  }

  init(relocating error: BackupError) {
    self.init(
      Kind(error, or: Kind.relocation), error.reason,
      store: error.store == .unchanged ? .untouched : .left, underlyingError: error)
  }

  /// What went wrong, for analytics: "noSpace", "backup.corrupt", "backup.system.5". The names are those of the cases, and
  /// stay. No path, number of rows or name is in them.
  public var code: String {
    switch kind {
    case .newer: "newer"
    case .retired: "retired"
    case .unknown: "unknown"
    case .damaged: "damaged"
    case .notAStore: "notAStore"
    case .noSpace: "noSpace"
    case .backup(let kind): "backup.\(kind.code)"
    case .relocation(let kind): "relocation.\(kind.code)"
    case .open: "open"
    case .rowsLost: "rowsLost"
    case .interrupted: "interrupted"
    case .gaveUp: "gaveUp"
    case .busy: "busy"
    case .protectedData: "protectedData"
    case .backgroundTimeExpired: "backgroundTimeExpired"
    case .journal: "journal"
    }
  }

  /// Whether the same build may succeed later by itself: the device is locked, another process works with the store, the
  /// disk is full. Nothing was given up then, and `checkAndPerformMigration()` tries again.
  public var isTransient: Bool {
    switch kind {
    case .noSpace, .busy, .protectedData, .backgroundTimeExpired: true
    case .backup(let kind), .relocation(let kind): kind.isTransient
    // What it says does not change; that the system refuses to read or write it may.
    case .journal: !(underlyingError is UnreadableJournal)
    case .newer, .retired, .unknown, .damaged, .notAStore, .open, .rowsLost, .interrupted,
      .gaveUp:
      false
    }
  }

  /// Whether a coordinator continues by itself when the device is unlocked or the app comes to the foreground.
  var pauses: Bool { kind == .protectedData || kind == .backgroundTimeExpired }

  func with(_ condition: StoreCondition) -> MigrationFailure {
    MigrationFailure(
      kind, reason, store: condition, backup: backup, validation: validation,
      underlyingError: underlyingError)
  }

  /// The reason, what became of the store, and where the backup is.
  public var description: String {
    let condition =
      switch store {
      case .untouched: "The data is unchanged."
      case .restored: "The data is as it was before the update: the backup was restored."
      case .left: "The data is as the update left it."
      }
    let place = backup.map { " The backup is '\($0.path)'." } ?? ""
    return "\(reason) \(condition)\(place)"
  }

  /// What went wrong and what became of the data, for the app's users; translated if the app's bundle has the table
  /// `SchemaMigrationKit`.
  public var errorDescription: String? { "\(userReason.localized()) \(userCondition.localized())" }

  /// The technical reason, in English.
  public var failureReason: String? { reason }

  /// What the app's users can do; translated as `errorDescription` is.
  public var recoverySuggestion: String? {
    switch kind {
    case .newer, .unknown, .gaveUp: UserText.updateApp.localized()
    case .retired(_, let through):
      through.map { String(format: UserText.openWithRelease.localized(), $0) }
        ?? UserText.contactDeveloper.localized()
    case .damaged, .notAStore, .open, .rowsLost, .interrupted:
      UserText.contactDeveloper.localized()
    case .noSpace(let needed, let available):
      UserText.freeing(needed: needed, available: available)
    case .backup(let kind), .relocation(let kind): kind.recoverySuggestion
    case .journal:
      switch (underlyingError as? UnreadableJournal)?.trouble {
      case .later: UserText.updateApp.localized()
      case .damaged: UserText.contactDeveloper.localized()
      case .refused, nil: UserText.tryAgain.localized()
      }
    case .busy: UserText.tryAgain.localized()
    case .protectedData: UserText.unlock.localized()
    case .backgroundTimeExpired: UserText.openApp.localized()
    }
  }

  private var userReason: UserText {
    switch kind {
    case .newer: .newer
    case .retired: .retired
    case .unknown: .unknown
    case .damaged: .damaged
    case .notAStore: .foreign
    case .noSpace, .backup(.noSpace): .noSpace
    case .backup(.busy), .backup(.storeInUse), .relocation(.storeInUse), .busy: .busy
    case .protectedData: .locked
    case .backgroundTimeExpired: .noTime
    case .backup: .noBackup
    case .relocation(.noSpace): .noSpaceToMove
    case .relocation(.storeExists): .twoPlaces
    case .relocation: .notMoved
    case .open: .cannotOpen
    case .rowsLost: .rowsLost
    case .interrupted: .interrupted
    case .gaveUp: .gaveUp
    case .journal:
      if case .later = (underlyingError as? UnreadableJournal)?.trouble {
        .newer
      } else {
        store == .left ? .interrupted : .cannotBegin
      }
    }
  }

  private var userCondition: UserText {
    switch store {
    case .untouched: .unchanged
    case .restored: .restored
    case .left: .left
    }
  }
}

extension MigrationFailure.Kind {
  /// The kind for a backup's error; `other` makes it for the usual ones, by what was being done.
  fileprivate init(_ error: BackupError, or other: (BackupError.Kind) -> Self) {
    switch error.kind {
    case .busy: self = .busy
    case .protectedData: self = .protectedData
    case .backgroundTimeExpired: self = .backgroundTimeExpired
    default: self = other(error.kind)
    }
  }
}

extension MigrationFailure.StoreCondition {
  /// The name of the case.
  var code: String {
    switch self {
    case .untouched: "untouched"
    case .restored: "restored"
    case .left: "left"
    }
  }
}
