/// What only Apple's systems have and stages use, for rehearsals: half of all stages log, some count under a lock.
struct StandIn {
  let path: String
  /// How to know a file that uses some of it.
  private let words: [String]
  /// Declarations, with an empty line between any two.
  private let text: [UInt8]

  /// What stages use of the modules `os` and `OSLog`. It writes nothing, but makes what is logged, since that may trap.
  static let os = StandIn(
    path: "OSStandIn.swift",
    words: ["Logger", "OSLog", "OSSignpost", "os_log", "os_signpost", "OSAllocatedUnfairLock"],
    text: PackageResources.OSStandIn_txt)

  /// What Foundation on Linux lacks. Its folders are none of the user's.
  static let foundation = StandIn(
    path: "FoundationStandIn.swift",
    words: ["autoreleasepool", "CFAbsoluteTime", "Directory", "containerURL"],
    text: PackageResources.FoundationStandIn_txt)

  /// Whether a file uses some of it.
  func isUsed(in text: String) -> Bool { words.contains { text.contains($0) } }

  /// The file, without what the user's own files declare.
  func contents(besides texts: [String]) -> [UInt8] {
    let declaration = /\b(?:struct|class|typealias|func|var) (?<name>\w+)/
    let kept = String(decoding: text, as: UTF8.self).split(separator: "\n\n").filter { part in
      guard let name = part.firstMatch(of: declaration)?.name,
        let own = try? Regex("\\b(?:struct|class|enum|actor|typealias|func|var|let)\\s+\(name)\\b")
      else { return true }
      return !texts.contains { $0.contains(own) }
    }
    return Array(kept.joined(separator: "\n\n").utf8)
  }
}
