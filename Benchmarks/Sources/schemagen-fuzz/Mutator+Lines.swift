import SchemaModel
import SchemaRehearsal

/// A file as lines of bytes, so that what is not UTF-8 stays what it is.
struct TextLines {
  var lines: [ArraySlice<UInt8>]

  init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  var bytes: [UInt8] { Array(lines.joined(separator: [UInt8(ascii: "\n")])) }

  func text(_ index: Int) -> String { String(decoding: lines[index], as: UTF8.self) }

  mutating func set(_ index: Int, _ text: String) { lines[index] = ArraySlice(text.utf8) }

  mutating func insert(_ text: String, at index: Int) {
    lines.insert(ArraySlice(text.utf8), at: index)
  }

  func indent(_ index: Int) -> Int { lines[index].prefix { $0 == UInt8(ascii: " ") }.count }

  /// The line and all below it that are indented deeper.
  func block(_ index: Int) -> Range<Int> {
    let indent = indent(index)
    var end = index + 1
    while end < lines.count, lines[end].isEmpty || self.indent(end) > indent { end += 1 }
    while end > index + 1, lines[end - 1].isEmpty { end -= 1 }
    return index..<end
  }

  /// Where the key of a line ends, before its colon.
  func colon(_ index: Int) -> Int? {
    let line = lines[index]
    return line.indices.first { place in
      line[place] == UInt8(ascii: ":")
        && (place + 1 == line.endIndex || line[place + 1] == UInt8(ascii: " "))
    }
  }

  /// A block with another indentation.
  static func shifted(_ block: ArraySlice<ArraySlice<UInt8>>, by count: Int) -> [ArraySlice<UInt8>]
  {
    block.map { line in
      guard !line.isEmpty else { return line }
      if count >= 0 { return ArraySlice(repeatElement(UInt8(ascii: " "), count: count)) + line }
      return line.dropFirst(min(-count, line.prefix { $0 == UInt8(ascii: " ") }.count))
    }
  }
}

extension Mutator {
  mutating func mutateLines() {
    let index = pickFile()
    var text = TextLines(files[index].bytes)
    let line = random.below(text.lines.count)
    let block = chance(1, in: 2) ? text.block(line) : line..<(line + 1)
    let other = random.below(text.lines.count)
    switch random.below(8) {
    case 0: text.lines.removeSubrange(block)
    case 1: text.lines.insert(contentsOf: text.lines[block], at: block.upperBound)
    case 2: text.lines.swapAt(line, other)
    case 3:
      let moved = text.lines[block]
      text.lines.removeSubrange(block)
      text.lines.insert(contentsOf: moved, at: min(other, text.lines.count))
    case 4:
      let shift = pick([-4, -2, -1, 1, 2, 4])!
      text.lines.replaceSubrange(block, with: TextLines.shifted(text.lines[block], by: shift))
    case 5: text.insert("", at: line)
    case 6: text.insert(String(repeating: " ", count: text.indent(line)) + "# note", at: line)
    default: graft(&text, line)
    }
    files[index].bytes = text.bytes
  }

  /// Puts a block of any file of the corpus behind a line, as deep as that stands.
  private mutating func graft(_ text: inout TextLines, _ line: Int) {
    guard let file = pick(corpus.files) else { return }
    let source = TextLines(file.bytes)
    let start = random.below(source.lines.count)
    let block = source.lines[source.block(start)]
    let shift = text.indent(line) - source.indent(start)
    text.lines.insert(
      contentsOf: TextLines.shifted(block, by: shift), at: text.block(line).upperBound)
  }
}
