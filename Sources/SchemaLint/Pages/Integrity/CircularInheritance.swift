internal import SchemaManifest
internal import SchemaModel

struct CircularInheritance: RulePage {
  let rule = Rule.circularInheritance
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaManifest/Resolving/ReferenceResolver.swift"]

  let purpose = """
    A model that inherits from itself, directly or by way of others, has no first ancestor: no table
    for its rows, and no class that Swift would compile. Usually two models were meant to share a
    third one. Take one of the `inherits:` away.
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
