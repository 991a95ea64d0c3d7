/// Text that means itself in GitHub's Markdown, also in a cell of a table.
enum MarkdownText {
  /// Words: nothing in them is markup.
  static func text(_ text: String) -> String {
    var result = ""
    for scalar in text.visible.unicodeScalars {
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

  /// Words in the type of code.
  static func code(_ text: String) -> String {
    let content = text.visible
    guard content.contains(where: { $0 != " " }) else { return "" }
    // Readers do not agree on what a backslash, a backtick or a pipe is in a code span in a table.
    let isPlain = !content.unicodeScalars.contains { "\\`|".unicodeScalars.contains($0) }
    return isPlain ? "`\(content)`" : "<code>\(self.text(content))</code>"
  }

  /// A block of code, which ends in a line break.
  static func block(_ text: String) -> String {
    let content = text.visibleLines.joined(separator: "\n")
    let fence = fence(around: content)
    return "\(fence)text\n\(content)\n\(fence)\n"
  }

  /// Where a link leads.
  static func target(_ address: String) -> String {
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

  /// More backticks than stand anywhere in a row, and three at least.
  private static func fence(around text: String) -> String {
    var longest = 2
    var run = 0
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return String(repeating: "`", count: longest + 1)
  }
}
