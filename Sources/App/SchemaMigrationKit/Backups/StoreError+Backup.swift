internal import CStoreLibraries
internal import Foundation
internal import ManagedModels
internal import StoreFormat

extension StoreError {
  var systemCode: Int32 {
    // Apple's SQLite reports SQLITE_AUTH for a file that is locked with the device.
    failure?.kind == SQLITE_AUTH ? EPERM : failure?.systemCode ?? 0
  }

  var backupError: BackupError {
    guard let failure else { return BackupError(.corrupt, "The store cannot be read (\(reason)).") }
    let path = failure.path
    let name = URL(fileURLWithPath: path).lastPathComponent
    switch failure.kind {
    case SQLITE_NOTADB:
      return BackupError(
        .notADatabase,
        "'\(name)' is not an SQLite database, or it is encrypted (\(failure.message)).")
    case SQLITE_INTERRUPT, SQLITE_TOOBIG:
      return BackupError(.corrupt, "The database '\(name)' is damaged (\(reason)).")
    case SQLITE_CORRUPT:
      return BackupError(.corrupt, "The database '\(name)' is damaged (\(failure.message)).")
    case SQLITE_BUSY, SQLITE_LOCKED:
      return BackupError(.storeInUse, "'\(name)' is in use by another connection.")
    case SQLITE_FULL:
      return SystemFailure(code: ENOSPC, path: path).backupError
    case SQLITE_PERM, SQLITE_AUTH, SQLITE_READONLY:
      return SystemFailure(code: EACCES, path: path).backupError
    case SQLITE_CANTOPEN, SQLITE_IOERR:
      if failure.systemCode != 0 {
        return SystemFailure(code: failure.systemCode, path: path).backupError
      }
      return BackupError(
        .system(failure.code), "'\(path)' cannot be opened or read (\(failure.message)).")
    default:
      return BackupError(
        .system(failure.code), "'\(path)': \(failure.message) [\(failure.code)].")
    }
  }
}

extension BackupError.Kind {
  var isOfSchema: Bool { self == .system(SQLITE_ERROR) }
}
