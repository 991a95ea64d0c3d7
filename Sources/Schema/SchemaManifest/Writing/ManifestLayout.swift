internal import SchemaModel

/// Lays out entries in one line if they fit, otherwise in a block.
struct ManifestLayout {
  /// The maximum width of a line. A single longer scalar is not broken.
  static let width = 100

  private(set) var text = ""

  mutating func add(comments: [String], indent: Int = 0) {
    for comment in comments {
      for line in comment.manifestLines {
        addLine(line.isEmpty || line.hasPrefix("#") ? "#\(line)" : "# \(line)", indent: indent)
      }
    }
  }

  mutating func add(_ entries: [ManifestEntry], indent: Int = 0) {
    for (index, entry) in entries.enumerated() {
      if entry.isApart, index > 0 { text += "\n" }
      add(comments: entry.comments, indent: indent)
      add(entry.value, head: Self.key(entry.key) + ":", indent: indent)
    }
  }

  private mutating func add(_ value: ManifestValue, head: String, indent: Int) {
    if case .text(let words) = value, Self.isBlock(words) {
      addLine(head + " |", indent: indent)
      for line in words.manifestLines { addLine(line, indent: indent + 2) }
      return
    }
    if let flow = Self.flow(value, in: .block) {
      let line = flow.isEmpty ? head : "\(head) \(flow)"
      if !value.isCollection || indent + line.unicodeScalars.count <= Self.width {
        return addLine(line, indent: indent)
      }
    }
    guard head == "-" else {
      addLine(head, indent: indent)
      return addBlock(value, indent: indent + 2)
    }
    var rest = ManifestLayout()
    rest.addBlock(value, indent: indent + 2)
    // The dash replaces the end of the first line's indentation.
    text += String(repeating: " ", count: indent) + "- " + rest.text.dropFirst(indent + 2)
  }

  private mutating func addBlock(_ value: ManifestValue, indent: Int) {
    switch value {
    case .mapping(let entries, _): add(entries, indent: indent)
    case .list(let items, let comments):
      for (index, var item) in items.enumerated() {
        add(comments: (comments[index] ?? []) + item.takeFirstComments(), indent: indent)
        add(item, head: "-", indent: indent)
      }
    case .name, .source, .text: break
    }
  }

  private mutating func addLine(_ line: String, indent: Int) {
    if !line.isEmpty { text += String(repeating: " ", count: indent) + line }
    text += "\n"
  }

  // MARK: One line

  /// A value in one line; nil if it needs several lines.
  static func flow(_ value: ManifestValue, in place: YAMLText.Place) -> String? {
    switch value {
    case .name(let text), .source(let text), .text(let text):
      if case .text = value, isBlock(text) { return nil }
      return scalar(value, text, in: place)
    case .list(let items, let comments):
      guard comments.isEmpty, !items.contains(.source("")) else { return nil }
      let flows = items.compactMap { flow($0, in: .flow) }
      return flows.count == items.count ? "[\(flows.joined(separator: ", "))]" : nil
    case .mapping(let entries, let most):
      guard !entries.isEmpty else { return "{}" }
      guard entries.count <= most else { return nil }
      var pairs: [String] = []
      for entry in entries {
        guard entry.comments.isEmpty, let value = flow(entry.value, in: .flow) else { return nil }
        pairs.append("\(key(entry.key)): \(value)")
      }
      return "{ \(pairs.joined(separator: ", ")) }"
    }
  }

  private static func scalar(
    _ value: ManifestValue, _ text: String, in place: YAMLText.Place
  ) -> String {
    // A key without a value.
    if value == .source("") { return "" }
    let isMistaken =
      switch value {
      case .text: YAMLText.looksTyped(text)
      // `true` and numbers need no quotes as expressions; `null` and days do.
      case .source: ["null", "~"].contains(text.lowercased()) || looksLikeDay(text)
      default: YAMLText.isConstant(text)
      }
    return YAMLText.isPlain(text, in: place) && !isMistaken ? text : YAMLText.quoted(text)
  }

  static func key(_ name: String) -> String {
    YAMLText.isPlain(name, in: .flow) && !YAMLText.isConstant(name) ? name : YAMLText.quoted(name)
  }

  private static func looksLikeDay(_ text: String) -> Bool {
    guard let first = text.utf8.first, (48...57).contains(first) else { return false }
    return text.utf8.contains(UInt8(ascii: "-")) || text.utf8.contains(UInt8(ascii: ":"))
  }

  private static func isBlock(_ words: String) -> Bool {
    let scalars = words.unicodeScalars
    return scalars.contains("\n")
      && scalars.allSatisfy { $0 == "\n" || $0 == "\t" || YAMLText.isPrintable($0) }
  }
}

extension ManifestValue {
  /// Removes and returns the comments of a mapping's first entry or a list's first item, which cannot be written after
  /// an item's dash.
  fileprivate mutating func takeFirstComments() -> [String] {
    switch self {
    case .mapping(var entries, let most):
      guard !entries.isEmpty else { return [] }
      let comments = entries[0].comments
      entries[0].comments = []
      self = .mapping(entries, most: most)
      return comments
    case .list(var items, var comments):
      guard !items.isEmpty else { return [] }
      let first = comments.removeValue(forKey: 0) ?? []
      let all = first + items[0].takeFirstComments()
      self = .list(items, comments: comments)
      return all
    case .name, .source, .text: return []
    }
  }

  fileprivate var isCollection: Bool {
    switch self {
    case .list(let items, _): !items.isEmpty
    case .mapping(let entries, _): !entries.isEmpty
    case .name, .source, .text: false
    }
  }
}
