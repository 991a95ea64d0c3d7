internal import CLibYAML
package import SchemaModel

/// A comment of a YAML file.
package struct YAMLComment: Sendable, Equatable {
  /// The text without `#` and the spaces around it.
  package var text: String
  /// From `#` to the end of the text.
  package var location: SourceLocation
  /// Whether its line has nothing else.
  package var isAlone: Bool
  /// The line that it is about, counted from 1: its own, or the next one that is not a comment and not blank; nil where
  /// none follows.
  package var subject: Int?
}

/// Finds comments, which libyaml's events leave out.
package enum YAMLComments {
  /// The comments that begin with a word; all of them where it is empty.
  ///
  /// Files without the word, which are nearly all, are not parsed a second time. Where the YAML is broken, comments
  /// behind the break are not found.
  package static func beginning(with word: String, in file: SourceFile) -> [YAMLComment] {
    let source = SourceBytes(file)
    let wanted = Array(word.utf8)
    guard wanted.isEmpty || source.contents.contains(wanted) else { return [] }
    let scalars = Array(String(decoding: source.contents, as: UTF8.self).unicodeScalars)
    let texts = textRanges(source)
    var next = 0
    var comments: [YAMLComment] = []
    var lines = Lines(scalars)
    var index = 0
    while index < scalars.count {
      while next < texts.count, texts[next].upperBound <= index { next += 1 }
      if next < texts.count, texts[next].contains(index) {
        index = texts[next].upperBound
        continue
      }
      guard scalars[index] == "#", index == 0 || isSpace(scalars[index - 1]) else {
        index += 1
        continue
      }
      let end = scalars[index...].firstIndex { $0 == "\n" || $0 == "\r" } ?? scalars.count
      let text = String(String.UnicodeScalarView(scalars[(index + 1)..<end])).trimmingSpaces()
      if text.hasPrefix(word) {
        comments.append(lines.comment(text, at: index, to: end, in: file.path))
      }
      index = end
    }
    return comments
  }

  /// Where quoted and block scalars are, in which `#` is an ordinary character; counted in Unicode scalars.
  private static func textRanges(_ source: SourceBytes) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var isDone = false
    source.contents.withUnsafeBufferPointer { bytes in
      let parser = EventParser(bytes)
      while !isDone {
        do throws(ParserFailure) {
          try parser.next { event in
            isDone = event.type == YAML_STREAM_END_EVENT
            guard event.type == YAML_SCALAR_EVENT,
              event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE
            else { return }
            ranges.append(
              event.start_mark.index..<max(event.start_mark.index, event.end_mark.index))
          }
        } catch {
          isDone = true
        }
      }
    }
    return ranges
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
  }

  /// Lines of a text, walked through once.
  private struct Lines {
    let scalars: [Unicode.Scalar]
    private var line = 1
    private var start = 0
    private var position = 0

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    mutating func comment(
      _ text: String, at index: Int, to end: Int, in file: String
    ) -> YAMLComment {
      while position < index {
        if scalars[position] == "\n" {
          line += 1
          start = position + 1
        }
        position += 1
      }
      let isAlone = scalars[start..<index].allSatisfy { $0 == " " || $0 == "\t" }
      return YAMLComment(
        text: text,
        location: SourceLocation(
          file: file, line: line, column: index - start + 1, length: end - index),
        isAlone: isAlone, subject: isAlone ? subject(behind: end) : line)
    }

    /// The next line that is not blank or a comment.
    private func subject(behind end: Int) -> Int? {
      var number = line
      var index = end
      while let lineBreak = scalars[index...].firstIndex(of: "\n") {
        number += 1
        index = lineBreak + 1
        guard let first = scalars[index...].first(where: { $0 != " " && $0 != "\t" }) else {
          return nil
        }
        if first != "#", first != "\n", first != "\r" { return number }
      }
      return nil
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes occur in these, one after the other.
  fileprivate func contains(_ wanted: [UInt8]) -> Bool {
    guard let first = wanted.first, count >= wanted.count else { return false }
    var index = startIndex
    let last = endIndex - wanted.count
    while index <= last {
      guard let candidate = self[index...last].firstIndex(of: first) else { return false }
      if self[candidate..<(candidate + wanted.count)].elementsEqual(wanted) { return true }
      index = candidate + 1
    }
    return false
  }
}
