extension String {
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
