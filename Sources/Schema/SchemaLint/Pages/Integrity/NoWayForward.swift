internal import SchemaEvolution
internal import SchemaModel

struct NoWayForward: RulePage {
  let rule = Rule.noWayForward
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaEvolution/Converters/ConverterBuilder.swift"]

  let purpose = """
    In every older version, `toEntity()` makes today's domain entity from what that version
    stores. For this field it has nothing: the old values do not turn into the new type, nothing
    fills it, and the generated code would not compile. Convert the values in the step that
    changes the type. A property made of linked rows needs a default, because only rows of the
    previous version are sure to link to rows of the same kind.
    """

  let beginning = """
    version: 1.0.0
    models:
      Habit:
        entity: Habit
        properties:
          steps: { type: Data, encodes: "[String]", fallback: "[]" }
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      types:
        Step: { struct: { text: String } }
      models:
        Habit:
          entity: Habit
          properties:
            ‹steps›: { type: Data, encodes: "[Step]", fallback: "[]" }
      accept:
        - rule: encoded-type-changed
          element: Habit.steps
          reason: no release has written any
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      types:
        Step: { struct: { text: String } }
      models:
        Habit:
          entity: Habit
          properties:
            steps:
              type: Data
              encodes: "[Step]"
              fallback: "[]"
              from: steps
              convert: "$0.map(Step.init(text:))"
              revert: "$0.map { step in step.text }"
      """)
  ]
}
