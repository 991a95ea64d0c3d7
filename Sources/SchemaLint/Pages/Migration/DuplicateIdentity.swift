internal import SchemaEvolution
internal import SchemaModel

struct DuplicateIdentity: RulePage {
  let rule = Rule.duplicateIdentity
  let category = RuleCategory.migration
  let scope = RuleScope.history
  let foundIn = ["SchemaEvolution/Chain/IdentityResolver.swift"]

  let purpose = """
    Two versions with one checksum end the app as soon as a store has to be migrated, wherever in
    the chain they stand: the fifth like the third is as bad as two neighbours. The generator gives versions that differ in
    nothing the store sees a `hashModifier` of their own; here it meets one that the manifest has
    written itself. Take text that no version has yet.
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
