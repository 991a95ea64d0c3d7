internal import SchemaEvolution

struct EncodedTypeChanged: ChangePage {
  let kind = ChangeKind.encodedTypeChanged
  let category = RuleCategory.dataLoss

  let purpose = """
    The store sees Data or text and compares nothing: only the app knows what JSON is in it. Old
    rows hold JSON of the old type, and where the new type does not read it the property gives its
    fallback, and the next save writes that over what was there. Convert the values with `from:` and
    `convert:`, or accept it with the reason why the new type reads all that the old one wrote.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Habit:
          properties:
            steps: { type: Data, encodes: "[String]", fallback: "[]" }
      === V2.yaml
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
      version: 1.0.0
      models:
        Habit:
          properties:
            steps: { type: Data, encodes: "[String]", fallback: "[]" }
      === V2.yaml
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
