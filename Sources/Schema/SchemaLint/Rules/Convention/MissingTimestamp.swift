internal import SchemaModel

struct MissingTimestamp: LintRule {
  let rule = Rule(
    "missing-timestamp", .note,
    "A model that several devices change has a date of its last change",
    basis: .guide(.schemaMigration, "phase 2: always include timestamps"), isAcceptable: true)
  let category = RuleCategory.convention
  let scope = RuleScope.version

  let purpose = """
    Two devices may change the same row, or create the same one, before they hear of each other.
    Without a date, nobody can say later which is newer. CloudKit has no unique rows, so your
    app has to merge them. Add `updatedAt` while the model is young.

    The rule checks models with a domain entity in apps that sync: with `cloudKit: private`, or
    with record mappers (`extras: [cloudMappers]`). In an app on one device, no two rows
    compete. If a new unique constraint needs to know the newer of two rows, `unique-added`
    asks.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        ‹Trip›:
          entity: Journey
          properties:
            name: String = ""
        LongTrip: { inherits: Trip, entity: LongJourney, properties: { days: Int = 1 } }
      === schemagen.yaml
      cloudKit: private
      """),
    Example(
      """
      version: 1.0.0
      models:
        ‹Trip›:
          entity: Journey
          properties:
            id: UUID
      === schemagen.yaml
      extras: [cloudMappers]
      """),
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          entity: Journey
          properties:
            name: String = ""
            updatedAt: Date = Date()
      === schemagen.yaml
      cloudKit: private
      """),
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          entity: Journey
          properties:
            name: String
      """),
  ]

  /// What the names of such dates have in them.
  private static let words = [
    "created", "updated", "modified", "changed", "timestamp", "added", "edited", "recorded", "made",
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    let configuration = context.configuration
    guard configuration.cloudKit == .private || configuration.extras.contains(.cloudMappers) else {
      return []
    }
    let models = Dictionary(context.newest.models, keyedBy: \.name)
    func knows(_ model: Model) -> Bool {
      model.effectiveProperties(among: models).contains { property in
        guard property.attribute?.type.unwrapped == .named("Date") else { return false }
        let name = property.name.lowercased()
        return Self.words.contains(where: name.contains)
      }
    }
    // Of a subclass its superclass is told.
    func isTold(_ model: Model) -> Bool {
      model.entity != nil && model.superclass.flatMap { models[$0.value] }?.entity == nil
    }
    return context.newest.models.filter { isTold($0) && !knows($0) }.map { model in
      Diagnostic(
        rule, "'\(model.name)' has no date that shows the newer of two rows",
        element: ElementPath(model.name),
        at: model.location,
        help: ["add 'updatedAt: Date', with a 'fill:' if rows exist already"])
    }
  }
}
