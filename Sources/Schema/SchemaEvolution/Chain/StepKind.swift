/// How the plan performs a step.
package enum StepKind: Hashable, Sendable {
  /// A lightweight stage to a bridge on disk and a custom stage from there; a second bridge adds a third stage.
  case bridge
  case custom
  /// An empty custom stage, so that the framework stops at the version.
  case barrier
  case lightweight
  /// The older version has left the plan.
  case retired
  /// There is no plan; the value is the mechanism of the step's gravest change.
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
