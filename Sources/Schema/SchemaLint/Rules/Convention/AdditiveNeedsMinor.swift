internal import SchemaEvolution
internal import SchemaModel

struct AdditiveNeedsMinor: LintRule {
  let rule = Rule(
    "additive-needs-minor", .note, "A version that only adds is a minor one",
    basis: .guide(.schemaChange, "semantic versioning: minor, additive changes"), isAcceptable: true
  )
  let category = RuleCategory.convention
  let scope = RuleScope.step

  let purpose = """
    This step only adds things that old rows do not need, but its number promises a break. This
    is advice, and you see it only if you use minor versions: if you number schema versions 1,
    2, 3, you have decided.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
    === V1.1.yaml
    version: 1.1.0
    models:
      Trip:
        properties:
          name: String
          budget: Int?
    """

  let bad = [
    Example(
      """
      === V2.yaml
      ‹version›: 2.0.0
      models:
        Trip:
          properties:
            name: String
            budget: Int?
            days: Int?
      """)
  ]

  let good = [
    Example(
      """
      === V1.2.yaml
      version: 1.2.0
      models:
        Trip:
          properties:
            name: String
            budget: Int?
            days: Int?
      """)
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.history.contains(where: { $0.number.minor != 0 }) else { return [] }
    return context.openSteps.compactMap { step in
      let (old, new) = (context.history[step.from], context.history[step.to])
      guard new.number.major > old.number.major, !step.changes.isEmpty,
        step.changes.allSatisfy({ SemanticChange($0) < .breaking }),
        step.changes.contains(where: { SemanticChange($0) == .additive })
      else { return nil }
      return Diagnostic(
        rule, "\(new.number.name) only adds to \(old.number.name)", element: new.number.name,
        at: new.location,
        help: ["number it \(old.number.successors[1])"])
    }
  }
}
