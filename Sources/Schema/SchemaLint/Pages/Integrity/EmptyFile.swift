internal import SchemaManifest
internal import SchemaModel

struct EmptyFile: RulePage {
  let rule = Rule.emptyFile
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/YAML/TreeBuilder.swift"]

  let purpose = """
    The manifest is empty or has only comments. As a version without models, it would drop every
    model of the previous version. Usually somebody created the file and has not written it yet.
    Fill it with `schemagen new-version`, or delete it.
    """

  let bad = [
    Example(
      """
      ‹#› The next version goes here.
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
      """)
  ]
}
