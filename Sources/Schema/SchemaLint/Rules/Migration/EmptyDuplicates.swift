internal import SchemaEvolution
internal import SchemaModel

struct EmptyDuplicates: LintRule {
  let rule = Rule(
    "empty-duplicates", .warning, "Rows with an empty text are not taken for equal",
    basis: .fact(.migration, "add-unique", .certain), isAcceptable: true)
  let category = RuleCategory.migration
  let scope = RuleScope.step

  let purpose = """
    `dedupe:` makes one row of those that are equal in a property, which is unique from then on. nil equals nothing,
    but an empty text equals every other: of all products without a barcode one would be left. Make the property
    optional, and nil of an empty text, under a new name: `code: { type: String?, from: barcode,
    convert: '$0.isEmpty ? nil : $0', unique: true, dedupe: … }`. Accept the finding if no row is empty.
    """

  let beginning = """
    version: 1.0.0
    models:
      Product:
        properties:
          barcode: String
          changedAt: Date
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      models:
        Product:
          properties:
            ‹barcode›: { type: String, unique: true, dedupe: { latest: changedAt } }
            changedAt: Date
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Product:
          properties:
            code: { type: String?, from: barcode, convert: '$0.isEmpty ? nil : $0', revert: '$0 ?? ""', unique: true, dedupe: { latest: changedAt } }
            changedAt: Date
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.flatMap { step in
      step.plan.dedupes.compactMap { dedupe -> Diagnostic? in
        // A function of the app's sees all of the rows itself.
        if case .function = dedupe.strategy { return nil }
        let names = step.plan.bridgeNames[dedupe.model] ?? [:]
        let model = context.history[step.to].models.first { $0.name == dedupe.model }
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
