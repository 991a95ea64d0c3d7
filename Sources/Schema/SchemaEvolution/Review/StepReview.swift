internal import SchemaModel

/// A question whether a removed element has another name now, with its finding.
struct RenameQuestion: Sendable {
  var removed: ElementPath
  var successor: String
  /// What to write if the element was renamed: `write: remark: { type: String?, renamedFrom: note }`.
  var way: String
  var finding: Diagnostic
  var question: String
  /// The keys to write if the element was renamed: `renamedFrom: title`.
  var keys: String

  /// The question in one line, for a drop that the author can still take back.
  var summary: String {
    guard removed.member == nil, removed.owner.isNumberedCopy(of: successor) else {
      return "\(question): if it is, write '\(keys)' at the new element, and remove the entry"
    }
    // No store contains the name that only the plan uses for an older class.
    return
      "\(question): stores contain '\(removed.owner)' only if a shipped class had that name. If it was called "
      + "'\(successor)', rename the model in the older manifest to '\(successor)', and remove the entry; otherwise write "
      + "'\(keys)' at the new element"
  }

  func summary(shippedFrom version: String) -> String {
    "\(question): if it was, write '\(keys)' at the new element, remove the entry, and accept the correction: "
      + "stores that still have version \(version) keep the values "
      + "(\(Basis.documentation)cookbook/bad-release.md#a-rename-that-shipped-as-a-removal)"
  }
}

/// The elements whose step keys name elements that the previous version does not have.
struct Misnaming: Sendable {
  var elements: Set<ElementPath> = []
  var meant: Set<ElementPath> = []

  /// Whether a finding about the element would only repeat that a name is wrong.
  func covers(_ element: ElementPath) -> Bool {
    elements.contains(element) || meant.contains(element)
  }
}

/// Reviews a step. It compares the changes with the manifest's declarations, and reports unsafe, unacknowledged and
/// undecided changes, and declarations without effect.
struct StepReview {
  let pairing: StepPairing
  let changes: [SchemaChange]
  let configuration: Configuration
  let layouts: TypeLayouts
  let isShipped: Bool
  let isNewest: Bool
  /// Whether the newer version comes from the app's classes. If so, answers are written in the classes.
  let isOfClasses: Bool
  let isRecord: Bool
  /// The author's code that runs before the migration; `nil` if there is none, or if it cannot be read.
  let hook: HookCode?
  private(set) var misnaming = Misnaming()
  private(set) var renameQuestions: [RenameQuestion] = []
  /// Findings about drops that may be renames.
  private(set) var ambiguousDrops: [Diagnostic] = []

  init(
    pairing: StepPairing, changes: [SchemaChange], configuration: Configuration,
    layouts: TypeLayouts, shipped: ShippedVersions, isNewest: Bool, hook: HookCode?
  ) {
    self.pairing = pairing
    self.layouts = layouts
    self.changes = changes
    self.configuration = configuration
    self.isNewest = isNewest
    isShipped = shipped.released.contains(pairing.new.number)
    isOfClasses = configuration.classes != nil && isNewest && !isShipped
    self.hook = pairing.new.hooks.before ? hook : nil
    isRecord = shipped.isRecord(pairing.new)
    misnaming = findMisnaming()
    renameQuestions = findRenameQuestions()
    ambiguousDrops = findAmbiguousDrops()
  }

  var policy: Configuration.Policy { configuration.policy }
  /// The form of answers to this step's findings. For a shipped version they are written in the manifest.
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
