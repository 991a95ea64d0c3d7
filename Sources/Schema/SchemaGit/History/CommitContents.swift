internal import SchemaProcesses

/// Reads the contents of a history's files, many at once.
package struct CommitContents: Sendable {
  private let git: GitProcess
  private let ids: [String]
  /// What was found of a file.
  package enum Finding {
    case bytes([UInt8])
    /// Git does not have it.
    case missing
    /// It is larger than what is read.
    case tooLarge
  }

  /// The most bytes of a file that is read: nobody writes a larger one by hand.
  package static let limit = 4 * 1024 * 1024
  /// How many bytes are read at once.
  private static let portion = 64 * 1024 * 1024

  /// - Parameter history: The history whose `blobs` are read.
  package init(_ repository: GitRepository, _ history: CommitHistory) {
    git = repository.git
    ids = history.blobs
  }

  /// Reads contents by their places, in the order of these.
  ///
  /// - Parameter take: Called with each.
  package func read(
    _ places: some Sequence<Int>, _ take: (Int, Finding) -> Void
  ) throws(GitFailure) {
    let places = places.sorted()
    guard !places.isEmpty else { return }
    let sizes = try git.sizes(of: places.map { ids[$0] })
    var rest = places[...]
    while !rest.isEmpty {
      var bytes = 0
      let now = rest.prefix { place in
        defer { bytes += min(sizes[ids[place]] ?? 0, Self.limit) }
        return bytes < Self.portion
      }
      rest = rest.dropFirst(now.count)
      let wanted = now.map { ids[$0] }.filter { (sizes[$0] ?? .max) <= Self.limit }
      let found = wanted.isEmpty ? [:] : try git.contents(of: wanted)
      for place in now {
        let isThere = sizes[ids[place]] != nil
        take(place, found[ids[place]].map(Finding.bytes) ?? (isThere ? .tooLarge : .missing))
      }
    }
  }
}
