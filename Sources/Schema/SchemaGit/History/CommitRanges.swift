/// Connected commits of a history: each is the parent or the child of another commit in the range.
package struct CommitRange: Sendable, Equatable {
  /// The commits without a parent in the range.
  package var first: [Int]
  /// The commits without a child in the range.
  package var last: [Int]
  /// The indices of all commits in the range, parents first.
  package var places: [Int]
  package var tags: [String]
  /// The nearest tags before the range.
  package var before: [String]
  /// The nearest tags after the range.
  package var after: [String]
}

extension CommitHistory {
  /// Groups commits into ranges, the newest first.
  ///
  /// - Parameter most: The number of ranges whose surrounding tags are searched. Further ranges get no tags.
  package func ranges(of members: Set<Int>, most: Int = 50) -> [CommitRange] {
    /// For each commit, the first commit that it is connected with.
    var range: [Int: Int] = [:]
    var hasChild: Set<Int> = []
    let ordered = members.sorted()
    for place in ordered {
      let parents = commits[place].parents.filter(members.contains)
      hasChild.formUnion(parents)
      let joined = Set(parents.compactMap { range[$0] })
      let one = joined.min() ?? place
      range[place] = one
      guard joined.count > 1 else { continue }
      for (other, root) in range where joined.contains(root) { range[other] = one }
    }
    let groups = Dictionary(grouping: ordered) { range[$0] ?? $0 }
    let newest = groups.values.sorted { ($0.last ?? 0) > ($1.last ?? 0) }
    let children = newest.isEmpty ? [] : childrenOfAll
    return newest.enumerated().map { number, places in
      let isShown = number < most
      return CommitRange(
        first: places.filter { !commits[$0].parents.contains(where: members.contains) },
        last: places.filter { !hasChild.contains($0) }, places: places,
        tags: places.flatMap { tags[$0] ?? [] },
        before: isShown ? nearestTags(places) { commits[$0].parents } : [],
        after: isShown ? nearestTags(places) { children[$0] } : [])
    }
  }

  private var childrenOfAll: [[Int]] {
    var children = Array(repeating: [Int](), count: commits.count)
    for (place, commit) in commits.enumerated() {
      for parent in commit.parents { children[parent].append(place) }
    }
    return children
  }

  /// The first tags reached from commits in one direction, without those reached only through another tag.
  private func nearestTags(_ places: [Int], _ next: (Int) -> [Int]) -> [String] {
    guard !tags.isEmpty else { return [] }
    var found: Set<Int> = []
    var seen = Set(places)
    var open = places.flatMap(next)
    while let place = open.popLast() {
      guard seen.insert(place).inserted else { continue }
      if tags[place] != nil { found.insert(place) } else { open += next(place) }
    }
    // Another way may lead past a tag to the tags behind it, which are not the nearest.
    var behind: Set<Int> = []
    open = found.flatMap(next)
    while let place = open.popLast() {
      if behind.insert(place).inserted { open += next(place) }
    }
    return found.subtracting(behind).sorted().flatMap { tags[$0] ?? [] }
  }
}
