internal import SchemaEvolution
internal import SchemaModel

/// Original names in a manifest that is made of classes.
extension SchemaVersion {
  /// The version without new original names that follow from its steps: a manifest's names also hold in later versions,
  /// which may give others.
  ///
  /// - Parameters:
  ///   - evolution: The history with this version as its newest.
  ///   - base: The version as its manifest was before.
  ///   - names: Models and properties of that manifest that have other names now.
  func leavingOutNames(
    _ evolution: Evolution, unlike base: SchemaVersion, renaming names: [ElementPath: String]
  ) -> SchemaVersion {
    func former(of element: ElementPath) -> Property? {
      let owner = names.first { $0.key.member == nil && $0.value == element.owner }?.key.owner
      let model = owner ?? element.owner
      let member = names.first { $0.key.owner == model && $0.value == element.member }?.key.member
      return base.property(at: ElementPath(model, member ?? element.member))
    }
    /// The version with other original names; nil keeps one.
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
    let found = AnalysisPipeline(
      history: evolution.history.dropLast() + [bare], configuration: evolution.configuration
    ).run()
    let known = found.newestStored
    return naming(self) { element, property in
      known.property(at: element)?.originalName == property.originalName
        && bare.property(at: element)?.originalName != property.originalName ? .some(nil) : nil
    }
  }
}
