internal import Foundation
internal import SchemaProcesses

/// Merges what two sides made of one text, by git's own `merge-file`, and a little further.
///
/// Git calls it a conflict when both sides add lines at one place, such as a model each at the end of a manifest. Both
/// are kept where that is safe: `objections` says in what a text means something else than both sides mean.
struct TextMerge {
  /// Lines that both sides changed.
  struct Conflict: Equatable {
    var ours: [String]
    var base: [String]
    var theirs: [String]
  }

  enum Outcome {
    case merged(String)
    case conflicts([Conflict])
    /// Each line fits, and the whole means something that neither side says: how so.
    case objections([String])
  }

  private enum Piece {
    case lines([String])
    case conflict(Conflict)
  }

  /// So long that no manifest has such a line.
  private static let markLength = 41

  /// - Parameter objections: In what a merged text does not mean what it should; empty where it does.
  /// - Throws: `GitFailure` where git cannot merge texts at all.
  static func merge(
    ours: String, base: String, theirs: String, objections: (String) -> [String]
  ) throws(GitFailure) -> Outcome {
    let pieces = try pieces(ours, base, theirs)
    let conflicts = pieces.compactMap { piece -> Conflict? in
      if case .conflict(let conflict) = piece { return conflict }
      return nil
    }
    if conflicts.isEmpty {
      let text = Self.text(pieces, [])
      let found = objections(text)
      return found.isEmpty ? .merged(text) : .objections(found)
    }
    for choice in choices(conflicts.map(resolutions)) {
      let text = Self.text(pieces, choice)
      if objections(text).isEmpty { return .merged(text) }
    }
    return .conflicts(conflicts)
  }

  // MARK: git merge-file

  private static func pieces(
    _ ours: String, _ base: String, _ theirs: String
  ) throws(GitFailure) -> [Piece] {
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
    let outcome = try GitProcess(folder: place.path).run(
      ["merge-file", "--stdout", "--quiet", "--diff3", "--marker-size=\(markLength)"]
        + paths.map(\.path))
    // The status is the number of conflicts, or 255.
    guard (0..<128).contains(outcome.status) else {
      throw GitFailure("git merge-file failed: \(outcome.complaint)")
    }
    return parse(String(decoding: outcome.output, as: UTF8.self))
  }

  private static func parse(_ text: String) -> [Piece] {
    let marks = ["<", "|", "=", ">"].map { String(repeating: $0, count: markLength) }
    var pieces: [Piece] = []
    var lines: [String] = []
    var conflict = Conflict(ours: [], base: [], theirs: [])
    for line in Self.lines(text) {
      if line.hasPrefix(marks[0]) {
        pieces.append(.lines(lines))
        lines = []
      } else if line.hasPrefix(marks[1]) {
        conflict.ours = lines
        lines = []
      } else if line.hasPrefix(marks[2]) {
        conflict.base = lines
        lines = []
      } else if line.hasPrefix(marks[3]) {
        conflict.theirs = lines
        pieces.append(.conflict(conflict))
        lines = []
      } else {
        lines.append(line)
      }
    }
    return pieces + [.lines(lines)]
  }

  /// Lines, each without its break.
  private static func lines(_ text: String) -> [String] {
    // By scalars: a Windows line break is one character, and stays with its line.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0) }
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines
  }

  private static func text(_ pieces: [Piece], _ choice: [[String]]) -> String {
    var choice = choice[...]
    var lines: [String] = []
    for piece in pieces {
      switch piece {
      case .lines(let some): lines += some
      case .conflict: lines += choice.popFirst() ?? []
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  // MARK: Further

  /// What a conflict's lines may become; the first is likeliest.
  private static func resolutions(of conflict: Conflict) -> [[String]] {
    let (ours, base, theirs) = (conflict.ours, conflict.base, conflict.theirs)
    if base.isEmpty {
      return [interleaved(theirs, ours), interleaved(ours, theirs)]
    }
    // One side left the lines as they are and added some around them: the other side's change fits in.
    var found: [[String]] = []
    if let range = place(of: base, in: theirs) {
      found.append(Array(theirs[..<range.lowerBound] + ours + theirs[range.upperBound...]))
    }
    if let range = place(of: base, in: ours) {
      found.append(Array(ours[..<range.lowerBound] + theirs + ours[range.upperBound...]))
    }
    return found
  }

  private static func place(of lines: [String], in others: [String]) -> Range<Int>? {
    guard lines.count <= others.count else { return nil }
    return (0...others.count - lines.count).first {
      Array(others[$0..<$0 + lines.count]) == lines
    }.map { $0..<$0 + lines.count }
  }

  /// Both sides' lines, the more indented first: a property belongs to the model above, before another model begins.
  private static func interleaved(_ first: [String], _ second: [String]) -> [String] {
    let levels = [first, second].map(levels)
    let all = Set(levels.flatMap { $0 }).sorted(by: >)
    return all.flatMap { level in
      zip([first, second], levels).flatMap { lines, levels in
        zip(lines, levels).filter { $0.1 == level }.map(\.0)
      }
    }
  }

  /// For each line, the least indentation from the beginning to it. A blank line goes with the next.
  private static func levels(_ lines: [String]) -> [Int] {
    var levels: [Int] = []
    var blanks = 0
    var least = Int.max
    for line in lines {
      let indentation = line.prefix { $0 == " " }.count
      guard indentation < line.count, line.dropFirst(indentation) != "\r" else {
        blanks += 1
        continue
      }
      least = min(least, indentation)
      levels += Array(repeating: least, count: blanks + 1)
      blanks = 0
    }
    return levels + Array(repeating: least == .max ? 0 : least, count: blanks)
  }

  /// One resolution for each conflict, in every combination, up to a number that is soon tried.
  private static func choices(_ options: [[[String]]]) -> [[[String]]] {
    var found: [[[String]]] = [[]]
    for resolutions in options {
      found = found.flatMap { chosen in resolutions.map { chosen + [$0] } }
      if found.count > 256 { found = Array(found.prefix(256)) }
    }
    return found
  }
}
