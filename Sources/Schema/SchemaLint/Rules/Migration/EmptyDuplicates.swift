internal import SchemaEvolution
internal import SchemaModel

struct EmptyDuplicates: LintRule {
  let rule = Rule.emptyDuplicates

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.flatMap { step in
      step.plan.dedupes.compactMap { dedupe -> Diagnostic? in
        // A function of the app's sees all of the rows itself.
        if case .function = dedupe.strategy { return nil }
        let names = step.plan.bridgeNames[dedupe.model] ?? [:]
        let model = step.new.models.first { $0.name == dedupe.model }
        let keys = dedupe.keys.map { key in
          let name = names.first { $0.value == key.name }?.key ?? key.name
          return model?.properties.first {
            $0.name == name || $0.migration.renamedFrom?.value == name
          }
        }
        // Of several, any that is no text tells rows apart.
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
          // Who has nil for none has rarely an empty text as well.
          severity: property.type.isOptional ? .note : nil)
      }
    }
  }

  /// Whether the property's conversion looks for empty texts.
  private static func makesNil(_ property: Property) -> Bool {
    guard case .expression(let expression)? = property.migration.convert?.value else {
      return property.migration.convert != nil
    }
    return expression.text.contains("isEmpty") || expression.text.contains("\"\"")
  }
}
