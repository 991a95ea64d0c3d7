internal import SchemaModel

/// A finding that asks whether a removed element has another name now.
struct RenameQuestion: Sendable {
  var removed: ElementPath
  /// Its possible new name: a property of its model, or a model.
  var successor: String
  /// What to write if it is a rename: `write: remark: { type: String?, renamedFrom: note }`.
  var way: String
  var finding: Diagnostic
  /// The question alone, with its score.
  var question: String
  /// The keys to write if it is a rename: `renamedFrom: title`.
  var keys: String

  /// The question in one line, for a drop that can still be taken back.
  var summary: String {
    guard removed.member == nil, removed.owner.isNumberedCopy(of: successor) else {
      return "\(question): if it is, write '\(keys)' there, and remove the entry"
    }
    // The plan's own name for an older class is not in any store.
    return
      "\(question): stores contain '\(removed.owner)' only if a shipped class had that name. If it was called "
      + "'\(successor)', rename the model in the older manifest to '\(successor)', and remove the entry; otherwise write "
      + "'\(keys)' there"
  }

  func summary(shippedFrom version: String) -> String {
    "\(question): if it was, write '\(keys)' there, remove the entry, and accept the correction: stores that "
      + "still have version \(version) keep the values (\(Basis.documentation)cookbook/bad-release.md#a-rename-that-shipped-as-a-removal)"
  }
}

/// Step keys that name elements missing from the previous version.
struct Misnaming: Sendable {
  /// The elements with such keys.
  var elements: Set<ElementPath> = []
  /// The elements that the names probably mean.
  var meant: Set<ElementPath> = []

  /// Whether a finding about the element would only repeat that a name is wrong.
  func covers(_ element: ElementPath) -> Bool {
    elements.contains(element) || meant.contains(element)
  }
}

/// Compares a step's changes with its manifest's declarations, and reports changes that are unsafe, unacknowledged or
/// undecided, and declarations without effect.
struct StepReview {
  let pairing: StepPairing
  let changes: [SchemaChange]
  let configuration: Configuration
  let layouts: TypeLayouts
  /// Whether devices already have the newer version.
  let isShipped: Bool
  /// Whether the newer version comes from the app's classes, so that answers are written there.
  let isOfClasses: Bool
  /// Whether the step only records what happened.
  let isRecord: Bool
  /// The author's code that runs before the step's migration; nil if there is none, or if it cannot be read.
  let hook: HookCode?
  private(set) var misnaming = Misnaming()
  private(set) var renameQuestions: [RenameQuestion] = []
  /// Drops that leave open whether they are renames.
  private(set) var ambiguousDrops: [Diagnostic] = []

  init(
    pairing: StepPairing, changes: [SchemaChange], configuration: Configuration,
    layouts: TypeLayouts, shipped: ShippedVersions, isNewest: Bool, hook: HookCode?
  ) {
    self.pairing = pairing
    self.layouts = layouts
    self.changes = changes
    self.configuration = configuration
    isShipped = shipped.released.contains(pairing.new.number)
    isOfClasses = configuration.classes != nil && isNewest && !isShipped
    self.hook = pairing.new.hooks.before ? hook : nil
    isRecord = shipped.isRecord(pairing.new)
    misnaming = findMisnaming()
    renameQuestions = findRenameQuestions()
    ambiguousDrops = findAmbiguousDrops()
  }

  var policy: Configuration.Policy { configuration.policy }
  /// Where answers to this step are written; for a shipped version, always in its manifest.
  var answers: AnswerForm {
    AnswerForm(isInClass: isOfClasses && !isRecord)
  }
  var old: SchemaVersion { pairing.old }
  var new: SchemaVersion { pairing.new }
  var oldName: String { pairing.old.number.name }

  func diagnostics() -> [Diagnostic] {
    [
      modelHints(), propertyHints(), unusedDrops(), unsafeChanges(), unacknowledged(),
      unconfirmedDrops(), ambiguousDrops, cases(), expectations(),
    ].flatMap { $0 }
  }
}
