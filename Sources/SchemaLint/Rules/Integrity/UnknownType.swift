internal import SchemaDiagnostics
internal import SchemaManifest

struct UnknownType: LintRule {
  let rule = Rule.unknownType
  let category = RuleCategory.integrity
  let scope = RuleScope.history

  let purpose = """
    What a type stores decides how a change of it migrates, so every type has to be known: Swift's
    own, or one under `types:`. A name that is neither may be a slip, a model that wants
    `relationship:`, or a type of the app's, which is declared with `{ opaque: true }`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            status: ‹TripStatus›?
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      types:
        TripStatus: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            status: TripStatus?
      """),
    Example(
      """
      version: 1.0.0
      types:
        TripStatus: { opaque: true }
      models:
        Trip:
          properties:
            name: String
            status: TripStatus?
      """),
  ]
}
