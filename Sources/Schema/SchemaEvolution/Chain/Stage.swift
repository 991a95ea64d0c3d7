/// One `MigrationStage` of the plan.
package struct Stage: Sendable {
  package enum Part: Hashable, Sendable {
    /// The whole step, without a bridge.
    case whole
    case expand
    /// The stage from the bridge, in which values are copied and old columns are removed.
    case contract
    /// The stage from the second bridge to the newer version, in which columns get their final names.
    case rename
  }

  package let from: ChainVersion
  package let to: ChainVersion
  package let part: Part
  package let isCustom: Bool
  /// The reasons why an otherwise lightweight stage is a barrier stage. Empty for all other stages.
  package internal(set) var barrierReasons: [SkipHazard]

  package var isBarrier: Bool { !barrierReasons.isEmpty }
}
