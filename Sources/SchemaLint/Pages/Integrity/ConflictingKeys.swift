internal import SchemaManifest
internal import SchemaModel

struct ConflictingKeys: RulePage {
  let rule = Rule.conflictingKeys
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaManifest/Reading"]

  let purpose = """
    Some keys exclude one another and some mean nothing alone: an attribute has no `deleteRule:`, a
    transient property no `originalName:`, `convert:` needs the `from:` whose values it takes. If
    one of the two were simply passed over, a reader would believe in it all the same. Take out the
    one that was not meant.
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
