public import Foundation

/// The reason why a backup was not made, checked or restored, and the state of the store afterwards.
public struct BackupError: Error, Hashable, Sendable, LocalizedError, CustomStringConvertible {
  /// What went wrong.
  public let kind: Kind
  /// The details in English, with names of files, for logs and developers.
  public let reason: String
  /// The state of the store after the error.
  public let store: StoreCondition

  /// The kinds of errors, for code that decides what to do next.
  public enum Kind: Hashable, Sendable {
    /// There is no store at the URL.
    case storeMissing
    /// The file is not a SQLite database, or it is encrypted.
    case notADatabase
    /// The database is damaged.
    case corrupt
    /// Another connection, in this process or another one, has the store open.
    case storeInUse
    /// Another backup or restore of the same store is in progress.
    case busy
    /// There is already a store at the new location, and no record that the store came from the old location.
    case storeExists
    /// The store changed in a way that a copy cannot follow. Close it and try again.
    case storeChanged
    /// The disk is full, or would be. `needed` and `available` are in bytes. They are `nil` if only the failed attempt
    /// showed that there is not enough space.
    case noSpace(needed: Int64?, available: Int64?)
    /// The app has no permission to read or write a file or folder.
    case notPermitted
    /// A file is protected until the device is unlocked.
    case protectedData
    /// The app has used up its background time.
    case backgroundTimeExpired
    /// The backup's file does not exist.
    case backupMissing
    /// The backup has no valid sidecar: it was never finished, or it was tampered with.
    case incomplete
    /// The backup has changed since it was made.
    case altered
    /// The journal of an interrupted restore cannot be read.
    case unreadableJournal
    /// The system reported another error. The number is `errno` or SQLite's extended result code.
    case system(Int32)
  }

  /// The state of the store after an error.
  public enum StoreCondition: Hashable, Sendable {
    /// The store is unchanged.
    case unchanged
    /// The backup has replaced the store. Only cleaning up is left, which `recover()` does.
    case restored
    /// The restore stopped before the store was replaced, and could not be undone. `recover()` undoes it.
    case unfinished
  }

  package init(_ kind: Kind, _ reason: String, store: StoreCondition = .unchanged) {
    self.kind = kind
    self.reason = reason
    self.store = store
  }

  /// The reason, followed by the state of the store.
  public var description: String {
    switch store {
    case .unchanged: "\(reason) The store is unchanged."
    case .restored: "\(reason) The backup is in place; the rest will be cleaned up later."
    case .unfinished:
      "\(reason) The store has not been replaced yet. Undo the unfinished restore before you open the store."
    }
  }

  /// A message for the app's users that says what went wrong and what happened to the data. It is translated if the
  /// app's bundle has the table `SchemaMigrationKit`.
  public var errorDescription: String? {
    "\(kind.userReason.localized()) \(userCondition.localized())"
  }

  /// The details in English.
  public var failureReason: String? { reason }

  /// A message that says what the app's users can do. It is translated like `errorDescription`.
  public var recoverySuggestion: String? { kind.recoverySuggestion }

  private var userCondition: UserText {
    switch store {
    case .unchanged: .unchanged
    case .restored: .backupRestored
    case .unfinished: .restoreUnfinished
    }
  }

  func with(_ condition: StoreCondition) -> BackupError {
    BackupError(kind, reason, store: condition)
  }
}

extension BackupError.Kind {
  fileprivate var userReason: UserText {
    switch self {
    case .storeMissing: .noData
    case .notADatabase: .foreign
    case .corrupt: .damaged
    case .storeInUse, .busy: .busy
    case .storeExists: .twoPlaces
    case .storeChanged: .changed
    case .noSpace: .noSpace
    case .notPermitted: .notPermitted
    case .protectedData: .locked
    case .backgroundTimeExpired: .noTime
    case .backupMissing: .backupMissing
    case .incomplete: .backupIncomplete
    case .altered: .backupAltered
    case .unreadableJournal: .restoreInterrupted
    case .system: .failed
    }
  }

  var code: String {
    switch self {
    case .storeMissing: "storeMissing"
    case .notADatabase: "notADatabase"
    case .corrupt: "corrupt"
    case .storeInUse: "storeInUse"
    case .busy: "busy"
    case .storeExists: "storeExists"
    case .storeChanged: "storeChanged"
    case .noSpace: "noSpace"
    case .notPermitted: "notPermitted"
    case .protectedData: "protectedData"
    case .backgroundTimeExpired: "backgroundTimeExpired"
    case .backupMissing: "backupMissing"
    case .incomplete: "incomplete"
    case .altered: "altered"
    case .unreadableJournal: "unreadableJournal"
    case .system(let code): "system.\(code)"
    }
  }

  /// Whether the same call may succeed a moment later.
  var isTransient: Bool {
    switch self {
    case .storeInUse, .busy, .storeChanged, .noSpace, .protectedData, .backgroundTimeExpired,
      .system:
      true
    case .storeMissing, .notADatabase, .corrupt, .storeExists, .notPermitted, .backupMissing,
      .incomplete, .altered, .unreadableJournal:
      false
    }
  }

  var recoverySuggestion: String {
    switch self {
    case .storeInUse, .busy, .storeChanged, .system: UserText.tryAgain.localized()
    case .protectedData: UserText.unlock.localized()
    case .backgroundTimeExpired: UserText.openApp.localized()
    case .noSpace(let needed, let available):
      UserText.freeing(needed: needed, available: available)
    case .storeMissing, .notADatabase, .corrupt, .storeExists, .notPermitted, .backupMissing,
      .incomplete, .altered, .unreadableJournal:
      UserText.contactDeveloper.localized()
    }
  }
}

/// A system call that failed.
struct SystemFailure: Error {
  var code: Int32
  var path: String

  var backupError: BackupError {
    let name = URL(fileURLWithPath: path).lastPathComponent
    switch code {
    case ENOSPC, EDQUOT, EFBIG:
      return BackupError(
        .noSpace(needed: nil, available: nil),
        "There is not enough space on the disk for '\(name)'.")
    case EACCES, EPERM, EROFS:
      return BackupError(.notPermitted, "The app has no permission to read or write '\(path)'.")
    default:
      return BackupError(.system(code), "'\(path)': \(String(cString: strerror(code))).")
    }
  }
}
