internal import SchemaModel
package import SchemaReporting
internal import SchemaWorkspace

extension StoreTrace {
  /// The most ranges, reasons and differences that text shows; JSON has all of them.
  private static var most: Int { 8 }

  /// The last line of the text.
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
      + (undecided == 0 ? "" : "; undecided: \(undecided)")
  }

  private static func count(_ sightings: [Sighting]) -> Int {
    sightings.reduce(0) { $0 + $1.commits }
  }

  package var document: Document {
    var document: Document = [
      .paragraph(
        "\(store), looked for in \(counted(commits, "commit")) with \(counted(tags, "tag"))")
    ]
    if !damage.isEmpty { document.append(.lines(damage.map { "damaged: \($0)" })) }
    let count = Self.count(writers)
    document += list(
      count == 0
        ? "no commit is known to have written it"
        : "\(counted(count, "commit")) could have written it:", writers)
    if !unclear.isEmpty { document += list("undecided:", unclear) }
    if !knowers.isEmpty {
      document += list(
        "these commits' apps know the store's version, but write stores of another one:", knowers)
    }
    return document + remarks + way
  }

  // MARK: Commits

  private func list(_ title: String, _ sightings: [Sighting]) -> Document {
    let left = sightings.count - Self.most
    let more: [Document] =
      left > 0 ? [[.paragraph("and \(left) more ranges: --format json has all")]] : []
    return [.paragraph("\(title)"), .list(sightings.prefix(Self.most).map(item) + more)]
  }

  private func item(_ sighting: Sighting) -> Document {
    let last = words(of: sighting.last)
    return Block.item(
      sighting.commits > 1
        ? "\(words(of: sighting.first)) to \(last): \(sighting.commits) commits" : "\(last)",
      ["as \(sighting.names.joined(separator: ", "))", placeWords(sighting)]
        + (sighting.released ? ["released, according to the lock"] : [])
        + sighting.reasons.prefix(3))
  }

  /// `4f2ac1e9d 2024-02-01 "Add tags"`
  private func words(of commits: [Commit]) -> String {
    guard let commit = commits.last else { return "" }
    return "\(commit.id.prefix(9)) \(commit.day) \"\(commit.subject.shortened(to: 40))\""
      + (commits.count == 1 ? "" : " and \(commits.count - 1) in parallel")
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
    case (true, true): tags == 0 ? "the repository has no tags" : "in no tag's history"
    }
  }

  // MARK: Remarks

  private var remarks: Document {
    var document: Document = []
    if unreadCommits > 0 {
      let left = unread.count - Self.most
      document += Block.item(
        "\(counted(unreadCommits, "commit")) could not be read completely:",
        unread.prefix(Self.most).map { "\($0.reason) (\(counted($0.commits, "commit")))" }
          + (left > 0 ? ["and \(left) more reasons"] : []))
    }
    func add(_ title: String, _ paths: [String], _ help: String = "") {
      guard !paths.isEmpty else { return }
      document.append(.paragraph("\(title): \(paths.firstThree)\(help)"))
    }
    add("not read, since git lacks it or it is too large", unreadFiles)
    add("symbolic links, not followed", links)
    add("submodules, which have a separate history", submodules)
    if writers.isEmpty, let model = coreDataModels.first {
      add(
        "Core Data models, not read by trace", coreDataModels,
        "; 'schemagen inspect \(ShellWord.quoted(store)) --schemas \(ShellWord.quoted(model))' compares the store with one"
      )
    }
    if shallow {
      document.append(
        .paragraph(
          "this clone is shallow and lacks older commits: 'git fetch --unshallow' fetches them"))
    }
    return document
  }

  /// What to do next.
  private var way: Document {
    if let match { return [.paragraph("the store is version \(match)")] }
    guard let missing else {
      let store = ShellWord.quoted(store)
      return writers.isEmpty
        ? [.paragraph("'schemagen doctor \(store)' compares it with today's versions")]
        : [
          .paragraph(
            "schemagen cannot make a manifest from the classes of the commit that wrote the store. Make it from the store itself:"
          ), .code("schemagen adopt --store \(store) --schemas AdoptedStore"),
        ]
    }
    guard !missing.commands.isEmpty else {
      return [
        .paragraph(
          "there are no manifests. Run 'schemagen adopt' for today's models, then trace the store again"
        )
      ]
    }
    let place = missing.place.map { ": \($0)" } ?? ""
    return [
      .paragraph(
        "\(missing.folder) lacks the version\(place). Make its manifest from commit \(missing.commit):"
      ), .code(missing.commands.joined(separator: "\n")),
    ]
  }
}
