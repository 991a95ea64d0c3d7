/// What a rule checks.
package enum RuleScope: Hashable, Sendable {
  /// The newest version, since shipped versions cannot be changed.
  case version
  /// Steps to versions that have not shipped.
  case step
  /// The whole folder: every manifest, the configuration, the lock.
  case history
  /// The app's Swift code.
  case sources

  /// The scope as shown on a rule's page.
  var title: String {
    switch self {
    case .version: "the newest version"
    case .step: "unshipped steps"
    case .history: "the whole folder"
    case .sources: "Swift code"
    }
  }
}
