internal import SchemaManifest
internal import SchemaModel

struct EmptyFile: RulePage {
  let rule = Rule.emptyFile
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["SchemaManifest/YAML/TreeBuilder.swift"]

  let purpose = """
    A manifest with nothing in it, or with comments alone, would be a version without models, in
    which every model of the version before is dropped. It is taken for what it usually is: a file
    that was touched and not written yet. Fill it with `schemagen new-version`, or delete it.
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
