internal import SchemaManifest
internal import SchemaModel

struct WrongValue: RulePage {
  let rule = Rule.wrongValue
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaManifest/Reading", "Schema/SchemaManifest/Resolving/ReferenceResolver.swift",
    "Schema/SchemaWorkspace/Retirement/RetirementRun.swift",
  ]

  let purpose = """
    Each key takes one kind of value: `true` or `false`, a whole number, one of a few words, a
    list or a mapping. schemagen takes values literally, unlike YAML: `yes` is not `true`. Some
    readers would take `yes` as text and others as a Boolean. Write what the message says.

    The same holds for Swift in `default`, `init`, `fill`, `convert` and `fallback` if it is one
    literal: text is no default of an `Int`. Of other expressions only the compiler knows the
    type; `schemagen rehearse` names the line of the manifest if it refuses one.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            code: { type: String, unique: ‹yes› }
      """),
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            days: Int = ‹"3"›
      """),
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          index: [‹name›]
          properties:
            name: String
      """),
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            code: { type: String, unique: true }
      """),
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            days: Int = 3
      """),
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          index: [[name]]
          properties:
            name: String
      """),
  ]

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard case .write(let text, _)? = finding.correction, let path = context.path(of: finding)
    else {
      return nil
    }
    return context.replacement(of: path, with: text, finding, "write '\(text)'")
  }
}
