internal import SchemaModel

/// Resolves every name in a version, and connects inverse relationships.
struct ReferenceResolver {
  /// The most superclasses of a model. More are a mistake or an attack.
  static let deepest = 32

  var findings: Findings
  let references: References
  private(set) var models: [String: Int] = [:]
  private(set) var properties: [[String: Int]] = []
  /// The superclasses of each model, nearest first, up to the first mistake.
  private(set) var ancestors: [[Int]] = []

  init(_ references: References, _ findings: Findings) {
    self.references = references
    self.findings = findings
  }

  mutating func resolve(_ version: inout SchemaVersion) {
    index(version)
    resolveInheritance(version)
    reportClashes(version)
    resolveTypes(version)
    reportDescriptions(version)
    reportCases(version)
    resolvePropertyUses(version)
    resolveRelationships(&version)
  }

  private mutating func index(_ version: SchemaVersion) {
    for (index, model) in version.models.enumerated() {
      models[model.name] = index
      var names: [String: Int] = [:]
      for (index, property) in model.properties.enumerated() { names[property.name] = index }
      properties.append(names)
    }
  }

  // MARK: Inheritance

  private mutating func resolveInheritance(_ version: SchemaVersion) {
    for (index, model) in version.models.enumerated() {
      ancestors.append(chain(from: index, in: version))
      guard let superclass = model.superclass, models[superclass.value] == nil,
        !references.unread.contains(superclass.value)
      else { continue }
      findings.report(
        .unknownModel, "no model is called '\(superclass.value)'", element: ElementPath(model.name),
        at: superclass.location,
        help: Suggestion.help(findings.suggestion(for: superclass.value, among: models.keys)))
    }
  }

  private mutating func chain(from start: Int, in version: SchemaVersion) -> [Int] {
    var chain: [Int] = []
    var seen: Set<Int> = [start]
    var current = start
    while let superclass = version.models[current].superclass,
      let next = models[superclass.value]
    {
      guard seen.insert(next).inserted else {
        if next == start { reportCircle(from: start, through: chain, in: version) }
        break
      }
      guard chain.count < Self.deepest else {
        findings.report(
          .wrongValue, "this model inherits through more than \(Self.deepest) others",
          element: ElementPath(version.models[start].name),
          at: version.models[start].superclass?.location)
        break
      }
      chain.append(next)
      current = next
    }
    return chain
  }

  private mutating func reportCircle(from start: Int, through: [Int], in version: SchemaVersion) {
    // The cycle is reported once, for its first model.
    guard through.allSatisfy({ $0 > start }) else { return }
    let model = version.models[start]
    let way = ([start] + through + [start]).map { version.models[$0].name }
    findings.report(
      .circularInheritance,
      "'\(model.name)' inherits from itself: \(way.joined(separator: " → "))",
      element: ElementPath(model.name), at: model.superclass?.location)
  }

  // MARK: Names that collide

  /// Reports names that differ only in case. The store upper-cases names, so both would be one table or column.
  private mutating func reportClashes(_ version: SchemaVersion) {
    var tables: [String: Model] = [:]
    for model in version.models {
      guard let first = tables.updateValue(model, forKey: model.name.uppercased()) else { continue }
      reportClash(
        model.name, at: model.location, with: first.name, first.location,
        element: ElementPath(model.name))
    }
    // Indices of properties, since the properties themselves are large.
    var columns: [[String: Int]] = version.models.map { _ in [:] }
    for (index, model) in version.models.enumerated() {
      for (place, property) in model.properties.enumerated() {
        let column = property.name.uppercased()
        if let first = columns[index].updateValue(place, forKey: column) {
          reportClash(property, of: model, with: model.properties[first])
        }
      }
    }
    for (index, model) in version.models.enumerated() where !ancestors[index].isEmpty {
      for property in model.properties {
        let column = property.name.uppercased()
        let first = ancestors[index].lazy.compactMap { ancestor in
          columns[ancestor][column].map { version.models[ancestor].properties[$0] }
        }.first
        if let first { reportClash(property, of: model, with: first) }
      }
    }
  }

  private mutating func reportClash(
    _ property: Property, of model: Model, with first: Property
  ) {
    reportClash(
      property.name, at: property.location, with: first.name, first.location,
      element: ElementPath(model.name, property.name))
  }

  private mutating func reportClash(
    _ name: String, at location: SourceLocation?, with other: String,
    _ otherLocation: SourceLocation?, element: ElementPath
  ) {
    let message =
      name == other
      ? "'\(name)' is declared by the model that this one inherits from"
      : "'\(name)' and '\(other)' differ only in case"
        + ": the store calls both Z\(name.uppercased())"
    findings.report(
      .duplicateName, message, element: element, at: location,
      related: otherLocation.map { [Diagnostic.Related("'\(other)' is here", at: $0)] } ?? [])
  }

  // MARK: Properties

  private mutating func resolvePropertyUses(_ version: SchemaVersion) {
    for use in references.properties {
      guard let model = models[use.model] else { continue }
      _ = find(use.name, in: model, of: version, element: ElementPath(use.model))
    }
  }

  /// The indices of a property and of the model that declares it; nil, with a finding, if there is no such property.
  mutating func find(
    _ name: Located<String>, in model: Int, of version: SchemaVersion, element: ElementPath,
    rule: Rule = .unknownProperty
  ) -> (model: Int, property: Int)? {
    let owners = [model] + ancestors[model]
    for owner in owners {
      if let property = properties[owner][name.value] { return (owner, property) }
    }
    let modelName = version.models[model].name
    let isUnread = owners.contains {
      references.unread.contains("\(version.models[$0].name).\(name.value)")
    }
    if !isUnread {
      findings.report(
        rule, "'\(modelName)' has no property '\(name.value)'", element: element,
        at: name.location,
        help: Suggestion.help(
          findings.suggestion(for: name.value, among: owners.flatMap { properties[$0].keys })))
    }
    return nil
  }
}
