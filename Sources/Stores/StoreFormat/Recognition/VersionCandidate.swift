package import ManagedModels

/// A version that a store may be of.
package struct VersionCandidate: Encodable, Sendable {
  /// The folder of manifests that it is of, as the user names it; empty in an app.
  package var folder: String
  /// What people call it: "V8", or "V8ToV9" for a bridge.
  package var name: String
  /// Its model; `versionIdentifier` is the number that stores' metadata name.
  package var model: ManagedModel
  /// Whether it only is a step of a migration.
  package var isBridge: Bool
  /// Base64 of Core Data's hash of each entity, from a store that has shipped; empty if they are unknown.
  package var knownHashes: [String: String]
  /// Base64 of hashes made where the whole model was known; for a candidate whose model is only a layout.
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

  /// What of a version's model is not known.
  package struct Gaps: Sendable {
    /// Whether the model tells no more than tables do: no optionality, no hash modifiers.
    package var isLayoutOnly = false
    /// Attributes and elements of composites, as `Entity.attribute.element`, whose columns are not known.
    package var attributes: Set<String> = []
    /// Entities with attributes that the model does not have: their tables may have more columns.
    package var entities: Set<String> = []
    /// Columns, as `Entity.attribute.element`, of which the declared type is not known.
    package var types: Set<String> = []

    package init() {}
  }

  /// Whether the hashes of all its entities are known: those of a part prove nothing.
  var hasAllHashes: Bool {
    !knownHashes.isEmpty && Set(knownHashes.keys) == Set(model.entities.map(\.name))
  }

  /// The model without attributes of unknown columns, and the entities whose tables may have more than it says.
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
