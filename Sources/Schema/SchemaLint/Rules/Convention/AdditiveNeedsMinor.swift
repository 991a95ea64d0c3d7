internal import SchemaEvolution
internal import SchemaModel

struct AdditiveNeedsMinor: LintRule {
  let rule = Rule.additiveNeedsMinor

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.history.contains(where: { $0.number.minor != 0 }) else { return [] }
    return context.openSteps.compactMap { step in
      let (old, new) = (step.old, step.new)
      guard new.number.major > old.number.major, !step.changes.isEmpty,
        step.changes.allSatisfy({ SemanticChange($0) < .breaking }),
        step.changes.contains(where: { SemanticChange($0) == .additive })
      else { return nil }
      return Diagnostic(
        rule, "\(new.number.name) only adds to \(old.number.name)", element: new.number.name,
        at: new.location,
        help: ["change the number to \(old.number.successors[1])"])
    }
  }
}
