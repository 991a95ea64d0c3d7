/// What a rule guards.
package enum RuleCategory: String, Hashable, Sendable, CaseIterable {
  /// Values or rows that would be gone.
  case dataLoss = "data-loss"
  /// Stages that would fail, or do other than is meant.
  case migration
  /// What a store that syncs with CloudKit demands.
  case cloudKit = "cloudkit"
  /// What readers expect.
  case convention
  /// Manifests, numbers, the lock and names: that they are whole and agree.
  case integrity
  /// What Swift code does with versions, containers and migrations.
  case sources = "swift-code"

  /// As a heading.
  package var title: String {
    switch self {
    case .dataLoss: "Data loss"
    case .migration: "Migration"
    case .cloudKit: "CloudKit"
    case .convention: "Convention"
    case .integrity: "Integrity"
    case .sources: "Swift code"
    }
  }
}
