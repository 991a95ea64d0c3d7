internal import SchemaEvolution
internal import SchemaModel

struct UnusedType: LintRule {
  let rule = Rule(
    "unused-type", .warning, "A declared type is used",
    basis: .manifest, isAcceptable: true)
  let category = RuleCategory.integrity
  let scope = RuleScope.version

  let purpose = """
    Neither a model of the newest version nor a type that a model uses names this type, also in no default.
    schemagen generates it all the same, and watches its cases and fields as if rows held them.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            kind: String
      types:
        ‹Kind›: { enum: String, cases: [city, beach] }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            kind: Kind?
      types:
        Kind: { enum: String, cases: [city, beach] }
      """),
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            kind: String = Kind.city.rawValue
      types:
        Kind: { enum: String, cases: [city, beach] }
      """),
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    let declared = Dictionary(context.newest.types, keyedBy: \.name)
    var open = context.newest.allAttributes.flatMap { _, property, attribute in
      // Without the type a default that names it does not compile.
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
        rule, "nothing that is stored uses '\(type.name)'", element: ElementPath(type.name),
        at: type.location,
        help: [
          "remove it, or use it", "to accept it: " + ManifestEdit.acceptance(id, type.name),
        ])
    }
  }
}
