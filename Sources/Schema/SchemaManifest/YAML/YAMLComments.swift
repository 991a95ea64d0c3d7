internal import CLibYAML
package import SchemaModel

/// A comment of a YAML file.
package struct YAMLComment: Sendable, Equatable {
  /// The text without `#` and the spaces around it.
  package var text: String
  /// From `#` to the end of the text.
  package var location: SourceLocation
  /// Whether the line contains only the comment.
  package var isAlone: Bool
  /// The line that the comment applies to, counted from 1: the comment's line, or the next line that is neither a
  /// comment nor blank; nil if there is none.
  package var subject: Int?
}

/// Finds comments, which libyaml's events leave out.
package enum YAMLComments {
  /// The comments that begin with a word, or all if the word is empty.
  ///
  /// Files without the word, which are nearly all, are not parsed again. In broken YAML, a `#` in a quoted string after
  /// the mistake counts as a comment.
  package static func beginning(with word: String, in file: SourceFile) -> [YAMLComment] {
    let source = SourceBytes(file)
    let wanted = Array(word.utf8)
    guard wanted.isEmpty || source.contents.contains(wanted) else { return [] }
    let lines = String(decoding: source.contents, as: UTF8.self).unicodeScalars
      .split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
    let texts = textRanges(source)
    var start = 0
    var next = 0
    func isText(_ position: Int) -> Bool {
      while next < texts.count, texts[next].upperBound <= position { next += 1 }
      return next < texts.count && texts[next].contains(position)
    }
    var comments: [YAMLComment] = []
    for (number, line) in lines.enumerated() {
      defer { start += line.count + 1 }
      let column = line.indices.first {
        line[$0] == "#" && ($0 == 0 || isSpace(line[$0 - 1])) && !isText(start + $0)
      }
      guard let column else { continue }
      let end = line.last == "\r" ? line.count - 1 : line.count
      let text = String(String.UnicodeScalarView(line[(column + 1)..<end])).trimmingSpaces()
      guard text.hasPrefix(word) else { continue }
      comments.append(
        YAMLComment(
          text: text,
          location: SourceLocation(
            file: file.path, line: number + 1, column: column + 1, length: end - column),
          isAlone: line[..<column].allSatisfy(isSpace), subject: number + 1))
    }
    // A comment's subject is on a later line, so the lines are read backwards.
    var subject: Int?
    var number = lines.count
    for index in comments.indices.reversed() where comments[index].isAlone {
      let own = comments[index].location.line
      while number > own {
        if let first = lines[number - 1].first(where: { !isSpace($0) }), first != "#" {
          subject = number
        }
        number -= 1
      }
      comments[index].subject = subject
    }
    return comments
  }

  /// The ranges, in Unicode scalars, of quoted and block scalars. In them, `#` is an ordinary character.
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
    scalar == " " || scalar == "\t" || scalar == "\r"
  }
}

extension ArraySlice<UInt8> {
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
