internal import SchemaManifest
internal import SchemaModel

struct MissingKey: RulePage {
  let rule = Rule.missingKey
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Reading"]

  let purpose = """
    A manifest is a complete snapshot of its version. Some keys have no sensible default, such
    as a property's type, an enum's cases or the reason for a drop: a guess would become part of
    a shipped version. The message says what to write.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            ‹tags›: { default: "[]" }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            tags: { type: "[String]", default: "[]" }
      """)
  ]
}
