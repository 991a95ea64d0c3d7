internal import SchemaModel

/// A file's bytes without their byte order mark, with checks before parsing.
struct SourceBytes {
  let file: String
  let contents: ArraySlice<UInt8>

  init(_ file: SourceFile) {
    self.file = file.path
    let hasMark = file.bytes.starts(with: [0xEF, 0xBB, 0xBF])
    contents = file.bytes[(hasMark ? 3 : 0)...]
  }

  func refusal() -> Diagnostic? {
    guard contents.count <= YAMLReader.largestFile else {
      return Diagnostic(
        .unreadableFile, "the file has \(contents.count) bytes; a manifest has at most 4 MiB",
        at: SourceLocation(file: file))
    }
    if contents.starts(with: [0xFF, 0xFE]) || contents.starts(with: [0xFE, 0xFF]) {
      return Diagnostic(
        .unreadableFile, "the file is UTF-16; a manifest must be UTF-8",
        at: SourceLocation(file: file),
        help: ["save the file as UTF-8"])
    }
    if let offset = firstHiddenBreak() {
      return Diagnostic(
        .unreadableFile, "here is a line break that editors do not show",
        at: location(ofByteAt: offset), help: ["end lines with LF or CR LF"])
    }
    return nil
  }

  /// The place of a byte. Its line and column are counted from the start, so use this only for messages.
  func location(ofByteAt offset: Int, length: Int = 1) -> SourceLocation {
    var line = 1
    var column = 1
    for byte in contents.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return SourceLocation(file: file, line: line, column: column, length: length)
  }

  /// The first byte of the broken character at or before the offset where a decoder stopped.
  func characterStart(before offset: Int) -> (offset: Int, byte: UInt8?) {
    var start = contents.startIndex + min(offset, contents.count)
    let earliest = max(contents.startIndex, start - 3)
    // libyaml reports the byte that does not continue the character, not the character's first byte.
    if let lead = contents[earliest..<start].lastIndex(where: { $0 >= 0xC0 }),
      contents[(lead + 1)..<start].allSatisfy({ $0 & 0xC0 == 0x80 }),
      lead + Self.length(of: contents[lead]) > start
    {
      start = lead
    }
    return (start - contents.startIndex, start < contents.endIndex ? contents[start] : nil)
  }

  private static func length(of lead: UInt8) -> Int {
    lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
  }

  var lineCount: Int { contents.count { $0 == UInt8(ascii: "\n") } + 1 }

  /// A line's scalars without its line break; empty after the last line.
  func line(_ number: Int) -> [Unicode.Scalar] {
    var rest = contents
    for _ in 1..<max(1, number) {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return [] }
      rest = rest[(end + 1)...]
    }
    let line = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return Array(String(decoding: line, as: UTF8.self).unicodeScalars)
  }

  /// The offset of the first character that ends a line in YAML 1.1 but not in editors: CR alone, NEL, LS or PS.
  ///
  /// After such a character a comment could end and a key begin in the middle of a visible line.
  private func firstHiddenBreak() -> Int? {
    contents.withUnsafeBytes { bytes in
      bytes.indices.first { Self.isHiddenBreak(bytes, at: $0) }
    }
  }

  private static func isHiddenBreak(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
    let next = index + 1 < bytes.count ? bytes[index + 1] : 0
    switch bytes[index] {
    case 0x0D: return next != 0x0A
    case 0xC2: return next == 0x85
    case 0xE2:
      let last = index + 2 < bytes.count ? bytes[index + 2] : 0
      return next == 0x80 && (last == 0xA8 || last == 0xA9)
    default: return false
    }
  }
}
