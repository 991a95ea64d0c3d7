internal import SchemaManifest
internal import SchemaModel

struct UnknownRule: RuleFix {
  let rule = Rule.unknownRule

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard case .write(let name, _)? = finding.correction, let path = context.path(of: finding),
      let file = finding.location?.file, let root = context.document
    else { return nil }
    let title = "write '\(name)'"
    if root.entry(at: path)?.keyLocation == finding.location {
      return Fix(title, in: file, .renameKey(path, to: name))
    }
    return root.node(at: path)?.scalar == nil
      ? nil : Fix(title, in: file, .set(path, to: name))
  }
}
