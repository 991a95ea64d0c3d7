import SchemaModel
import SchemaRehearsal
import SchemaWorkspace

/// Mutations that know what a manifest looks like: most of them leave one that can be read.
extension Mutator {
  mutating func mutateStructure() {
    switch random.below(16) {
    case 0...1: renameWord()
    case 2...4: changeValue()
    case 5: renameKey()
    case 6...7: dropEntry()
    case 8...9: addEntry()
    case 10: renumber()
    case 11: swapFiles()
    case 12: copyToNextVersion()
    case 13: moveFile()
    case 14: accept()
    default: setLevel()
    }
  }

  // MARK: Words

  /// Gives a name another spelling, at one place, in one file or everywhere.
  mutating func renameWord() {
    let index = pickFile()
    guard let word = pick(words(files[index].bytes)) else { return }
    let other =
      switch random.below(4) {
      case 0: pick(words(files[index].bytes)) ?? word
      case 1: pick(Tokens.names)!
      case 2: word + "2"
      default: word.prefix(1).uppercased() + word.dropFirst()
      }
    let wanted = Array(word.utf8)
    let isEverywhere = chance(1, in: 4)
    for position in files.indices where isEverywhere || position == index {
      files[position].bytes = replaced(
        wanted, with: Array(other.utf8), in: files[position].bytes, isOnce: chance(1, in: 3))
    }
  }

  func words(_ bytes: [UInt8]) -> [String] {
    bytes.split { !Self.isLetter($0) }.filter { $0.count < 40 }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || (48...57).contains(byte)
      || (65...90).contains(byte) || (97...122).contains(byte)
  }

  func replaced(
    _ wanted: [UInt8], with other: [UInt8], in bytes: [UInt8], isOnce: Bool
  ) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    var isDone = false
    while index < bytes.count {
      let end = index + wanted.count
      let isWord =
        !isDone && end <= bytes.count && bytes[index] == wanted[0]
        && bytes[index..<end].elementsEqual(wanted)
        && (index == 0 || !Self.isLetter(bytes[index - 1]))
        && (end == bytes.count || !Self.isLetter(bytes[end]))
      if isWord {
        result += other
        index = end
        isDone = isOnce
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  // MARK: Entries

  private mutating func changeValue() {
    edit { mutator, text, line, colon in
      let key = String(decoding: text.lines[line][..<colon], as: UTF8.self)
      let others = text.lines.indices.compactMap { index in
        text.colon(index).map { String(decoding: text.lines[index][($0 + 1)...], as: UTF8.self) }
      }
      let value =
        switch mutator.random.below(6) {
        case 0: mutator.pick(others) ?? ""
        case 1: " " + mutator.anyToken()
        case 2: " " + mutator.pick(mutator.corpus.tokens.values)!
        default: " " + mutator.pick(Tokens.types)!
        }
      text.set(line, key + ":" + value)
    }
  }

  private mutating func renameKey() {
    edit { mutator, text, line, colon in
      let rest = String(decoding: text.lines[line][colon...], as: UTF8.self)
      let indent = String(repeating: " ", count: text.indent(line))
      let key =
        mutator.chance(2, in: 3)
        ? mutator.pick(mutator.corpus.tokens.keys)! : mutator.pick(Tokens.names)!
      text.set(line, indent + key + rest)
    }
  }

  mutating func dropEntry() {
    edit { mutator, text, line, _ in
      // A manifest without models says nothing more.
      guard !mutator.isGentle || text.indent(line) > 0 else { return }
      text.lines.removeSubrange(text.block(line))
    }
  }

  /// Adds a key beside an entry, inside its block, or in its flow mapping.
  private mutating func addEntry() {
    edit { mutator, text, line, _ in
      let key = mutator.pick(mutator.corpus.tokens.keys)!
      let value =
        mutator.chance(1, in: 2) ? mutator.pick(Tokens.types)! : mutator.anyToken()
      let indent = text.indent(line)
      let content = text.text(line)
      if let brace = content.lastIndex(of: "}"), mutator.chance(2, in: 3) {
        let start = content[..<brace].hasSuffix("{") ? "" : ", "
        text.set(line, content[..<brace] + "\(start)\(key): \(value)" + content[brace...])
      } else {
        let depth = content.hasSuffix(":") && mutator.chance(2, in: 3) ? indent + 2 : indent
        text.insert(
          String(repeating: " ", count: depth) + "\(key): \(value)",
          at: depth > indent ? line + 1 : text.block(line).upperBound)
      }
    }
  }

  /// Hands on a line that has a key, with where its colon stands.
  mutating func edit(
    _ change: (inout Mutator, inout TextLines, Int, Int) -> Void
  ) {
    let index = pickFile()
    current = files[index].path
    var text = TextLines(files[index].bytes)
    guard let line = pick(text.lines.indices.filter { text.colon($0) != nil }),
      let colon = text.colon(line)
    else { return }
    change(&self, &text, line, colon)
    files[index].bytes = text.bytes
  }

  // MARK: Versions

  private mutating func renumber() {
    let index = pickFile()
    let number = pick(Tokens.numbers)!
    setNumber(index, number)
    if chance(1, in: 2) { files[index].path = "V\(number).yaml" }
  }

  private mutating func setNumber(_ index: Int, _ number: String) {
    var text = TextLines(files[index].bytes)
    guard let line = text.lines.indices.first(where: { text.text($0).hasPrefix("version:") })
    else { return }
    text.set(line, "version: \(number)")
    files[index].bytes = text.bytes
  }

  private mutating func swapFiles() {
    let first = pickFile()
    let second = pickFile()
    let bytes = files[first].bytes
    files[first].bytes = files[second].bytes
    files[second].bytes = bytes
  }

  /// The newest manifest once more under the next number: a history goes on in small steps.
  mutating func copyToNextVersion() {
    let manifests = files.filter(\.isManifest)
    guard manifests.count < Corpus.mostVersions + 1, let last = manifests.last,
      let number = VersionNumber(last.name.dropLast(5)), number.major < 1_000
    else { return }
    let next = "\(number.major + 1)"
    set(SourceFile(path: "V\(next).yaml", bytes: last.bytes))
    if let index = files.firstIndex(where: { $0.path == "V\(next).yaml" }) {
      setNumber(index, next + ".0.0")
    }
    if chance(3, in: 4) { mutateStructure() }
  }

  /// Takes a file away, brings one in, or gives it another name.
  private mutating func moveFile() {
    let index = pickFile()
    switch random.below(3) {
    case 0: if files.count > 1 { files.remove(at: index) }
    case 1: if let other = pick(corpus.files) { set(other) }
    default:
      var file = files.remove(at: index)
      let names = [
        "V1.yaml", "V2.yaml", "V1.1.yaml", "V01.yaml", "v3.yaml", "V2.yml", "V2 copy.yaml",
        "schemagen.yaml", "schemagen.yml", "schema.lock", "lint-baseline.json", "notes.yaml",
        "V9999999999.yaml", "Vé.yaml",
      ]
      file.path = pick(names)!
      set(file)
    }
  }

  // MARK: What silences

  mutating func accept() {
    let index = pickFile()
    var text = TextLines(files[index].bytes)
    let line = random.below(text.lines.count)
    let rule = pick(corpus.tokens.rules)!
    let until = pick(
      ["", "", " until 2027-01-31", " until 2020-01-01"] + (isGentle ? [] : [" until soon"]))!
    switch random.below(3) {
    case 0:
      let comment = "# schemagen:accept \(rule)\(until): it is meant so"
      text.insert(String(repeating: " ", count: text.indent(line)) + comment, at: line)
    case 1: text.set(line, text.text(line) + " # schemagen:accept \(rule)\(until): meant so")
    default:
      let element = pick(words(files[index].bytes)) ?? ""
      text.insert("accept:", at: text.lines.count)
      text.insert(
        "  - { rule: \(rule), element: \(element), reason: it is meant so }",
        at: text.lines.count)
    }
    files[index].bytes = text.bytes
  }

  mutating func setLevel() {
    let rule = pick(corpus.tokens.rules)!
    let level = pick(["error", "warning", "note", "off"] + (isGentle ? [] : ["loud", ""]))!
    writeLevels("  \(rule): \(level)\n")
  }

  /// Gives all rules that allow it one level, so that findings of every kind come at every severity.
  mutating func setAllLevels() {
    let level = pick(["warning", "note", "off"])!
    writeLevels(
      RuleCatalog.all.filter(\.isAcceptable).map { "  \($0.id): \(level)\n" }.sorted().joined())
  }

  private mutating func writeLevels(_ entries: String) {
    if let index = files.firstIndex(where: { $0.path == "schemagen.yaml" }) {
      files[index].bytes += Array("\nrules:\n\(entries)".utf8)
    } else {
      let more = chance(1, in: 2) ? "cloudKit: private\n" : ""
      set(SourceFile(path: "schemagen.yaml", text: "\(more)rules:\n\(entries)"))
    }
  }
}
