internal import ManagedModels
internal import SchemaEvolution
internal import SchemaGit
internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSources

// What the tags of releases say of the versions: what shipped is in the plan, whether or not the sources still show it.
extension Adoption {
  /// Notes of which releases each version is, and adds a version for each set of models that shipped and that today's
  /// sources do not show.
  mutating func takeReleases() {
    guard let released = options.released else { return }
    let names = Set(history.flatMap { $0.models.map(\.name) })
    let answer = released.answer(for: names, in: options.releaseFolders)
    unclearReleases = answer.unclear
    let isVersioned = versions.contains { !$0.type.path.isEmpty }
    let hashes = history.map { VersionModel($0).model.versionHashes }
    // The version that stores what a release stored: that of the same name, or the last one.
    var places = answer.shapes.map { shape in
      let same = hashes.indices.filter { hashes[$0] == shape.version.hashes }
      return same.first { versions[$0].name == shape.version.name } ?? same.last
    }
    /// The place after that of the last shape.
    var floor = 0
    for (number, shape) in answer.shapes.enumerated() {
      if let place = places[number] {
        versions[place].releases += shape.releases
        floor = max(floor, place + 1)
        continue
      }
      if let reason = shape.version.doubts.first?.reason {
        unclearReleases += shape.releases.map { ($0, reason) }
        continue
      }
      let called = versions.firstIndex { !$0.type.path.isEmpty && $0.name == shape.version.name }
      let isLast = !answer.shapes[(number + 1)...].contains {
        $0.version.name == shape.version.name
      }
      if let called, isLast, !places.contains(called),
        !sharedLater(called).isEmpty || isNumberedCopy(called, of: shape.version.schema)
      {
        take(shape, at: called)
        floor = max(floor, called + 1)
        continue
      }
      let limit = min(places[(number + 1)...].compactMap(\.self).min() ?? .max, versions.count - 1)
      let wanted = shape.version.isUnversioned ? floor : called ?? limit
      var place = min(max(wanted, floor), limit)
      // Neighbours that store the same become one.
      while place > 0, storeTheSame(place - 1, place) { place -= 1 }
      for other in places.indices {
        if let at = places[other], at >= place { places[other] = at + 1 }
      }
      insert(shape, at: place)
      floor = max(floor, place) + 1
    }
    numberReleases(isVersioned: isVersioned)
  }

  /// Whether a version's models are those of a release under names with a version's number, which no store has.
  private func isNumberedCopy(_ position: Int, of schema: SchemaVersion) -> Bool {
    let names = Set(schema.models.map(\.name))
    let others = history[position].models.map(\.name).filter { !names.contains($0) }
    return !others.isEmpty
      && others.allSatisfy { other in names.contains { other.isNumberedCopy(of: $0) } }
  }

  /// Takes what a release stored for a version that today's sources show otherwise.
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

  /// Gives the versions that were added their numbers, and an app without versions numbers from 1 on.
  private mutating func numberReleases(isVersioned: Bool) {
    let last = numbers.count - 1
    if !isVersioned, last > 0 {
      let (old, new) = (numbers[last], VersionNumber(last + 1))
      comments[new] = comments.removeValue(forKey: old)
      unread[new] = unread.removeValue(forKey: old)
      numbers[last] = new
    }
    for position in numbers.indices {
      if versions[position].isAdded {
        let before = position == 0 ? VersionNumber(0) : numbers[position - 1]
        let known = numbers.indices.first { $0 > position && !versions[$0].isAdded }
        let next = known.map { numbers[$0] } ?? before.successors[2]
        let parts = isVersioned ? [1, 0] : [2]
        numbers[position] =
          parts.map { before.successors[$0] }.first { $0 < next } ?? before.successors[0]
        names[numbers[position]] = "the models of \(versions[position].releases.named)"
      }
      history[position].number = numbers[position]
    }
  }
}
