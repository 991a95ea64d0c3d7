internal import SchemaModel

/// The parts of a text that must not become too long: as much of them as fits, what matters most first.
struct CommentParts {
  struct Item {
    /// Items of a lower rank are taken first.
    var rank: Int
    var text: String
  }

  /// A stretch of text with a beginning and an end that are there if one of its items is.
  private struct Part {
    /// What its items are, for saying how many were left out.
    var noun: String
    var opening: String
    var items: [Item]
    var closing: String
    var taken: Set<Int> = []
    /// Nothing that matters less takes the place of what is missing.
    var isFull = false
  }

  private var parts: [Part] = []

  mutating func add(
    _ noun: String, _ opening: String, _ items: [Item], _ closing: String = ""
  ) {
    guard !items.isEmpty else { return }
    parts.append(Part(noun: noun, opening: opening, items: items, closing: closing))
  }

  /// The parts, each followed by an empty line, and in words what did not fit: `2310 of 2400 changes`.
  ///
  /// - Parameter limit: In bytes of UTF-8, of which no text has fewer than UTF-16 units or characters.
  func fit(_ limit: Int) -> (texts: [String], left: [String]) {
    var parts = parts
    let order = parts.indices.flatMap { part in
      parts[part].items.indices.map { (parts[part].items[$0].rank, part, $0) }
    }
    var rest = limit
    for (_, index, item) in order.sorted(by: <) where !parts[index].isFull {
      let part = parts[index]
      let frame = part.taken.isEmpty ? part.opening.utf8.count + part.closing.utf8.count + 1 : 0
      let size = frame + part.items[item].text.utf8.count
      parts[index].isFull = size > rest
      guard size <= rest else { continue }
      rest -= size
      parts[index].taken.insert(item)
    }
    let texts = parts.filter { !$0.taken.isEmpty }.map { part in
      part.opening + part.taken.sorted().map { part.items[$0].text }.joined() + part.closing + "\n"
    }
    var nouns: [String] = []
    for part in parts where !nouns.contains(part.noun) { nouns.append(part.noun) }
    let left = nouns.compactMap { noun -> String? in
      let all = parts.filter { $0.noun == noun }
      let total = all.reduce(0) { $0 + $1.items.count }
      let missing = total - all.reduce(0) { $0 + $1.taken.count }
      return missing == 0 ? nil : "\(missing) of \(counted(total, noun))"
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
