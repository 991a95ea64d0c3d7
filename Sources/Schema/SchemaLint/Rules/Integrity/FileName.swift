internal import SchemaManifest
internal import SchemaModel

struct FileName: RuleFix {
  let rule = Rule.fileName

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    // Without a version in the file, its name is the only source of the number.
    guard case .write(let name, _)? = finding.correction, let file = finding.location?.file,
      let text = context.document?.entry("version")?.value.scalar?.text, VersionNumber(text) != nil
    else { return nil }
    return Fix("rename the file to \(name)", in: file, [.rename(to: name)])
  }
}
