internal import SchemaManifest
internal import SchemaModel

struct UnknownKey: RulePage {
  let rule = Rule.unknownKey
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "SchemaManifest/Reading/KeyedMapping.swift",
    "SchemaManifest/Reading/NodeInterpreter+Steps.swift",
  ]

  let purpose = """
    A key that the format does not know is most often a known one misspelt. Ignoring it would mean that `uniqe: true` makes nothing unique and `renamedForm:` keeps no value, without a word.
    So it is an error, and the message names the key that was probably meant, or all that are known
    there.
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
