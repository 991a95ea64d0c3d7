package import SchemaModel

extension Configuration {
  /// What a rename of a property is instead, where the engine does not give its columns another name; nil where it does.
  package func obstacle(toRenaming property: Property, in version: SchemaVersion) -> ChangeKind? {
    obstacle(toRenaming: property, StorageTypes(version: version))
  }

  func obstacle(toRenaming property: Property, _ storage: StorageTypes) -> ChangeKind? {
    guard property.isStored else { return nil }
    if cloudKit == .private { return .renamedUnderCloudKit }
    guard runsBefore26, let attribute = property.attribute,
      storage.form(of: attribute.type, transformable: attribute.transformer != nil).hasLeaves
    else { return nil }
    return .codableAttributeRenamed
  }
}
