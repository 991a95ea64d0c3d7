internal import SchemaManifest
internal import SchemaModel

struct CircularInheritance: RulePage {
  let rule = Rule.circularInheritance
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Resolving/ReferenceResolver.swift"]

  let purpose = """
    This model inherits from itself, directly or through other models. It has no first ancestor,
    so no table can hold its rows, and Swift does not compile the class. Usually two models were
    meant to share a third one. Remove one of the `inherits:`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          inherits: ‹BusinessTrip›
          properties:
            name: String
        BusinessTrip:
          inherits: Trip
          properties:
            client: String
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
        BusinessTrip:
          inherits: Trip
          properties:
            client: String
      """)
  ]
}
