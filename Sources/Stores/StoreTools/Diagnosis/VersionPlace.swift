package import SchemaEvolution
package import SchemaModel

/// Where a version that has shipped and is missing belongs among those of the manifests: next to the one most like
/// it, on the side on which its stores and all others keep most.
package struct VersionPlace: Sendable {
  /// The version with its number, and with the names that the version next to it has of its stores.
  package let version: SchemaVersion
  /// The version that it is most like.
  package let nearest: VersionNumber
  /// The versions that it belongs between; nil at an end.
  package let before: VersionNumber?
  package let after: VersionNumber?

  /// Nil if no number is free next to it, or there is no version.
  ///
  /// - Parameters:
  ///   - version: What the store says, or the models of a commit.
  ///   - evolution: Of the manifests.
  package init?(_ version: SchemaVersion, in evolution: Evolution) {
    let history = evolution.history
    func distance(_ other: SchemaVersion) -> Int {
      SchemaDiffer().differences(from: other.withoutStep, to: version.withoutStep).count
    }
    // Of equals the newer one: it is what people went on from.
    let ranked = history.enumerated().map { (place: $0, distance: distance($1)) }
    guard let place = ranked.reversed().min(by: { $0.distance < $1.distance })?.place else {
      return nil
    }
    let numbers = history.map(\.number)
    let candidates = [place, place + 1].compactMap { index -> (Int, SchemaVersion)? in
      let last = index > 0 ? numbers[index - 1] : VersionNumber(0)
      let next = index < numbers.count ? numbers[index] : nil
      // A minor version where there is a place for one.
      let parts = index == numbers.count ? [1, 0, 2] : [1, 0]
      let free = parts.map { last.successors[$0] }.first { number in
        next.map { number < $0 } ?? true
      }
      guard let free else { return nil }
      var placed = version
      placed.number = free
      placed.takeOriginalNames(of: history[place])
      return (index, placed)
    }
    let shipped = Set(numbers)
    let ordered = candidates.map { index, placed in
      var versions = history
      versions.insert(placed, at: index)
      let made = AnalysisPipeline(history: versions, configuration: evolution.configuration).run()
      let errors = made.diagnostics.count { $0.severity == .error }
      let losses = made.losses(ofShipped: shipped.union([placed.number])).count
      // What rows lose weighs more than what people are asked: an answer can be given.
      return (index: index, version: placed, cost: (losses, errors))
    }
    // What comes after the newest would be what the app is made of.
    let isLast = place == numbers.count - 1
    let best = (isLast ? ordered : ordered.reversed()).min { $0.cost < $1.cost }
    guard let best else { return nil }
    self.version = best.version
    nearest = numbers[place]
    before = best.index > 0 ? numbers[best.index - 1] : nil
    after = best.index < numbers.count ? numbers[best.index] : nil
  }
}

extension VersionPlace: CustomStringConvertible {
  /// As people say it: `it is most like V2, and belongs between V2 and V3`.
  package var description: String {
    "it is most like \(nearest.name), and belongs "
      + (before.map { before in
        after.map { "between \(before.name) and \($0.name)" } ?? "after \(before.name)"
      } ?? "before \(nearest.name)")
  }
}

extension SchemaVersion {
  /// A class of today has the name that the first version gave a column; in a manifest, only the version that renames
  /// it says so.
  fileprivate mutating func takeOriginalNames(of other: SchemaVersion) {
    for model in models.indices {
      guard let known = other.model(named: models[model].name) else { continue }
      for property in models[model].properties.indices {
        let name = models[model].properties[property].name
        if let same = known.property(named: name) {
          models[model].properties[property].originalName = same.originalName
        }
      }
    }
  }
}
