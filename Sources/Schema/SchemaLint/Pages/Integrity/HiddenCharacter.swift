internal import SchemaManifest
internal import SchemaModel

struct HiddenCharacter: RulePage {
  let rule = Rule.hiddenCharacter
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Reading/NodeInterpreter+Values.swift"]

  let purpose = """
    The text contains a character that you cannot see, such as a zero-width space or a mark that
    changes the writing direction. Such characters come along when you copy text from a web
    page. Two lines then look equal and differ, and a reviewer does not read what is compiled.
    Delete the character at exactly the place in the message.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      summary: Trips‹\u{200B}› and days
      models:
        Trip:
          properties:
            name: String
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      summary: Trips and days
      models:
        Trip:
          properties:
            name: String
      """)
  ]
}
