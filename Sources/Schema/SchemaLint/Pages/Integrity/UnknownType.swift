internal import SchemaManifest
internal import SchemaModel

struct UnknownType: RulePage {
  let rule = Rule.unknownType
  let category = RuleCategory.integrity
  let scope = RuleScope.history
  let foundIn = ["Schema/SchemaManifest/Resolving/ReferenceResolver+Types.swift"]

  let purpose = """
    How a change migrates depends on what the type stores, so schemagen must know every type:
    one of Swift's own, or one under `types:`. An unknown name may be a typo, a model that needs
    `relationship:`, or a type of your app, which you declare with `{ opaque: true }`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            status: ‹TripStatus›?
      """),
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          properties:
            name: String
            days: "[‹Day›]"
        Day:
          properties:
            date: Date
      """),
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      types:
        TripStatus: { enum: String, cases: [planned, done] }
      models:
        Trip:
          properties:
            name: String
            status: TripStatus?
      """),
    Example(
      """
      version: 1.0.0
      types:
        TripStatus: { opaque: true }
      models:
        Trip:
          properties:
            name: String
            status: TripStatus?
      """),
  ]

  let isFixable = true

  /// A model can only be led to; in the long form other keys may say otherwise.
  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard case .write(let mapping, _)? = finding.correction,
      let path = finding.path.flatMap(YAMLPath.init(property:)),
      // A default stays to be thought about, and so does a set or a dictionary.
      let type = context.document?.node(at: path)?.scalar?.text,
      !type.contains(where: { "=<:".contains($0) })
    else { return nil }
    return context.replacement(of: path, with: mapping, finding, "write '\(mapping)'")
  }
}
