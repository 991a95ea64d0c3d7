internal import ManagedModels
internal import SchemaEvolution
internal import SchemaGit
internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSources

// This extension reads the tags of releases. A version that shipped is in the plan even if the sources no longer show
// the version.
extension Adoption {
  /// Records the releases of each version, and adds a version for each set of models that shipped and that today's
  /// sources do not show.
  mutating func takeReleases() {
    guard let released = options.released else { return }
    let names = Set(history.flatMap { $0.models.map(\.name) })
    let answer = released.answer(
      for: names, in: options.releaseFolders, called: Set(versions.map(\.name)))
    unclearReleases = answer.unclear
    let isVersioned = versions.contains { !$0.type.path.isEmpty }
    let hashes = history.map { VersionModel($0).model.versionHashes }
    // For each shape, the version that stores the same. Of several, the one with the shape's name, or else the last
    // one.
    var places = answer.shapes.map { shape in
      let same = hashes.indices.filter { hashes[$0] == shape.version.hashes }
      return same.first { versions[$0].name == shape.version.name } ?? same.last
    }
    /// The shapes that replace a version which today's sources show differently.
    var takers: Set<Int> = []
    for (number, shape) in answer.shapes.enumerated()
    where places[number] == nil && shape.version.doubts.isEmpty {
      let isLast = !answer.shapes[(number + 1)...].contains {
        $0.version.name == shape.version.name
      }
      guard isLast, let called = called(shape), !places.contains(called),
        !sharedLater(called).isEmpty || isNumberedCopy(called, of: shape.version.schema)
      else { continue }
      places[number] = called
      takers.insert(number)
    }
    var floor = 0
    for (number, shape) in answer.shapes.enumerated() {
      if let place = places[number] {
        if takers.contains(number) {
          take(shape, at: place)
        } else {
          versions[place].releases += shape.releases
        }
        floor = max(floor, place + 1)
        continue
      }
      let reason =
        shape.version.doubts.first?.reason
        ?? history.last.flatMap { $0.cannotList(shape.version.schema) }
      if let reason {
        unclearReleases.append((shape.releases, reason))
        continue
      }
      let limit = min(places[(number + 1)...].compactMap(\.self).min() ?? .max, versions.count - 1)
      let wanted = shape.version.isUnversioned ? floor : called(shape) ?? limit
      var place = min(max(wanted, floor), limit)
      // Later, neighbours that store the same are merged.
      while place > 0, storeTheSame(place - 1, place) { place -= 1 }
      for other in places.indices {
        if let at = places[other], at >= place { places[other] = at + 1 }
      }
      insert(shape, at: place)
      floor = max(floor, place) + 1
    }
    numberReleases(isVersioned: isVersioned)
  }

  /// Whether a version has a release's models under names with the version's number. No store has such names.
  private func isNumberedCopy(_ position: Int, of schema: SchemaVersion) -> Bool {
    let names = Set(schema.models.map(\.name))
    let others = history[position].models.map(\.name).filter { !names.contains($0) }
    return !others.isEmpty
      && others.allSatisfy { other in names.contains { other.isNumberedCopy(of: $0) } }
  }

  /// The position of the version that has the shape's name today.
  private func called(_ shape: ReleasedModels.Shape) -> Int? {
    versions.firstIndex { !$0.type.path.isEmpty && $0.name == shape.version.name }
  }

  /// Replaces a version that today's sources show differently with what a release stored.
  private mutating func take(_ shape: ReleasedModels.Shape, at position: Int) {
    versions[position].releases = shape.releases
    versions[position].isOfTag = true
    var schema = shape.version.schema
    schema.number = numbers[position]
    schema.location = history[position].location
    history[position] = schema
    comments[numbers[position]] = nil
    unread[numbers[position]] = nil
    names[numbers[position]] = "\(versions[position].name), as in \(shape.releases.named)"
  }

  private mutating func insert(_ shape: ReleasedModels.Shape, at position: Int) {
    var version = versions[versions.count - 1]
    version.type.path = []
    version.classes = []
    version.identifier = nil
    version.releases = shape.releases
    version.isOfTag = true
    versions.insert(version, at: position)
    classes.insert([], at: position)
    history.insert(shape.version.schema, at: position)
    history[position].location = nil
    numbers.insert(VersionNumber(0), at: position)
  }

  /// Numbers the versions that were added. An app without versions gets numbers from 1 on.
  private mutating func numberReleases(isVersioned: Bool) {
    let counted = versions.indices.map { VersionNumber($0 + 1) }
    let new = isVersioned ? numbersBetween() ?? counted : counted
    if isVersioned, new == counted, numbers != counted {
      report(
        .renumbered,
        "the plan's version numbers leave no number free for the releases between them: all versions are renumbered \(counted[0].name) to \(counted[counted.count - 1].name)",
        at: plan?.type.place ?? versions[0].type.place,
        help: ["the engine recognises stores by their checksum, never by this number"])
    }
    let written = versions.indices.filter { !versions[$0].isAdded }
    func moved<Value>(_ values: [VersionNumber: Value]) -> [VersionNumber: Value] {
      Dictionary(
        written.compactMap { place in values[numbers[place]].map { (new[place], $0) } },
        uniquingKeysWith: { first, _ in first })
    }
    (names, comments, unread) = (moved(names), moved(comments), moved(unread))
    numbers = new
    for position in numbers.indices {
      if versions[position].isAdded {
        names[numbers[position]] = "the models of \(versions[position].releases.named)"
      }
      history[position].number = numbers[position]
    }
  }

  /// Numbers for added versions, between those of the plan: `V1.1`; `nil` if an added version has no free number.
  private func numbersBetween() -> [VersionNumber]? {
    var new: [VersionNumber] = []
    for position in numbers.indices {
      guard versions[position].isAdded else {
        new.append(numbers[position])
        continue
      }
      let next = numbers.indices.first { $0 > position && !versions[$0].isAdded }
        .map { numbers[$0] }
      let successors = (new.last ?? VersionNumber(0)).successors
      guard
        let free = [successors[1], successors[0]].first(where: { number in
          next.map { number < $0 } ?? true
        })
      else { return nil }
      new.append(free)
    }
    return new
  }
}
