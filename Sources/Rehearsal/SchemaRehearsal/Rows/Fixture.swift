package import RehearsalHarness
internal import SchemaEvolution
internal import SchemaManifest
package import SchemaModel

/// Rows that a user wrote for a rehearsal, by version.
///
/// JSON or YAML: versions, in each the models, in each a list of rows. A row is a mapping from properties to
/// values; `$label` names it, and `"@label"` is a link to it.
package struct Fixture: Sendable {
  /// Rows by the version's place in the history.
  package private(set) var rows: [Int: [PlannedRow]] = [:]
  package private(set) var diagnostics: [Diagnostic] = []

  /// No rows.
  package init() {}

  /// Reads a file that belongs to a history. What is wrong is told, all of it; rows that are right are there.
  package init(_ file: SourceFile, for history: [SchemaVersion]) {
    let read = YAMLReader.read(file)
    diagnostics = read.diagnostics
    // An empty file is the reader's finding.
    guard let root = read.root else { return }
    let rowLineage = RowLineage(history)
    guard case .mapping(let versions) = root.content else {
      report(
        "a fixture is a mapping from versions, not \(root.kind)", at: root.location, [Self.example])
      return
    }
    for entry in versions {
      guard let number = VersionNumber(entry.key),
        let version = history.firstIndex(where: { $0.number == number })
      else {
        report(
          "there is no version '\(entry.key)'", at: entry.keyLocation,
          Suggestion.help(for: entry.key, among: history.map(\.number.name)))
        continue
      }
      readModels(entry.value, version, rowLineage.lookups[version])
    }
  }

  private static let example = #"write: { "V1": { "HabitModel": [ { "name": "Run" } ] } }"#

  /// No rows, and the finding that the file is not there.
  package init(missing path: String) {
    diagnostics = [
      Diagnostic(
        .missingFixture, "there is no fixture '\(path)'", at: nil,
        help: ["write one, or rehearse without '--fixture'"])
    ]
  }

  private mutating func report(
    _ message: String, at location: SourceLocation, _ help: [String] = []
  ) {
    diagnostics.append(Diagnostic(.badFixture, message, at: location, help: help))
  }

  // MARK: Rows

  private mutating func readModels(_ node: YAMLNode, _ version: Int, _ lookup: VersionIndex) {
    let name = lookup.version.number.name
    guard case .mapping(let models) = node.content else {
      report("'\(name)' is a mapping from models, not \(node.kind)", at: node.location)
      return
    }
    var found: [PlannedRow] = []
    var links: [(row: Int, property: Property, label: String, place: SourceLocation)] = []
    for entry in models {
      guard lookup.models[entry.key] != nil else {
        report(
          "\(name) has no model '\(entry.key)'", at: entry.keyLocation,
          Suggestion.help(for: entry.key, among: lookup.models.keys))
        continue
      }
      guard case .sequence(let rows) = entry.value.content else {
        report(
          "'\(entry.key)' is a list of rows, not \(entry.value.kind)", at: entry.value.location)
        continue
      }
      for (number, node) in rows.enumerated() {
        guard case .mapping(let values) = node.content else {
          report("a row is a mapping from properties, not \(node.kind)", at: node.location)
          continue
        }
        let row = PlannedRow(entity: entry.key, label: "\(entry.key) fixture \(number + 1)")
        readRow(values, at: node.location, row, lookup, &found, &links)
      }
    }
    resolve(links, &found, lookup)
    if !found.isEmpty { rows[version] = found }
  }

  private mutating func readRow(
    _ values: [YAMLEntry], at location: SourceLocation, _ empty: PlannedRow, _ lookup: VersionIndex,
    _ found: inout [PlannedRow],
    _ links: inout [(row: Int, property: Property, label: String, place: SourceLocation)]
  ) {
    var row = empty
    let properties = lookup.properties(of: row.entity).filter { $0.isStored }
    var given: Set<String> = []
    for entry in values {
      if entry.key == "$label" {
        guard let label = entry.value.scalar?.text, !label.isEmpty, !label.contains(" ") else {
          report("a label is one word", at: entry.value.location)
          continue
        }
        if found.contains(where: { $0.label == label }) {
          report("the label '\(label)' is taken", at: entry.value.location)
        }
        row.label = label
        continue
      }
      guard let property = properties.first(where: { $0.name == entry.key }) else {
        report(
          "'\(row.entity)' has no property '\(entry.key)' in \(lookup.version.number.name)",
          at: entry.keyLocation,
          Suggestion.help(for: entry.key, among: properties.map(\.name)))
        continue
      }
      given.insert(property.name)
      guard let attribute = property.attribute else {
        for label in labels(entry.value, of: property) {
          links.append((found.count, property, label.value, label.location))
        }
        continue
      }
      let reader = FixtureValueReader(lookup: lookup)
      do throws(FixtureValueReader.Refusal) {
        row.values.merge(try reader.values(entry.value, attribute, property.name)) { $1 }
      } catch {
        report(
          "'\(row.entity).\(property.name)': \(error.reason)", at: error.location, error.help)
      }
    }
    for property in properties where !given.contains(property.name) {
      guard let attribute = property.attribute, !attribute.type.isOptional else {
        if property.relationship?.cardinality == .one {
          report(
            "'\(row.entity).\(property.name)' is required and missing", at: location,
            ["write \(property.name): \"@label\", with the label of another row"])
        }
        continue
      }
      let value = attribute.defaultValue.flatMap {
        LiteralReader(lookup: lookup).value(of: $0, as: attribute)
      }
      guard attribute.defaultValue != nil else {
        report(
          "'\(row.entity).\(property.name)' is required and missing", at: location,
          ["it is of type \(attribute.type), and has no default"])
        continue
      }
      let isRaw = if case .rawEnum = lookup.storage(of: attribute) { true } else { false }
      row.values[isRaw ? "\(property.name).rawValue" : property.name] =
        value.map { .stored($0) } ?? .modelDefault
    }
    found.append(row)
  }

  // MARK: Links

  private mutating func labels(
    _ node: YAMLNode, of property: Property
  ) -> [(value: String, location: SourceLocation)] {
    if let scalar = node.scalar {
      if FixtureValueReader.isNull(scalar) { return [] }
      guard scalar.text.hasPrefix("@"), scalar.text.count > 1 else {
        report("a link is '@' and a label, as in \"@sport\"", at: node.location)
        return []
      }
      return [(String(scalar.text.dropFirst()), node.location)]
    }
    guard case .sequence(let nodes) = node.content,
      property.relationship?.cardinality.isMany ?? false
    else {
      report("'\(property.name)' is one link, not \(node.kind)", at: node.location)
      return []
    }
    return nodes.flatMap { labels($0, of: property) }
  }

  /// Sets each link at the end that holds it.
  private mutating func resolve(
    _ links: [(row: Int, property: Property, label: String, place: SourceLocation)],
    _ rows: inout [PlannedRow], _ lookup: VersionIndex
  ) {
    for link in links where rows.indices.contains(link.row) {
      guard let relationship = link.property.relationship else { continue }
      guard let partner = rows.firstIndex(where: { $0.label == link.label }) else {
        report(
          "no row has the label '\(link.label)'", at: link.place,
          Suggestion.help(for: link.label, among: rows.map(\.label)))
        continue
      }
      guard lookup.isModel(rows[partner].entity, within: relationship.destination.value) else {
        report(
          "'\(link.property.name)' leads to '\(relationship.destination.value)', and '\(link.label)' is a '\(rows[partner].entity)'",
          at: link.place)
        continue
      }
      let inverse = relationship.inverse.flatMap { name in
        lookup.property(name.value, of: relationship.destination.value).map { (name.value, $0) }
      }
      let isInverseOne = inverse?.1.relationship?.cardinality.isMany == false
      if !(relationship.cardinality.isMany && isInverseOne) {
        rows[link.row].links[link.property.name, default: []].append(link.label)
      }
      if isInverseOne, let inverse {
        rows[partner].links[inverse.0] = [rows[link.row].label]
      }
    }
  }
}
