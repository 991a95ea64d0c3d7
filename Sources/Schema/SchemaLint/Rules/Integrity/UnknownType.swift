internal import SchemaManifest
internal import SchemaModel

struct UnknownType: RuleFix {
  let rule = Rule.unknownType

  /// A model can only be led to; in the long form other keys may say otherwise.
  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard case .write(let mapping, _)? = finding.correction,
      let path = finding.path.flatMap(YAMLPath.init(property:)),
      // A default stays to be thought about, and so does a set or a dictionary.
      let type = context.document?.node(at: path)?.scalar?.text,
      !type.contains(where: { "=<:".contains($0) })
    else { return nil }
    return context.replacement(of: path, with: mapping, finding, "write '\(mapping)'")
  }
}
