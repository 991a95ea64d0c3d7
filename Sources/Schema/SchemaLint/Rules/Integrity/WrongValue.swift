internal import SchemaManifest
internal import SchemaModel

struct WrongValue: RuleFix {
  let rule = Rule.wrongValue

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard case .write(let text, _)? = finding.correction, let path = context.path(of: finding)
    else {
      return nil
    }
    return context.replacement(of: path, with: text, finding, "write '\(text)'")
  }
}
