internal import SchemaManifest
internal import SchemaModel

struct UnusedAcceptance: RuleFix {
  let rule = Rule.unusedAcceptance

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    // What waits is no mistake.
    guard let location = finding.location, finding.correction != nil else { return nil }
    if finding.element == nil {
      return Fix("remove the comment", in: location.file, [.removeComment(location)])
    }
    // It is shown at the rule's name, inside the entry.
    guard let entry = context.path(of: finding)?.parent else { return nil }
    return Fix("remove the entry", in: location.file, .remove(entry))
  }
}
