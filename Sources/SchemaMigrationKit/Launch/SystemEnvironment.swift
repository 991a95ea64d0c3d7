package import Foundation

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

  package init(
    now: @escaping @Sendable () -> Date = { Date() },
    freeSpace: (@Sendable (_ folder: String) throws -> Int64)? = nil,
    reached: @escaping @Sendable (_ step: String) -> Void = { _ in }, pagesAtOnce: Int32 = 256
  ) {
    self.now = now
    self.freeSpace = freeSpace ?? { try Disk.freeSpace($0) }
    self.reached = reached
    self.pagesAtOnce = pagesAtOnce
  }
}
