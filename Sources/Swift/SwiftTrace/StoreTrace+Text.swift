internal import SchemaModel
package import SchemaReporting
internal import SchemaWorkspace

extension StoreTrace {
  /// How many ranges, reasons and differences text shows; JSON has all.
  private static var most: Int { 8 }

  /// The answer in one sentence: the last line of the text.
  package var headline: String {
    let name = store.split(separator: "/").last.map(String.init) ?? store
    let store = name.visibleInOneLine
    let count = Self.count(writers)
    if count > 0 {
      let tags = writers.flatMap(\.tags).count
      return "\(store): \(counted(count, "commit")) could have written it"
        + (tags == 0 ? ", none of them tagged" : ", \(counted(tags, "tag")) among them")
    }
    let undecided = Self.count(unclear)
    return "\(store): no commit is known to have written it"
      + (undecided == 0 ? "" : ", and of \(undecided) it cannot be told")
  }

  private static func count(_ sightings: [Sighting]) -> Int {
    sightings.reduce(0) { $0 + $1.commits }
  }

  package func text(on terminal: TerminalText = .plain) -> String {
    var body = [
      "\(store), looked for in \(counted(commits, "commit")) with \(counted(tags, "tag"))"
    ]
    body += damage.map { "damaged: \($0)" }
    body.append("")
    let count = Self.count(writers)
    body.append(
      count == 0
        ? "no commit is known to have written it"
        : "\(counted(count, "commit")) could have written it:")
    body += lines(writers)
    for (title, sightings) in [
      ("undecided:", unclear),
      ("these open the version, and write another one:", knowers),
    ] where !sightings.isEmpty {
      body += ["", title] + lines(sightings)
    }
    if !remarks.isEmpty { body += [""] + remarks }
    // Commands are to be copied.
    let lines = body.flatMap(terminal.lines) + [""] + way
    return lines.map(\.visibleInOneLine).joined(separator: "\n") + "\n"
  }

  // MARK: Commits

  private func lines(_ sightings: [Sighting]) -> [String] {
    cut(sightings.map(lines), "ranges: --format json has all").flatMap(\.self)
  }

  private func cut(_ parts: [[String]], _ noun: String) -> [[String]] {
    guard parts.count > Self.most else { return parts }
    return parts.prefix(Self.most) + [["  and \(parts.count - Self.most) more \(noun)"]]
  }

  private func lines(_ sighting: Sighting) -> [String] {
    let names = sighting.names.joined(separator: ", ")
    var lines = [words(of: sighting.last)]
    if sighting.commits > 1 {
      lines[0] = "\(words(of: sighting.first)) to \(lines[0]): \(sighting.commits) commits"
    }
    lines += ["  as \(names)", "  " + placeWords(sighting)]
    if sighting.released { lines.append("  released, as the lock says") }
    lines += sighting.reasons.prefix(3).map { "  \($0)" }
    return lines.map { "  \($0)" }
  }

  /// `4f2ac1e9d 2024-02-01 "Add tags"`
  private func words(of commits: [Commit]) -> String {
    guard let commit = commits.last else { return "" }
    return "\(commit.id.prefix(9)) \(commit.day) \"\(commit.subject.shortened(to: 40))\""
      + (commits.count == 1 ? "" : " and \(commits.count - 1) beside it")
  }

  private func placeWords(_ sighting: Sighting) -> String {
    func listed(_ tags: [String]) -> String {
      tags.count < 4 ? tags.joined(separator: ", ") : "\(tags[0]) and \(tags.count - 1) more tags"
    }
    let (before, after) = (listed(sighting.tagsBefore), listed(sighting.tagsAfter))
    if !sighting.tags.isEmpty { return "tagged \(sighting.tags.joined(separator: ", "))" }
    return switch (before.isEmpty, after.isEmpty) {
    case (false, false): "between \(before) and \(after): a build that was never released"
    case (true, false): "before \(after): a build that was never released"
    case (false, true): "after \(before), and in no tag since"
    case (true, true): tags == 0 ? "the repository has no tags" : "on the way to no tag"
    }
  }

  // MARK: What else

  private var remarks: [String] {
    var lines: [String] = []
    if unreadCommits > 0 {
      lines.append("\(counted(unreadCommits, "commit")) could not be read in whole:")
      let reasons = unread.map { ["  \($0.reason) (\(counted($0.commits, "commit")))"] }
      lines += cut(reasons, "reasons").flatMap(\.self)
    }
    func add(_ title: String, _ paths: [String], _ help: String = "") {
      guard !paths.isEmpty else { return }
      lines.append("\(title): \(paths.firstThree)\(help)")
    }
    add("not read, since git lacks it or it is too large", unreadFiles)
    add("symbolic links, which are not followed", links)
    add("submodules, whose history is their own", submodules)
    if writers.isEmpty, let model = coreDataModels.first {
      add(
        "Core Data models, which trace does not read", coreDataModels,
        "; 'schemagen inspect \(ShellWord.quoted(store)) --schemas \(ShellWord.quoted(model))' compares with one"
      )
    }
    if shallow {
      lines.append(
        "this clone is shallow and lacks older commits: 'git fetch --unshallow' brings them")
    }
    return lines
  }

  /// The commands that go on from here.
  private var way: [String] {
    if let match { return ["the store is of \(match)"] }
    guard let missing else {
      let store = ShellWord.quoted(store)
      return writers.isEmpty
        ? ["'schemagen doctor \(store)' compares it with today's versions"]
        : [
          "no manifest can be made of the commit's models that the store is of; from the store itself:",
          "  schemagen adopt --store \(store) --schemas AdoptedStore",
        ]
    }
    guard !missing.commands.isEmpty else {
      return [
        "there are no manifests: 'schemagen adopt' makes those of today; then trace the store again"
      ]
    }
    return [
      "\(missing.folder) lacks the version"
        + (missing.place.map { ": \($0)" } ?? "")
        + ". Its manifest is made of commit \(missing.commit):"
    ] + missing.commands.map { "  \($0)" }
  }
}
