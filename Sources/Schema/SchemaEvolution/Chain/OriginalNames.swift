internal import SchemaModel

/// The names that properties had in their first stores.
enum OriginalNames {
  /// Sets each property's original name to the first name that any store had for the property, if the names differ.
  ///
  /// Every store migrated to a later version would lose the values if that version omitted the name
  /// (docs/facts/migration.md#omitted-original-name-everywhere), or had a name from a version in between
  /// (docs/facts/migration.md#first-name-only). The original name in a manifest only counts for properties without a
  /// history.
  static func resolve(in versions: inout [ChainVersion]) {
    // Only names that differ from the property's current name are recorded, because most models have none.
    var known: [String: [String: String]] = [:]
    for position in versions.indices {
      var identifiers: [String: [String: String]] = [:]
      let broken = versions[position].breaks
      let models =
        position == 0
        ? [:] : Dictionary(versions[position - 1].schema.models, keyedBy: \.name)
      for modelIndex in versions[position].schema.models.indices {
        let model = versions[position].schema.models[modelIndex]
        let before = known[model.name]
        let renames = versions[position].renames[model.name]
        let hasNames = before != nil || renames != nil
        guard hasNames || model.properties.contains(where: { $0.originalName != nil }) else {
          continue
        }
        for (index, property) in model.properties.enumerated() {
          let name = property.name
          var identifier = property.originalName ?? name
          if !broken.contains(ElementPath(model.name, name)) {
            let older = renames?[name]
            let source = older ?? name
            if let first = before?[source] {
              identifier = first
            } else if models[model.name]?.property(named: source)?.isStored == true {
              identifier = source
            }
          }
          let original = identifier == name ? nil : identifier
          if let original { identifiers[model.name, default: [:]][name] = original }
          if property.originalName != original {
            versions[position].schema.models[modelIndex].properties[index].originalName = original
          }
        }
      }
      known = identifiers
    }
  }
}
