/// What a rule checks.
package enum RuleScope: Hashable, Sendable {
  /// The newest version, since shipped versions cannot be changed.
  case version
  case step
  case history
  case sources

  var title: String {
    switch self {
    case .version: "the newest version"
    case .step: "unshipped steps"
    case .history: "the whole folder"
    case .sources: "Swift code"
    }
  }
}
