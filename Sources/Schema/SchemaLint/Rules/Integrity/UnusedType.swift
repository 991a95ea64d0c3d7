internal import SchemaEvolution
internal import SchemaModel

struct UnusedType: LintRule {
  let rule = Rule.unusedType

  func findings(in context: LintContext) -> [Diagnostic] {
    let declared = Dictionary(context.newest.types, keyedBy: \.name)
    var open = context.newest.allAttributes.flatMap { _, property, attribute in
      // A default that names a type does not compile without the type.
      let values = [attribute.defaultValue, attribute.fallback, property.initializerDefault]
      let words = values.compactMap(\.self).flatMap(\.words)
      return attribute.type.names + (attribute.encodes?.names ?? []) + words
    }
    var used: Set<String> = []
    while let name = open.popLast() {
      guard used.insert(name).inserted, case .structure(let fields)? = declared[name]?.kind else {
        continue
      }
      open += fields.flatMap { $0.type.names + ($0.defaultValue?.words ?? []) }
    }
    return context.newest.types.filter { !used.contains($0.name) }.map { type in
      Diagnostic(
        rule, "no stored value uses '\(type.name)'", element: ElementPath(type.name),
        at: type.location,
        help: [
          "use the type, or remove it", "to accept it: " + ManifestEdit.acceptance(id, type.name),
        ])
    }
  }
}
