public import Foundation

/// The reason why a store was not migrated or opened, with the state of the store and the place of its backup.
public struct MigrationFailure: Error, Sendable, LocalizedError, CustomStringConvertible {
  /// What went wrong.
  public let kind: Kind
  /// The details in English, for logs and developers.
  public let reason: String
  /// The state of the store after the failure.
  public let store: StoreCondition
  /// The backup from before the migration; `nil` if there is none.
  public let backup: URL?
  /// The result of the validation; `nil` if the migration did not get that far.
  public let validation: ValidationReport?
  /// The error that caused the failure, if there is one.
  public let underlyingError: (any Error)?

  /// The kinds of failures, for code that decides what to do next.
  public enum Kind: Sendable, Hashable {
    /// The store has a newer version than the app knows.
    case newer(identifier: String)
    /// The store has a version that was removed from the plan. `through` is the last release of the app that migrates
    /// it.
    case retired(StoreVersion, through: String?)
    /// The store has no version that the app knows.
    case unknown(PreflightReport.Unknown)
    /// The store cannot be read.
    case damaged
    /// The file is not a Core Data store.
    case notAStore
    /// There is too little space for a backup and the migration. Both numbers are in bytes.
    case noSpace(needed: Int64, available: Int64)
    /// The backup failed, or the existing files could not be read.
    case backup(BackupError.Kind)
    /// The store could not be moved to its new place. The new place has no store, unless the failure's `store` is
    /// `left`. The old place is unchanged.
    case relocation(BackupError.Kind)
    /// The closure `open` threw an error.
    case open
    /// Rows are missing that should exist.
    case rowsLost
    /// The migration was killed, and the app does not recognise the store that the migration left.
    case interrupted
    /// The migration has failed so many times that it is not retried automatically.
    case gaveUp(attempts: Int)
    /// Another process or task is migrating the store.
    case busy
    /// The data is protected until the device is unlocked.
    case protectedData
    /// The system gave the app no more time in the background, before the store was opened.
    case backgroundTimeExpired
    /// The journal of a migration in progress cannot be read, written or removed.
    case journal
  }

  /// The state of the store after a failure.
  public enum StoreCondition: Sendable, Hashable {
    /// The store was not changed.
    case untouched
    /// The backup has replaced the store. The replaced store is kept next to it.
    case restored(replaced: URL?)
    /// The store is as the migration left it, and the backup was not restored.
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

  /// The failure's name for analytics: "noSpace", "backup.corrupt", "backup.system.5". These are the names of the
  /// cases, and they do not change. They contain no path, number of rows or name.
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

  /// Whether the same build may succeed later without a change: the device is locked, another process uses the store,
  /// or the disk is full. After such a failure the migration is not given up, and `checkAndPerformMigration()` tries
  /// again.
  public var isTransient: Bool {
    switch kind {
    case .noSpace, .busy, .protectedData, .backgroundTimeExpired: true
    case .backup(let kind), .relocation(let kind): kind.isTransient
    // A damaged journal, or one of a newer library, stays unreadable. Only a system error may be temporary.
    case .journal: !(underlyingError is UnreadableJournal)
    case .newer, .retired, .unknown, .damaged, .notAStore, .open, .rowsLost, .interrupted,
      .gaveUp:
      false
    }
  }

  var pauses: Bool { kind == .protectedData || kind == .backgroundTimeExpired }

  func with(_ condition: StoreCondition) -> MigrationFailure {
    MigrationFailure(
      kind, reason, store: condition, backup: backup, validation: validation,
      underlyingError: underlyingError)
  }

  /// The reason, the state of the store, and the place of the backup.
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

  /// A message for the app's users that says what went wrong and what happened to the data. It is translated if the
  /// app's bundle has the table `SchemaMigrationKit`.
  public var errorDescription: String? { "\(userReason.localized()) \(userCondition.localized())" }

  /// The details in English.
  public var failureReason: String? { reason }

  /// A message that says what the app's users can do. It is translated like `errorDescription`.
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
  /// The kind for a backup's error. `other` creates the kind for ordinary errors, which depends on the operation.
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
  var code: String {
    switch self {
    case .untouched: "untouched"
    case .restored: "restored"
    case .left: "left"
    }
  }
}
