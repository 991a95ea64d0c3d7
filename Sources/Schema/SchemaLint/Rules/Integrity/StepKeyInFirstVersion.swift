internal import SchemaManifest
internal import SchemaModel

struct StepKeyInFirstVersion: RuleFix {
  let rule = Rule.stepKeyInFirstVersion

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard case .removalOfKeys(let keys)? = finding.correction else { return nil }
    return context.removal(of: keys, finding, "remove '\(keys[0])'")
  }
}
