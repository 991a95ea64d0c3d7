package import SchemaModel

/// A YAML file as nodes with comments, which can be edited as a value and printed.
package struct YAMLDocument: Sendable {
  package internal(set) var root: YAMLNode
  private(set) var header: [String] = []
  private(set) var footer: [String] = []
  private let breaksLinesWithCR: Bool

  /// Reads a file; nil if it is not one mapping in valid YAML.
  package init?(_ file: SourceFile, without removed: [SourceLocation] = []) {
    let (root, diagnostics) = YAMLReader.read(file)
    guard var root, diagnostics.isEmpty, case .mapping = root.content else { return nil }
    breaksLinesWithCR = file.text.contains("\r\n")
    let lines = root.lines
    var comments: [Int: [String]] = [:]
    var place = 0
    for comment in YAMLComments.beginning(with: "", in: file)
    where !removed.contains(comment.location) {
      guard let first = lines.first, let subject = comment.subject else {
        footer.append(comment.text)
        continue
      }
      guard !comment.isAlone || comment.location.line > first else {
        header.append(comment.text)
        continue
      }
      while place + 1 < lines.count, lines[place + 1] <= subject { place += 1 }
      comments[lines[place], default: []].append(comment.text)
    }
    root.take(&comments, Self.linesApart(file.text))
    self.root = root
  }

  package var text: String {
    guard case .mapping(let entries, _) = ManifestValue(root) else { return "" }
    return text(entries)
  }

  package func removingComments(where isRemoved: (String) -> Bool) -> YAMLDocument {
    var copy = self
    copy.header.removeAll(where: isRemoved)
    copy.footer.removeAll(where: isRemoved)
    copy.root.removeComments(where: isRemoved)
    return copy
  }

  func text(_ entries: [ManifestEntry], below top: [String] = [], above bottom: [String] = [])
    -> String
  {
    var entries = entries
    // Comments above the first key become the header when the text is read.
    let first = entries.first?.comments ?? []
    if !entries.isEmpty { entries[0].comments = [] }
    var layout = ManifestLayout()
    layout.add(comments: header + first + top)
    layout.add(entries)
    layout.add(comments: bottom + footer)
    return breaksLinesWithCR ? layout.text.replacing("\n", with: "\r\n") : layout.text
  }

  /// The lines that follow a blank line, directly or after comments.
  private static func linesApart(_ text: String) -> Set<Int> {
    var apart: Set<Int> = []
    var isApart = false
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let first = line.first { !$0.isWhitespace }
      if first == nil { isApart = true }
      guard let first, first != "#" else { continue }
      if isApart { apart.insert(index + 1) }
      isApart = false
    }
    return apart
  }
}

extension YAMLNode {
  fileprivate var lines: [Int] {
    entries.flatMap { [$0.keyLocation.line] + $0.value.lines }
      + items.flatMap { [$0.location.line] + $0.lines }
  }

  /// Assigns comments to the outermost keys and items that begin at the comments' lines.
  fileprivate mutating func take(_ comments: inout [Int: [String]], _ apart: Set<Int>) {
    switch content {
    case .mapping(var entries):
      for index in entries.indices {
        let line = entries[index].keyLocation.line
        entries[index].value.comments = comments.removeValue(forKey: line) ?? []
        entries[index].value.isApart = apart.contains(line)
        entries[index].value.take(&comments, apart)
      }
      content = .mapping(entries)
    case .sequence(var items):
      for index in items.indices {
        items[index].comments = comments.removeValue(forKey: items[index].location.line) ?? []
        items[index].take(&comments, apart)
      }
      content = .sequence(items)
    case .scalar: break
    }
  }

  mutating func removeComments(where isRemoved: (String) -> Bool) {
    comments.removeAll(where: isRemoved)
    switch content {
    case .mapping(var entries):
      for index in entries.indices { entries[index].value.removeComments(where: isRemoved) }
      content = .mapping(entries)
    case .sequence(var items):
      for index in items.indices { items[index].removeComments(where: isRemoved) }
      content = .sequence(items)
    case .scalar: break
    }
  }

  var allComments: [String] {
    comments + entries.flatMap(\.value.allComments) + items.flatMap(\.allComments)
  }
}

// MARK: Printing

extension ManifestValue {
  init(_ node: YAMLNode) {
    switch node.content {
    case .scalar(let scalar):
      var lines = scalar.text[...]
      if scalar.style == .block { while lines.last == "\n" { lines.removeLast() } }
      // The first line determines a block's indentation, and a line break ends the block.
      let isBlock = scalar.style == .block && lines.first?.isWhitespace == false
      self =
        scalar.style == .plain || lines.contains("\n") && !isBlock
        ? .source(scalar.text) : .text(String(lines))
    case .sequence(let items):
      let comments = items.enumerated().map { ($0.offset, $0.element.comments) }
      self = .list(
        items.map(Self.init),
        comments: Dictionary(uniqueKeysWithValues: comments.filter { !$0.1.isEmpty }))
    case .mapping(let entries):
      // A length of 1 means that the mapping spans several lines, so each entry gets a line of its own.
      self = .mapping(
        entries.map { entry in
          var printed = ManifestEntry(entry.key, ManifestValue(entry.value))
          printed.comments = entry.value.comments
          printed.isApart = entry.value.isApart
          return printed
        }, most: node.location.length > 1 ? .max : 0)
    }
  }

  /// Takes the comments of a node with the same or similar contents. Returns the comments that fit no entry or item.
  mutating func take(commentsIn node: YAMLNode) -> [String] {
    switch (self, node.content) {
    case (.mapping(var entries, let most), .mapping(let known)):
      let left = entries.take(commentsIn: known)
      self = .mapping(entries, most: most)
      return left
    case (.list(var items, var comments), .sequence(let known)):
      var left: [String] = []
      for (index, node) in known.enumerated() where !node.allComments.isEmpty {
        let words = ManifestValue(node).words
        guard
          let place = items.firstIndex(where: { $0.words == words })
            ?? (items.count == known.count ? index : nil)
        else {
          left += node.allComments
          continue
        }
        comments[place, default: []] += node.comments + items[place].take(commentsIn: node)
      }
      comments = comments.filter { !$0.value.isEmpty }
      self = .list(items, comments: comments)
      return left
    default: return node.entries.flatMap(\.value.allComments) + node.items.flatMap(\.allComments)
    }
  }

  /// All scalars, for comparisons. The order of a mapping's keys does not matter.
  private var words: [String] {
    switch self {
    case .name(let text), .source(let text), .text(let text): [text]
    case .list(let items, _): items.flatMap(\.words)
    case .mapping(let entries, _): entries.flatMap { [$0.key] + $0.value.words }.sorted()
    }
  }
}

extension [ManifestEntry] {
  mutating func take(commentsIn entries: [YAMLEntry]) -> [String] {
    entries.flatMap { entry -> [String] in
      guard let place = firstIndex(where: { $0.key == entry.key }) else {
        return entry.value.allComments
      }
      self[place].comments +=
        entry.value.comments + self[place].value.take(commentsIn: entry.value)
      return []
    }
  }
}
