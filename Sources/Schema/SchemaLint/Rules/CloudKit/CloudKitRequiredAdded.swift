internal import SchemaEvolution
internal import SchemaModel

struct CloudKitRequiredAdded: LintRule {
  let rule = Rule.cloudKitRequiredAdded

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
            let property = step.new.property(at: element),
            property.relationship == nil, !property.type.isOptional,
            property.migration.renamedFrom == nil
          else { return nil }
          return Diagnostic(
            rule,
            "'\(element)' is new and always has a value: until production has the field, no row of '\(element.owner)' syncs",
            element: element, at: property.location,
            help: [
              "write '\(property.type)?' and let the value be nil",
              "or deploy the field first ('schemagen cloud plan'), and accept the finding: "
                + ManifestEdit.acceptance(id, element),
            ])
        }
      }
    }
  }
}
