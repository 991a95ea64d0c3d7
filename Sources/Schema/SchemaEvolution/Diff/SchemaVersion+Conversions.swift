package import SchemaModel

extension SchemaVersion {
  /// Copies conversions from another state of this version if `old` has their sources. The differences from `old` are
  /// then conversions, not removals and additions.
  ///
  /// - Parameters:
  ///   - version: The state with the conversions.
  ///   - old: The version to compare with.
  package func takingConversions(of version: SchemaVersion, from old: SchemaVersion)
    -> SchemaVersion
  {
    var copy = self
    for model in copy.models.indices {
      guard let said = version.model(named: copy.models[model].name),
        let was = old.model(named: (said.isRenamed ? said.sources.first?.value : nil) ?? said.name)
      else { continue }
      for index in copy.models[model].properties.indices {
        let property = copy.models[model].properties[index]
        guard let migration = said.property(named: property.name)?.migration,
          !migration.from.isEmpty, migration.convert != nil,
          was.property(named: property.name) == nil,
          migration.from.allSatisfy({ was.property(named: $0.value) != nil })
        else { continue }
        copy.models[model].properties[index].migration = migration
      }
    }
    return copy
  }
}
