internal import SchemaManifest
internal import SchemaModel

struct UnknownType: RuleFix {
  let rule = Rule.unknownType

  /// Turns a property with a model's type into a relationship. A property in the long form is left alone, since other
  /// keys may contradict.
  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard case .write(let mapping, _)? = finding.correction,
      let path = finding.path.flatMap(YAMLPath.init(property:)),
      // A default, a set or a dictionary needs a person's decision.
      let type = context.document?.node(at: path)?.scalar?.text,
      !type.contains(where: { "=<:".contains($0) })
    else { return nil }
    return context.replacement(of: path, with: mapping, finding, "write '\(mapping)'")
  }
}
