/// How the plan performs a step.
package enum StepKind: Hashable, Sendable {
  /// A lightweight stage to a bridge, which is written to disk, and a custom stage from the bridge. A second bridge
  /// adds a third stage.
  case bridge
  case custom
  /// An empty custom stage, so the framework stops at the newer version.
  case barrier
  case lightweight
  case retired
  /// The step has no stages. The value is the mechanism of its gravest change.
  case unplanned(Mechanism)
}

extension StepKind: CustomStringConvertible {
  package var description: String {
    switch self {
    case .bridge: "custom, through a bridge"
    case .custom: "custom"
    case .barrier: "lightweight, as a barrier stage"
    case .lightweight: "lightweight"
    case .retired: "retired, not in the plan"
    case .unplanned(let mechanism): mechanism.rawValue
    }
  }
}
