import ManagedModels

/// One of the parts into which work is divided over machines, counted from 1: `3/8`.
struct Shard: Codable, Hashable, Sendable, CustomStringConvertible {
  let number: Int
  let count: Int

  /// A matrix of GitHub's has no more jobs; of GitLab's, 200.
  static let most = 256

  /// Why a text names no shard, and what to write.
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  init(_ text: String) throws(Malformed) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    // `Int` would take a sign.
    let numbers = parts.compactMap { $0.allSatisfy { ("0"..."9").contains($0) } ? Int($0) : nil }
    guard parts.count == 2, numbers.count == 2 else {
      throw Malformed(description: "write the shard's number and how many there are, such as 3/8")
    }
    guard (1...Self.most).contains(numbers[1]) else {
      throw Malformed(description: "there can be 1 to \(Self.most) shards, not \(parts[1])")
    }
    guard (1...numbers[1]).contains(numbers[0]) else {
      throw Malformed(
        description:
          "the shards of \(numbers[1]) are 1/\(numbers[1]) to \(numbers[1])/\(numbers[1])")
    }
    number = numbers[0]
    count = numbers[1]
  }

  var description: String { "\(number)/\(count)" }

  /// What falls to this shard, in the order given.
  ///
  /// Each unit of work has a list of the shards, in an order that its name alone decides (rendezvous hashing). The
  /// heaviest comes first, and each takes the first shard of its list that is not full. A shard is full at its even
  /// share, or at the heaviest unit where that is more; a unit that fits in none goes to the one with the least. So all
  /// shards get much the same, and with one unit more few others move.
  ///
  /// - Parameters:
  ///   - name: Distinct for each unit.
  ///   - weight: How much work it is, from 1.
  func share<Unit>(
    of units: [Unit], named name: (Unit) -> String, weight: (Unit) -> Int = { _ in 1 }
  ) -> [Unit] {
    let weights = units.map(weight)
    let names = units.map(name)
    let even = (weights.reduce(0, +) + count - 1) / count
    let room = max(even, weights.max() ?? 0)
    var loads = Array(repeating: 0, count: count)
    var mine: Set<Int> = []
    let lists = names.map { name in
      (1...count).map { (shard: $0, rank: SHA256.hash("\($0)\n\(name)")) }
        .sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.shard)
    }
    let order = units.indices.sorted {
      weights[$0] == weights[$1] ? names[$0] < names[$1] : weights[$0] > weights[$1]
    }
    for unit in order {
      let list = lists[unit]
      let shard =
        list.first { loads[$0 - 1] + weights[unit] <= room }
        ?? list.min { loads[$0 - 1] < loads[$1 - 1] } ?? 1
      loads[shard - 1] += weights[unit]
      if shard == number { mine.insert(unit) }
    }
    return units.indices.filter(mine.contains).map { units[$0] }
  }
}
