/// What a rule checks.
package enum RuleScope: Hashable, Sendable {
  /// The newest version, since older ones can no longer be fixed.
  case version
  /// Steps to versions that have not shipped.
  case step
  /// All of the folder: every manifest, the configuration, the lock.
  case history
  /// The app's Swift code.
  case sources

  /// The scope as a rule's page words it.
  var title: String {
    switch self {
    case .version: "the newest version"
    case .step: "steps to versions that have not shipped"
    case .history: "the whole folder"
    case .sources: "Swift code"
    }
  }
}
