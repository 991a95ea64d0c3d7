internal import SchemaModel

extension ReferenceResolver {
  private struct End: Hashable {
    var model: Int
    var property: Int
  }

  mutating func resolveRelationships(_ version: inout SchemaVersion) {
    var claims: [End: End] = [:]
    for (modelIndex, model) in version.models.enumerated() {
      for (propertyIndex, property) in model.properties.enumerated() {
        guard let relationship = property.relationship,
          let destination = destination(of: relationship, of: property, in: model)
        else { continue }
        resolveOrder(of: property, relationship, in: model, at: destination, of: version)
        let end = End(model: modelIndex, property: propertyIndex)
        if let other = inverse(of: end, at: destination, in: version) {
          claim(other, for: end, &claims, in: version)
        }
      }
    }
    for (other, end) in claims { join(other, with: end, in: &version) }
  }

  private mutating func destination(
    of relationship: Relationship, of property: Property, in model: Model
  ) -> Int? {
    let name = relationship.destination
    if let index = models[name.value] { return index }
    guard !references.unread.contains(name.value) else { return nil }
    var help = Suggestion.help(findings.suggestion(for: name.value, among: models.keys))
    if StorageType.Primitive.bySwiftName[name.value] != nil {
      help = ["write 'type:' in place of 'relationship:' for a value"]
    }
    findings.report(
      .unknownModel, "no model is called '\(name.value)'",
      element: ElementPath(model.name, property.name), at: name.location, help: help)
    return nil
  }

  /// Resolves the properties by which a list is sorted. Every row must have a value, and the values must be comparable.
  private mutating func resolveOrder(
    of property: Property, _ relationship: Relationship, in model: Model, at destination: Int,
    of version: SchemaVersion
  ) {
    guard let first = property.mapping.sortedBy.first else { return }
    let element = ElementPath(model.name, property.name)
    guard relationship.cardinality.isMany else {
      findings.report(
        .conflictingKeys, "'sortedBy' belongs to a to-many relationship", element: element,
        at: first.location, help: ["remove 'sortedBy': the relationship leads to one row at most"])
      return
    }
    for name in property.mapping.sortedBy {
      guard let found = find(name, in: destination, of: version, element: element) else { continue }
      let key = version.models[found.model].properties[found.property]
      guard !key.isSortable else { continue }
      findings.report(
        .wrongValue, "rows cannot be sorted by '\(name.value)', of type '\(key.type)'",
        element: element, at: name.location,
        related: key.location.map { [Diagnostic.Related("'\(key.name)' is here", at: $0)] } ?? [],
        help: ["name a stored property that is not optional: a number, a String, a Date or a UUID"])
    }
  }

  /// The relationship that `end` names as its inverse; nil if it names none or, with a finding, none that fits.
  private mutating func inverse(
    of end: End, at destination: Int, in version: SchemaVersion
  ) -> End? {
    let model = version.models[end.model]
    let property = model.properties[end.property]
    let element = ElementPath(model.name, property.name)
    guard let name = property.relationship?.inverse,
      let found = find(
        name, in: destination, of: version, element: element, rule: .danglingInverse)
    else { return nil }
    let other = End(model: found.model, property: found.property)
    guard other != end else {
      findings.report(
        .danglingInverse, "a relationship cannot be its own inverse", element: element,
        at: name.location, help: ["add a relationship that leads back"])
      return nil
    }
    let otherName = self.name(of: other, in: version)
    let otherProperty = version.models[other.model].properties[other.property]
    guard let back = otherProperty.relationship else {
      reportDangling("'\(otherName)' is not a relationship", element, name, otherProperty)
      return nil
    }
    guard back.destination.value == model.name else {
      reportDangling(
        "'\(otherName)' leads to '\(back.destination.value)', not back to '\(model.name)'",
        element, name, otherProperty)
      return nil
    }
    return other
  }

  private mutating func claim(
    _ other: End, for end: End, _ claims: inout [End: End], in version: SchemaVersion
  ) {
    let element = name(of: end, in: version)
    let otherElement = name(of: other, in: version)
    let place = property(at: end, in: version).relationship?.inverse?.location
    if let first = claims[other] {
      findings.report(
        .contestedInverse,
        "'\(otherElement)' is already the inverse of '\(name(of: first, in: version))'",
        element: element, at: place,
        related: related("the other 'inverse' is here", first, in: version))
    } else if claims[end] == other {
      reportBothSides(element, place, otherElement, other, in: version)
    } else if property(at: other, in: version).relationship?.declaresInverse == true,
      !leads(other, to: end, in: version)
    {
      findings.report(
        .contestedInverse, "'\(otherElement)' has its own inverse", element: element,
        at: place, related: related("its inverse is named here", other, in: version))
    } else {
      claims[other] = end
    }
  }

  private mutating func reportBothSides(
    _ element: ElementPath, _ place: SourceLocation?, _ otherElement: ElementPath, _ other: End,
    in version: SchemaVersion
  ) {
    let line = place.map { " in line \($0.line)" } ?? ""
    findings.report(
      .inverseOnBothSides,
      "'\(element)' and '\(otherElement)' both have 'inverse', which makes a circular macro reference",
      element: element, at: place,
      related: related("the other 'inverse' is here", other, in: version),
      help: ["delete 'inverse: \(property(at: other, in: version).name)'\(line)"])
  }

  private func leads(_ end: End, to other: End, in version: SchemaVersion) -> Bool {
    let relationship = property(at: end, in: version).relationship
    return relationship?.inverse?.value == property(at: other, in: version).name
      && relationship?.destination.value == version.models[other.model].name
  }

  private func join(_ other: End, with end: End, in version: inout SchemaVersion) {
    let property = property(at: end, in: version)
    guard var back = self.property(at: other, in: version).relationship else { return }
    guard !back.declaresInverse else { return }
    back.inverse = Located(property.name, at: property.location)
    version.models[other.model].properties[other.property].kind = .relationship(back)
  }

  // MARK: Wording

  private mutating func reportDangling(
    _ message: String, _ element: ElementPath, _ name: Located<String>, _ other: Property
  ) {
    findings.report(
      .danglingInverse, message, element: element, at: name.location,
      related: other.location.map { [Diagnostic.Related("'\(other.name)' is here", at: $0)] }
        ?? [])
  }

  private func related(
    _ message: String, _ end: End, in version: SchemaVersion
  ) -> [Diagnostic.Related] {
    let place = property(at: end, in: version).relationship?.inverse?.location
    return place.map { [Diagnostic.Related(message, at: $0)] } ?? []
  }

  private func property(at end: End, in version: SchemaVersion) -> Property {
    version.models[end.model].properties[end.property]
  }

  private func name(of end: End, in version: SchemaVersion) -> ElementPath {
    ElementPath(version.models[end.model].name, property(at: end, in: version).name)
  }
}
