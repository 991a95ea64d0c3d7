internal import SchemaEvolution
internal import SchemaModel

struct EmptyVersion: RulePage {
  let rule = Rule.emptyVersion
  let category = RuleCategory.migration
  let scope = RuleScope.step
  let foundIn = ["SchemaEvolution/Chain/IdentityResolver.swift"]

  let purpose = """
    A store is recognised by the checksum of its model, not by its version's number. Two neighbours
    that store the same have one checksum, and with both in the plan the framework raises an
    exception that Swift cannot catch ("Duplicate version checksums detected"), on every device that
    has a store to migrate; a new install never shows it. Documentation, and whatever else no store
    sees, belongs in the version that is there.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V2.yaml
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
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: { type: String, doc: What the traveller calls it. }
            notes: String?
      """)
  ]
}
