/// Finds names that were probably meant.
package enum Suggestion {
  /// Returns the candidate nearest to a misspelt name; `nil` if none is near.
  ///
  /// A candidate is near if its edit distance, ignoring case, is at most one, or at most a third of the name's length.
  /// Among equally near candidates, the first in alphabetical order wins.
  package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars.prefix(64))
    let limit = max(1, wanted.count / 3)
    var best: (distance: Int, candidate: String)?
    for candidate in candidates where candidate != name {
      let letters = Array(candidate.lowercased().unicodeScalars.prefix(64))
      guard abs(letters.count - wanted.count) <= limit else { continue }
      let found = distance(wanted, letters)
      guard found <= limit else { continue }
      if best == nil || (found, candidate) < (best!.distance, best!.candidate) {
        best = (found, candidate)
      }
    }
    return best?.candidate
  }

  /// `did you mean 'x'?`, or nothing if no candidate is near.
  package static func help(for name: String, among candidates: some Sequence<String>) -> [String] {
    help(nearest(to: name, among: candidates))
  }

  package static func help(_ name: String?) -> [String] {
    name.map { ["did you mean '\($0)'?"] } ?? []
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours that turn one string into the other.
  package static func distance(_ lhs: [Unicode.Scalar], _ rhs: [Unicode.Scalar]) -> Int {
    if lhs.isEmpty { return rhs.count }
    if rhs.isEmpty { return lhs.count }
    var beforeLast: [Int] = []
    var last = Array(0...rhs.count)
    for i in 1...lhs.count {
      var row = [i] + Array(repeating: 0, count: rhs.count)
      for j in 1...rhs.count {
        let cost = lhs[i - 1] == rhs[j - 1] ? 0 : 1
        row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
        if i > 1, j > 1, lhs[i - 1] == rhs[j - 2], lhs[i - 2] == rhs[j - 1] {
          row[j] = min(row[j], beforeLast[j - 2] + 1)
        }
      }
      beforeLast = last
      last = row
    }
    return last[rhs.count]
  }
}
