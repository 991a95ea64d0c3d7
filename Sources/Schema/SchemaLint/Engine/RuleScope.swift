/// What a rule looks at.
package enum RuleScope: Hashable, Sendable {
  /// The newest version: what older ones say cannot be fixed any more.
  case version
  /// Steps to versions that have not shipped.
  case step
  /// All of the folder: every manifest, the configuration, the lock.
  case history
  /// The app's Swift code.
  case sources

  /// As a rule's page says it.
  var title: String {
    switch self {
    case .version: "the newest version"
    case .step: "steps to versions that have not shipped"
    case .history: "the whole folder"
    case .sources: "Swift code"
    }
  }
}
