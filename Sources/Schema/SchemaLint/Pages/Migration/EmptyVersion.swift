internal import SchemaEvolution
internal import SchemaModel

struct EmptyVersion: RulePage {
  let rule = Rule.emptyVersion
  let category = RuleCategory.migration
  let scope = RuleScope.step
  let foundIn = ["Schema/SchemaEvolution/Chain/IdentityResolver.swift"]

  let purpose = """
    The engine recognises a store by the checksum of its model, not by the version number. If a
    version stores the same as an earlier one, both have one checksum. With both in the
    migration plan, the engine raises an exception that Swift cannot catch ("Duplicate version
    checksums detected") on every device with a store to migrate; a new install never shows it.
    Put documentation, and other changes that no store sees, into the existing version.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
    === V2.yaml
    """

  let bad = [
    Example(
      """
      ‹version›: 2.0.0
      models:
        Trip:
          properties:
            name: { type: String, doc: What the traveller calls it. }
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            name: { type: String, doc: What the traveller calls it. }
            notes: String?
      """)
  ]
}
