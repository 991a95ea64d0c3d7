internal import SchemaEvolution
internal import SchemaModel

struct CloudKitTypeChange: LintRule {
  let rule = Rule(
    "cloudkit-type-change", "A field of a cloud schema keeps its type",
    basis: .fact(.migration, "cloudkit-additive-only", .certain), isAcceptable: true)
  let category = RuleCategory.cloudKit
  let scope = RuleScope.step

  let purpose = """
    A field of CloudKit's production schema never changes its type. Add a property under another
    name, and let the app fill it: nobody knows whether a conversion in a custom stage works
    with a store that syncs.
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
      step.changes.filter { isTypeChange($0, to: context.history[step.to]) }.map { change in
        Diagnostic(
          rule, "'\(change.element)' (\(change.detail)) changes its type under the same name",
          element: change.element, at: change.location,
          help: [
            "leave it, add an optional property of another name, and let the app fill that",
            "to accept it: " + ManifestEdit.acceptance(id, change.element),
          ])
      }
    }
  }

  private func isTypeChange(_ change: SchemaChange, to version: SchemaVersion) -> Bool {
    switch change.kind {
    case .typeChanged, .arrayElementChanged, .numberTypeChanged, .attributeBecameValueType,
      .attributeBecameRelationship, .toManyToOne, .toOneToMany,
      .toOneToManyNewInverse, .toOneToManyNoInverse, .destinationChanged, .valueTypeChanged:
      return true
    case .attributeConverted, .relationshipFilled:
      guard let property = version.property(at: change.element) else { return false }
      return property.migration.from.contains { $0.value == property.name }
    default: return false
    }
  }
}
