internal import SchemaProcesses

/// Reads the contents of a history's files, many at once.
package struct CommitContents: Sendable {
  private let git: GitProcess
  private let ids: [String]
  package enum Finding {
    case bytes([UInt8])
    case missing
    case tooLarge
  }

  /// The size in bytes above which a file is not read: hand-written files are smaller.
  package static let limit = 4 * 1024 * 1024
  /// The number of bytes to read at once.
  private static let portion = 64 * 1024 * 1024

  package init(_ repository: GitRepository, _ history: CommitHistory) {
    git = repository.git
    ids = history.blobs
  }

  /// Reads contents by their indices in `blobs`, in ascending order, and passes each result to the closure.
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
