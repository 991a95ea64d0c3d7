internal import SchemaManifest
internal import SchemaModel

struct UnreadableFile: RulePage {
  let rule = Rule.unreadableFile
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaManifest/YAML/ParserFailure+Wording.swift",
    "Schema/SchemaManifest/YAML/SourceBytes.swift",
  ]

  let purpose = """
    A manifest is UTF-8 text of at most 4 MiB without control characters. schemagen cannot show
    UTF-16, a binary file under the wrong name, or an escape sequence pasted from a terminal in
    a message, and must not copy them into generated code. Save the file as UTF-8, or delete the
    character at the place in the message.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      summary: Trips‹\u{07}›
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
      summary: Trips
      models:
        Trip:
          properties:
            name: String
      """)
  ]
}
