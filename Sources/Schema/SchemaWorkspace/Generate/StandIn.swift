/// What only Apple's systems have and stages use, for rehearsals: half of all stages log, some count under a lock.
struct StandIn {
  let path: String
  /// How to know a file that uses some of it.
  private let words: [String]
  /// Declarations, with an empty line between any two.
  private let text: String

  /// What stages use of the modules `os` and `OSLog`. It writes nothing, but makes what is logged, since that may trap.
  static let os = StandIn(
    path: "OSStandIn.swift",
    words: ["Logger", "OSLog", "OSSignpost", "os_log", "os_signpost", "OSAllocatedUnfairLock"],
    text: osText)

  /// What Foundation on Linux lacks. Its folders are none of the user's.
  static let foundation = StandIn(
    path: "FoundationStandIn.swift",
    words: ["autoreleasepool", "CFAbsoluteTime", "Directory", "containerURL"], text: foundationText)

  /// Whether a file uses some of it.
  func isUsed(in text: String) -> Bool { words.contains { text.contains($0) } }

  /// The file, without what the user's own files declare.
  func contents(besides texts: [String]) -> [UInt8] {
    let declaration = /\b(?:struct|class|typealias|func|var) (?<name>\w+)/
    let kept = text.split(separator: "\n\n").filter { part in
      guard let name = part.firstMatch(of: declaration)?.name,
        let own = try? Regex("\\b(?:struct|class|enum|actor|typealias|func|var|let)\\s+\(name)\\b")
      else { return true }
      return !texts.contains { $0.contains(own) }
    }
    return Array((kept.joined(separator: "\n\n") + "\n").utf8)
  }
}

extension StandIn {
  private static let osText = """
    // Written by 'schemagen rehearse': what stages use of Apple's modules os and OSLog.

    import Foundation

    public final class OSAllocatedUnfairLock<State>: @unchecked Sendable {
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

    public struct OSLogType: RawRepresentable, Hashable, Sendable {
      static let `default` = OSLogType(0), info = OSLogType(1), debug = OSLogType(2)
      static let error = OSLogType(16), fault = OSLogType(17)
      public var rawValue: UInt8
      init(_ rawValue: UInt8) { self.rawValue = rawValue }
      public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    public struct OSLogPrivacy: Sendable {
      enum Mask: Sendable { case hash, none }
      public static let `public` = OSLogPrivacy(), `private` = OSLogPrivacy(), auto = OSLogPrivacy()
      public static let sensitive = OSLogPrivacy()
      static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
      static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
      static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
    }

    public struct OSLogFormat: Sendable {
      public static let decimal = OSLogFormat(), hex = OSLogFormat(), octal = OSLogFormat(), fixed = OSLogFormat()
      static func fixed(precision: Int) -> OSLogFormat { OSLogFormat() }
    }

    public struct OSLogAlignment: Sendable {
      public static let none = OSLogAlignment()
      static func left(columns: Int) -> OSLogAlignment { OSLogAlignment() }
      static func right(columns: Int) -> OSLogAlignment { OSLogAlignment() }
    }

    public struct OSLogMessage: ExpressibleByStringInterpolation {
      public struct StringInterpolation: StringInterpolationProtocol {
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) {}
        public mutating func appendInterpolation<Value>(
          _ value: @autoclosure () -> Value, format: OSLogFormat = .decimal,
          align: OSLogAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
        ) { _ = value() }
      }
      public init(stringLiteral value: String) {}
      public init(stringInterpolation: StringInterpolation) {}
    }

    public final class OSLog: Sendable {
      static let `default` = OSLog(), disabled = OSLog()
      private init() {}
      init(subsystem: String, category: String) {}
    }

    public struct Logger: Sendable {
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

    public struct OSSignpostType: Sendable {
      static let begin = OSSignpostType(), end = OSSignpostType(), event = OSSignpostType()
    }

    public struct OSSignpostID: Sendable {
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

    public struct OSSignpostIntervalState: Sendable {}

    public struct OSSignposter: Sendable {
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

  private static let foundationText = """
    // Written by 'schemagen rehearse': what stages use of Foundation that Linux lacks.

    import Foundation

    func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

    public typealias CFAbsoluteTime = Double

    func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

    extension FileManager {
      func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? { nil }
    }

    extension URL {
      fileprivate static func standInFolder(_ name: String = #function) -> URL {
        URL.temporaryDirectory.appending(path: "schemagen-rehearsal/\\(name)")
      }
    }

    extension URL { static var applicationDirectory: URL { standInFolder() } }

    extension URL { static var applicationSupportDirectory: URL { standInFolder() } }

    extension URL { static var cachesDirectory: URL { standInFolder() } }

    extension URL { static var desktopDirectory: URL { standInFolder() } }

    extension URL { static var documentsDirectory: URL { standInFolder() } }

    extension URL { static var downloadsDirectory: URL { standInFolder() } }

    extension URL { static var libraryDirectory: URL { standInFolder() } }

    extension URL { static var userDirectory: URL { standInFolder() } }

    """
}
