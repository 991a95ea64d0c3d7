internal import SchemaModel

/// Finds elements that may be the same under two names. It only suggests renames.
struct RenameFinder {
  /// A pair with a lower score is not suggested.
  static let threshold = 0.5

  let old: StorageTypes
  let new: StorageTypes

  struct Candidate<Element> {
    var element: Element
    /// From 0 (nothing in common) to 1 (the same except for the name).
    var score: Double
  }

  func candidates(
    for removed: Property, among added: [Property]
  ) -> [Candidate<Property>] {
    best(added.map { Candidate(element: $0, score: score(removed, $0)) }) { $0.name }
  }

  func candidates(for removed: Model, among added: [Model]) -> [Candidate<Model>] {
    best(added.map { Candidate(element: $0, score: score(removed, $0)) }) { $0.name }
  }

  private func best<Element>(
    _ candidates: [Candidate<Element>], name: (Element) -> String
  ) -> [Candidate<Element>] {
    let sorted = candidates.filter { $0.score >= Self.threshold }
      .sorted { ($1.score, name($0.element)) < ($0.score, name($1.element)) }
    return Array(sorted.prefix(3))
  }

  func score(_ removed: Property, _ added: Property) -> Double {
    let name = Self.similarity(removed.name, added.name)
    let type: Double
    switch (removed.kind, added.kind) {
    case (.attribute(let was), .attribute(let now)):
      type = score(was, now)
    case (.relationship(let was), .relationship(let now)):
      type = was.destination == now.destination ? (was.cardinality == now.cardinality ? 1 : 0.7) : 0
    default: type = 0
    }
    // If the names are dissimilar, the type says little, because most properties are strings.
    return name < 0.3 ? 0.45 * type : 0.6 * name + 0.4 * type
  }

  private func score(_ was: Attribute, _ now: Attribute) -> Double {
    if was.type == now.type { return 1 }
    let before = old.storage(of: was.type, transformable: was.transformer != nil)
    let after = new.storage(of: now.type, transformable: now.transformer != nil)
    if before == after { return 0.8 }
    if let before = before.primitive, let after = after.primitive,
      before.isNumeric, after.isNumeric
    {
      return 0.5
    }
    return 0.1
  }

  func score(_ removed: Model, _ added: Model) -> Double {
    let was = Set(removed.properties.map { "\($0.name): \($0.type.unwrapped)" })
    let now = Set(added.properties.map { "\($0.name): \($0.type.unwrapped)" })
    let all = was.union(now).count
    let shared = all == 0 ? 0 : Double(was.intersection(now).count) / Double(all)
    return 0.4 * Self.similarity(removed.name, added.name) + 0.6 * shared
  }

  /// The similarity of two names, from 0 to 1. It is the best of three measures: common words, common letters, and
  /// whether one name contains the other.
  static func similarity(_ lhs: String, _ rhs: String) -> Double {
    let left = words(lhs)
    let right = words(rhs)
    let shared = Set(left).intersection(right).count
    let byWords = 2 * Double(shared) / Double(max(1, left.count + right.count))
    let a = Array(lhs.lowercased().unicodeScalars)
    let b = Array(rhs.lowercased().unicodeScalars)
    let byLetters = 1 - Double(Suggestion.distance(a, b)) / Double(max(1, a.count, b.count))
    let contains =
      min(a.count, b.count) >= 4
      && (lhs.lowercased().contains(rhs.lowercased())
        || rhs.lowercased().contains(lhs.lowercased()))
    return max(byWords, byLetters, contains ? 0.85 : 0)
  }

  /// The words of a name in camel case or snake case, lower-cased.
  static func words(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    for character in name {
      if character == "_" || (character.isUppercase && !(word.last?.isUppercase ?? true)) {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if character != "_" { word.append(character) }
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words
  }
}
