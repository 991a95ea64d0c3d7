internal import SchemaGit
internal import SchemaModel
package import SchemaReporting
internal import SchemaWorkspace
internal import StoreFormat
internal import StoreTools

/// What a trace found, for people and for machines.
package struct TraceReport: Sendable {
  private let trace: StoreTrace

  /// How many ranges, reasons and differences text shows; JSON has all.
  private static let most = 8

  /// A report.
  package init(_ trace: StoreTrace) { self.trace = trace }

  private var facts: StoreFacts { trace.facts }
  private var history: CommitHistory { trace.history }

  // MARK: Text

  /// The answer in one sentence: the last line of the text.
  package var headline: String {
    let name = trace.path.split(separator: "/").last.map(String.init) ?? trace.path
    let store = name.visibleInOneLine
    let count = trace.writers.reduce(0) { $0 + $1.range.count }
    if count > 0 {
      let tags = trace.writers.flatMap(\.range.tags)
      return "\(store): \(counted(count, "commit")) could have written it"
        + (tags.isEmpty ? ", none of them tagged" : ", \(counted(tags.count, "tag")) among them")
    }
    let unclear = trace.unclear.reduce(0) { $0 + $1.range.count }
    return "\(store): no commit is known to have written it"
      + (unclear == 0 ? "" : ", and of \(unclear) it cannot be told")
  }

  /// The report as text.
  package func text(on terminal: TerminalText = .plain) -> String {
    var lines = [trace.path]
    let cells = [
      ["written by", facts.writerWords], ["version", facts.versionWords],
      ["history", historyWords],
    ]
    let columns = TextColumns(cells, on: terminal, indent: 2)
    lines += cells.flatMap { columns.lines($0).map { "  " + $0 } }
    var body = facts.damage.map { "damaged: \($0)" }
    body += sightings
    if !trace.nearest.isEmpty { body += nearest }
    body += today
    body += remarks
    lines += body.flatMap(terminal.lines)
    // Commands are to be copied.
    lines += way
    return lines.map(\.visibleInOneLine).joined(separator: "\n") + "\n"
  }

  private var historyWords: String {
    let tags = history.tags.values.reduce(0) { $0 + $1.count }
    return "\(counted(history.commits.count, "commit")), \(counted(tags, "tag"))"
  }

  private var sightings: [String] {
    var lines = [""]
    let writers = trace.writers
    if writers.isEmpty {
      lines.append("no commit is known to have written it")
    } else {
      let count = writers.reduce(0) { $0 + $1.range.count }
      lines.append("\(counted(count, "commit")) could have written it:")
      lines += shown(writers) { self.lines($0, placed: true) }
    }
    if !trace.unclear.isEmpty {
      lines += ["", "undecided:"]
      lines += shown(trace.unclear) { sighting in
        self.lines(sighting, placed: true) + sighting.reasons.prefix(3).map { "    \($0)" }
      }
    }
    if !trace.knowers.isEmpty {
      lines += ["", "these open the version, and write another one:"]
      lines += shown(trace.knowers) { self.lines($0, placed: false) }
    }
    return lines
  }

  private func shown<Element>(_ elements: [Element], _ lines: (Element) -> [String]) -> [String] {
    var all = elements.prefix(Self.most).flatMap(lines)
    if elements.count > Self.most {
      all.append("  and \(elements.count - Self.most) more ranges: --format json has all")
    }
    return all
  }

  private func lines(_ sighting: StoreTrace.Sighting, placed: Bool) -> [String] {
    var lines = ["  " + words(sighting.range)]
    lines.append("    as \(sighting.names.joined(separator: ", "))")
    if !sighting.range.tags.isEmpty {
      lines.append("    tagged \(sighting.range.tags.joined(separator: ", "))")
    } else if placed {
      lines.append("    " + placeWords(sighting.range))
    }
    if sighting.isReleased { lines.append("    released, as the lock says") }
    return lines
  }

  /// `4f2ac1e9d 2024-02-01 "Add tags" to 9c1b0e7aa 2024-02-05 "Rename": 3 commits`
  private func words(_ range: CommitRange) -> String {
    guard range.count > 1 else { return words(of: range.last) }
    return
      "\(words(of: range.first)) to \(words(of: range.last)): \(counted(range.count, "commit"))"
  }

  private func words(of commits: [Int]) -> String {
    guard let place = commits.last else { return "" }
    let commit = history.commits[place]
    let more = commits.count == 1 ? "" : " and \(commits.count - 1) beside it"
    return "\(history.shortID(place)) \(commit.day) \"\(commit.subject.shortened(to: 40))\"" + more
  }

  private func placeWords(_ range: CommitRange) -> String {
    func listed(_ tags: [String]) -> String {
      tags.count < 4 ? tags.joined(separator: ", ") : "\(tags[0]) and \(tags.count - 1) more tags"
    }
    switch (range.before.isEmpty, range.after.isEmpty) {
    case (false, false):
      return
        "between \(listed(range.before)) and \(listed(range.after)): a build that was never released"
    case (true, false): return "before \(listed(range.after)): a build that was never released"
    case (false, true): return "after \(listed(range.before)), and in no tag since"
    case (true, true):
      return history.tags.isEmpty ? "the repository has no tags" : "on the way to no tag"
    }
  }

  private var nearest: [String] {
    var lines = ["", "most like it, and not the same:"]
    for version in trace.nearest {
      lines.append("  " + words(version.range))
      lines.append(
        "    \(version.name): \(counted(version.equalCount, "model")) of the store's \(version.equalCount == 1 ? "is" : "are") the same"
      )
      lines += cut(version.differences).map { "    \($0)" }
    }
    return lines
  }

  private func cut(_ lines: [String]) -> [String] {
    guard lines.count > Self.most else { return lines }
    return lines.prefix(Self.most) + ["and \(lines.count - Self.most) more differences"]
  }

  private var today: [String] {
    guard let today = trace.today else { return [] }
    guard !today.differences.isEmpty else {
      return ["", "the app stores the same today: \(today.name)"]
    }
    return ["", "compared with today, \(today.name):"] + cut(today.differences).map { "  \($0)" }
  }

  private var remarks: [String] {
    var lines: [String] = []
    if trace.unreadCount > 0 {
      lines.append("\(counted(trace.unreadCount, "commit")) could not be read in whole:")
      lines += trace.unread.prefix(Self.most).map {
        "  \($0.reason) (\(counted($0.commits, "commit")))"
      }
      if trace.unread.count > Self.most {
        lines.append("  and \(trace.unread.count - Self.most) more reasons")
      }
    }
    if !trace.unreadFiles.isEmpty {
      lines.append(
        "not read, since git lacks it or it is too large: \(Self.listed(trace.unreadFiles))")
    }
    if !history.links.isEmpty {
      lines.append("symbolic links, which are not followed: \(Self.listed(history.links))")
    }
    if !history.submodules.isEmpty {
      lines.append(
        "submodules, whose history is their own: \(Self.listed(history.submodules))")
    }
    if trace.writers.isEmpty, let model = history.coreDataModels.first {
      lines.append(
        "Core Data models, which trace does not read: \(Self.listed(history.coreDataModels)); 'schemagen inspect "
          + "\(ShellWord.quoted(trace.path)) --schemas \(ShellWord.quoted(model))' compares with one"
      )
    }
    if history.isShallow {
      lines.append(
        "this clone is shallow and lacks older commits: 'git fetch --unshallow' brings them")
    }
    return lines.isEmpty ? [] : [""] + lines
  }

  private static func listed(_ paths: [String]) -> String {
    paths.prefix(3).joined(separator: ", ")
      + (paths.count > 3 ? " and \(paths.count - 3) more" : "")
  }

  private var way: [String] {
    if let match = trace.match {
      let steps = match.steps.isEmpty ? ["it is the newest version"] : match.steps
      return ["", "\(match.folder) has the version, as \(match.name):"] + steps.map { "  \($0)" }
    }
    guard let missing = trace.missing else {
      guard !trace.writers.isEmpty else { return [] }
      return [
        "",
        "no manifest can be made of the commit's models that the store is of; from the store itself:",
        "  schemagen adopt --store \(ShellWord.quoted(trace.path)) --schemas AdoptedStore",
      ]
    }
    guard !missing.isFirst else {
      return [
        "",
        "there are no manifests: 'schemagen adopt' makes those of today; then trace the store again",
      ]
    }
    var lines = [
      "",
      "\(missing.folder) lacks the version"
        + (missing.place.map { ": \($0.description)" } ?? "")
        + ". Its manifest is made of commit \(missing.commit):",
    ]
    lines += missing.commands(for: trace.path).map { "  \($0)" }
    if missing.questions > 0 {
      lines.append(
        "'generate' has \(counted(missing.questions, "question")) first: the steps to the version and from it are new"
      )
    }
    return lines
  }
}

// MARK: - JSON

extension TraceReport {
  /// The report as JSON.
  package var json: String {
    JSONText.encode(
      Document(
        store: trace.path, writer: facts.writer.rawValue,
        versionIdentifiers: facts.versionIdentifiers, commits: history.commits.count,
        shallow: history.isShallow, found: !trace.writers.isEmpty,
        writers: trace.writers.map(sighting), knowers: trace.knowers.map(sighting),
        unclear: trace.unclear.map(sighting),
        nearest: trace.nearest.map {
          Nearest(
            name: $0.name, range: range($0.range), sameModels: $0.equalCount,
            differences: $0.differences)
        },
        today: trace.today.map { Today(name: $0.name, differences: $0.differences) },
        match: trace.match.map { Match(folder: $0.folder, name: $0.name, steps: $0.steps) },
        missing: trace.missing.map {
          Missing(
            version: $0.number.name, folder: $0.folder, file: $0.file.path, text: $0.file.text,
            commit: $0.commit, questions: $0.questions, commands: $0.commands(for: trace.path))
        },
        unreadCommits: trace.unreadCount,
        unread: trace.unread.map { Unread(reason: $0.reason, commits: $0.commits) },
        unreadFiles: trace.unreadFiles, links: history.links, submodules: history.submodules,
        damage: facts.damage))
  }

  private func sighting(_ sighting: StoreTrace.Sighting) -> Sighting {
    Sighting(
      names: sighting.names, released: sighting.isReleased, reasons: sighting.reasons,
      range: range(sighting.range))
  }

  private func range(_ range: CommitRange) -> Range {
    func ids(_ places: [Int]) -> [String] { places.map { history.commits[$0].id } }
    return Range(
      first: ids(range.first), last: ids(range.last), commits: range.count, tags: range.tags,
      tagsBefore: range.before, tagsAfter: range.after)
  }

  private struct Document: Encodable {
    var store: String
    var writer: String
    var versionIdentifiers: [String]
    var commits: Int
    var shallow: Bool
    var found: Bool
    var writers: [Sighting]
    var knowers: [Sighting]
    var unclear: [Sighting]
    var nearest: [Nearest]
    var today: Today?
    var match: Match?
    var missing: Missing?
    var unreadCommits: Int
    var unread: [Unread]
    var unreadFiles: [String]
    var links: [String]
    var submodules: [String]
    var damage: [String]
  }

  private struct Range: Encodable {
    var first: [String]
    var last: [String]
    var commits: Int
    var tags: [String]
    var tagsBefore: [String]
    var tagsAfter: [String]
  }

  private struct Sighting: Encodable {
    var names: [String]
    var released: Bool
    var reasons: [String]
    var range: Range
  }

  private struct Nearest: Encodable {
    var name: String
    var range: Range
    var sameModels: Int
    var differences: [String]
  }

  private struct Today: Encodable {
    var name: String
    var differences: [String]
  }

  private struct Match: Encodable {
    var folder: String
    var name: String
    var steps: [String]
  }

  private struct Missing: Encodable {
    var version: String
    var folder: String
    var file: String
    var text: String
    var commit: String
    var questions: Int
    var commands: [String]
  }

  private struct Unread: Encodable {
    var reason: String
    var commits: Int
  }
}
