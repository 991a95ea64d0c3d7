internal import SchemaManifest
internal import SchemaModel

struct HiddenCharacter: RulePage {
  let rule = Rule.hiddenCharacter
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaManifest/Reading/NodeInterpreter+Values.swift"]

  let purpose = """
    Characters that nobody sees, such as a zero-width space or a mark that turns the direction of
    writing, come along when text is copied from a web page. Two lines that look alike then differ,
    and a reviewer reads something else than what is compiled. Delete the character; the place in
    the message is exactly its own.
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
