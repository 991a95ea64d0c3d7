/// What Apple's modules `os` and `OSLog` declare, for rehearsals: half of all stages log, some count under a lock, and
/// Linux has neither. It writes nothing, but makes what is logged, since that may trap.
enum OSStandIn {
  static let path = "OSStandIn.swift"

  /// The types that it declares.
  static let names = [
    "Logger", "OSLog", "OSLogType", "OSLogMessage", "OSLogPrivacy", "OSSignposter", "OSSignpostID",
    "OSSignpostIntervalState", "OSSignpostType", "OSAllocatedUnfairLock",
  ]

  /// Whether a file uses some of it.
  static func isUsed(in text: String) -> Bool {
    ["Logger", "OSLog", "OSSignpost", "os_log", "os_signpost", "OSAllocatedUnfairLock"].contains {
      text.contains($0)
    }
  }

  static let text = """
    // Written by 'schemagen rehearse': what stages use of Apple's modules os and OSLog.

    import Foundation

    final class OSAllocatedUnfairLock<State>: @unchecked Sendable {
      private let mutex = NSLock()
      private var state: State
      init(uncheckedState: State) { state = uncheckedState }
      convenience init(initialState: State) where State: Sendable {
        self.init(uncheckedState: initialState)
      }
      func withLockUnchecked<Result>(
        _ body: (inout State) throws -> Result
      ) rethrows -> Result {
        try mutex.withLock { try body(&state) }
      }
      func withLock<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
      ) rethrows -> Result {
        try withLockUnchecked(body)
      }
      func withLockIfAvailable<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
      ) rethrows -> Result? {
        guard mutex.try() else { return nil }
        defer { mutex.unlock() }
        return try body(&state)
      }
    }

    extension OSAllocatedUnfairLock where State == Void {
      convenience init() { self.init(uncheckedState: ()) }
      func lock() { mutex.lock() }
      func unlock() { mutex.unlock() }
      func withLock<Result: Sendable>(
        _ body: @Sendable () throws -> Result
      ) rethrows -> Result {
        try mutex.withLock(body)
      }
    }

    struct OSLogType: Sendable {
      static let `default` = OSLogType(), info = OSLogType(), debug = OSLogType()
      static let error = OSLogType(), fault = OSLogType()
    }

    struct OSLogPrivacy: Sendable {
      enum Mask: Sendable { case hash, none }
      static let `public` = OSLogPrivacy(), `private` = OSLogPrivacy(), auto = OSLogPrivacy()
      static let sensitive = OSLogPrivacy()
      static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
      static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
      static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
    }

    struct OSLogFormat: Sendable {
      static let decimal = OSLogFormat(), hex = OSLogFormat(), octal = OSLogFormat(), fixed = OSLogFormat()
      static func fixed(precision: Int) -> OSLogFormat { OSLogFormat() }
    }

    struct OSLogAlignment: Sendable {
      static let none = OSLogAlignment()
      static func left(columns: Int) -> OSLogAlignment { OSLogAlignment() }
      static func right(columns: Int) -> OSLogAlignment { OSLogAlignment() }
    }

    struct OSLogMessage: ExpressibleByStringInterpolation {
      struct StringInterpolation: StringInterpolationProtocol {
        init(literalCapacity: Int, interpolationCount: Int) {}
        mutating func appendLiteral(_ literal: String) {}
        mutating func appendInterpolation<Value>(
          _ value: @autoclosure () -> Value, format: OSLogFormat = .decimal,
          align: OSLogAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
        ) { _ = value() }
      }
      init(stringLiteral value: String) {}
      init(stringInterpolation: StringInterpolation) {}
    }

    final class OSLog: Sendable {
      static let `default` = OSLog(), disabled = OSLog()
      private init() {}
      init(subsystem: String, category: String) {}
    }

    struct Logger: Sendable {
      init() {}
      init(_ log: OSLog) {}
      init(subsystem: String, category: String) {}
      func log(_ message: OSLogMessage) {}
      func log(level: OSLogType, _ message: OSLogMessage) {}
      func trace(_ message: OSLogMessage) {}
      func debug(_ message: OSLogMessage) {}
      func info(_ message: OSLogMessage) {}
      func notice(_ message: OSLogMessage) {}
      func warning(_ message: OSLogMessage) {}
      func error(_ message: OSLogMessage) {}
      func critical(_ message: OSLogMessage) {}
      func fault(_ message: OSLogMessage) {}
    }

    func os_log(
      _ message: StaticString, log: OSLog = .default, type: OSLogType = .default,
      _ arguments: any CVarArg...
    ) {}
    func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {}
    func os_log(
      _ type: OSLogType, log: OSLog = .default, _ message: StaticString,
      _ arguments: any CVarArg...
    ) {}

    struct OSSignpostType: Sendable {
      static let begin = OSSignpostType(), end = OSSignpostType(), event = OSSignpostType()
    }

    struct OSSignpostID: Sendable {
      static let exclusive = OSSignpostID()
      private init() {}
      init(log: OSLog) {}
    }

    func os_signpost(
      _ type: OSSignpostType, log: OSLog, name: StaticString,
      signpostID: OSSignpostID = .exclusive
    ) {}
    func os_signpost(
      _ type: OSSignpostType, log: OSLog, name: StaticString,
      signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: any CVarArg...
    ) {}

    struct OSSignpostIntervalState: Sendable {}

    struct OSSignposter: Sendable {
      init() {}
      init(logger: Logger) {}
      init(logHandle: OSLog) {}
      init(subsystem: String, category: String) {}
      func makeSignpostID() -> OSSignpostID { .exclusive }
      func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive
      ) -> OSSignpostIntervalState { OSSignpostIntervalState() }
      func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: OSLogMessage
      ) -> OSSignpostIntervalState { OSSignpostIntervalState() }
      func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
      func endInterval(
        _ name: StaticString, _ state: OSSignpostIntervalState, _ message: OSLogMessage
      ) {}
      func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {}
      func emitEvent(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: OSLogMessage
      ) {}
      func withIntervalSignpost<Result>(
        _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> Result
      ) rethrows -> Result { try task() }
    }

    """
}
