package import SchemaEvolution
package import SchemaModel

/// An expectation of one step as Swift: a closure that reads the values that it names, and says whether it holds.
package struct ExpectationText {
  package let expectation: Expectation
  /// The models of the version before whose rows become these.
  package let sources: [String]
  /// The lines of the closure's body, which knows `old` and `new`; empty for what takes no closure.
  package private(set) var body: [String] = []
  /// Whether the closure takes the row before.
  package let takesOld: Bool
  /// What the property of a presence was called before; nil where it is new, or made of others.
  package private(set) var former: String?

  /// - Parameter step: The step that it is asserted of.
  package init(_ expectation: Expectation, _ step: VersionStep, _ evolution: Evolution) {
    self.expectation = expectation
    let (old, new) = (evolution.history[step.from], evolution.history[step.to])
    let model = new.model(named: expectation.model.value)
    let origins = model.map { evolution.origins(of: $0, in: step) } ?? []
    sources = origins.map(\.name)
    takesOld = !expectation.names.old.isEmpty
    if case .present(let property) = expectation.claim, let model {
      former = evolution.former(of: property, in: model, step)
    }
    guard case .holds(let expression) = expectation.claim, let model else { return }
    let sides = [
      ("old", "Old", expectation.names.old, origins.first, old),
      ("new", "New", expectation.names.new, Optional(model), new),
    ]
    for (row, type, names, model, version) in sides where !names.isEmpty {
      guard let model else { continue }
      let properties = version.properties(of: model).filter { names.contains($0.name) }
      body.append("struct \(type) {")
      for property in properties {
        guard let attribute = property.attribute else { continue }
        let stored = evolution.storedType(attribute.type, in: version)
        body.append("  let \(SwiftIdentifier.quoted(property.name)): \(stored)")
      }
      body.append("}")
      let values = properties.map { property in
        let path =
          version.isRawEnum(property) ? "\(property.name).rawValue" : property.name
        return "\(property.name): \(row).value(\"\(path)\")"
      }
      body.append("let \(row) = try \(type)(\(values.joined(separator: ", ")))")
    }
    body.append("return \(expression)")
  }

  /// The lines that tell a launch of it.
  ///
  /// - Parameter held: What a launch can hold of it.
  package func launched(_ held: LaunchExpectation, _ evolution: Evolution) -> [String] {
    let number = { (version: Int) in SwiftText.storeVersion(evolution.history[version].number) }
    var lines = ["\"\(SwiftText.escaped(expectation.text))\","]
    let kind: String
    var arguments = ["step: \(number(held.step))", "of: \"\(held.model)\""]
    switch expectation.claim {
    case .unchangedCount: kind = "count"
    case .present(let property):
      kind = "present"
      arguments.append("\"\(held.names[property] ?? property)\"")
    case .holds:
      kind = takesOld ? "pair" : "after"
      arguments.append("names: \(SwiftText.names(held.names))")
    }
    lines.append(arguments.joined(separator: ", ") + (kind == "after" ? "" : ","))
    if kind != "after" {
      let origins = held.origins.map { origin in
        let models = origin.models.map { "\"\($0)\"" }.joined(separator: ", ")
        let names = origin.names.isEmpty ? [] : ["names: \(SwiftText.names(origin.names))"]
        return SwiftText.list(
          ".init", [number(origin.version), "[\(models)]"] + names,
          // A comma behind it has its place too.
          indent: 13)
      }
      lines += ["origins: ["] + SwiftText.separated(origins).map { "  \($0)" } + ["]"]
    }
    lines = [".\(kind)("] + lines.map { "  \($0)" }
    guard case .holds = expectation.claim else { return lines + [")"] }
    return lines + [takesOld ? ") { old, new in" : ") { new in"] + body.map { "  \($0)" } + ["}"]
  }

  /// The lines that tell a rehearsal of it.
  package func rehearsed(in version: VersionNumber) -> [String] {
    let model = expectation.model.value
    let said = "\"\(SwiftText.escaped(expectation.text))\""
    let head = "(\"\(version.name)\", \"\(model)\""
    switch expectation.claim {
    case .unchangedCount:
      let sources = sources.map { "\"\($0)\"" }.joined(separator: ", ")
      return [".count\(head), of: [\(sources)], \(said)),"]
    case .present(let property):
      let former = former.map { "\"\($0)\"" } ?? "nil"
      return [".present\(head), \"\(property)\", before: \(former), \(said)),"]
    case .holds:
      return [
        takesOld ? ".pair\(head), \(said)) { old, new in" : ".after\(head), \(said)) { new in"
      ] + body.map { "  \($0)" } + ["},"]
    }
  }
}

extension SchemaVersion {
  fileprivate func isRawEnum(_ property: Property) -> Bool {
    guard let attribute = property.attribute else { return false }
    if case .rawEnum = StorageTypes(version: self).storage(of: attribute.type) { return true }
    return false
  }
}

extension Evolution {
  /// The type that a version's models store: a former enum in place of today's.
  fileprivate func storedType(_ type: TypeReference, in version: SchemaVersion) -> String {
    let name = type.unwrapped.description
    guard
      let former = formers.first(where: { $0.type == name && version.number < $0.until })
    else { return type.description }
    return type.isOptional ? "\(former.name)?" : former.name
  }
}
