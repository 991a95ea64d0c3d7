package import SchemaEvolution
package import SchemaModel

/// An expectation about one step as Swift: a closure that reads the values that the expectation names, and returns
/// whether the expectation holds.
package struct ExpectationText {
  package let expectation: Expectation
  /// Whether the expectation claims that an attribute has a value, not that a relationship has a row.
  private var isAttribute = false
  /// The older version's models whose rows become rows of the expectation's model.
  package let sources: [String]
  /// The lines that read the rows `old` and `new`; empty for a claim of presence, which has no closure.
  private(set) var body: [String] = []
  /// The condition on `old` and `new`; nil for a claim of presence, which has no closure.
  private(set) var condition: String?
  package let takesOld: Bool
  /// The former name of the property that must be present; nil if the property is new or made from other properties.
  package private(set) var former: String?

  package init(_ expectation: Expectation, _ step: VersionStep, _ evolution: Evolution) {
    self.expectation = expectation
    let (old, new) = (step.old, step.new)
    let model = new.model(named: expectation.model.value)
    let origins = model.map { step.origins(of: $0) } ?? []
    sources = origins.map(\.name)
    takesOld = !expectation.names.old.isEmpty
    if case .present(let property) = expectation.claim, let model {
      former = step.former(of: property, in: model)
      isAttribute = new.properties(of: model).contains {
        $0.name == property && $0.attribute != nil
      }
    }
    guard case .holds(let expression) = expectation.claim, let model else { return }
    let sides = [
      ("old", expectation.names.old, origins.first, old),
      ("new", expectation.names.new, Optional(model), new),
    ]
    for (row, names, model, version) in sides where !names.isEmpty {
      guard let model else { continue }
      let properties = version.properties(of: model).filter { names.contains($0.name) }
      body += Self.reading(
        properties.map { ($0.name, evolution.storedType($0, in: version)) }, of: row)
    }
    condition = expression.text
  }

  /// The lines that read a row into a struct with typed members. The struct's variable has the row's name.
  static func reading(_ properties: [(name: String, type: String)], of row: String) -> [String] {
    let type = row.uppercasedFirst
    let members = properties.map { "  let \(SwiftIdentifier.quoted($0.name)): \($0.type)" }
    let values = properties.map {
      "\(SwiftIdentifier.quoted($0.name)): \(row).value(\"\($0.name)\")"
    }
    return ["struct \(type) {"] + members + ["}"]
      + SwiftText.list("let \(row) = try \(type)", values, indent: 14)
  }

  private var closure: [String] {
    (body + (condition.map { ["return \($0)"] } ?? [])).map { "  \($0)" }
  }

  /// The statements that check the expectation for `before` and `after`, the rows of an upgrade.
  var tested: [String] {
    let model = expectation.model.value
    let said = "\"\(SwiftText.escaped(expectation.text))\""
    switch expectation.claim {
    case .present(let property):
      // Rows created for tests have no links.
      guard isAttribute else { return [] }
      let old = former.flatMap { former in sources.first.map { ($0, former) } }
      let lacked = old.map { " || before.rows[\"\($0)\"]?.has(\"\($1)\") == false" } ?? ""
      return [
        "#expect(", "  after.rows[\"\(model)\"]?.has(\"\(property)\") != false\(lacked),",
        "  \(said))",
      ]
    case .holds:
      let old = takesOld ? "let old = before.rows[\"\(sources.first ?? "")\"], " : ""
      return ["if \(old)let new = after.rows[\"\(model)\"] {"]
        + (body + ["#expect(", "  \(condition ?? "true"),", "  \(said))"]).map { "  \($0)" } + ["}"]
    }
  }

  /// The lines that pass the expectation to a rehearsal.
  package func rehearsed(in version: VersionNumber) -> [String] {
    let model = expectation.model.value
    let said = "\"\(SwiftText.escaped(expectation.text))\""
    let head = "(\"\(version.name)\", \"\(model)\""
    switch expectation.claim {
    case .present(let property):
      let former = former.map { "\"\($0)\"" } ?? "nil"
      return [".present\(head), \"\(property)\", before: \(former), \(said)),"]
    case .holds:
      return [
        takesOld ? ".pair\(head), \(said)) { old, new in" : ".after\(head), \(said)) { new in"
      ] + closure + ["},"]
    }
  }
}

extension Evolution {
  /// The type that a version's models store: in older versions, a former enum may replace today's.
  fileprivate func storedType(_ property: Property, in version: SchemaVersion) -> String {
    guard let type = property.attribute?.type else { return property.type.description }
    let name = type.unwrapped.description
    guard
      let former = formers.first(where: { $0.type == name && version.number < $0.until })
    else { return type.description }
    return type.isOptional ? "\(former.name)?" : former.name
  }
}
