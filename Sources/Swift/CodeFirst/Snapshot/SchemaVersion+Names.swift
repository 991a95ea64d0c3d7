internal import SchemaEvolution
internal import SchemaModel

extension SchemaVersion {
  /// The version without the original names that schemagen derives from its steps anyway, unless the manifest already
  /// has them. A written original name also applies to later versions, which may need another.
  ///
  /// - Parameters:
  ///   - evolution: The history with this version as its newest.
  ///   - base: The version in its previous manifest.
  ///   - names: The new names of renamed models and properties, by their elements in the previous manifest.
  func leavingOutNames(
    _ evolution: Evolution, unlike base: SchemaVersion, renaming names: [ElementPath: String]
  ) -> SchemaVersion {
    func former(of element: ElementPath) -> Property? {
      let owner = names.first { $0.key.member == nil && $0.value == element.owner }?.key.owner
      let model = owner ?? element.owner
      let member = names.first { $0.key.owner == model && $0.value == element.member }?.key.member
      return base.property(at: ElementPath(model, member ?? element.member))
    }
    /// Sets original names. `name` returns `nil` to keep a property's original name.
    func naming(
      _ version: SchemaVersion, _ name: (ElementPath, Property) -> String??
    ) -> SchemaVersion {
      var version = version
      for model in version.models.indices {
        for place in version.models[model].properties.indices {
          let property = version.models[model].properties[place]
          let element = ElementPath(version.models[model].name, property.name)
          guard let name = name(element, property) else { continue }
          version.models[model].properties[place].originalName = name
        }
      }
      return version
    }
    let bare = naming(self) { element, property in
      property.originalName == former(of: element)?.originalName ? nil : .some(nil)
    }
    guard bare != self else { return self }
    let known = evolution.with(evolution.history.dropLast() + [bare]).newestStored
    return naming(self) { element, property in
      known.property(at: element)?.originalName == property.originalName
        && bare.property(at: element)?.originalName != property.originalName ? .some(nil) : nil
    }
  }
}
