/// Escapes text for GitHub's Markdown, also in a cell of a table.
package enum MarkdownText {
  /// Words in one line with a backslash before each character that may be markup, so that they are readable without a
  /// renderer too.
  package static func escaped(_ text: String) -> String {
    String(oneLine(text).flatMap { "\\`*_[]<>|#".contains($0) ? ["\\", $0] : [$0] })
  }

  /// A table in GitHub's Markdown.
  ///
  /// - Parameters:
  ///   - heads: The titles of its columns.
  ///   - rows: Cells in Markdown.
  ///   - column: The first right-aligned column, as for numbers.
  package static func table(
    _ heads: [String], _ rows: [[String]], rightAlignedFrom column: Int = .max
  ) -> String {
    let titles = heads.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
    let rule = heads.indices.map { $0 < column ? "---|" : "---:|" }.joined()
    let lines = rows.map { "| \($0.joined(separator: " | ")) |\n" }.joined()
    return "|\(titles)\n|\(rule)\n\(lines)"
  }

  /// Text without any markup, also in HTML; it mentions nobody and links no issue or address.
  package static func text(_ text: String) -> String {
    var result = ""
    let scalars = Array(text.visible.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      // A space without width: GitHub and GitLab look for references in what Markdown has become, where a backslash is
      // gone.
      if completesReference(scalars, at: index) { result += "\u{200B}" }
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "|": result += "&#124;"
      case "\\", "`", "*", "_", "[", "]", "~", "$":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether a character completes a reference with those before it: `@ada`, `#12`, `!12`, `GH-12`, `www.`, `https://`.
  private static func completesReference(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    guard index > 0 else { return false }
    func follows(_ word: String) -> Bool {
      let before = scalars[max(0, index - word.utf8.count)..<index]
      return before.elementsEqual(word.unicodeScalars) {
        $0.properties.lowercaseMapping == String($1)
      }
    }
    switch scalars[index] {
    case "/": return scalars[index - 1] == ":"
    case ".": return follows("www")
    case let scalar:
      guard
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_"
          || scalar == "\""
      else { return false }
      return "@#!~%$^&".unicodeScalars.contains(scalars[index - 1]) || follows("gh-")
    }
  }

  /// Text set as code, by HTML tags if it has special characters.
  package static func code(_ text: String) -> String {
    let content = text.visible
    guard content.contains(where: { $0 != " " }) else { return "" }
    // Readers do not agree on what a backslash, a backtick or a pipe is in a code span in a table.
    let isPlain = !content.unicodeScalars.contains { "\\`|".unicodeScalars.contains($0) }
    return isPlain ? "`\(content)`" : "<code>\(self.text(content))</code>"
  }

  /// A block of code, which ends in a line break.
  package static func block(_ text: String, language: String = "text") -> String {
    let content = text.visibleLines.joined(separator: "\n")
    let fence = fence(around: content, longerThan: 2)
    return "\(fence)\(language)\n\(content)\n\(fence)\n"
  }

  /// A link's destination, escaped for Markdown.
  package static func target(_ address: String) -> String {
    var result = ""
    for scalar in address.visible.unicodeScalars {
      switch scalar {
      case " ": result += "%20"
      case "(": result += "%28"
      case ")": result += "%29"
      case "<": result += "%3C"
      case ">": result += "%3E"
      case "|": result += "%7C"
      case "\\": result += "%5C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A code span in one line of text, whatever backticks the code contains.
  package static func span(_ code: String) -> String {
    let code = oneLine(code)
    let fence = fence(around: code, longerThan: 0)
    let space = code.hasPrefix("`") || code.hasSuffix("`") ? " " : ""
    return fence + space + code + space + fence
  }

  private static func oneLine(_ text: String) -> String {
    text.visibleLines.joined(separator: " ")
  }

  /// More backticks than the longest run in the text, and more than `least`.
  private static func fence(around text: String, longerThan least: Int) -> String {
    var longest = least
    var run = 0
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return String(repeating: "`", count: longest + 1)
  }
}
