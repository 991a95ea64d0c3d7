internal import SchemaManifest
internal import SchemaModel

struct UnreadableFile: RulePage {
  let rule = Rule.unreadableFile
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "SchemaManifest/YAML/ParserFailure+Wording.swift",
    "SchemaManifest/YAML/SourceBytes.swift",
  ]

  let purpose = """
    A manifest is UTF-8 text of at most 4 MiB without control characters. UTF-16, a binary file
    under the wrong name, or an escape sequence that was pasted from a terminal cannot be shown in a
    message and must not reach generated code. Save it as UTF-8, or delete the character at the
    place that is shown.
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
