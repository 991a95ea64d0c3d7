/// The lines of sources, split once for each requested file.
struct SourceLines {
  private let sources: [String: String]
  private var split: [String: [Substring]] = [:]

  init(_ sources: [String: String]) { self.sources = sources }

  /// A line without its break and without a byte order mark, as locations count it.
  ///
  /// - Parameter number: Counts from 1.
  mutating func line(_ number: Int, of file: String) -> Substring? {
    let lines = split[file] ?? Self.lines(of: sources[file])
    split[file] = lines
    return lines.indices.contains(number - 1) ? lines[number - 1] : nil
  }

  private static func lines(of source: String?) -> [Substring] {
    guard let source else { return [] }
    let lineFeed = UInt8(ascii: "\n")
    return source.utf8.split(separator: lineFeed, omittingEmptySubsequences: false)
      .enumerated().map { index, bytes in
        var scalars = Substring(bytes).unicodeScalars
        if scalars.last == "\r" { scalars.removeLast() }
        if index == 0, scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        return Substring(scalars)
      }
  }
}
