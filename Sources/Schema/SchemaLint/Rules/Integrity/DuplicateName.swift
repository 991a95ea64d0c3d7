internal import SchemaManifest
internal import SchemaModel

struct DuplicateName: RuleFix {
  let rule = Rule.duplicateName

  /// Removes a duplicate from a list of cases or modules. In other lists another name may be meant.
  func fix(_ finding: Diagnostic, in context: FixContext) -> Fix? {
    guard finding.correction == .removal, let path = context.path(of: finding),
      case .index? = path.steps.last
    else { return nil }
    return context.removal(finding, "remove the duplicate")
  }
}
