internal import Foundation

/// What only Apple's systems have: files that are locked with the device, a backup of the device, processes that are
/// suspended, and a log. Elsewhere nothing of it is there, and tests give something else.
package struct Platform: Sendable {
  /// The `errno` of a file that cannot be read before the device is unlocked; `nil` where there are none.
  package var lockedError: Int32?
  /// The protection class of a file; `nil` where it has none.
  package var protection: @Sendable (_ path: String) -> String?
  package var protect: @Sendable (_ path: String, _ protection: String) throws -> Void
  /// Leaves a file, or a folder with all that is in it, out of the device's own backup.
  package var excludeFromDeviceBackup: @Sendable (_ path: String) -> Void
  /// Moments at which a device was unlocked, or the app came to the foreground.
  package var wakes: @Sendable () -> AsyncStream<Void>
  /// Asks for time in the background, until what it returns is called; says when there is no more.
  package var keepAwake:
    @Sendable (_ reason: String, _ onExpiry: @escaping @Sendable () -> Void) -> @Sendable () -> Void
  /// The observer of migrations if the app names none.
  package var observer: (any MigrationObserver)?

  /// A system with none of these features.
  package init() {
    protection = { _ in nil }
    protect = { _, _ in }
    excludeFromDeviceBackup = { _ in }
    wakes = { AsyncStream { $0.finish() } }
    keepAwake = { _, _ in {} }
  }

  package static var current: Platform {
    #if canImport(Darwin)
      apple
    #else
      Platform()
    #endif
  }

  /// Runs work away from the caller's actor, awake for as long as the system allows. When that time is over, the work is
  /// cancelled: it ends where nothing is half done.
  ///
  /// - Throws: What the work throws; `BackupError` of the kind `backgroundTimeExpired` when it was stopped for that.
  func perform<Result: Sendable>(
    _ reason: String, _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    // The work begins when it is kept awake, and when both the system and the caller can cancel it: on a busy device it
    // could be far on before.
    let expiry = Expiry()
    let end = keepAwake(reason) { expiry.come() }
    defer { end() }
    let (ready, beginning) = AsyncStream.makeStream(of: Never.self)
    let task = Task.detached {
      for await _ in ready {}
      return try await work()
    }
    expiry.whenCome { task.cancel() }
    return try await withTaskCancellationHandler {
      beginning.finish()
      do {
        return try await task.value
      } catch is CancellationError where expiry.hasCome && !Task.isCancelled {
        throw BackupError(
          .backgroundTimeExpired, "The app has used up its background time.")
      }
    } onCancel: {
      task.cancel()
    }
  }

  /// Runs work that blocks, as `perform` does.
  func unblocked<Result: Sendable>(
    _ reason: String, _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await perform(reason) { try work() }
  }

  private final class Expiry: @unchecked Sendable {
    private let lock = NSLock()
    private var isOver = false
    private var action: (@Sendable () -> Void)?
    var hasCome: Bool { lock.withLock { isOver } }

    func come() {
      let action = lock.withLock {
        isOver = true
        return self.action
      }
      action?()
    }

    /// Does something when the time is over, at once if it is.
    func whenCome(_ action: @escaping @Sendable () -> Void) {
      let isOver = lock.withLock {
        self.action = action
        return self.isOver
      }
      if isOver { action() }
    }
  }
}
