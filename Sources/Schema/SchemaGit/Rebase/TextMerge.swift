internal import Foundation
internal import SchemaProcesses

/// What git's own `merge-file` makes of what two sides made of one text.
struct TextMerge {
  /// Where both sides changed the same lines, they stand between git's marks.
  let text: String
  let hasConflicts: Bool

  /// - Throws: `GitFailure` where git cannot merge texts at all.
  init(ours: String, base: String, theirs: String, theirName: String) throws(GitFailure) {
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
      ["merge-file", "--stdout", "--quiet"] + names + paths.map(\.path))
    // The status is the number of conflicts, or 255.
    guard (0..<128).contains(outcome.status) else {
      throw GitFailure("git merge-file failed: \(outcome.complaint)")
    }
    text = String(decoding: outcome.output, as: UTF8.self)
    hasConflicts = outcome.status > 0
  }
}
