package import SchemaModel

extension Rule {
  package static let shippedStepEdited = Rule(
    "shipped-step-edited", "A shipped step was edited without a reason",
    basis: .guide(.versionedSchema, "don't edit old schema versions retroactively"),
    isAcceptable: true)
}

struct ShippedStepEdited: RulePage {
  let rule = Rule.shippedStepEdited
  let category = RuleCategory.dataLoss
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaWorkspace/Base/BaseComparison.swift",
    "Schema/SchemaWorkspace/Lock/SchemaLock+Reading.swift",
  ]

  let purpose = """
    You may correct what a step does to rows after it has shipped. If a conversion crashes, you
    must: users with such a row never get past it. Stores are still recognised, because the
    version itself is unchanged. But users who have already migrated keep what the old step
    made, so rows of one version now come in two kinds. A correction therefore needs a reason,
    in the manifest of the version that the step leads to. The lock keeps a record of what
    shipped. Documentation, `summary:` and reasons may change at any time.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          note: String?
    === V2.yaml
    """

  let bad = [
    Example(
      """
      ‹version›: 2.0.0
      summary: how long notes are
      models:
        Trip:
          properties:
            length: { type: Int, from: note, convert: '$0?.count ?? 0', revert: 'String($0)' }
      === shipped V1.yaml
      version: 1.0.0
      models:
        Trip:
          properties:
            note: String?
      === shipped V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            length: { type: Int, from: note, convert: '$0!.count', revert: 'String($0)' }
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      summary: how long notes are
      models:
        Trip:
          properties:
            length: { type: Int, from: note, convert: '$0?.count ?? 0', revert: 'String($0)' }
      accept:
        - { rule: shipped-step-edited, element: V2, reason: trips without a note ended the app }
      === shipped V1.yaml
      version: 1.0.0
      models:
        Trip:
          properties:
            note: String?
      === shipped V2.yaml
      version: 2.0.0
      models:
        Trip:
          properties:
            length: { type: Int, from: note, convert: '$0!.count', revert: 'String($0)' }
      """)
  ]
}
