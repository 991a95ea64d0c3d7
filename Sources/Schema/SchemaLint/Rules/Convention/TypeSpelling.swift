internal import SchemaEvolution
internal import SchemaManifest
internal import SchemaModel

struct TypeSpelling: LintRule, RuleFix {
  let rule = Rule.typeSpelling

  func findings(in context: LintContext) -> [Diagnostic] {
    context.newest.allProperties.compactMap { model, property in
      guard let whole = context.newestProperties[ElementPath(model.name, property.name)] else {
        return nil
      }
      let node = (whole.entry("type") ?? whole.entry("relationship"))?.value ?? whole
      guard let text = node.scalar?.text,
        Self.respelled(text, property.type) != nil
      else { return nil }
      return Diagnostic(
        rule, "the short form of this type is '\(property.type)'",
        element: ElementPath(model.name, property.name), at: node.location,
        help: ["write '\(property.type)'"])
    }
  }

  /// The text with its type in the short form; nil if it is so already.
  private static func respelled(_ text: String, _ type: TypeReference) -> String? {
    // Most types have no '<', and a byte is found sooner than a text.
    guard text.utf8.contains(UInt8(ascii: "<")),
      ["Optional<", "Array<", "Dictionary<"].contains(where: text.contains)
    else { return nil }
    var rest = ""
    var depth = 0
    for index in text.indices {
      switch text[index] {
      case "<", "[", "(": depth += 1
      case ">", "]", ")": depth -= 1
      case "=" where depth == 0: rest = " " + String(text[index...])
      default: break
      }
      if !rest.isEmpty { break }
    }
    let short = type.description + rest
    return short == text ? nil : short
  }

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard let path = context.path(of: finding), let newest = context.context?.newest,
      let text = context.document?.node(at: path)?.scalar?.text,
      let type = finding.path.flatMap(newest.property(at:))?.type,
      let short = Self.respelled(text, type)
    else { return nil }
    return context.replacement(
      of: path, with: ManifestEdit.scalar(short), finding, "write the short form")
  }
}
