internal import SchemaManifest
internal import SchemaModel

struct UnusedAcceptance: RuleFix {
  let rule = Rule.unusedAcceptance

  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    // An acceptance that waits for a release is not a mistake.
    guard let location = finding.location, finding.correction != nil else { return nil }
    if finding.element == nil {
      return Fix("remove the comment", in: location.file, [.removeComment(location)])
    }
    // The finding's place is the rule's name inside the entry.
    guard let entry = context.path(of: finding)?.parent else { return nil }
    return Fix("remove the entry", in: location.file, .remove(entry))
  }
}
