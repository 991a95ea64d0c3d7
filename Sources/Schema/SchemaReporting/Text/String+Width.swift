extension StringProtocol {
  /// The number of terminal columns. The text must contain no control characters except those of styles.
  package var width: Int { measured.reduce(0) { $0 + ($1.width ?? 0) } }

  /// Each character with its width; nil for characters of a style.
  private var measured: [(character: Character, width: Int?)] {
    var isStyle = false
    return map { character in
      if character == "\u{1B}" { isStyle = true }
      defer { if character == "m" { isStyle = false } }
      return (character, isStyle ? nil : character.width)
    }
  }

  /// The lines after breaking the text between words. No line is wider than `width` unless a single word is, such as a
  /// path or a hash.
  package func wrapped(to width: Int) -> [String] {
    guard self.width > width else { return [String(self)] }
    var lines = [""]
    var taken = 0
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      let isFirst = taken == 0 && lines[lines.count - 1].isEmpty
      let needed = word.width + (isFirst ? 0 : 1)
      if taken + needed <= width {
        lines[lines.count - 1] += (isFirst ? "" : " ") + word
        taken += needed
        continue
      }
      if !isFirst {
        while lines[lines.count - 1].last == " " { lines[lines.count - 1].removeLast() }
        lines.append("")
      }
      lines[lines.count - 1] += word
      taken = word.width
    }
    return lines
  }

  /// The beginning of the text, with `…` instead of what exceeds the width.
  package func shortened(to width: Int) -> String {
    guard self.width > width else { return String(self) }
    var text = ""
    var taken = 1
    for (character, own) in measured {
      guard let own else {
        text.append(character)
        continue
      }
      if taken + own <= width { text.append(character) } else if taken <= width { text += "…" }
      taken = taken + own <= width ? taken + own : .max / 2
    }
    return text
  }
}

extension Character {
  /// The number of terminal columns, by Unicode's East Asian Width (UAX #11) and Emoji_Presentation (UTS #51).
  /// Characters of ambiguous width are narrow, as in languages that are not East Asian. `wcwidth` would depend on the
  /// process's locale.
  var width: Int {
    guard let first = unicodeScalars.first else { return 0 }
    // U+FE0F requests the emoji form of a character that is otherwise text.
    if unicodeScalars.contains("\u{FE0F}"), first.properties.isEmoji, !first.isASCII { return 2 }
    if first.properties.isEmojiPresentation || first.isWide { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return 1
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1_6FE0...0x1_B2FF, 0x2_0000...0x3_FFFD:
      true
    default: false
    }
  }
}
