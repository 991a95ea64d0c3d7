internal import SchemaEvolution
internal import SchemaModel

struct CloudKitSiblings: LintRule {
  let rule = Rule(
    "cloudkit-siblings", "Subclasses that share a record type agree on its fields",
    basis: .fact(.cloudKit, "subclasses-share-a-type", .certain))
  let category = RuleCategory.cloudKit
  let scope = RuleScope.version

  let purpose = """
    In CloudKit a subclass has no record type of its own: its rows are records of its topmost
    superclass, with its properties as fields there. Two subclasses that have a property of one
    name therefore share a field, which has one type and one encryption. Give one of the two
    another name before the first deployment. Lint checks this with `cloudKit: private`.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Place:
          properties:
            name: String?
        Town:
          inherits: Place
          properties:
            size: Int?
        Hotel:
          inherits: Place
          properties:
            ‹size›: String?
      === schemagen.yaml
      cloudKit: private
      platforms: { iOS: 26 }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Place:
          properties:
            name: String?
        Town:
          inherits: Place
          properties:
            people: Int?
        Hotel:
          inherits: Place
          properties:
            size: String?
      === schemagen.yaml
      cloudKit: private
      platforms: { iOS: 26 }
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    let version = context.newest
    return CloudRecords(version, local: context.localModels).clashes.map { pair in
      let (first, second) = (pair.0, pair.1)
      // Whoever stands further down is the one that came later.
      let isInOrder = (version.location(of: first), version.location(of: second))
      let (other, element) =
        (isInOrder.0?.line ?? 0) < (isInOrder.1?.line ?? 0) ? (first, second) : (second, first)
      return Diagnostic(
        rule,
        "'\(element)' and '\(other)' would share a field of CloudKit's, and differ in its type or encryption",
        element: element, at: version.location(of: element),
        related: version.location(of: other).map { [.init("the other is here", at: $0)] } ?? [],
        help: ["give one of the two another name"])
    }
  }
}
