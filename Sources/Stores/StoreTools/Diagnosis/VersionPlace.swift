package import SchemaEvolution
package import SchemaModel

/// The place of a missing shipped version among the manifests. It is next to the most similar version, on the side
/// where stores of all versions lose least.
package struct VersionPlace: Sendable {
  /// The version with its number and the original names of the nearest version.
  package let version: SchemaVersion
  package let nearest: VersionNumber
  /// The versions before and after the missing version; nil at an end.
  package let before: VersionNumber?
  package let after: VersionNumber?

  /// Nil if there is no version, or if no number next to the most similar version is free.
  package init?(_ version: SchemaVersion, in evolution: Evolution) {
    let history = evolution.history
    func distance(_ other: SchemaVersion) -> Int {
      SchemaDiffer().differences(from: other.withoutStep, to: version.withoutStep).count
    }
    // Of equally similar versions, the newest is used, since people continued from it.
    let ranked = history.enumerated().map { (place: $0, distance: distance($1)) }
    guard let place = ranked.reversed().min(by: { $0.distance < $1.distance })?.place else {
      return nil
    }
    let numbers = history.map(\.number)
    let candidates = [place, place + 1].compactMap { index -> (Int, SchemaVersion)? in
      let last = index > 0 ? numbers[index - 1] : VersionNumber(0)
      let next = index < numbers.count ? numbers[index] : nil
      // A minor version is used if there is a free number.
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
      // Losses of rows weigh more than errors, which can be corrected.
      return (index: index, version: placed, cost: (losses, errors))
    }
    // A version after the newest would become the app's current one.
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
  /// The place in words: `this version is most like V2, and belongs between V2 and V3`.
  package var description: String {
    "this version is most like \(nearest.name), and belongs "
      + (before.map { before in
        after.map { "between \(before.name) and \($0.name)" } ?? "after \(before.name)"
      } ?? "before \(nearest.name)")
  }
}

extension SchemaVersion {
  /// Takes original names from another version. A live class has the column's first name, but in a manifest only the
  /// version with the renaming states it.
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
