internal import ManagedModels

/// What is known of an entity beside its hash, which keeps the search for what it was short.
struct EntityHints: Sendable {
  /// Properties that the entity has in some version.
  var parts: [EntityPart] = []
  /// What properties are called in any version.
  var names: Set<String> = []
  /// The words of those names and of others that properties often have, in small letters.
  var words = NameWords()
  /// Hash modifiers that some version has.
  var modifiers: Set<String> = []
  /// Entities that relationships may lead to.
  var destinations: [String] = []
  /// Relationships by the entity that they lead to, as `owner` and `name`: what an inverse may be.
  var inverses: [String: [(owner: String, name: String)]] = [:]
  /// What tables tell; nil where they are not known, or shared with other entities.
  var columns: Columns?

  /// What the store's own table tells.
  struct Columns: Sendable {
    /// Declared types by name, `ZNAME`.
    var types: [String: String] = [:]
    /// The columns of each uniqueness constraint.
    var uniques: [[String]] = []
    /// To-many relationships that other tables tell of.
    var links: [Link] = []
  }

  /// A to-many relationship of which there is a trace.
  struct Link: Sendable {
    /// In capitals; nil where only the other end is known.
    var name: String?
    var destination: String
    /// In capitals; nil where there is no inverse.
    var inverse: String?
  }

  /// Beyond so many there are too many ways to make four words of a name.
  private static let mostLettersOfFourWords = 24

  /// What a name in capitals may have been in Swift, the likeliest first; each with how far it is guessed.
  func spellings(of capitals: String) -> [(name: String, rank: Int)] {
    let known = names.filter { $0.uppercased() == capitals }.sorted()
    var found = known.map { (name: $0, rank: 0) }
    found += words.spellings(of: capitals.lowercased())
    let letters = Array(capitals.lowercased())
    func spelling(_ raised: [Int]) -> String {
      String(
        letters.enumerated().flatMap { raised.contains($0) ? Array($1.uppercased()) : [$1] })
    }
    found.append((spelling([]), 0))
    // Longer ones would take all the time that there is.
    guard letters.count <= 40 else { return found }
    for one in letters.indices.dropFirst() { found.append((spelling([one]), 1)) }
    for one in letters.indices.dropFirst() {
      for two in letters.indices.dropFirst(one + 1) { found.append((spelling([one, two]), 2)) }
    }
    if letters.count <= Self.mostLettersOfFourWords {
      for one in letters.indices.dropFirst(2) {
        for two in letters.indices.dropFirst(one + 2) {
          for three in letters.indices.dropFirst(two + 2) {
            found.append((spelling([one, two, three]), 3))
          }
        }
      }
    }
    var seen: Set<String> = []
    return found.filter { seen.insert($0.name).inserted && $0.name.uppercased() == capitals }
  }
}

extension ManagedAttribute {
  /// The value that an enum with raw values has.
  static func rawEnum(_ name: String, _ type: AttributeType) -> ManagedAttribute {
    ManagedAttribute(
      name: name, type: .composite,
      elements: [ManagedAttribute(name: name, type: type, isOptional: true)])
  }
}
