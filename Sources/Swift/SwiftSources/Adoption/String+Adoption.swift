extension String {
  /// The lines without empty ones around them and without the indentation that they share.
  var dedentedLines: [String] {
    var lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
    while lines.first?.allSatisfy(\.isWhitespace) ?? false { lines.removeFirst() }
    while lines.last?.allSatisfy(\.isWhitespace) ?? false { lines.removeLast() }
    let indent =
      lines.filter { !$0.allSatisfy(\.isWhitespace) }
      .map { $0.prefix { $0 == " " || $0 == "\t" }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(indent)) }
  }

  var isAboutBridge: Bool {
    hasPrefix("The bridge from ") || hasPrefix("The second bridge from ")
  }

  var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }

  func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }

  /// What stands between two texts in the last paragraph, and the text without that paragraph.
  func splitting(_ start: String, _ end: String) -> (String, String?)? {
    var lines = split(separator: "\n", omittingEmptySubsequences: false)
    guard let last = lines.popLast(), last.hasPrefix(start), last.hasSuffix(end) else { return nil }
    while lines.last?.isEmpty ?? false { lines.removeLast() }
    let rest = lines.joined(separator: "\n")
    return (String(last.dropFirst(start.count).dropLast(end.count)), rest.isEmpty ? nil : rest)
  }
}
