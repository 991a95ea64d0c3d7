internal import SchemaEvolution
internal import SchemaModel

struct ReplacedNotCarried: LintRule {
  let rule = Rule(
    "replaced-not-carried", .warning, "A property that replaces another keeps its values",
    basis: .guide(.schemaMigration, "pitfall 1: overwrites user settings"), isAcceptable: true)
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step

  let purpose = """
    One step drops a property, with a reason, and adds another of the same type with a default.
    If the new one replaces the old one, every user's setting is reset to the default: the first
    guide's pitfall 1. Keep the values with `renamedFrom:` or `from:`, or accept the finding if
    the two have nothing to do with each other.
    """

  let beginning = """
    version: 1.0.0
    models:
      Settings:
        properties:
          id: Int
          zone: String?
    === V2.yaml
    """

  let bad = [
    Example(
      """
      version: 2.0.0
      drops:
        Settings.zone: the new model has identifiers
      models:
        Settings:
          properties:
            id: Int
            ‹homeIdentifier›: String = "GMT"
      """)
  ]

  let good = [
    Example(
      """
      version: 2.0.0
      models:
        Settings:
          properties:
            id: Int
            homeIdentifier: { type: String, from: zone, convert: '$0 ?? "GMT"', revert: $0 }
      """)
  ]

  private static let arrivals: Set<ChangeKind> = [.defaultedAttributeAdded, .sharedDefault]

  func findings(in context: LintContext) -> [Diagnostic] {
    context.openSteps.flatMap { step -> [Diagnostic] in
      let (old, new) = (context.history[step.from], context.history[step.to])
      let gone = step.changes.filter { $0.kind == .attributeRemoved && $0.acknowledgement != nil }
      return step.changes.filter { Self.arrivals.contains($0.kind) }.compactMap { added in
        guard let type = new.property(at: added.element)?.attribute?.type else { return nil }
        let candidate = gone.first { removed in
          removed.element.owner == added.element.owner
            && old.property(at: removed.element)?.attribute?.type.unwrapped == type.unwrapped
            && type.unwrapped != .named("Bool") && type.unwrapped != .named("Date")
        }
        guard let candidate else { return nil }
        return Diagnostic(
          rule,
          "'\(added.element)' starts with its default, and '\(candidate.element)' is dropped: "
            + "if the new one replaces it, every user's value is reset",
          element: added.element, at: added.location,
          help: [
            "keep the values: 'renamedFrom:', or 'from:' and 'convert:'",
            "to accept it: " + ManifestEdit.acceptance(id, added.element),
          ])
      }
    }
  }
}
