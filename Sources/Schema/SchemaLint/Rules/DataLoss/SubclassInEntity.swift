internal import SchemaEvolution
internal import SchemaModel

struct SubclassInEntity: LintRule {
  let rule = Rule(
    "subclass-in-entity", .warning, "A domain entity keeps the values of subclasses",
    basis: .page("manifest", "properties"), isAcceptable: true)
  let category = RuleCategory.dataLoss
  let scope = RuleScope.version

  let purpose = """
    The related model has subclasses, so the relationship may lead to rows of any of them. With
    `inEntity: value`, the domain entity holds each row as the domain entity of the named model,
    without the subclass's properties, and `fromEntity(_:)` makes a plain row of the superclass.
    If the app reads a domain entity, changes it and writes it back, those values are lost.

    Write `inEntity: identifiers`: `update(from:)` then looks up the rows themselves, of
    whatever class, and `fromEntity(_:)` leaves the relationship to its caller. Or write
    `inEntity: omit`. Accept the finding if the app makes no rows from this domain entity.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        Recipe:
          entity: Dish
          properties:
            id: UUID
            ‹steps›: { relationship: "[Step]", inEntity: value }
        Step:
          entity: Instruction
          properties:
            id: UUID
            text: String
            recipe: { relationship: Recipe?, inverse: steps }
        VideoStep:
          inherits: Step
          properties:
            video: URL?
      """),
    Example(
      """
      version: 1.0.0
      models:
        Tool:
          properties:
            ‹owner›: { relationship: Person?, inEntity: value }
        Knife: { inherits: Tool, entity: Blade, properties: { length: Int } }
        Person:
          entity: Human
          properties:
            name: String
            tools: { relationship: "[Tool]", inverse: owner }
        Cook: { inherits: Person, properties: { stars: Int } }
        Chef: { inherits: Cook, properties: { restaurant: String } }
      """),
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Recipe:
          entity: Dish
          properties:
            id: UUID
            steps: { relationship: "[Step]", inEntity: identifiers }
        Step:
          entity: Instruction
          properties:
            id: UUID
            text: String
            recipe: { relationship: Recipe?, inverse: steps }
        VideoStep:
          inherits: Step
          properties:
            video: URL?
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    let version = context.newest
    guard context.configuration.converters != .none,
      version.models.contains(where: { $0.superclass != nil })
    else { return [] }
    let models = Dictionary(version.models, keyedBy: \.name)
    func subclasses(of model: Model) -> [Model] {
      version.models.filter { $0.ancestors { models[$0] }.contains { $0.name == model.name } }
    }
    return version.allRelationships.compactMap { model, property, relationship in
      guard property.mapping.form == .value,
        ([model] + subclasses(of: model)).contains(where: { $0.entity != nil }),
        let destination = models[relationship.destination.value], destination.entity != nil
      else { return nil }
      let lost = subclasses(of: destination)
      guard !lost.isEmpty else { return nil }
      let element = ElementPath(model.name, property.name)
      let names = lost.map { "'\($0.name)'" }.sorted().joined(separator: ", ")
      let hasIdentifier = destination.effectiveProperties(among: models)
        .contains { $0.name == "id" }
      return Diagnostic(
        rule,
        "the entity holds '\(element)' as values: of rows of \(names) it holds only the properties of '\(destination.name)', "
          + "and fromEntity(_:) makes plain rows of '\(destination.name)'",
        element: element, at: property.location,
        help: [
          (hasIdentifier ? "" : "give '\(destination.name)' an 'id', and ")
            + "let the entity hold identifiers, which lead to the rows themselves: inEntity: identifiers",
          "or leave the relationship out: inEntity: omit",
          context.acceptance(id, element),
        ])
    }
  }
}
