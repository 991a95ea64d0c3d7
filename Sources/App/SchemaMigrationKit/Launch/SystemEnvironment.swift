package import Foundation
internal import ManagedModels

/// The parts of the system that backups use, so that tests can replace them.
package struct SystemEnvironment: Sendable {
  package var now: @Sendable () -> Date
  package var freeSpace: @Sendable (_ folder: String) throws -> Int64
  /// Called at every point at which a kill would leave a different state.
  package var reached: @Sendable (_ step: String) -> Void
  package var pagesAtOnce: Int32
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
      .protectedData, "\(reason.reason) The file is locked until the device is unlocked.")
  }
}
