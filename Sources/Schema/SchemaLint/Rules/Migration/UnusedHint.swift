internal import SchemaEvolution
internal import SchemaModel

struct UnusedHint: RuleFix {
  let rule = Rule.unusedHint

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    switch finding.correction {
    case .removal:
      return context.removal(finding, "remove elements that are not dropped from 'drops'")
    case .removalOfKeys(let keys):
      // Without 'from' there is nothing to convert.
      let others = keys.contains("from") ? ["convert"] : []
      return context.removal(of: keys + others, finding, "remove the unused keys")
    default: return nil
    }
  }
}
