internal import SchemaModel

struct MissingTimestamp: LintRule {
  let rule = Rule.missingTimestamp

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
    // For a subclass, its superclass is reported.
    func isTold(_ model: Model) -> Bool {
      model.entity != nil && model.superclass.flatMap { models[$0.value] }?.entity == nil
    }
    return context.newest.models.filter { isTold($0) && !knows($0) }.map { model in
      Diagnostic(
        rule, "'\(model.name)' has no date that shows which of two rows is newer",
        element: ElementPath(model.name),
        at: model.location,
        help: ["add 'updatedAt: Date', with a 'fill:' if rows exist already"])
    }
  }
}
