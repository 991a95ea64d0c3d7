package import Foundation
internal import ManagedModels

/// What the outside world gives to backups, so that tests can give something else.
package struct SystemEnvironment: Sendable {
  /// The clock.
  package var now: @Sendable () -> Date
  /// Free bytes where a folder is.
  package var freeSpace: @Sendable (_ folder: String) throws -> Int64
  /// Is told of every place at which a kill would leave something else behind.
  package var reached: @Sendable (_ step: String) -> Void
  /// How many pages of the database are copied at once.
  package var pagesAtOnce: Int32
  /// What only some systems have.
  package var platform: Platform

  package init(
    now: @escaping @Sendable () -> Date = { Date() },
    freeSpace: (@Sendable (_ folder: String) throws -> Int64)? = nil,
    reached: @escaping @Sendable (_ step: String) -> Void = { _ in }, pagesAtOnce: Int32 = 256,
    platform: Platform = .current
  ) {
    self.now = now
    self.freeSpace = freeSpace ?? { try Disk.freeSpace($0) }
    self.reached = reached
    self.pagesAtOnce = pagesAtOnce
    self.platform = platform
  }

  /// An error as apps are told of it.
  func translated(_ error: any Error) -> any Error {
    let code: Int32
    let reason: BackupError
    switch error {
    case let failure as SystemFailure: (code, reason) = (failure.code, failure.backupError)
    case let failure as StoreError: (code, reason) = (failure.systemCode, failure.backupError)
    default: return error
    }
    guard code != 0, code == platform.lockedError else { return reason }
    return BackupError(
      .protectedData, "\(reason.reason) It is locked until the device is unlocked.")
  }
}
