package import SchemaEvolution
package import SchemaModel

/// An expectation of one step as Swift: a closure that reads the values that it names, and says whether it holds.
package struct ExpectationText {
  package let expectation: Expectation
  /// Whether what rows must have is a value, and no link.
  private var isAttribute = false
  /// The models of the version before whose rows become these.
  package let sources: [String]
  /// The lines that make `old` and `new` of rows that are called so; none for what takes no closure.
  private(set) var body: [String] = []
  /// What must hold of them; nil for what takes no closure.
  private(set) var condition: String?
  /// Whether the closure takes the row before.
  package let takesOld: Bool
  /// What the property of a presence was called before; nil where it is new, or made of others.
  package private(set) var former: String?

  /// - Parameter step: The step that it is asserted of.
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

  /// The lines that make a value with typed members of a row of the same name.
  static func reading(_ properties: [(name: String, type: String)], of row: String) -> [String] {
    let type = row.uppercasedFirst
    let members = properties.map { "  let \(SwiftIdentifier.quoted($0.name)): \($0.type)" }
    let values = properties.map {
      "\(SwiftIdentifier.quoted($0.name)): \(row).value(\"\($0.name)\")"
    }
    return ["struct \(type) {"] + members + ["}"]
      + SwiftText.list("let \(row) = try \(type)", values, indent: 14)
  }

  /// The closure's lines.
  private var closure: [String] {
    (body + (condition.map { ["return \($0)"] } ?? [])).map { "  \($0)" }
  }

  /// The statements that hold it for `before` and `after`, an upgrade's rows.
  var tested: [String] {
    let model = expectation.model.value
    let said = "\"\(SwiftText.escaped(expectation.text))\""
    switch expectation.claim {
    case .present(let property):
      // Rows that are made for tests have no links.
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

  /// The lines that tell a rehearsal of it.
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
  /// The type that a version's models store: a former enum in place of today's.
  fileprivate func storedType(_ property: Property, in version: SchemaVersion) -> String {
    guard let type = property.attribute?.type else { return property.type.description }
    let name = type.unwrapped.description
    guard
      let former = formers.first(where: { $0.type == name && version.number < $0.until })
    else { return type.description }
    return type.isOptional ? "\(former.name)?" : former.name
  }
}
