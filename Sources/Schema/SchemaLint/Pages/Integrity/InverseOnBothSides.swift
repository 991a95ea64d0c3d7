internal import SchemaManifest
internal import SchemaModel

struct InverseOnBothSides: RulePage {
  let rule = Rule.inverseOnBothSides
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Resolving/ReferenceResolver+Relationships.swift"]

  let purpose = """
    `@Relationship(inverse:)` takes a key path into the other model. If both ends have one, each
    macro needs the other's expansion first, and the compiler reports a circular reference. One
    end is enough to join both. Remove `inverse:` from the other.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]", inverse: trip }
        Day:
          properties:
            date: Date
            trip: { relationship: Trip?, inverse: ‹days› }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            days: { relationship: "[Day]", inverse: trip }
        Day:
          properties:
            date: Date
            trip: { relationship: Trip? }
      """)
  ]

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.removal(finding, "remove the second 'inverse'")
  }
}
