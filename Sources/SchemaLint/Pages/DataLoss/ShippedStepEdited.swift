package import SchemaModel

extension Rule {
  package static let shippedStepEdited = Rule(
    "shipped-step-edited", "A step that has shipped is corrected with a reason only",
    basis: .guide(.versionedSchema, "don't edit old schema versions retroactively"),
    isAcceptable: true)
}

struct ShippedStepEdited: RulePage {
  let rule = Rule.shippedStepEdited
  let category = RuleCategory.dataLoss
  let scope = RuleScope.history
  let foundIn = [
    "SchemaWorkspace/Base/BaseComparison.swift",
    "SchemaWorkspace/Lock/SchemaLock+Reading.swift",
  ]

  let purpose = """
    What a step does to rows can be corrected after it has shipped: a conversion that crashes must be, or nobody who has
    such a row ever gets past it. Stores stay recognised, for the version itself is as it was. But people who are past the
    step have what it made then, and keep it: two sorts of rows of one version. So a correction needs a reason, in the
    manifest of the version that the step leads to. The lock keeps what has shipped. Documentation, `summary:` and
    reasons may change at any time.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            note: String?
      === V2.yaml
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
      version: 1.0.0
      models:
        Trip:
          properties:
            note: String?
      === V2.yaml
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
