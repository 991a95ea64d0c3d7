internal import SchemaManifest
internal import SchemaModel

struct ConflictingKeys: RulePage {
  let rule = Rule.conflictingKeys
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Reading"]

  let purpose = """
    Some keys exclude each other, and some need another key: an attribute has no `deleteRule:`,
    a transient property has no `originalName:`, and `convert:` needs `from:` for its values. If
    schemagen ignored one of the two, a reader would still believe it. Remove the key that you
    did not mean.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            notes: { type: String?, ‹deleteRule›: cascade }
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
            notes: { type: String? }
      """)
  ]
}
