internal import RehearsalHarness

/// Why reports are not those of all shards of one rehearsal, and what to do.
package struct MergeFailure: Error, Sendable {
  package let message: String
  package let help: String

  package init(message: String, help: String) {
    self.message = message
    self.help = help
  }
}

extension ConservationReport {
  /// One report of those of all shards, as the undivided rehearsal gives it; its seconds are those of the shard that
  /// took longest.
  ///
  /// - Parameter parts: The reports, each with the name of its file.
  /// - Throws: Where a shard is missing or there twice, or where they are not of one rehearsal.
  package static func merging(
    _ parts: [(file: String, report: ConservationReport)]
  ) throws(MergeFailure) -> ConservationReport {
    guard let first = parts.first else {
      throw MergeFailure(
        message: "there is no report to merge",
        help: "name the files that 'schemagen rehearse --shard 1/8 --report json=FILE' wrote")
    }
    var found: [Int: String] = [:]
    guard let origin = first.report.origin else { throw notAShard(first.file) }
    for (file, report) in parts {
      guard let other = report.origin else { throw notAShard(file) }
      try Self.compare((first.file, origin), (file, other))
      if let twin = found.updateValue(file, forKey: other.shard.number) {
        throw MergeFailure(
          message: "shard \(other.shard) is there twice, in '\(twin)' and in '\(file)'",
          help: "leave one of the files out")
      }
    }
    let missing = (1...origin.shard.count).filter { found[$0] == nil }
    guard missing.isEmpty else {
      let names = missing.map { "\($0)/\(origin.shard.count)" }
      throw MergeFailure(
        message: (names.count == 1 ? "shard " : "shards ") + names.joined(separator: ", ")
          + (names.count == 1 ? " is missing" : " are missing"),
        help: "run 'schemagen rehearse --shard \(names[0]) --report json=FILE' with the same "
          + "options, and name its file too")
    }
    return ConservationReport(joined(parts.map(\.report.result)))
  }

  private static func notAShard(_ file: String) -> MergeFailure {
    MergeFailure(
      message: "'\(file)' is the report of a whole rehearsal, not of a shard of one",
      help: "leave it out, or rehearse with '--shard'")
  }

  private static func compare(
    _ first: (file: String, origin: ShardOrigin), _ other: (file: String, origin: ShardOrigin)
  ) throws(MergeFailure) {
    let files = "'\(first.file)' and '\(other.file)'"
    if first.origin.shard.count != other.origin.shard.count {
      throw MergeFailure(
        message: "\(files) are shards \(first.origin.shard) and \(other.origin.shard)",
        help: "merge the shards of one division: remove reports of earlier runs")
    }
    if first.origin.tool != other.origin.tool {
      throw MergeFailure(
        message:
          "\(files) are by schemagen \(first.origin.tool) and schemagen \(other.origin.tool)",
        help: "rehearse all shards with the same version of schemagen")
    }
    if first.origin.history != other.origin.history {
      throw MergeFailure(
        message: "\(files) have rehearsed different manifests, code or options",
        help: "rehearse all shards of the same commit and with the same options")
    }
    if first.origin.stores != other.origin.stores {
      throw MergeFailure(
        message: "\(files) have rehearsed different stores",
        help: "give all shards the same folder of stores")
    }
  }

  /// Everything in the order in which one run gives it.
  private static func joined(_ parts: [RehearsalResult]) -> RehearsalResult {
    let names = parts[0].versions
    let places = Dictionary(zip(names, names.indices)) { first, _ in first }
    func place(_ from: String, _ to: String) -> [Int] { [places[from] ?? 0, places[to] ?? 0] }
    var limits: [String] = []
    for limit in parts.flatMap(\.limits) where !limits.contains(limit) { limits.append(limit) }
    return RehearsalResult(
      versions: names,
      paths: parts.flatMap(\.paths).sorted { one, other in
        // Paths of the plan's rows come first.
        if one.store != other.store { return (one.store ?? "") < (other.store ?? "") }
        return place(one.from, one.to).lexicographicallyPrecedes(place(other.from, other.to))
      },
      kills: parts.flatMap(\.kills).sorted { one, other in
        let (one, other) = (place(one.from, one.to), place(other.from, other.to))
        // The whole way comes last.
        func key(_ place: [Int]) -> [Int] { [place[1] - place[0] > 1 ? 1 : 0] + place }
        return key(one).lexicographicallyPrecedes(key(other))
      },
      stores: parts[0].stores == nil
        ? nil : parts.flatMap { $0.stores ?? [] }.sorted { $0.store < $1.store },
      limits: limits, seconds: parts.map(\.seconds).max() ?? 0)
  }
}
