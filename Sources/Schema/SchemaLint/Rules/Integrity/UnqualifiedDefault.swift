internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel

struct UnqualifiedDefault: RuleFix {
  let rule = Rule.unqualifiedDefault

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard case .write(let whole, let member?)? = finding.correction else { return nil }
    let title = "write '\(whole)'"
    if let path = context.path(of: finding) {
      return context.replacement(of: path, with: ManifestEdit.scalar(whole), finding, title)
    }
    // In the short form the expression follows the type.
    guard let path = finding.path.flatMap(YAMLPath.init(property:)),
      let short = context.document?.node(at: path)?.scalar, short.text.hasSuffix(member)
    else { return nil }
    let text = String(short.text.dropLast(member.count)) + whole
    return context.replacement(of: path, with: ManifestEdit.scalar(text), finding, title)
  }
}
