internal import Foundation
internal import SchemaProcesses

/// What git's own `merge-file` makes of what two sides made of one text.
struct TextMerge {
  /// Where both sides changed the same lines, they stand between git's marks.
  let text: String
  let hasConflicts: Bool

  /// - Parameter keepsBoth: Whether what each only adds at one place stands there one after the other, theirs first.
  /// - Throws: `GitFailure` where git cannot merge texts at all.
  init(
    ours: String, base: String, theirs: String, theirName: String, keepsBoth: Bool = false
  ) throws(GitFailure) {
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: place) }
    let paths = ["ours", "base", "theirs"].map { place.appending(path: $0) }
    do {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      for (path, text) in zip(paths, [ours, base, theirs]) {
        let whole = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
        try Data(whole.utf8).write(to: path)
      }
    } catch {
      throw GitFailure("texts cannot be merged: \(error.localizedDescription)")
    }
    let names = ["this branch", "both", theirName].flatMap { ["-L", $0] }
    let outcome = try GitProcess(folder: place.path).run(
      ["merge-file", "--stdout", "--quiet"] + (keepsBoth ? ["--diff3"] : []) + names
        + paths.map(\.path))
    // The status is the number of conflicts, or 255.
    guard (0..<128).contains(outcome.status) else {
      throw GitFailure("git merge-file failed: \(outcome.complaint)")
    }
    let both = keepsBoth ? Self.keepingBoth([UInt8](outcome.output)) : nil
    text = String(decoding: both ?? [UInt8](outcome.output), as: UTF8.self)
    hasConflicts = outcome.status > 0 && both == nil
  }

  /// A text with marks, without them; nil where a line of what both come from is between them.
  private static func keepingBoth(_ marked: [UInt8]) -> [UInt8]? {
    let marks = ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "].map { Array($0.utf8) }
    var result: [ArraySlice<UInt8>] = []
    var (ours, theirs): ([ArraySlice<UInt8>], [ArraySlice<UInt8>]) = ([], [])
    var part = 0
    for line in marked.split(separator: 10, omittingEmptySubsequences: false) {
      switch part {
      case _ where line.starts(with: marks[part]): part = (part + 1) % marks.count
      case 0: result.append(line)
      case 1: ours.append(line)
      case 2: return nil
      default: theirs.append(line)
      }
      guard part == 0, !ours.isEmpty || !theirs.isEmpty else { continue }
      result += theirs + ours
      (ours, theirs) = ([], [])
    }
    return Array(result.joined(separator: [10]))
  }
}
