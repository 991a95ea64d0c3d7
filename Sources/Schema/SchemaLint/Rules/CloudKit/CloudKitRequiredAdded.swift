internal import SchemaEvolution
internal import SchemaModel

struct CloudKitRequiredAdded: LintRule {
  let rule = Rule(
    "cloudkit-required-added", .warning, "A new property of a synced model is optional",
    basis: .fact(.cloudKit, "only-values-are-sent", .likely), isAcceptable: true)
  let category = RuleCategory.cloudKit
  let scope = RuleScope.step

  let purpose = """
    A property that is nil is not sent to CloudKit. One with a default always has a value, so
    every record has the new field. Until the production schema has it, **no** row of the model
    syncs, where with an optional property only those would stop that have a value. And records
    of an older app never have it: this app gets the default for them, whatever that means.

    Make it optional and let the app read nil as the default. Or deploy the schema before the
    app leaves Xcode, which `schemagen cloud diff` tells, and accept the finding.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          title: String = ""
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            title: String = ""
            ‹isDone›: Bool = false
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Trip:
          properties:
            title: String = ""
            isDone: Bool?
      === schemagen.yaml
      cloudKit: private
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.mixedSteps.flatMap { step in
      let (old, new) = context.cloudRecords(of: step)
      let known = Set(
        old.recordTypes.flatMap { type in type.fields.map { "\(type.name).\($0.name)" } })
      let types = Set(old.recordTypes.map(\.name))
      return new.recordTypes.filter { types.contains($0.name) }.flatMap { type in
        type.fields.compactMap { field -> Diagnostic? in
          guard case .values(let properties) = field.role, let element = properties.first,
            !known.contains("\(type.name).\(field.name)"),
            let property = context.history[step.to].property(at: element),
            property.relationship == nil, !property.type.isOptional,
            property.migration.renamedFrom == nil
          else { return nil }
          return Diagnostic(
            rule,
            "'\(element)' is new and always has a value: until production has the field, no row of '\(element.owner)' syncs",
            element: element, at: property.location,
            help: [
              "write '\(property.type)?' and let it be nil",
              "or deploy first ('schemagen cloud plan'), and accept it: "
                + ManifestEdit.acceptance(id, element),
            ])
        }
      }
    }
  }
}
