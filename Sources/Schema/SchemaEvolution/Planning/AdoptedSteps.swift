package import SchemaModel

/// Finds renames and drops between neighbouring versions of a history that does not come from manifests.
extension [SchemaVersion] {
  package mutating func connectRenames() {
    let written = self
    for position in indices.dropFirst() {
      let before = Dictionary(written[position - 1].models.map { ($0.name, $0) }) { $1 }
      let connected = self[position - 1]
      for place in self[position].models.indices {
        let model = self[position].models[place]
        let former = model.isRenamed ? model.sources.first?.value ?? model.name : model.name
        guard let old = before[former], let known = connected.model(named: former) else { continue }
        for index in self[position].models[place].properties.indices {
          Self.connect(&self[position].models[place].properties[index], old, known)
        }
      }
    }
  }

  /// - Parameters:
  ///   - old: The previous version's model, as it is written.
  ///   - known: The same model after connecting, with the original names that properties had before the first version.
  private static func connect(_ property: inout Property, _ old: Model, _ known: Model) {
    let original = property.originalName
    if let same = old.property(named: property.name) {
      // SwiftData needs the original name in every version. A manifest states it once.
      if original == nil || (same.originalName ?? same.name) == original {
        property.originalName = known.property(named: property.name)?.originalName
      }
      return
    }
    guard let original else { return }
    let source =
      old.properties.first { $0.name == original }
      ?? old.properties.first { $0.originalName == original }
    guard let source else { return }
    property.migration.renamedFrom = Located(source.name, at: property.location)
    property.originalName = known.property(named: source.name)?.originalName
  }

  /// Writes each version's removals under `drops:`. A removal in code does not prove intent, so a person has to confirm
  /// it.
  ///
  /// - Returns: The questions about each drop, by version.
  package mutating func noteDrops(
    _ configuration: Configuration
  ) -> [VersionNumber: [ElementPath: [String]]] {
    var comments: [VersionNumber: [ElementPath: [String]]] = [:]
    for to in indices.dropFirst() {
      // The changes between two versions do not depend on other versions.
      let step = AnalysisPipeline(
        history: [self[to - 1], self[to]], configuration: configuration
      ).run().steps[0]
      for change in step.changes
      where change.classification.needsAcknowledgement && change.acknowledgement == nil {
        self[to].drops.append(
          Drop(element: Located(change.element), reason: Acknowledgement.unconfirmedText))
        comments[self[to].number, default: [:]][change.element] = step.questions(
          about: change.element)
      }
      self[to].drops.sort { $0.element.value < $1.element.value }
    }
    return comments
  }
}
