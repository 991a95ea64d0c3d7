internal import SchemaModel

/// A document with a size limit. It contains the most important items, and says how many are left out.
package struct FittedDocument {
  /// A part of the document that is included if at least one of its items is.
  private struct Part {
    var noun: String
    /// The priority of each item: a lower rank is taken first.
    var ranks: [Int]
    var document: ([Int]) -> Document
  }

  private var parts: [Part] = []

  package init() {}

  /// - Parameter document: Makes the part from some of its items, in their order.
  package mutating func add<Item>(
    _ noun: String, _ items: [(rank: Int, item: Item)], _ document: @escaping ([Item]) -> Document
  ) {
    parts.append(
      Part(noun: noun, ranks: items.map(\.rank)) { taken in document(taken.map { items[$0].item }) }
    )
  }

  /// The document as Markdown with as many items as fit, by rank and then in order.
  ///
  /// - Parameters:
  ///   - limit: The limit in bytes of UTF-8, which is never less than the number of UTF-16 units or characters.
  ///   - whole: Makes the document from its parts, and from descriptions of what did not fit: `2310 of 2400 changes`. A
  ///     part without items is empty.
  package func markdown(
    _ limit: Int, _ whole: (_ parts: [Document], _ left: [String]) -> Document
  ) -> String {
    let order = parts.indices.flatMap { part in
      parts[part].ranks.enumerated().map { (rank: $1, part: part, item: $0) }
    }.sorted { ($0.rank, $0.part, $0.item) < ($1.rank, $1.part, $1.item) }

    func text(_ count: Int) -> String {
      var taken = parts.map { _ in [Int]() }
      for entry in order.prefix(count) { taken[entry.part].append(entry.item) }
      let documents = zip(parts, taken).map { $1.isEmpty ? [] : $0.document($1.sorted()) }
      return whole(documents, left(taken)).markdown
    }

    // The number doubles each time, since of very many items only the first few fit.
    var (fitting, tooMany) = (0, 64)
    while fitting < order.count, text(min(tooMany, order.count)).utf8.count <= limit {
      fitting = min(tooMany, order.count)
      tooMany *= 2
    }
    while fitting < order.count, tooMany - fitting > 1 {
      let middle = (fitting + tooMany) / 2
      if text(middle).utf8.count <= limit { fitting = middle } else { tooMany = middle }
    }
    return text(fitting)
  }

  private func left(_ taken: [[Int]]) -> [String] {
    var counts: [(noun: String, all: Int, taken: Int)] = []
    for (part, taken) in zip(parts, taken) {
      let place = counts.firstIndex { $0.noun == part.noun } ?? counts.count
      if place == counts.count { counts.append((part.noun, 0, 0)) }
      counts[place].all += part.ranks.count
      counts[place].taken += taken.count
    }
    return counts.filter { $0.taken < $0.all }.map {
      "\($0.all - $0.taken) of \(counted($0.all, $0.noun))"
    }
  }
}
