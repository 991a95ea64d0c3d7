package import ManagedModels

/// A version that may match a store.
package struct VersionCandidate: Encodable, Sendable {
  /// The folder of the version's manifests, as the user names it; empty in an app.
  package var folder: String
  /// The version's name: "V8", or "V8ToV9" for a bridge.
  package var name: String
  /// The version's model. `versionIdentifier` is the number in stores' metadata.
  package var model: ManagedModel
  package var isBridge: Bool
  /// Core Data's hash of each entity in base64, from a store that has shipped; empty if unknown.
  package var knownHashes: [String: String]
  /// Hashes in base64 computed from the complete model, for a candidate whose model is only a layout.
  package var computedHashes: [String: String]
  package var gaps: Gaps

  private enum CodingKeys: CodingKey { case folder, name, isBridge }

  package init(
    folder: String = "", name: String, model: ManagedModel, isBridge: Bool = false,
    knownHashes: [String: String] = [:],
    computedHashes: [String: String] = [:],
    gaps: Gaps = Gaps()
  ) {
    self.folder = folder
    self.name = name
    self.model = model
    self.isBridge = isBridge
    self.knownHashes = knownHashes
    self.computedHashes = computedHashes
    self.gaps = gaps
  }

  /// The unknown parts of a version's model.
  package struct Gaps: Sendable {
    /// Whether the model contains no more than tables show: no optionality, no hash modifiers.
    package var isLayoutOnly = false
    /// Attributes and elements of composites, as `Entity.attribute.element`, with unknown columns.
    package var attributes: Set<String> = []
    /// Entities with attributes missing in the model, whose tables may have more columns.
    package var entities: Set<String> = []
    /// Columns, as `Entity.attribute.element`, with an unknown declared type.
    package var types: Set<String> = []

    package init() {}
  }

  /// Whether the hashes of all entities are known. The hashes of only some entities prove nothing.
  var hasAllHashes: Bool {
    !knownHashes.isEmpty && Set(knownHashes.keys) == Set(model.entities.map(\.name))
  }

  /// The model without the attributes whose columns are unknown, and the entities whose tables may have additional
  /// columns.
  func tables() -> (model: ManagedModel, open: Set<String>) {
    var known = model
    var open = gaps.entities
    guard !gaps.attributes.isEmpty else { return (known, open) }
    for index in known.entities.indices {
      let name = known.entities[index].name
      known.entities[index].attributes = known.entities[index].attributes.compactMap {
        told($0, at: "\(name).\($0.name)", isOpen: { open.insert(name) })
      }
    }
    return (known, open)
  }

  private func told(
    _ attribute: ManagedAttribute, at place: String, isOpen: () -> Void
  ) -> ManagedAttribute? {
    if gaps.attributes.contains(place) {
      isOpen()
      return nil
    }
    var attribute = attribute
    attribute.elements = attribute.elements.compactMap {
      told($0, at: "\(place).\($0.name)", isOpen: isOpen)
    }
    return attribute
  }
}
