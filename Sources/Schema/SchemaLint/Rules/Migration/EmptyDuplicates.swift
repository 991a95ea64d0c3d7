internal import SchemaEvolution
internal import SchemaModel

struct EmptyDuplicates: LintRule {
  let rule = Rule.emptyDuplicates

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.flatMap { step in
      step.plan.dedupes.compactMap { dedupe -> Diagnostic? in
        // The app's function receives all the rows and decides.
        if case .function = dedupe.strategy { return nil }
        let names = step.plan.bridgeNames[dedupe.model] ?? [:]
        let model = step.new.models.first { $0.name == dedupe.model }
        let keys = dedupe.keys.map { key in
          let name = names.first { $0.value == key.name }?.key ?? key.name
          return model?.properties.first {
            $0.name == name || $0.migration.renamedFrom?.value == name
          }
        }
        // With several keys, one that is not a string distinguishes the rows.
        guard let model, keys.allSatisfy({ $0?.type.unwrapped.description == "String" }),
          let property = keys.first ?? nil,
          !keys.contains(where: { $0.map(Self.makesNil) ?? false })
        else { return nil }
        let element = ElementPath(model.name, property.name)
        return Diagnostic(
          rule,
          "rows of '\(model.name)' whose '\(property.name)' is empty are equal: all but one of them go",
          element: element, at: property.location,
          help: [
            "make nil of an empty text, which equals nothing, in an optional property under a new name: "
              + "{ type: String?, from: \(property.name), convert: '$0\(property.type.isOptional ? "?" : "").isEmpty"
              + "\(property.type.isOptional ? " != false" : "") ? nil : $0', unique: true, dedupe: … }",
            context.acceptance(id, element),
          ],
          // If nil stands for no value, empty strings are rare.
          severity: property.type.isOptional ? .note : nil)
      }
    }
  }

  /// Whether the property's conversion checks for empty strings.
  private static func makesNil(_ property: Property) -> Bool {
    guard case .expression(let expression)? = property.migration.convert?.value else {
      return property.migration.convert != nil
    }
    return expression.text.contains("isEmpty") || expression.text.contains("\"\"")
  }
}
