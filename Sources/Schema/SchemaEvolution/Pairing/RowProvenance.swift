internal import SchemaModel

/// Where the rows and values of a version come from, as an earlier version of the history has them.
///
/// Follows names, and what manifests declare of them. Values that a step creates come from nowhere.
package struct RowProvenance: Sendable {
  /// A property of a model.
  package struct Field: Hashable, Sendable {
    package var model: String
    package var property: String

    package init(_ model: String, _ property: String) {
      self.model = model
      self.property = property
    }
  }

  /// One step on the way, with names of both its versions.
  package struct Step: Sendable {
    /// The older version's provenance.
    private let provenance: RowProvenance
    private let pairing: StepPairing

    fileprivate init(_ provenance: RowProvenance, _ pairing: StepPairing) {
      self.provenance = provenance
      self.pairing = pairing
    }

    /// Where the rows of a model of the older version come from; none for one that came on the way.
    package func rows(ofOld model: String) -> [String] { provenance.rows(of: model) }

    package func rows(ofNew model: String) -> [String] {
      guard let model = pairing.newModels[model] else { return [] }
      return pairing.origins(of: model).flatMap { provenance.rows(of: $0.name) }
    }

    /// Where the values of a property of the older version come from; nil where they are made on the way.
    package func origin(ofOld field: Field) -> Field? { provenance.origin(of: field) }

    /// The property of the older version that a property of the newer one is, or was; nil for a new one.
    package func predecessor(ofNew field: Field) -> Field? {
      guard let model = pairing.newModels[field.model], let pair = pairing.pair(of: model) else {
        return nil
      }
      return pair.properties.continued.first { $0.new.name == field.property }
        .map { Field(pair.old.name, $0.old.name) }
    }

    /// The properties of the older version that a conversion makes a property of the newer one of.
    package func sources(ofNew field: Field) -> [Field] {
      guard let model = pairing.newModels[field.model] else { return [] }
      return pairing.pairs(of: model).flatMap { pair in
        pair.properties.converted.filter { $0.new.name == field.property }
          .flatMap { $0.sources.map { Field(pair.old.name, $0.name) } }
      }
    }

    /// The properties of the older version that go on in the newer one as what they were: same values.
    package var continued: [(old: Field, new: Field)] {
      pairing.new.models.flatMap { model -> [(old: Field, new: Field)] in
        guard let pair = pairing.pair(of: model) else { return [] }
        return pair.properties.continued.map {
          (Field(pair.old.name, $0.old.name), Field(model.name, $0.new.name))
        }
      }
    }
  }

  /// Models of the version reached → models where the way begins.
  private var models: [String: [String]] = [:]
  private var fields: [Field: Field] = [:]

  /// The steps from a version on, in order, as many as there are.
  package static func steps(of evolution: Evolution, from index: Int) -> [Step] {
    guard evolution.history.indices.contains(index) else { return [] }
    let pairings = evolution.steps.dropFirst(index).map(\.pairing)
    return zip(versions(evolution.history[index], pairings), pairings).map { Step($0, $1) }
  }

  /// The provenance of a version, which is itself, and of each that follows.
  private static func versions(
    _ version: SchemaVersion, _ pairings: [StepPairing]
  ) -> [RowProvenance] {
    var provenance = RowProvenance()
    for model in version.models {
      provenance.models[model.name] = [model.name]
      for property in model.properties {
        let field = Field(model.name, property.name)
        provenance.fields[field] = field
      }
    }
    return pairings.reduce(into: [provenance]) { all, pairing in
      all.append(all[all.count - 1].followed(pairing))
    }
  }

  fileprivate func rows(of model: String) -> [String] { models[model] ?? [] }

  /// Where the values of a property come from; nil where they are made on the way.
  fileprivate func origin(of field: Field) -> Field? { fields[field] }

  /// The provenance after one more step.
  private func followed(_ pairing: StepPairing) -> RowProvenance {
    var provenance = RowProvenance()
    for model in pairing.new.models {
      let pairs = pairing.pairs(of: model)
      provenance.models[model.name] = pairs.flatMap { models[$0.old.name] ?? [] }
      // Rows of several models have no one column that they were in.
      guard let pair = pairs.first, pairs.count == 1 else { continue }
      for (old, new) in pair.properties.continued
      where new.migration.fill == nil && Self.keepsValues(old, new) {
        provenance.fields[Field(model.name, new.name)] = fields[Field(pair.old.name, old.name)]
      }
    }
    return provenance
  }

  /// Whether every value stays as it is by default.
  static func keepsValues(_ old: Property, _ new: Property) -> Bool {
    switch (old.attribute, new.attribute) {
    case (let old?, let new?):
      // A default takes the place of nil.
      old.type == new.type || new.type == old.type.optionalized
    case (nil, nil): true
    default: false
    }
  }
}
