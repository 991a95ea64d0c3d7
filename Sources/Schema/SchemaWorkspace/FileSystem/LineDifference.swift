/// A change of a file as `diff -u` shows it.
package struct LineDifference: Sendable {
  package let text: String

  /// How many unchanged lines are shown around changed ones.
  private static let context = 3

  package init(_ change: FileChange) {
    let old = Self.lines(change.previous ?? [])
    let new = Self.lines(change.contents)
    var removed = Array(repeating: false, count: old.count)
    var inserted = Array(repeating: false, count: new.count)
    for step in new.difference(from: old) {
      switch step {
      case .remove(let offset, _, _): removed[offset] = true
      case .insert(let offset, _, _): inserted[offset] = true
      }
    }
    /// Each line with its sign, and its line numbers in both files.
    var lines: [(sign: Character, text: Substring, old: Int, new: Int)] = []
    var (from, to) = (0, 0)
    while from < old.count || to < new.count {
      if from < old.count, removed[from] {
        lines.append(("-", old[from], from, to))
        from += 1
      } else if to < new.count, inserted[to] {
        lines.append(("+", new[to], from, to))
        to += 1
      } else {
        lines.append((" ", old[from], from, to))
        (from, to) = (from + 1, to + 1)
      }
    }
    var text = "--- \(change.path)\n+++ \(change.action == .remove ? "/dev/null" : change.path)\n"
    let changed = lines.indices.filter { lines[$0].sign != " " }
    var place = 0
    while place < changed.count {
      var last = place
      while last + 1 < changed.count, changed[last + 1] - changed[last] <= 2 * Self.context {
        last += 1
      }
      let hunk = lines[
        max(0, changed[place] - Self.context)..<min(lines.count, changed[last] + Self.context + 1)]
      let counts = (hunk.count { $0.sign != "+" }, hunk.count { $0.sign != "-" })
      let first = hunk[hunk.startIndex]
      text += "@@ -\(Self.range(first.old, counts.0)) +\(Self.range(first.new, counts.1)) @@\n"
      for line in hunk { text += "\(line.sign)\(line.text)\n" }
      place = last + 1
    }
    self.text = text
  }

  private static func range(_ start: Int, _ count: Int) -> String {
    count == 0 ? "\(start),0" : "\(start + 1),\(count)"
  }

  private static func lines(_ bytes: [UInt8]) -> [Substring] {
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines
  }
}
