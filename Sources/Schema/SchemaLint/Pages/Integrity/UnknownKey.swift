internal import SchemaManifest
internal import SchemaModel

struct UnknownKey: RulePage {
  let rule = Rule.unknownKey
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaManifest/Reading/KeyedMapping.swift",
    "Schema/SchemaManifest/Reading/NodeInterpreter+Steps.swift",
  ]

  let purpose = """
    The manifest format has no such key; usually it is a typo. If schemagen ignored it, `uniqe:
    true` would make nothing unique and `renamedForm:` would keep no value, silently. The
    message names the key that you probably meant, or all that are allowed there.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            code: { type: String, ‹uniqe›: true }
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
            code: { type: String, unique: true }
      """)
  ]

  let isFixable = true

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard case .write(let name, _)? = finding.correction, let path = context.path(of: finding),
      let parent = path.parent,
      let file = finding.location?.file, let holder = context.document?.node(at: parent)
    else { return nil }
    // Where the other key stands as well, one of the two is too many, and nobody knows which.
    guard holder.entry(name) == nil else { return nil }
    return Fix("write '\(name)'", in: file, .renameKey(path, to: name))
  }
}
