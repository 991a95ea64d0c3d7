internal import Foundation

/// Features that only Apple's systems have: files that are locked with the device, a backup of the device, processes
/// that are suspended, and a log. On other systems they are missing, and tests replace them.
package struct Platform: Sendable {
  /// The `errno` of a file that cannot be read before the device is unlocked; `nil` if there is none.
  package var lockedError: Int32?
  package var protection: @Sendable (_ path: String) -> String?
  package var protect: @Sendable (_ path: String, _ protection: String) throws -> Void
  package var excludeFromDeviceBackup: @Sendable (_ path: String) -> Void
  /// Emits a value when the device is unlocked or the app comes to the foreground.
  package var wakes: @Sendable () -> AsyncStream<Void>
  /// Asks for time in the background until the returned closure is called, and calls `onExpiry` when the system gives
  /// no more.
  package var keepAwake:
    @Sendable (_ reason: String, _ onExpiry: @escaping @Sendable () -> Void) -> @Sendable () -> Void
  /// The observer of migrations if the app sets none.
  package var observer: (any MigrationObserver)?

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

  /// Runs work away from the caller's actor, and keeps the process awake for as long as the system allows. After that
  /// it cancels the work, which ends without leaving anything half done.
  ///
  /// - Throws: The errors of the work, or `BackupError` of the kind `backgroundTimeExpired` if the work was cancelled
  ///   for that.
  func perform<Result: Sendable>(
    _ reason: String, _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    // Start the work only once the process is kept awake, and the system and the caller can cancel it. On a busy device
    // the work might otherwise run for a while without being cancellable.
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

    /// Calls the action when the time is over, or at once if it is over already.
    func whenCome(_ action: @escaping @Sendable () -> Void) {
      let isOver = lock.withLock {
        self.action = action
        return self.isOver
      }
      if isOver { action() }
    }
  }
}
