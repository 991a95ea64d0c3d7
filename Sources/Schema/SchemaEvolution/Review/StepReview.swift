internal import SchemaModel

/// A finding that asks whether something removed has another name now.
struct RenameQuestion: Sendable {
  var removed: ElementPath
  /// What it may be called now: a property of its model, or a model.
  var successor: String
  /// What to write if it is: `write: remark: { type: String?, renamedFrom: note }`.
  var way: String
  var finding: Diagnostic
  /// The question alone, with its score.
  var question: String
  /// The keys to write where it is so: `renamedFrom: title`.
  var keys: String

  /// All of it in one line, for a drop that can still be taken back.
  var summary: String {
    guard removed.member == nil, removed.owner.isNumberedCopy(of: successor) else {
      return "\(question): if it is, write '\(keys)' there, and remove the entry"
    }
    // A plan's own name for an older class is in no store.
    return
      "\(question): a store has '\(removed.owner)' only if a release's class was called that. If it was called "
      + "'\(successor)', rename the model in the older manifest to '\(successor)', and remove the entry; else write "
      + "'\(keys)' there"
  }

  func summary(shippedFrom version: String) -> String {
    "\(question): if it was, write '\(keys)' there, remove the entry, and accept the correction: stores that are "
      + "still of \(version) keep the values (\(Basis.documentation)cookbook/bad-release.md#a-rename-that-shipped-as-a-removal)"
  }
}

/// Step keys that name what the version before does not have.
struct Misnaming: Sendable {
  /// The elements with such keys.
  var elements: Set<ElementPath> = []
  /// What the names most likely mean.
  var meant: Set<ElementPath> = []

  /// Whether a finding about the element would only repeat that a name is wrong.
  func covers(_ element: ElementPath) -> Bool {
    elements.contains(element) || meant.contains(element)
  }
}

/// Compares a step's changes with what its manifest declares: what is not safe, not acknowledged, not decided, and what
/// is declared but matches nothing.
struct StepReview {
  let pairing: StepPairing
  let changes: [SchemaChange]
  let configuration: Configuration
  let layouts: TypeLayouts
  /// Whether the newer version is on devices already.
  let isShipped: Bool
  /// Whether the newer version comes from the app's classes, where answers may then be written.
  let isOfClasses: Bool
  /// Whether the step is history.
  let isRecord: Bool
  /// The author's code that runs before the step's migration; nil where there is none, or none that could be read.
  let hook: HookCode?
  private(set) var misnaming = Misnaming()
  private(set) var renameQuestions: [RenameQuestion] = []
  /// Drops that do not say whether they are renames.
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
