/// One `MigrationStage` of the plan.
package struct Stage: Sendable {
  package enum Part: Hashable, Sendable {
    /// The whole step, without a bridge.
    case whole
    /// From the older version to the bridge.
    case expand
    /// From the bridge: values are copied, and old columns are removed.
    case contract
    /// From the second bridge to the newer version: columns get their final names.
    case rename
  }

  package let from: ChainVersion
  package let to: ChainVersion
  package let part: Part
  package let isCustom: Bool
  /// Why an otherwise lightweight stage is a barrier stage; empty if it is not one.
  package internal(set) var barrierReasons: [SkipHazard]

  package var isBarrier: Bool { !barrierReasons.isEmpty }
}
