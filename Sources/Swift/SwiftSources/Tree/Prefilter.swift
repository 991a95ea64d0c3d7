internal import CGNU
internal import Foundation

/// Strings of which a file must contain one to be worth parsing.
///
/// The search uses libc's `memchr` and `memmem`, which are as fast in a debug build as in a release build. A file
/// with a string in its code always matches. A file with a string only in a comment or a literal may match as well.
package struct Prefilter: Sendable {
  private let needles: [[UInt8]]
  /// Whole names, of which a file needs one. Each ends in a number of digits and underscores. The byte before the
  /// number is the name's anchor.
  private let names: Set<[UInt8]>
  private let anchors: [UInt8]
  /// Names, of which a file needs one after a keyword. Each keyword ends in a space.
  private let declared: Set<[UInt8]>
  private let keywords: [[UInt8]]
  private let beginnings: Set<UInt8>

  /// If names have more different anchors, one search per name without its number is faster than a check of each
  /// anchor.
  private static let mostAnchors = 2

  /// - Parameters:
  ///   - texts: Strings, of which a file needs one. An empty string matches every file.
  ///   - names: Whole identifiers, of which a file needs one. Thousands cost as much as a few if each ends in a
  ///     number after the same letter, as names of versions do.
  package init(_ texts: [String], names: some Sequence<String> = []) {
    var needles = texts.map { Array($0.utf8) }
    var numbered: [(name: [UInt8], stem: [UInt8])] = []
    for name in names {
      let bytes = Array(name.utf8)
      let stem = Array(bytes.prefix(bytes.count - bytes.reversed().prefix(while: isNumber).count))
      if stem.isEmpty || stem.count == bytes.count {
        needles.append(bytes)
      } else {
        numbered.append((bytes, stem))
      }
    }
    let anchors = Set(numbered.compactMap(\.stem.last)).sorted()
    if anchors.count <= Self.mostAnchors {
      self.anchors = anchors
      self.names = Set(numbered.map(\.name))
    } else {
      self.anchors = []
      self.names = []
      needles += numbered.map(\.stem)
    }
    self.needles = Self.smallest(needles)
    declared = []
    keywords = []
    beginnings = []
  }

  /// - Parameters:
  ///   - names: Whole names, with or without the names of enclosing types. Thousands cost as much as one.
  ///   - keywords: The keywords before the names, such as `struct`.
  package init(declaring names: Set<String>, behind keywords: [String]) {
    needles = []
    self.names = []
    anchors = []
    declared = Set(names.map { Array($0.utf8) })
    self.keywords = names.isEmpty ? [] : keywords.map { Array("\($0) ".utf8) }
    beginnings = Set(declared.compactMap(\.first))
  }

  package func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return needles.contains { $0.isEmpty } }
    for keyword in keywords where declares(behind: keyword, bytes, from: start) { return true }
    for needle in needles where Self.stands(needle, in: bytes, from: start) { return true }
    return anchors.contains { hasName(at: $0, bytes, from: start) }
  }

  /// Whether the needle occurs in the bytes. If it has a rare byte, `memchr` searches for that byte, several times as
  /// fast as `memmem`.
  private static func stands(
    _ needle: [UInt8], in bytes: UnsafeRawBufferPointer, from start: UnsafeRawPointer
  ) -> Bool {
    needle.withUnsafeBytes { wanted in
      guard let text = wanted.baseAddress else { return true }
      guard let place = wanted.firstIndex(where: isRare) else {
        return memmem(start, bytes.count, text, wanted.count) != nil
      }
      let end = bytes.count - (wanted.count - place - 1)
      var offset = place
      while offset < end, let hit = memchr(start + offset, Int32(wanted[place]), end - offset) {
        let found = UnsafeRawPointer(hit) - start
        if memcmp(start + (found - place), text, wanted.count) == 0 { return true }
        offset = found + 1
      }
      return false
    }
  }

  /// Whether a declared name follows the keyword. `extension Recipe.Timer` has the names `Recipe.Timer`, `Timer` and
  /// `Recipe`.
  private func declares(
    behind keyword: [UInt8], _ bytes: UnsafeRawBufferPointer, from start: UnsafeRawPointer
  ) -> Bool {
    keyword.withUnsafeBytes { wanted in
      guard let text = wanted.baseAddress else { return false }
      var offset = 0
      while let hit = memmem(start + offset, bytes.count - offset, text, wanted.count) {
        var place = UnsafeRawPointer(hit) - start + wanted.count
        while place < bytes.count, bytes[place] == 32 || bytes[place] == UInt8(ascii: "`") {
          place += 1
        }
        let first = place
        while place < bytes.count, isNamePart(bytes[place]) || bytes[place] == UInt8(ascii: ".") {
          place += 1
        }
        // The name of an operator consists of other characters.
        if place == first {
          while place < bytes.count, isOperatorPart(bytes[place]) { place += 1 }
        }
        offset = place
        let name = bytes[first..<place]
        // Nearly always the name is a single word with another first byte. That case must be fast in a debug build.
        guard let byte = name.first, beginnings.contains(byte) || name.contains(UInt8(ascii: "."))
        else { continue }
        // A function or a variable counts only at top level.
        guard !(97...122).contains(byte) || !isIndented(first, bytes) else { continue }
        if declared.contains(Array(name)) { return true }
        let parts = name.split(separator: UInt8(ascii: "."))
        if parts.count > 1, parts.contains(where: { declared.contains(Array($0)) }) { return true }
      }
      return false
    }
  }

  private func isIndented(_ place: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var first = place
    while first > 0, bytes[first - 1] != UInt8(ascii: "\n"), bytes[first - 1] != UInt8(ascii: "\r")
    {
      first -= 1
    }
    return bytes[first] == 32 || bytes[first] == 9
  }

  /// Whether one of the names occurs in the bytes. Each occurrence is found by its anchor, which a number follows.
  private func hasName(
    at anchor: UInt8, _ bytes: UnsafeRawBufferPointer, from start: UnsafeRawPointer
  ) -> Bool {
    var offset = 0
    while offset < bytes.count,
      let hit = memchr(start + offset, Int32(anchor), bytes.count - offset)
    {
      let place = UnsafeRawPointer(hit) - start
      offset = place + 1
      // Nearly always the check ends here. It must be fast in a debug build.
      guard offset < bytes.count, isNumber(bytes[offset]) else { continue }
      var first = place
      while first > 0, isNamePart(bytes[first - 1]) { first -= 1 }
      while offset < bytes.count, isNamePart(bytes[offset]) { offset += 1 }
      if names.contains(Array(bytes[first..<offset])), !isComment(first, bytes, from: start) {
        return true
      }
    }
    return false
  }

  /// Whether the place is in a line that certainly is a comment.
  ///
  /// Comments often mention versions, and parsing a file takes a tenth of a second in a debug build.
  private func isComment(
    _ place: Int, _ bytes: UnsafeRawBufferPointer, from start: UnsafeRawPointer
  ) -> Bool {
    var first = place
    while first > 0, bytes[first - 1] != UInt8(ascii: "\n"), bytes[first - 1] != UInt8(ascii: "\r")
    {
      first -= 1
    }
    let line = UnsafeRawBufferPointer(rebasing: bytes[first..<place])
    guard line.drop(while: { $0 == 32 || $0 == 9 }).starts(with: "//".utf8) else { return false }
    // The line may be code in a multi-line string, or a block comment may end in it.
    return memmem(start, bytes.count, "\"\"\"", 3) == nil
      && memmem(start, bytes.count, "*/", 2) == nil
  }

  /// Removes needles that contain a shorter needle, which finds the same files.
  private static func smallest(_ needles: [[UInt8]]) -> [[UInt8]] {
    var kept: [[UInt8]] = []
    for needle in Set(needles).sorted(by: {
      ($0.count, $0.description) < ($1.count, $1.description)
    })
    where !kept.contains(where: { needle.contains($0) }) { kept.append(needle) }
    return kept
  }
}

/// Whether the byte may be in the number at the end of a name: `9`, `1_1`.
private func isNumber(_ byte: UInt8) -> Bool { (48...57).contains(byte) || byte == 95 }

private func isRare(_ byte: UInt8) -> Bool {
  (65...90).contains(byte) || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "q")
}

private func isOperatorPart(_ byte: UInt8) -> Bool {
  (33...126).contains(byte) && !isNamePart(byte) && !"()[]{},;\"`'@#$\\:".utf8.contains(byte)
}

/// Whether the byte may be in an identifier. All non-ASCII bytes may.
private func isNamePart(_ byte: UInt8) -> Bool {
  isNumber(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte >= 0x80
}
