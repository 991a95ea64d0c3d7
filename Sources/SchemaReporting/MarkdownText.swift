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
      case "\\", "`", "*", "_", "[", "]", "|", "~", "$":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A code span, behind as many backticks as its content asks for.
  static func code(_ text: String) -> String {
    let content = text.visible
    guard content.contains(where: { $0 != " " }) else { return "" }
    let fence = fence(around: content, atLeast: 1)
    // Of a cell's text, GitHub reads the pipe first, and only then the code span.
    let escaped = content.replacing("|", with: "\\|")
    let space = content.hasPrefix("`") || content.hasSuffix("`") ? " " : ""
    return fence + space + escaped + space + fence
  }

  /// A block of code, which ends in a line break.
  static func block(_ text: String) -> String {
    let content = text.visibleLines.joined(separator: "\n")
    let fence = fence(around: content, atLeast: 3)
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

  /// More backticks than stand anywhere in a row.
  private static func fence(around text: String, atLeast count: Int) -> String {
    var longest = 0
    var run = 0
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return String(repeating: "`", count: max(count, longest + 1))
  }
}
