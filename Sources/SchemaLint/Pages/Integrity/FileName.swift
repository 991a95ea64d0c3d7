internal import SchemaManifest
internal import SchemaModel

struct FileName: RulePage {
  let rule = Rule.fileName
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = [
    "SchemaManifest/Reading/HistoryReader.swift",
    "SchemaManifest/Resolving/HistoryCheck.swift",
  ]

  let purpose = """
    Versions are found and ordered by their files' names: `V9.yaml` is 9.0.0, `V1.1.yaml` is 1.1.0.
    A manifest under another name would be a version that nobody sees in a listing, or a draft that
    is taken for one. Call it after its version. Only `schemagen.yaml` is something else, and stands
    there once.
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
