internal import SchemaEvolution

struct EncodedTypeChanged: ChangePage {
  let kind = ChangeKind.encodedTypeChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    The store holds Data or text, and the engine compares no JSON. Old rows keep JSON of the old
    type. If the new type cannot read it, the property returns its fallback, and the next save
    overwrites the old value with it. Convert the values with `from:` and `convert:`, or accept
    the finding and say why the new type reads everything that the old one wrote.
    """

  let beginning = """
    version: 1.0.0
    models:
      Habit:
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
          properties:
            ‹steps›: { type: Data, encodes: "[Step]", fallback: "[]" }
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
          properties:
            steps:
              type: Data
              encodes: "[Step]"
              fallback: "[]"
              from: steps
              convert: "$0.map(Step.init(text:))"
      """)
  ]
}
