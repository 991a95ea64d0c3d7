internal import ManagedModels
internal import SchemaEvolution
internal import StoreFormat

extension StoreDiagnosis {
  /// What an app does with a store that matches no version of its plan.
  package struct Outcome: Encodable, Sendable {
    /// Core Data's error code. SwiftData shows another error.
    package var code: Int
    package var message: String
    /// The elements that an inference to the newest version drops, sorted; nil if inference is impossible.
    package var dropped: [String]?
    package var newest: String
  }

  func findOutcome() -> Outcome? {
    guard let nearest, facts.writer == .coreData,
      let folder = folder(of: nearest.candidate), folder.evolution != nil
    else { return nil }
    // The error depends on the model cache (docs/facts/migration.md#unknown-version-is-134504,
    // #unknown-version-second-look).
    let hasModel = facts.modelSource == .modelCache
    let kind: StoreError.Kind = hasModel ? .unknownModelVersion : .unidentifiedStore
    return Outcome(
      code: kind.rawValue,
      message: hasModel
        ? "Cannot use staged migration with an unknown model version."
        : "must be opened one time without Staged Migration",
      dropped: hasModel ? dropped(folder) : nil, newest: folder.newest)
  }

  /// The elements of the store that the newest version lacks (docs/facts/migration.md#remove-attribute).
  private func dropped(_ folder: ManifestFolder) -> [String] {
    guard let model = facts.model, let newest = folder.candidates.last?.model else {
      return []
    }
    let entities = newest.entitiesByName
    return model.entities.flatMap { entity -> [String] in
      guard let other = entities[entity.name] else { return [entity.name] }
      let kept = Set(other.propertyNames).union(other.originalNames)
      return entity.propertyNames.filter { !kept.contains($0) }.map { "\(entity.name).\($0)" }
    }.sorted()
  }
}

extension ManagedEntity {
  fileprivate var propertyNames: [String] {
    attributes.map(\.name) + relationships.map(\.name)
  }

  fileprivate var originalNames: [String] {
    attributes.compactMap(\.originalName) + relationships.compactMap(\.originalName)
  }
}
