/// What a rule protects.
package enum RuleCategory: String, Hashable, Sendable, CaseIterable {
  /// Values or rows that would be lost.
  case dataLoss = "data-loss"
  /// Stages that would fail, or have an unintended effect.
  case migration
  /// Requirements of a store that syncs with CloudKit.
  case cloudKit = "cloudkit"
  case convention
  /// Manifests, numbers, the lock and names: whether they are complete and consistent.
  case integrity
  /// What Swift code does with versions, containers and migrations.
  case sources = "swift-code"

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
