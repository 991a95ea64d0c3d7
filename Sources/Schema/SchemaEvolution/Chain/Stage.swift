/// One `MigrationStage`.
package struct Stage: Sendable {
  package enum Part: Hashable, Sendable {
    /// From version to version.
    case whole
    /// From the older version to the bridge.
    case expand
    /// From the bridge on: values are carried over, old columns go.
    case contract
    /// From the second bridge to the newer version: columns get their final names.
    case rename
  }

  /// Positions in the chain.
  package var from: Int
  package var to: Int
  /// Index of the step that it is part of.
  package var step: Int
  package var part: Part
  package var isCustom: Bool
  /// Why an otherwise lightweight stage is a barrier stage; empty if it is none.
  package var barrierReasons: [SkipHazard]

  package var isBarrier: Bool { !barrierReasons.isEmpty }
}
