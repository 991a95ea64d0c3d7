internal import SchemaManifest
internal import SchemaModel

struct FileName: RulePage {
  let rule = Rule.fileName
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "Schema/SchemaManifest/Reading/HistoryReader.swift",
    "Schema/SchemaManifest/Resolving/HistoryCheck.swift",
  ]

  let purpose = """
    schemagen finds and orders versions by file name: `V9.yaml` is 9.0.0, `V1.1.yaml` is 1.1.0.
    With another name, a version would be missing from the list, or a draft would count as a
    version. Name the file after its version. Only `schemagen.yaml` is not a version, and the
    folder has one.
    """

  let bad = [
    Example(
      """
      === Trips.yaml
      ‹v›ersion: 1.0.0
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
      models:
        Trip:
          properties:
            name: String
      """)
  ]

  let isFixable = true

  /// Certain where the file says itself which version it is.
  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    // Without a version in the file, its name would be all that says which one it is.
    guard case .write(let name, _)? = finding.correction, let file = finding.location?.file,
      let text = context.document?.entry("version")?.value.scalar?.text, VersionNumber(text) != nil
    else { return nil }
    return Fix("call it \(name)", in: file, [.rename(to: name)])
  }
}
