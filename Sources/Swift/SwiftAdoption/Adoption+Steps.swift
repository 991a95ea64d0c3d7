internal import ManagedModels
internal import SchemaEvolution
internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace
internal import SwiftSources
internal import SwiftSyntax

// This extension finds what follows from neighbouring versions: drops and identities.
extension Adoption {
  /// The changes from the version before, which depend only on these two versions.
  func step(to position: Int) -> VersionStep {
    AnalysisPipeline(
      history: [history[position - 1], history[position]], configuration: configuration
    ).run().steps[0]
  }

  /// Finds the types that are copied into older versions, since stages use the copies' names.
  mutating func nameCopies() {
    let layouts = AnalysisPipeline(history: history, configuration: configuration).layouts
    guard !layouts.isEmpty else { return }
    for type in index.types where type.hasParts && type.path.count > 1 {
      let outer = type.path.dropLast().joined(separator: ".")
      guard let position = versions.firstIndex(where: { $0.name == merged[outer] ?? outer }) else {
        continue
      }
      copies[type.fullName] = layouts.name(of: valueTypes.name(of: type), at: position)
    }
  }

  /// Writes under `drops:` what each version removes. A removal by a plan does not prove intent, so a person must
  /// confirm it.
  mutating func noteDrops() {
    for (version, found) in history.noteDrops(configuration) {
      comments[version, default: [:]].merge(found) { $1 }
    }
    doubtDrops()
    for (before, after) in zip(history.indices, history.indices.dropFirst())
    where !history[before].number.successors.contains(history[after].number) {
      history[after].acceptances.append(
        Acceptance(
          rule: Located("version-gap"), target: .element(Located(history[after].number.name)),
          reason: "the adopted plan has no version between them"))
    }
  }

  /// Adds a note to each drop that may only be an effect of classes that changed after a version had listed them.
  private mutating func doubtDrops() {
    for position in history.indices.dropFirst() {
      for version in [position - 1, position] where isLive(version) {
        let shared = Set(sharedLater(version).map(\.name))
        let dropped = history[position].drops.map(\.element.value).filter {
          shared.contains($0.owner)
        }
        guard !dropped.isEmpty else { continue }
        let names = Set(dropped.map { "'\($0.owner)'" }).sorted().enumeration
        let doubt =
          "'\(called(version))' lists today's \(names): if a class changed after \(numbers[version].name) had shipped, this may not be a removal; "
          + "first take \(numbers[version].name) from its release's tag or from a store"
        doubts[numbers[position], default: []].append(doubt)
        for element in dropped {
          comments[numbers[position], default: [:]][element, default: []].insert(doubt, at: 0)
        }
      }
    }
  }

  /// The version's name in the sources, or its number if it has none there.
  func called(_ position: Int) -> String {
    let version = versions[position]
    return version.type.path.isEmpty ? numbers[position].name : version.name
  }

  /// Gives each version the identity of its hand-written classes, so its stores are still recognised, unless the engine
  /// cannot tell the version from an earlier one.
  mutating func freeze() {
    var seen: [String: Int] = [:]
    let reader = IdentityReader(history)
    for position in history.indices {
      let identity = reader.identity(of: history[position]).certain
      var earlier = seen[identity]
      seen[identity] = earlier ?? position
      // If tags show that both versions have shipped, and the columns of their types differ, the engine can tell them
      // apart.
      if let other = earlier, !versions[position].releases.isEmpty,
        !versions[other].releases.isEmpty,
        VersionModel(history[position]).model.versionHashes
          != VersionModel(history[other]).model.versionHashes
      {
        earlier = nil
      }
      if let earlier {
        report(
          .mergedVersion,
          "the engine cannot tell '\(called(position))' from '\(called(earlier))': the later one gets a hash modifier",
          element: called(position), at: versions[position].type.place,
          help: [
            "if both were in a plan unchanged, the app would crash at launch",
            "a store of '\(called(position))' counts as one of '\(called(earlier))', and migrates from there",
          ])
      } else {
        history[position].identity = .shipped
      }
    }
  }
}
