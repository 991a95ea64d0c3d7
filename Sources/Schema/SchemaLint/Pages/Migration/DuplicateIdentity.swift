internal import SchemaEvolution
internal import SchemaModel

struct DuplicateIdentity: RulePage {
  let rule = Rule.duplicateIdentity
  let category = RuleCategory.migration
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaEvolution/Chain/IdentityResolver.swift"]

  let purpose = """
    If two versions have one checksum, the app crashes as soon as it migrates a store. It does
    not matter whether the two are neighbours. schemagen gives versions that differ in nothing
    the store sees a `hashModifier` each; here it meets one that you wrote yourself. Choose a
    text that no other version uses.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: { type: String, hashModifier: V3 }
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
      === V3.yaml
      ‹version›: 3.0.0
      models:
        Trip:
          properties:
            name: String = ""
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: { type: String, hashModifier: first }
      === V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            name: String
      === V3.yaml
      version: 3.0.0
      models:
        Trip:
          properties:
            name: String = ""
      """)
  ]
}
