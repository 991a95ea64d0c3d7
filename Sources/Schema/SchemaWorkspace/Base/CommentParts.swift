internal import SchemaModel

/// Fits the parts of a text into a limit, the most important first.
struct CommentParts {
  struct Item {
    /// The priority: items of a lower rank are taken first.
    var rank: Int
    var text: String
  }

  /// A stretch of text whose beginning and end appear if one of its items does.
  private struct Part {
    /// The noun for its items, for counting those left out.
    var noun: String
    var opening: String
    var items: [Item]
    var closing: String
    var taken: Set<Int> = []
    /// Whether something was left out, so that nothing less important takes its place.
    var isFull = false
  }

  private var parts: [Part] = []

  mutating func add(
    _ noun: String, _ opening: String, _ items: [Item], _ closing: String = ""
  ) {
    guard !items.isEmpty else { return }
    parts.append(Part(noun: noun, opening: opening, items: items, closing: closing))
  }

  /// The parts, each followed by an empty line, and descriptions of what did not fit: `2310 of 2400 changes`.
  ///
  /// - Parameter limit: The limit in bytes of UTF-8; no text has more UTF-16 units or characters.
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
  /// At most `limit` bytes of it, with a sign if something was cut off.
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
