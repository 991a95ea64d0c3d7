package import SchemaModel

extension Evolution {
  /// What of the rows that an expectation names is a fraction: `old.price`.
  package func fractions(of expectation: Expectation, _ step: VersionStep) -> Set<String> {
    let (old, new) = (history[step.from], history[step.to])
    guard let model = pairings[step.from].newModels[expectation.model.value] else { return [] }
    let origin = origins(of: model, in: step).first
    return Self.fractions("new", new.properties(of: model))
      .union(origin.map { Self.fractions("old", old.properties(of: $0)) } ?? [])
  }

  private static func fractions(_ row: String, _ properties: [Property]) -> Set<String> {
    Set(
      properties.filter { NumberType.floats.contains($0.type.description) }.map {
        "\(row).\($0.name)"
      })
  }
}
