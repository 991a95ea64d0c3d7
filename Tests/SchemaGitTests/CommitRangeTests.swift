import Testing

@testable import SchemaGit

/// Commits that belong together, and the tags around them.
@Suite struct CommitRangeTests {
  /// The commits 0 – 1 – 2 – 4 – 5, and 1 – 3 – 4.
  private let history = CommitHistory(
    [[], [0], [1], [1], [2, 3], [4]].enumerated().map { place, parents in
      CommitHistory.Commit(id: "\(place)", parents: parents)
    }, tags: [0: ["v1"], 1: ["v2"], 5: ["v3"]])

  @Test("Consecutive commits form one range, with the nearest tags on either side")
  func neighbours() {
    let ranges = history.ranges(of: [2, 4])
    #expect(
      ranges == [
        CommitRange(first: [2], last: [4], places: [2, 4], tags: [], before: ["v2"], after: ["v3"])
      ])
  }

  @Test("Commits on two branches form one range with their merge, and two ranges without it")
  func lines() {
    #expect(history.ranges(of: [2, 3, 4]).map(\.places) == [[2, 3, 4]])
    #expect(history.ranges(of: [2, 3, 4])[0].first == [2, 3])
    let apart = history.ranges(of: [2, 3])
    #expect(apart.map(\.last) == [[3], [2]])
    #expect(apart.allSatisfy { $0.before == ["v2"] && $0.after == ["v3"] })
  }

  @Test("A tag inside a commit range belongs to it, and on either side only the nearest tag counts")
  func tags() {
    let range = history.ranges(of: [1])[0]
    #expect(range.tags == ["v2"] && range.before == ["v1"] && range.after == ["v3"])
    #expect(history.ranges(of: [5])[0].before == ["v2"])
    #expect(history.ranges(of: [0])[0].after == ["v2"])
  }
}
