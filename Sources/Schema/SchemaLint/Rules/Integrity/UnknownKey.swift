internal import SchemaManifest
internal import SchemaModel

struct UnknownKey: RuleFix {
  let rule = Rule.unknownKey

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard case .write(let name, _)? = finding.correction, let path = context.path(of: finding),
      let parent = path.parent,
      let file = finding.location?.file, let holder = context.document?.node(at: parent)
    else { return nil }
    // If the mapping already has the suggested key, it is unclear which of the two keys to keep.
    guard holder.entry(name) == nil else { return nil }
    return Fix("write '\(name)'", in: file, .renameKey(path, to: name))
  }
}
