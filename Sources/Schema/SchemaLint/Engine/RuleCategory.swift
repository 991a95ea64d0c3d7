/// What a rule protects.
package enum RuleCategory: String, Hashable, Sendable, CaseIterable {
  case dataLoss = "data-loss"
  case migration
  case cloudKit = "cloudkit"
  case convention
  case integrity
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
