internal import SchemaModel

extension StringProtocol {
  /// The text with control characters and direction marks as escapes, such as `\u{1B}`. Tabs stay.
  ///
  /// Without escapes, these characters would reach the terminal, or break a format with one line per finding.
  package var visible: String {
    guard unicodeScalars.contains(where: { $0.isHidden && $0 != "\t" }) else { return String(self) }
    var result = ""
    for scalar in unicodeScalars {
      if scalar.isHidden, scalar != "\t" {
        result += scalar.named
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The lines of the text, each of them visible. LF, CR and CR LF end a line.
  package var visibleLines: [String] {
    split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
      .map(\.visible)
  }

  /// The text in one line with nothing hidden, for names from untrusted files.
  package var visibleInOneLine: String { visibleLines.joined(separator: "\\n") }
}

extension Unicode.Scalar {
  var named: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}
