/// A replacement in rehearsals for parts of Apple's systems that migration stages use. Half of all stages write to a
/// log, and some use locks.
struct StandIn {
  let path: String
  private let words: [String]
  /// The declarations, with an empty line between any two.
  private let text: [UInt8]

  /// The parts of `os` and `OSLog` that stages use. They write nothing, but evaluate messages, which may trap.
  static let os = StandIn(
    path: "OSStandIn.swift",
    words: ["Logger", "OSLog", "OSSignpost", "os_log", "os_signpost", "OSAllocatedUnfairLock"],
    text: PackageResources.OSStandIn_txt)

  /// The parts of Foundation that Linux lacks. Functions that return a folder do not return one of the user's.
  static let foundation = StandIn(
    path: "FoundationStandIn.swift",
    words: ["autoreleasepool", "CFAbsoluteTime", "Directory", "containerURL"],
    text: PackageResources.FoundationStandIn_txt)

  func isUsed(in text: String) -> Bool { words.contains { text.contains($0) } }

  /// The file, without declarations that the user's own files have.
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
