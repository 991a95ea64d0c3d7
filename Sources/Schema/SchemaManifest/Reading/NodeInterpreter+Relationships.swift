internal import SchemaModel

extension NodeInterpreter {
  mutating func relationship(
    _ entry: YAMLEntry, _ keys: KeyedMapping<PropertyKey>
  ) -> Relationship? {
    let inverse = keys[.inverse].flatMap { reference($0) }
    let deleteRule = choice(keys[.deleteRule], of: Relationship.DeleteRule.self)
    let isUnique = boolean(keys[.unique])
    let minimum = integer(keys[.minimum], in: 0...Int.max)
    let maximum = integer(keys[.maximum], in: 0...Int.max)
    if let minimum, let maximum, minimum > maximum, maximum > 0, let entry = keys[.minimum] {
      report(
        .conflictingKeys, "'minimum' is greater than 'maximum'", at: entry.value.location)
    }
    guard let (destination, cardinality) = destination(entry) else { return nil }
    var relationship = Relationship(
      destination: destination, cardinality: cardinality, inverse: inverse)
    relationship.declaresInverse = inverse != nil
    relationship.deleteRule = deleteRule ?? .nullify
    relationship.isUnique = isUnique
    relationship.minimum = minimum
    relationship.maximum = maximum
    return relationship
  }

  private mutating func destination(
    _ entry: YAMLEntry
  ) -> (Located<String>, Relationship.Cardinality)? {
    let help = ["write Model, Model?, [Model] or [Model]?"]
    guard let source = relationshipText(entry) else {
      reportKind(of: pointed(entry), expected: "a model", named: "'relationship'", help: help)
      return nil
    }
    let type: TypeReference
    do throws(TypeReference.SyntaxError) {
      type = try TypeReference(parsing: source.text)
    } catch {
      report(.invalidType, error.reason, at: source.place(at: error.offset), help: help)
      return nil
    }
    let found: (name: String, cardinality: Relationship.Cardinality)? =
      switch type {
      case .named(let name, arguments: []): (name, .one)
      case .optional(.named(let name, arguments: [])): (name, .optionalOne)
      case .array(.named(let name, arguments: [])): (name, .many)
      case .optional(.array(.named(let name, arguments: []))): (name, .optionalMany)
      default: nil
      }
    guard let found else {
      report(
        .invalidType, "a relationship cannot be '\(type)'", at: source.location, help: help)
      return nil
    }
    return (Located(found.name, at: source.place(of: found.name)), found.cardinality)
  }

  /// The type in `relationship:`. A YAML list with one model is read as Swift's `[Model]`.
  private func relationshipText(_ entry: YAMLEntry) -> SourceText? {
    let node = pointed(entry)
    if let scalar = node.scalar {
      return scalar.text.isEmpty ? nil : SourceText(scalar, at: node.location)
    }
    guard case .sequence(let items) = node.content, items.count == 1,
      let scalar = items[0].scalar, !scalar.text.isEmpty
    else { return nil }
    return SourceText(YAMLScalar("[\(scalar.text)]"), at: node.location)
  }
}
