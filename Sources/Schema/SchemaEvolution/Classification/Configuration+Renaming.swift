package import SchemaModel

extension Configuration {
  /// The kind of change if the engine cannot rename the property's columns; `nil` if it can.
  package func obstacle(toRenaming property: Property, in version: SchemaVersion) -> ChangeKind? {
    obstacle(toRenaming: property, of: nil, StorageTypes(version: version))
  }

  /// - Parameter model: The property's model, which may be in a store that does not sync; `nil` if it is unknown.
  func obstacle(
    toRenaming property: Property, of model: String?, _ storage: StorageTypes
  ) -> ChangeKind? {
    guard property.isStored else { return nil }
    let isLocal = cloud.local.contains { $0.value == model }
    if cloudKit == .private, !isLocal { return .renamedUnderCloudKit }
    guard runsBefore26, let attribute = property.attribute,
      storage.form(of: attribute.type, transformable: attribute.transformer != nil).hasLeaves
    else { return nil }
    return .codableAttributeRenamed
  }

  /// Whether a store of a version may have been synced. A version that CloudKit refuses never had mirroring tables
  /// (docs/facts/migration.md#cloudkit-no-unique, docs/facts/migration.md#cloudkit-optional-or-default).
  func canSync(_ version: SchemaVersion) -> Bool {
    let local = Set(cloud.local.map(\.value))
    return version.models.allSatisfy { model in
      local.contains(model.name)
        || model.uniques.isEmpty
          && model.properties.allSatisfy { property in
            guard property.isStored, let attribute = property.attribute else {
              return !property.isUnique
            }
            return !property.isUnique
              && (attribute.type.isOptional || attribute.defaultValue != nil)
          }
    }
  }
}
