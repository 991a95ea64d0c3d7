internal import SchemaModel

struct MissingTimestamp: LintRule {
  let rule = Rule(
    "missing-timestamp", .note, "A model that has an entity knows when it was made or changed",
    basis: .guide(.schemaMigration, "phase 2: always include timestamps"), isAcceptable: true)
  let category = RuleCategory.convention
  let scope = RuleScope.version

  let purpose = """
    Without a date nobody can say later which of two equal rows is the newer one: `dedupe: { latest: updatedAt }` wants
    one, and so does merging with a cloud. Add `updatedAt` while the model is young.
    """

  let bad = [
    Example(
      """
      version: 1.0.0
      models:
        ‹Trip›:
          entity: Journey
          properties:
            name: String
        LongTrip: { inherits: Trip, entity: LongJourney, properties: { days: Int } }
      """)
  ]

  let good = [
    Example(
      """
      version: 1.0.0
      models:
        Trip:
          entity: Journey
          properties:
            name: String
            updatedAt: Date = Date()
      """)
  ]

  /// What the names of such dates have in them.
  private static let words = [
    "created", "updated", "modified", "changed", "timestamp", "added", "edited", "recorded", "made",
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
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
        rule, "'\(model.name)' has no date that tells the newer of two rows",
        element: ElementPath(model.name),
        at: model.location,
        help: ["add 'updatedAt: Date', with a 'fill:' where rows are there already"])
    }
  }
}
