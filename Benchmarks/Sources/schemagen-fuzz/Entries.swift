import SchemaModel
import SchemaRehearsal

/// The entries of block mappings that the corpus has, by the key of the mapping that they stand in.
struct Entries: Sendable {
  /// A key with its value, over several lines where it is a mapping; indented as if it stood at the left.
  struct Entry: Sendable {
    let key: String
    let lines: [ArraySlice<UInt8>]
    let namesModels: Bool

    init(key: String, lines: [ArraySlice<UInt8>]) {
      self.key = key
      self.lines = lines
      namesModels = lines.contains { String(decoding: $0, as: UTF8.self).contains("relationship") }
    }
  }

  private var byParent: [String: [Entry]] = [:]

  init(_ files: [SourceFile]) {
    for file in files where file.isManifest {
      let text = TextLines(file.bytes)
      for line in text.lines.indices where text.lines[line].count < 200 {
        guard let key = text.key(line), let parent = text.parent(line) else { continue }
        let block = text.block(line)
        guard block.count <= 30 else { continue }
        let lines = TextLines.shifted(text.lines[block], by: -text.indent(line))
        byParent[parent, default: []].append(Entry(key: key, lines: lines))
      }
    }
  }

  /// Those of mappings that are values of this key; of the whole file for an empty one.
  func below(_ parent: String) -> [Entry] { byParent[parent] ?? [] }
}

extension TextLines {
  /// The key of a line in a block mapping.
  func key(_ line: Int) -> String? {
    guard let colon = colon(line) else { return nil }
    let key = lines[line][..<colon].drop { $0 == UInt8(ascii: " ") }
    guard let first = key.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "#") else {
      return nil
    }
    return String(decoding: key, as: UTF8.self)
  }

  /// The key of the mapping that a line stands in; empty for the whole file's.
  func parent(_ line: Int) -> String? {
    let indent = indent(line)
    guard indent > 0 else { return "" }
    let above = lines.indices[..<line].last { self.indent($0) < indent && !lines[$0].isEmpty }
    return above.flatMap(key)
  }
}

/// Mutations that take what they need from other manifests, and so give ones that mostly can be read.
extension Mutator {
  mutating func mutateEntries() {
    switch random.below(12) {
    case 0...3: exchangeEntry()
    case 4...6: graftEntry()
    case 7: dropEntry()
    case 8: renameName()
    case 9...10: copyToNextVersion()
    default: chance(1, in: 2) ? accept() : setLevel()
    }
  }

  /// Puts another's value in the place of an entry's.
  private mutating func exchangeEntry() {
    edit { mutator, text, line, _ in
      guard let key = text.key(line), let parent = text.parent(line) else { return }
      guard key != "version" else { return }
      // Names are their author's; elsewhere a key says what its value can be.
      let isNamed = ["properties", "models", "types"].contains(parent)
      let others = mutator.corpus.entries.below(parent).filter { isNamed || $0.key == key }
      guard let other = mutator.pick(mutator.likely(others)) else { return }
      let indent = text.indent(line)
      var lines = TextLines.shifted(other.lines[...], by: indent)
      lines[0].replaceSubrange(
        lines[0].startIndex..<(lines[0].startIndex + indent + other.key.utf8.count),
        with: text.lines[line].prefix(indent + key.utf8.count))
      text.lines.replaceSubrange(text.block(line), with: lines)
    }
  }

  /// Mostly without relationships, whose other side is in the other manifest.
  private mutating func likely(_ entries: [Entries.Entry]) -> [Entries.Entry] {
    chance(1, in: 6) ? entries : entries.filter { !$0.namesModels }
  }

  /// Adds another's entry that the mapping does not have.
  private mutating func graftEntry() {
    let isFirst = files.first(where: \.isManifest)?.path
    edit { mutator, text, line, _ in
      // What a step has to say does not belong into the first version.
      guard let parent = text.parent(line), !parent.isEmpty || mutator.current != isFirst else {
        return
      }
      let indent = text.indent(line)
      let known = Set(
        text.lines.indices.filter { text.indent($0) == indent }.compactMap { text.key($0) })
      let others = mutator.corpus.entries.below(parent).filter { !known.contains($0.key) }
      guard let other = mutator.pick(mutator.likely(others)) else { return }
      text.lines.insert(
        contentsOf: TextLines.shifted(other.lines[...], by: indent),
        at: text.block(line).upperBound)
    }
  }

  /// Gives a name another spelling in one manifest or in all: a rename, said or unsaid.
  private mutating func renameName() {
    let index = pickFile()
    let names = words(files[index].bytes).filter { $0.utf8.count > 2 && !corpus.tokens.isKey($0) }
    guard let name = pick(names) else { return }
    for position in files.indices where position == index || chance(1, in: 4) {
      files[position].bytes = replaced(
        Array(name.utf8), with: Array((name + "2").utf8), in: files[position].bytes, isOnce: false)
    }
  }
}
