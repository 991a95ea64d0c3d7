internal import SchemaEvolution
internal import SchemaModel

struct CloudKitTypeChange: LintRule {
  let rule = Rule(
    "cloudkit-type-change", "A field of a cloud schema keeps its type",
    basis: .fact(.cloudKit, "types-of-one-kind", .certain), isAcceptable: true)
  let category = RuleCategory.cloudKit
  let scope = RuleScope.step

  let purpose = """
    A field of CloudKit's production schema never changes its type. What counts is CloudKit's
    type: `Int16` and `Int`, `Float` and `Double`, `String` and `UUID` are alike there, `Int` and
    `Double`, `String` and an enum are not. Add a property under another name, and let the app
    fill it: nobody knows whether a conversion in a custom stage works with a store that syncs.
    """

  let beginning = """
    version: 1.0.0
    models:
      Entry:
        properties:
          amount: Int = 0
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      accept:
        - { rule: number-type-changed, element: Entry.amount, reason: amounts are small }
      models:
        Entry:
          properties:
            ‹amount›: Double = 0
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Entry:
          properties:
            amount: Int = 0
            exactAmount: Double?
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.openSteps.flatMap { step in
      let (old, new) = context.cloudRecords(of: step)
      let version = context.history[step.to]
      let types = new.fields(sharedWith: old).compactMap { _, was, now -> Diagnostic? in
        guard was.type.withoutEncryption != now.type.withoutEncryption,
          let element = now.properties.first
        else { return nil }
        return finding(
          element, "\(was.type.withoutEncryption) → \(now.type.withoutEncryption) in CloudKit",
          at: version.location(of: element), in: context)
      }
      let known = Set(types.compactMap(\.path))
      let ends = step.changes.filter { change in
        Self.otherEnds.contains(change.kind) && !known.contains(change.element)
      }.map { finding($0.element, $0.detail, at: $0.location, in: context) }
      return types + ends
    }
  }

  /// Changes after which a field holds, or would hold, what it has not held: the name of another record.
  private static let otherEnds: Set<ChangeKind> = [
    .attributeBecameRelationship, .toManyToOne, .toOneToMany, .toOneToManyNewInverse,
    .toOneToManyNoInverse, .destinationChanged,
  ]

  private func finding(
    _ element: ElementPath, _ detail: String, at location: SourceLocation?,
    in context: LintContext
  ) -> Diagnostic {
    Diagnostic(
      rule, "'\(element)' (\(detail)) changes its type under the same name",
      element: element, at: location,
      help: [
        "leave it, add an optional property of another name, and let the app fill that",
        context.acceptance(id, element),
      ])
  }
}
