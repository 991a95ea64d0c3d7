internal import SchemaEvolution
internal import SchemaModel

struct CloudKitSiblings: LintRule {
  let rule = Rule.cloudKitSiblings

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    let version = context.newest
    return CloudRecords(version, local: context.localModels).clashes.map { pair in
      let (first, second) = (pair.0, pair.1)
      // The element further down was probably added later.
      let isInOrder = (version.location(of: first), version.location(of: second))
      let (other, element) =
        (isInOrder.0?.line ?? 0) < (isInOrder.1?.line ?? 0) ? (first, second) : (second, first)
      return Diagnostic(
        rule,
        "'\(element)' and '\(other)' would share one field in CloudKit, but differ in type or encryption",
        element: element, at: version.location(of: element),
        related: version.location(of: other).map { [.init("'\(other)' is here", at: $0)] } ?? [],
        help: ["give one of the two another name"])
    }
  }
}
