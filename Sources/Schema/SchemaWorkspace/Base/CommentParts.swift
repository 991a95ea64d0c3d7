/// The parts of a text that must not become too long: as much of them as fits, what matters most first.
struct CommentParts {
  /// What a part's items are, for saying how many were left out.
  enum Kind: CaseIterable {
    case verdict, error, store, change, plan, diagram, finding, edit

    var names: (one: String, several: String) {
      switch self {
      case .verdict: ("verdict", "verdicts")
      case .error: ("error", "errors")
      case .store: ("line about stores", "lines about stores")
      case .change: ("change", "changes")
      case .plan: ("migration plan", "migration plans")
      case .diagram: ("diagram", "diagrams")
      case .finding: ("finding", "findings")
      case .edit: ("edit of a draft", "edits of drafts")
      }
    }
  }

  struct Item {
    /// Items of a lower rank are taken first.
    var rank: Int
    var text: String
  }

  /// A stretch of text with a beginning and an end that are there if one of its items is.
  struct Part {
    var kind: Kind
    var opening = ""
    var items: [Item]
    var closing = ""
    /// How many more there would be if they could be shown at all.
    var impossible = 0
  }

  private(set) var parts: [Part] = []

  mutating func add(_ part: Part) {
    if !part.items.isEmpty || part.impossible > 0 { parts.append(part) }
  }

  mutating func add(
    _ kind: Kind, rank: Int, _ opening: String = "", _ items: [String], _ closing: String = ""
  ) {
    add(
      Part(
        kind: kind, opening: opening, items: items.map { Item(rank: rank, text: $0) },
        closing: closing))
  }

  /// What did not fit of one kind.
  struct Left {
    var kind: Kind
    /// `2310 of 2400 changes`.
    var words: String
  }

  /// The parts, each followed by an empty line, and what did not fit.
  ///
  /// - Parameter limit: In bytes of UTF-8, of which no text has fewer than UTF-16 units or characters.
  func fit(_ limit: Int) -> (texts: [String], left: [Left]) {
    var order: [(rank: Int, part: Int, item: Int)] = []
    for (index, part) in parts.enumerated() {
      order += part.items.indices.map { (part.items[$0].rank, index, $0) }
    }
    order.sort { ($0.rank, $0.part, $0.item) < ($1.rank, $1.part, $1.item) }
    var rest = limit
    var taken = parts.map { _ in Set<Int>() }
    var isFull = parts.map { _ in false }
    for (_, index, item) in order where !isFull[index] {
      let part = parts[index]
      let frame = taken[index].isEmpty ? part.opening.utf8.count + part.closing.utf8.count + 1 : 0
      let size = frame + part.items[item].text.utf8.count
      if size > rest {
        // Nothing that matters less takes the place of what is missing.
        isFull[index] = true
      } else {
        rest -= size
        taken[index].insert(item)
      }
    }
    let texts = zip(parts, taken).filter { !$0.1.isEmpty }.map { part, taken in
      part.opening + taken.sorted().map { part.items[$0].text }.joined() + part.closing + "\n"
    }
    let left = Kind.allCases.compactMap { kind -> Left? in
      let ofKind = zip(parts, taken).filter { $0.0.kind == kind }
      let total = ofKind.reduce(0) { $0 + $1.0.items.count + $1.0.impossible }
      let shown = ofKind.reduce(0) { $0 + $1.1.count }
      guard shown < total else { return nil }
      let name = total == 1 ? kind.names.one : kind.names.several
      let isAll = shown == 0 && total == 1
      return Left(kind: kind, words: isAll ? "the \(name)" : "\(total - shown) of \(total) \(name)")
    }
    return (texts, left)
  }
}

extension String {
  /// At most so many bytes of it, with a sign where something was cut off.
  func shortened(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var result = ""
    var size = 0
    for scalar in unicodeScalars {
      size += UTF8.width(scalar)
      guard size <= limit else { break }
      result.unicodeScalars.append(scalar)
    }
    return result + "…"
  }
}
