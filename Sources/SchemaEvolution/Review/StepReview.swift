internal import SchemaModel

/// A finding that asks whether something removed has another name now.
struct RenameQuestion: Sendable {
  var removed: ElementPath
  var finding: Diagnostic
}

/// Holds a step's changes against what its manifest declares: what is not safe, not acknowledged, not decided,
/// and what is declared but matches nothing.
struct StepReview {
  let pairing: StepPairing
  let changes: [SchemaChange]
  let configuration: Configuration
  private(set) var renameQuestions: [RenameQuestion] = []

  init(pairing: StepPairing, changes: [SchemaChange], configuration: Configuration) {
    self.pairing = pairing
    self.changes = changes
    self.configuration = configuration
    renameQuestions = findRenameQuestions()
  }

  var policy: Configuration.Policy { configuration.policy }
  var old: SchemaVersion { pairing.old }
  var new: SchemaVersion { pairing.new }
  var oldName: String { pairing.old.number.name }

  func diagnostics() -> [Diagnostic] {
    modelHints() + propertyHints() + unusedDrops() + unsafeChanges() + unacknowledged()
      + storedTypes() + cases()
  }
}
