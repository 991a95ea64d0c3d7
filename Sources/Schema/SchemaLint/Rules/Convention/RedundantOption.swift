internal import SchemaManifest
internal import SchemaModel

struct RedundantOption: LintRule {
  let rule = Rule(
    "redundant-option", .note, "A key does not repeat the default",
    basis: .manifest, isAcceptable: true)
  let category = RuleCategory.convention
  let scope = RuleScope.version

  let purpose = """
    `unique: false`, `transient: false`, `minimum: 0` and the like are the defaults. People read
    a manifest in review more often than they write it: each line should be a decision.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: { type: String, ‹unique›: false } # shown in the list
            days:
              relationship: "[Day]"
              inverse: trip
              ‹minimum›: 0
              deleteRule: cascade
        Day:
          properties:
            trip: { relationship: Trip? }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: { type: String } # shown in the list
            days:
              relationship: "[Day]"
              inverse: trip
              deleteRule: cascade
        Day:
          properties:
            trip: { relationship: Trip? }
      """)
  ]

  private static let flags =
    Set(Attribute.Option.allCases.map(\.rawValue)).union(["transient"])

  func findings(in context: LintContext) -> [Diagnostic] {
    context.newest.allProperties.flatMap { model, property -> [Diagnostic] in
      let node = context.newestProperties[ElementPath(model.name, property.name)]
      return (node?.entries ?? []).filter { isRedundant($0, property) }.map { entry in
        Diagnostic(
          rule, "'\(entry.key): \(entry.value.scalar?.text ?? "")' is the default",
          element: ElementPath(model.name, property.name), at: entry.keyLocation,
          help: ["remove it"])
      }
    }
  }

  private func isRedundant(_ entry: YAMLEntry, _ property: Property) -> Bool {
    let value = entry.value.scalar?.text
    if Self.flags.contains(entry.key) { return value == "false" }
    switch entry.key {
    case "minimum", "maximum": return value == "0"
    case "inEntity": return value == (property.relationship == nil ? "value" : "omit")
    default: return false
    }
  }

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.removal(finding, "remove the key")
  }
}
