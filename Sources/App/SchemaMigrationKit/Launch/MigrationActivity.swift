internal import Foundation
internal import StoreFormat

/// Receives the progress of migration stages.
///
/// SwiftData runs stages inside `ModelContainer.init`, and passes them only a `ModelContext`, so a stage cannot get a
/// listener. Instead, the process has one registry, protected by a lock. Calls without a listener do nothing and only
/// cost the lock. If a stage runs on the task of a `StoreMigration`, only that migration receives its calls. If
/// SwiftData has moved the stage to another thread, every running migration receives them.
///
/// Generated code calls these methods, and hand-written stages may. You can call them from any thread.
public enum MigrationActivity {
  /// Reports that the work of a stage begins.
  ///
  /// - Parameter title: The title of the plan's stage.
  public static func began(title: String) { tell(.began(title: title)) }

  /// Reports how many rows of an entity this stage has processed.
  ///
  /// - Parameters:
  ///   - done: How many rows the stage has processed, of those that the entity had before the migration.
  ///   - entity: The entity's name.
  public static func rows(_ done: Int, entity: String) { tell(.rows(done, entity: entity)) }

  /// Reports that the work of a stage has succeeded.
  ///
  /// - Parameter title: The title of the plan's stage.
  public static func ended(title: String) { tell(.ended(title: title)) }

  /// Reports that the work of a stage has failed.
  ///
  /// SwiftData throws a different error, which often lacks the reason. So the migration's failure also includes this
  /// error.
  ///
  /// - Parameters:
  ///   - title: The title of the plan's stage.
  ///   - error: The error that the stage throws.
  public static func failed(title: String, error: any Error) {
    tell(.failed(title: title, reason: String(describing: error)))
  }

  /// What listeners receive.
  enum Event: Sendable, Hashable {
    case began(title: String)
    case rows(Int, entity: String)
    case ended(title: String)
    case failed(title: String, reason: String)
  }

  typealias Listener = @Sendable (Event) -> Void

  private static let registry = Registry()
  /// The listener of the migration to which this task belongs.
  @TaskLocal private static var ownListener: Listener?

  static func listening<Result: Sendable>(
    _ listener: @escaping Listener, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    let number = registry.add(listener)
    defer { registry.remove(number) }
    return try await $ownListener.withValue(listener) { try await body() }
  }

  private static func tell(_ event: Event) {
    if let ownListener { return ownListener(event) }
    // Listeners are called without the lock, since a listener may report an event itself, or end.
    for listener in registry.all { listener(event) }
  }

  private final class Registry: @unchecked Sendable {
    private let lock = NSLock()
    private var listeners: [Int: Listener] = [:]
    private var last = 0

    var all: [Listener] { lock.withLock { Array(listeners.values) } }

    func add(_ listener: @escaping Listener) -> Int {
      lock.withLock {
        last += 1
        listeners[last] = listener
        return last
      }
    }

    func remove(_ number: Int) { lock.withLock { listeners[number] = nil } }
  }
}
