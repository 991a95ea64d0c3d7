/// What stands at a place of a manifest that somebody is writing: found by indentation and brackets, since YAML that is
/// half written cannot be read.
struct ManifestCursor: Hashable, Sendable {
  /// The way down to a mapping or a list.
  enum Step: Hashable, Sendable {
    case key(String)
    case item
  }

  /// What is written at the place.
  enum Role: Hashable, Sendable {
    case key
    /// The value of a key of the mapping.
    case value(String)
    /// An item of a list.
    case item
  }

  /// The way to the mapping or the list that the place is in.
  var path: [Step]
  var role: Role
  /// The name or the text at the place, from its first scalar to its last.
  var word: Range<Int>
  /// What of it stands before the place.
  var prefix: String
  /// The other keys of the mapping.
  var siblings: Set<String>

  /// The path with a star for each name that the author chose: `models/*/properties`; a list's item is `[]`.
  var shape: String {
    path.enumerated().map { index, step in
      guard case .key(let key) = step else { return "[]" }
      return names.contains { $0.place == index } ? "*" : key
    }.joined(separator: "/")
  }

  /// The model or type that the place is in.
  var owner: String? { names.first?.name }
  /// The property of it that the place is in.
  var member: String? { names.dropFirst().first?.name }

  private var names: [(place: Int, name: String)] {
    path.indices.compactMap { index in
      guard case .key(let key) = path[index], index > 0, case .key(let holder) = path[index - 1],
        index == 1 && ["models", "types", "drops"].contains(holder)
          || index == 3 && path[0] == .key("models") && holder == "properties"
          || index == 3 && path[0] == .key("types") && ["cases", "struct"].contains(holder)
      else { return nil }
      return (index, key)
    }
  }

  /// Nil in a comment.
  init?(_ document: DocumentText, at offset: Int, line number: Int) {
    let line = ManifestLine(document.line(number))
    let offset = min(max(offset, line.scalars.startIndex), line.scalars.endIndex)
    let level = line.level(at: offset)
    guard !level.isComment else { return nil }
    var above: [Step] = []
    if !level.isFlow || line.key != nil || line.isItem {
      above = Self.way(to: number, line, in: document)
    }
    var siblings = level.siblings
    if !level.isFlow, case .key = level.role {
      siblings = Self.keys(beside: number, line, in: document)
    }
    path = above + level.path
    role = level.role
    word = line.word(around: offset, from: level.start)
    prefix = String(String.UnicodeScalarView(document.scalars[word.lowerBound..<offset]))
    if case .key = role { siblings.remove(line.text(word)) }
    self.siblings = siblings
  }

  /// The keys and lists that a line's own content lies in.
  private static func way(to number: Int, _ line: ManifestLine, in document: DocumentText) -> [Step]
  {
    var steps: [Step] = []
    // What is to the right of it is not above it.
    var column = line.contentColumn
    if line.isItem {
      steps.append(.item)
      column = line.dashColumn + 1
    }
    var index = number - 1
    while index >= 0, column > 0 {
      let other = ManifestLine(document.line(index))
      index -= 1
      if other.isBlank { continue }
      if other.isItem, other.contentColumn <= column, other.dashColumn < column {
        if let key = other.key, other.contentColumn < column { steps.append(.key(key)) }
        steps.append(.item)
        column = other.dashColumn + 1
      } else if !other.isItem, other.contentColumn < column, let key = other.key {
        steps.append(.key(key))
        column = other.contentColumn
      }
    }
    return steps.reversed()
  }

  /// The keys of the block mapping that a line belongs to.
  private static func keys(
    beside number: Int, _ line: ManifestLine, in document: DocumentText
  ) -> Set<String> {
    var keys: Set<String> = []
    let column = line.contentColumn
    if !line.isItem {
      for index in stride(from: number - 1, through: 0, by: -1) {
        let other = ManifestLine(document.line(index))
        if other.isBlank { continue }
        guard other.contentColumn >= column else { break }
        guard other.contentColumn == column else { continue }
        if let key = other.key { keys.insert(key) }
        if other.isItem { break }
      }
    }
    for index in stride(from: number + 1, to: document.lineCount, by: 1) {
      let other = ManifestLine(document.line(index))
      if other.isBlank { continue }
      guard other.contentColumn >= column, !other.isItem || other.dashColumn >= column else {
        break
      }
      if other.contentColumn == column, !other.isItem, let key = other.key { keys.insert(key) }
    }
    return keys
  }
}

/// One line of a manifest, as far as its layout tells.
private struct ManifestLine {
  let scalars: ArraySlice<Unicode.Scalar>
  /// Where the dash of a list's item stands, counted from 0; -1 for none.
  private(set) var dashColumn = -1
  /// Where the line's own content begins, behind a dash; its length where it has none.
  private(set) var contentColumn = 0
  /// The key that the content begins with.
  private(set) var key: String?

  var isItem: Bool { dashColumn >= 0 }
  /// Whether nothing is on it but a comment.
  var isBlank: Bool {
    let first = scalars.startIndex + contentColumn
    return !isItem && (first >= scalars.endIndex || scalars[first] == "#")
  }

  init(_ scalars: ArraySlice<Unicode.Scalar>) {
    self.scalars = scalars
    var index = scalars.startIndex
    while index < scalars.endIndex, scalars[index] == " " { index += 1 }
    if index < scalars.endIndex, scalars[index] == "-",
      index + 1 == scalars.endIndex || scalars[index + 1] == " "
    {
      dashColumn = index - scalars.startIndex
      index += 1
      while index < scalars.endIndex, scalars[index] == " " { index += 1 }
    }
    contentColumn = index - scalars.startIndex
    guard index < scalars.endIndex, !["{", "[", "#"].contains(scalars[index]) else { return }
    var end = index
    let quote: Unicode.Scalar? = ["\"", "'"].contains(scalars[index]) ? scalars[index] : nil
    if let quote {
      end += 1
      while end < scalars.endIndex, scalars[end] != quote { end += 1 }
      end = min(end + 1, scalars.endIndex)
    }
    while end < scalars.endIndex, !isColon(end) { end += 1 }
    guard end < scalars.endIndex else { return }
    key = text(index..<end)
  }

  /// Whether a colon that ends a key stands at a place.
  private func isColon(_ index: Int) -> Bool {
    scalars[index] == ":"
      && (index + 1 == scalars.endIndex || [" ", ",", "}"].contains(scalars[index + 1]))
  }

  /// A part without the spaces and the quotes around it.
  func text(_ range: Range<Int>) -> String {
    var part = scalars[range]
    while let first = part.first, [" ", "\"", "'"].contains(first) { part.removeFirst() }
    while let last = part.last, [" ", "\"", "'"].contains(last) { part.removeLast() }
    return String(String.UnicodeScalarView(part))
  }

  /// What a place of the line is in, beside what stands above the line.
  struct Level {
    var path: [ManifestCursor.Step] = []
    var role = ManifestCursor.Role.key
    /// Where the word at the place may begin at the earliest.
    var start: Int
    var siblings: Set<String> = []
    var isFlow = false
    var isComment = false
  }

  /// A bracket that is open at a place.
  private struct Bracket {
    var isMapping: Bool
    var key: String?
    var start: Int
    var siblings: Set<String> = []
  }

  func level(at offset: Int) -> Level {
    let first = scalars.startIndex + contentColumn
    var open: [Bracket] = []
    var blockKey: String?
    var start = first
    var index = first
    var quote: Unicode.Scalar?
    while index < offset {
      let scalar = scalars[index]
      if let end = quote {
        if scalar == end { quote = nil }
      } else if scalar == "\"" || scalar == "'" {
        if text(start..<index).isEmpty { quote = scalar }
      } else if scalar == "#", index == scalars.startIndex || scalars[index - 1] == " " {
        return Level(start: index, isComment: true)
      } else if scalar == "{" || scalar == "[" {
        // Behind other text a bracket belongs to that: a type, an expression.
        if text(start..<index).isEmpty {
          open.append(Bracket(isMapping: scalar == "{", start: index + 1))
          start = index + 1
        }
      } else if scalar == "}" || scalar == "]" {
        if !open.isEmpty { open.removeLast() }
        start = index + 1
      } else if scalar == ",", !open.isEmpty {
        open[open.count - 1].key = nil
        start = index + 1
      } else if isColon(index) {
        let key = text(start..<index)
        if !open.isEmpty {
          open[open.count - 1].key = key
          open[open.count - 1].siblings.insert(key)
          start = index + 1
        } else if blockKey == nil {
          blockKey = key
          start = index + 1
        }
      }
      index += 1
    }
    var level = Level(start: start)
    guard !open.isEmpty else {
      level.role = blockKey.map { .value($0) } ?? (isItem && key == nil ? .item : .key)
      return level
    }
    level.isFlow = true
    if let blockKey { level.path.append(.key(blockKey)) }
    for (place, bracket) in open.enumerated() {
      if place > 0, let key = open[place - 1].key { level.path.append(.key(key)) }
      if place > 0, !open[place - 1].isMapping { level.path.append(.item) }
      guard place == open.count - 1 else { continue }
      level.role =
        bracket.isMapping ? bracket.key.map { .value($0) } ?? .key : .item
      level.siblings = bracket.siblings.union(keys(from: offset))
    }
    return level
  }

  /// The keys behind a place, up to the bracket that closes what is open there.
  private func keys(from offset: Int) -> Set<String> {
    var keys: Set<String> = []
    var depth = 0
    var start = offset
    var index = offset
    while index < scalars.endIndex, depth >= 0 {
      switch scalars[index] {
      case "{", "[": depth += 1
      case "}", "]": depth -= 1
      case "," where depth == 0: start = index + 1
      case ":" where depth == 0 && isColon(index):
        let key = text(start..<index)
        // The place's own key has its colon behind it.
        if !key.isEmpty { keys.insert(key) }
      default: break
      }
      index += 1
    }
    return keys
  }

  /// The name or text that a place is in or behind.
  func word(around offset: Int, from start: Int) -> Range<Int> {
    func isPart(_ index: Int) -> Bool {
      let scalar = scalars[index]
      return scalar == "_" || scalar == "." || scalar == "-" || scalar.properties.isAlphabetic
        || ("0"..."9").contains(scalar)
    }
    var low = offset
    while low > start, isPart(low - 1) { low -= 1 }
    var high = offset
    while high < scalars.endIndex, isPart(high) { high += 1 }
    return low..<high
  }
}
