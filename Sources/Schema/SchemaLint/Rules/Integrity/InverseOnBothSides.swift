internal import SchemaManifest
internal import SchemaModel

struct InverseOnBothSides: RuleFix {
  let rule = Rule.inverseOnBothSides

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    context.removal(finding, "remove the second 'inverse'")
  }
}
