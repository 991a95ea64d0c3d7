internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
internal import SchemaModel
internal import SchemaWorkspace

/// Two branches that have each shipped a version of their own.
///
/// Devices have stores of both, and the engine knows a store by its models: so both stay in the history as they
/// shipped, one after the other, and a new version that has the changes of both comes last. A number means nothing to
/// the engine, the order does: the one that comes first is migrated to the other, which must keep all that it has.
extension Rebase {
  /// Our versions that have shipped, where theirs has shipped some as well; nil where ordinary numbers will do.
  func shippedOfBoth(_ added: [VersionNumber]) -> [VersionNumber]? {
    let released = ours.lock.released
    let shipped = added.filter { released.contains($0) }
    let theirs = theirs.lock.released
    return shipped.isEmpty || !theirNew.contains { theirs.contains($0) } ? nil : shipped
  }

  /// Places both, in the first order in which nothing is lost.
  mutating func joinShipped(
    _ shipped: [VersionNumber], of added: [VersionNumber], _ fileSystem: some FileSystem
  ) throws(GitFailure) {
    // Where theirs has the same stores, theirs is enough.
    let theirLock = theirs.lock.entries.filter { theirNew.contains($0.version) }
    let checksums = Set(theirLock.compactMap(\.hashes?.checksum))
    alike = ours.lock.entries.filter { entry in
      shipped.contains(entry.version)
        && (entry.hashes?.checksum.map { checksums.contains($0) } ?? false)
    }.map(\.version)
    let left = shipped.filter { !alike.contains($0) }
    let drafts = added.filter { !shipped.contains($0) }
    let attempts = [numberedAfter(left, drafts), numberedBefore(left, drafts)].compactMap { $0 }
    var reasons: [String] = []
    for var attempt in attempts {
      try attempt.joinChanges()
      try attempt.finish(fileSystem)
      let found = attempt.objectionsToOrder()
      // In which order nothing is lost is known only of what can be read.
      if !attempt.unresolved.isEmpty {
        attempt.refuse(
          "both branches have shipped a version, and the drafts beside them do not go together",
          help: ["write \(theirName)'s side into them on this branch, commit, and try again"])
      }
      if found.isEmpty || attempt.isRefused {
        self = attempt
        return
      }
      let order = attempt.theirStep == nil ? "after" : "before"
      reasons += found.prefix(3).map { "\(order) \(theirNames(attempt)): \($0)" }
    }
    let names = left.map(\.name).joined(separator: ", ")
    let file = ours.manifests[left.last ?? added[0]]?.path ?? path
    refuse(
      "\(names) of this branch and \(theirNew.map(\.name).joined(separator: ", ")) of \(theirName) have both "
        + "shipped, and in neither order does each keep what stores of the other have",
      help: reasons + [
        "if one of them is on devices of your team and your testers only, take its release back: "
          + Basis.documentation + "cookbook/bad-release.md#may-i-take-the-release-back",
        "if those values may go: write the ones after \(theirNew.last?.name ?? "") of \(theirName) under 'drops:' in "
          + "'\(file)', each with the reason; git commit --no-verify, since the line is right behind theirs only; "
          + "and try again",
      ])
  }

  private func theirNames(_ attempt: Self) -> String {
    let number = attempt.theirStep?.new ?? theirNew.last
    return "\(number?.name ?? "") of \(theirName)"
  }

  // MARK: Orders

  /// Theirs first, which keep their numbers.
  private func numberedAfter(_ shipped: [VersionNumber], _ drafts: [VersionNumber]) -> Self? {
    guard let last = joined.keys.max(),
      let plan = appending(shipped, after: last, isShipped: true)
    else { return nil }
    return plan.appending(drafts, after: plan.own.last?.new ?? last)
  }

  /// Ours first, with numbers between: theirs keep theirs.
  private func numberedBefore(_ shipped: [VersionNumber], _ drafts: [VersionNumber]) -> Self? {
    guard let first = theirNew.first, var last = base.numbers.last, last < first, !shipped.isEmpty,
      let newest = joined.keys.max()
    else { return nil }
    let common = last
    var plan = self
    for number in shipped {
      guard let before = ours.numbers.last(where: { $0 < number }), before >= common,
        let new = last.successors.last(where: { $0 < first })
      else { return nil }
      plan.own.append(
        Own(old: number, new: new, oldBefore: before, newBefore: last, isShipped: true))
      last = new
    }
    plan.theirStep = Own(old: first, new: first, oldBefore: common, newBefore: last)
    return plan.appending(drafts, after: newest)
  }

  private func appending(
    _ numbers: [VersionNumber], after last: VersionNumber, isShipped: Bool = false
  ) -> Self? {
    var plan = self
    var last = last
    for number in numbers {
      guard let before = ours.numbers.last(where: { $0 < number }) else { return nil }
      let new = number.successor(of: last, after: before)
      plan.own.append(
        Own(old: number, new: new, oldBefore: before, newBefore: last, isShipped: isShipped))
      last = new
    }
    return plan
  }

  // MARK: The version that has both

  /// A draft with the changes of both, where this branch has no draft that takes theirs up.
  private mutating func joinChanges() throws(GitFailure) {
    guard own.allSatisfy(\.isShipped), let common = base.numbers.last,
      let start = base.manifests[common], let our = ours.numbers.last,
      let ourFile = ours.manifests[our], let their = theirs.numbers.last,
      let theirFile = theirs.manifests[their]
    else { return }
    let last = own.map(\.new).max().map { max($0, their) } ?? their
    let number = last.successors[2]
    let copies = [ourFile, start, theirFile].map { NewVersion().manifest(from: $0, number: number) }
    guard let ourText = copies[0].text, let startText = copies[1].text,
      let theirText = copies[2].text
    else { return }
    let target = Path.join(path, "\(number.name).yaml")
    let sides = [ourText, startText, theirText].map { SourceFile(path: target, text: $0) }
    // What nobody can join is joined by hand: the version is a draft.
    guard let text = try join(sides[0], sides[1], sides[2]).text else { return }
    let newest = theirStep == nil && !own.isEmpty ? ourFile : theirFile
    func canonical(_ file: SourceFile) -> SchemaVersion? {
      ManifestReader().read(file).version.map { version in
        var version = version.withoutStep
        version.number = number
        return version.canonical
      }
    }
    // The newer of the two may have the changes of the other: then nothing is left to join.
    guard canonical(SourceFile(path: target, text: text)) != canonical(newest) else { return }
    joint = number
    joined[number] = SourceFile(path: target, text: text)
  }

  // MARK: What an order loses

  /// What is in the way of an order: errors, and what a step between shipped versions would lose that neither branch
  /// has lost or given up.
  private func objectionsToOrder() -> [String] {
    let errors = diagnostics.filter { $0.severity == .error }.map(\.message)
    guard errors.isEmpty, let evolution else { return errors }
    struct Key: Hashable {
      var element: ElementPath
      var rule: String
    }
    let known = Set(
      [ours, theirs].flatMap { side in
        side.evolution?.losses(ofShipped: Set(side.numbers)) ?? []
      }.map { Key(element: $0.element, rule: $0.rule) })
    let versions = Dictionary(evolution.history, keyedBy: \.number)
    let shipped = Set(own.filter(\.isShipped).map(\.new) + theirNew)
    return evolution.losses(ofShipped: shipped.union(base.numbers)).filter { loss in
      let isGivenUp =
        versions[loss.version]?.drops.contains { $0.element.value == loss.element } ?? false
      return shipped.contains(loss.version) && !isGivenUp
        && !known.contains(Key(element: loss.element, rule: loss.rule))
    }.map { "\($0.element): \($0.words)" }
  }

  // MARK: The lock

  /// Enters our shipped versions under their new numbers.
  func enterShipped(in lock: inout SchemaLock) {
    let entries = Dictionary(ours.lock.entries, keyedBy: \.version)
    for own in own where own.isShipped {
      guard var entry = entries[own.old], let file = joined[own.new],
        let version = ManifestReader().read(file).version
      else { continue }
      entry.version = own.new
      // The number is in it, and nothing else has changed.
      entry.digest = VersionDigest(version)
      lock.entries.append(entry)
    }
    for number in alike {
      guard let entry = entries[number], let hashes = entry.hashes, hashes.isProven else {
        continue
      }
      let same = lock.entries.first { $0.hashes?.checksum == hashes.checksum }
      if let same, same.hashes?.isProven != true { lock.note(hashes, of: same.version) }
    }
    lock.entries.sort { $0.version < $1.version }
  }
}
