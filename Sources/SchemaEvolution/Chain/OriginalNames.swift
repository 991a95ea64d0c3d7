internal import SchemaModel

/// The names under which stores first knew properties.
enum OriginalNames {
  /// Gives every property the first name under which any store knew it, wherever that is another.
  ///
  /// Omitting it one version later would lose the values of stores from before the rename
  /// (docs/facts/migration.md#omitted-original-name).
  static func resolve(in versions: inout [ChainVersion]) {
    // Only names that differ from the property's own are kept: most models have none.
    var known: [String: [String: String]] = [:]
    for position in versions.indices {
      var identifiers: [String: [String: String]] = [:]
      let broken = versions[position].breaks
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
            identifier = before?[older ?? name] ?? older ?? identifier
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
