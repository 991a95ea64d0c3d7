internal import SchemaDiagnostics
internal import SchemaModel

/// Holds a step's changes against what its manifest declares: what is not safe, not acknowledged, not decided,
/// and what is declared but matches nothing.
struct HopReview {
  let pairing: HopPairing
  let changes: [SchemaChange]
  let policy: Configuration.Policy

  var old: SchemaVersion { pairing.old }
  var new: SchemaVersion { pairing.new }
  var oldName: String { pairing.old.number.name }

  func diagnostics() -> [Diagnostic] {
    modelHints() + propertyHints() + unusedDrops() + unsafeChanges() + unacknowledged()
      + storedTypes()
  }
}
