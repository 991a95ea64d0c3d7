internal import Foundation
internal import StoreFormat

/// Tells whoever runs a migration what its stages do.
///
/// SwiftData runs stages inside `ModelContainer.init`, and hands them a `ModelContext` and nothing else: there is no
/// way to pass a listener in. So there is one registry for the process, behind a lock. What is told while nobody
/// listens is forgotten, which costs a lock and nothing more. A stage that runs on the task of a `StoreMigration` is
/// heard by that migration alone, and one that SwiftData moved to another thread by every migration that runs.
///
/// Generated code calls it; stages by hand may. It may be called from any thread.
public enum MigrationActivity {
  /// The work of a stage begins. `title` is that of the plan's stage.
  public static func began(title: String) { tell(.began(title: title)) }

  /// So many rows of an entity have been looked at in this stage, of those that it had before the migration.
  public static func rows(_ done: Int, entity: String) { tell(.rows(done, entity: entity)) }

  /// The work of a stage has ended well.
  public static func ended(title: String) { tell(.ended(title: title)) }

  /// The work of a stage has failed. SwiftData throws an error of its own, which often does not say why: this one
  /// then stands in the failure beside it.
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
  /// The listener of the migration that this task is part of.
  @TaskLocal private static var ownListener: Listener?

  /// Runs `body`, all of whose events `listener` receives.
  static func listening<Result: Sendable>(
    _ listener: @escaping Listener, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    let number = registry.add(listener)
    defer { registry.remove(number) }
    return try await $ownListener.withValue(listener) { try await body() }
  }

  private static func tell(_ event: Event) {
    if let ownListener { return ownListener(event) }
    // Called without the lock: a listener may itself tell something, or end.
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
