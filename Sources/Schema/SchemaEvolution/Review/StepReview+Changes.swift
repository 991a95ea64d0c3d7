internal import SchemaModel

/// Changes: whether each is safe, acknowledged, and decided, and what to write where it is not.
extension StepReview {
  func unsafeChanges() -> [Diagnostic] {
    changes.compactMap { change in
      let row = change.classification
      guard let severity = row.severity, !row.needsAcknowledgement,
        !misnaming.covers(change.element)
      else { return nil }
      // Where a model is gone that nobody said may go, its links' new destination is a consequence.
      if change.kind == .destinationChanged, isPendingRemoval(change) { return nil }
      // `drops:` is as good as `accept:` for an enum's case.
      if change.kind == .enumCaseRemoved, change.acknowledgement != nil { return nil }
      let detail = change.detail.isEmpty ? "" : " (\(change.detail))"
      var help = (wayOut(of: change).map { [$0] } ?? []) + edits(for: change)
      if let question = openQuestion(of: change.element) {
        // An example that gives it another value would decide the question, and lose the values.
        help = ["decide first what it is: \(question)"] + (row.wayOut.map { ["else \($0)"] } ?? [])
      }
      if change.repetition != nil {
        help = [
          "write 'fill:' with a value for each row, such as UUID(), or make it from other values with "
            + "'from:' and 'convert:'",
          "'dedupe:' would delete all of those rows but one",
        ]
      }
      if row.isAcceptable {
        help.append("to accept it: " + ManifestEdit.acceptance(row.rule.id, change.element))
      }
      let message = "'\(change.element)'\(detail): \(row.reason)"
      if severity == .error {
        if let finding = leftToCode(change, isRecord ? asRecord(message) : message) {
          return finding
        }
        if isRecord { return record(change, message) }
      }
      return Diagnostic(
        row.rule, message, element: change.element, at: change.location, help: help,
        severity: severity)
    }
  }

  /// What the row proposes, said of this property.
  private func wayOut(of change: SchemaChange) -> String? {
    let row = change.classification
    guard let property = new.property(at: change.element),
      [.typeChanged, .arrayElementChanged, .valueTypeChanged].contains(change.kind)
    else { return row.wayOut }
    guard needsNewName(property) else { return ClassificationTable[.typeChanged].wayOut }
    return "write it under a new name, with 'from:' and 'convert:'"
  }

  /// Whether converted values need a new name: under the old one the engine would have to rename columns in the end,
  /// which it does not do for all (docs/facts/migration.md#rename-composite).
  private func needsNewName(_ property: Property) -> Bool {
    configuration.obstacle(toRenaming: property, in: new) != nil
  }

  /// The edit that converts a property's values, under another name where its own does not do.
  func converting(_ property: Property, _ convert: String) -> String {
    var converted = property
    if needsNewName(property) { converted.name = "new" + property.name.uppercasedFirst }
    return ManifestEdit.property(
      converted, adding: [("from", property.name), ("convert", convert)])
  }

  /// The question whether a new thing is a removed one under another name, as long as it is open.
  private func openQuestion(of element: ElementPath) -> String? {
    let pending = Set(pending.map(\.element))
    return renameQuestions.first {
      $0.finding.element == element.description && pending.contains($0.removed)
    }.map { question in
      let old = question.removed.member ?? question.removed.owner
      let isSplit =
        question.removed.member != nil
        && renameQuestions.count { $0.removed == question.removed } > 1
      return "if '\(old)' is its old name, write '\(question.keys)'"
        + (isSplit ? ", and if it is a part of it, 'from: \(old)' with 'convert: …'" : "")
    }
  }

  /// What a step that is history did, where one of today might not.
  private func record(_ change: SchemaChange, _ message: String) -> Diagnostic {
    var help: [String] = []
    if let edit = edits(for: change).first {
      help.append(
        "for stores that are still of \(oldName), correct the step "
          + "(docs/lock.md#released-versions): \(edit)")
    }
    return settleable(change, asRecord(message), help: help)
  }

  private func asRecord(_ message: String) -> String {
    "\(new.number.name) has shipped with this: \(message)"
  }

  /// A warning in place of an error: with a reason, a person may settle it, also where the error could not be accepted.
  func settleable(
    _ change: SchemaChange, _ message: String, related: [Diagnostic.Related] = [], help: [String]
  ) -> Diagnostic {
    var rule = change.classification.rule
    rule.isAcceptable = true
    return Diagnostic(
      rule, message, element: change.element, at: change.location, related: related,
      help: help + ["to accept it: " + ManifestEdit.acceptance(rule.id, change.element)],
      severity: .warning)
  }

  private func isPendingRemoval(_ change: SchemaChange) -> Bool {
    guard let was = oldDestination(of: change.element) else { return false }
    return changes.contains { removed in
      removed.kind == .modelRemoved && removed.acknowledgement == nil
        && removed.element == ElementPath(was)
    }
  }

  /// The model that a relationship of the newer version led to in the older one.
  private func oldDestination(of element: ElementPath) -> String? {
    guard let model = pairing.newModels[element.owner], let pair = pairing.pair(of: model) else {
      return nil
    }
    let end = pair.properties.continued.first { $0.new.name == element.member }
    return end?.old.relationship?.destination.value
  }

  /// What exactly to write, where that can be said.
  private func edits(for change: SchemaChange) -> [String] {
    if change.kind == .enumCaseRemoved { return ways(ofRowsWith: change.element) }
    if change.kind == .rawValueChanged { return newRawValue(of: change.element) }
    guard let name = change.element.member, let model = pairing.newModels[change.element.owner],
      let property = model.property(named: name)
    else { return [] }
    func edit(_ keys: [(String, String)]) -> String {
      "for example: " + ManifestEdit.property(property, adding: keys)
    }
    switch change.kind {
    case .missingDefault, .nullTrap, .requiredStructAdded, .requiredWithoutFill, .enumMadeRequired,
      .sharedDefault:
      let value =
        property.attribute?.defaultValue?.text ?? placeholder(for: property.type)
      return [edit([("fill", value)])]
    case .typeChanged, .arrayElementChanged, .valueTypeChanged, .externalStorageRemoved,
      .encodedTypeChanged:
      // '$0' is the decoded value of JSON.
      let old = pairing.predecessor(of: model)?.property(named: name).map(Self.valueType)
      let new = Self.valueType(property)
      let convert = old == new ? "$0" : conversion(from: old ?? new, to: new)
      return ["for example: " + converting(property, convert)]
    case .codableAttributeRenamed, .renamedUnderCloudKit:
      return newName(property).map { ["for example: " + $0] } ?? []
    case .toManyToOne, .toOneToManyNewInverse, .toOneToManyNoInverse, .destinationChanged:
      return [edit([("from", property.name), ("convert", "{ function: \(property.name) }")])]
    case .mandatoryRelationship, .relationshipMadeRequired:
      return [edit([("fill", "{ function: \(property.name) }")])]
    case .uniqueAdded:
      return [edit([("dedupe", "{ latest: … }")])]
    default: return []
    }
  }

  /// The cases that rows of a removed one may take.
  private func ways(ofRowsWith removed: ElementPath) -> [String] {
    let added = changes.filter {
      $0.kind == .enumCaseAdded && $0.element.owner == removed.owner
    }
    let type = new.type(named: removed.owner)
    let was = old.type(named: removed.owner)?.cases.first { $0.name == removed.member }
    let renames = added.compactMap(\.element.member).map { name in
      // A raw value that is written out, or that the app's code has, stays: then no row has to change.
      let keepsRawValue = type?.isOwn == true || was?.rawValue != nil
      let edit =
        was.flatMap { keepsRawValue ? ManifestEdit.renamedCase(name, from: $0) : nil }
        ?? "cases: [\(name): { renamedFrom: \(removed.member ?? "") }, …]"
      return "if it is called '\(name)' now: " + edit
    }
    return renames + [
      "if another takes its place: drops: { \(removed): { reason: \"why\", replacedBy: … } }"
    ]
  }

  /// How rows get the raw value that a case has now.
  private func newRawValue(of element: ElementPath) -> [String] {
    func find(_ version: SchemaVersion) -> EnumCase? {
      version.type(named: element.owner)?.cases.first { $0.name == element.member }
    }
    guard let was = find(old), let now = find(new) else { return [] }
    return [
      "to give it to the rows: "
        + ManifestEdit.renamedCase(now.name, from: was, rawValue: now.storedText)
    ]
  }

  private static func valueType(_ property: Property) -> TypeReference {
    property.attribute?.valueType ?? property.type
  }

  /// The edit that carries a property's values into a new name, which no column is renamed for.
  private func newName(_ property: Property) -> String? {
    var property = property
    if let renamed = property.migration.renamedFrom?.value {
      let convert =
        property.relationship == nil ? "$0" : "{ function: \(property.name) }"
      return ManifestEdit.property(property, adding: [("from", renamed), ("convert", convert)])
    }
    guard property.migration.from.contains(where: { $0.value == property.name }) else { return nil }
    let convert = property.relationship == nil ? "…" : "{ function: \(property.name) }"
    let name = property.name
    property.name = "new" + name.uppercasedFirst
    return ManifestEdit.property(property, adding: [("from", name), ("convert", convert)])
  }

  private func placeholder(for type: TypeReference) -> String {
    switch type.description {
    case "String": "\"\""
    case "Int", "Int16", "Int32", "Int64", "Decimal": "0"
    case "Double", "Float": "0.0"
    case "Bool": "false"
    case "Date": "Date.distantPast"
    case "UUID": "UUID()"
    default: "…"
    }
  }

  func unacknowledged() -> [Diagnostic] {
    let questions = Dictionary(grouping: renameQuestions, by: \.removed)
    return pending.flatMap { change -> [Diagnostic] in
      if let questions = questions[change.element] { return questions.map(\.finding) }
      // The destination's removal is one question, and settles this too.
      if let was = removedDestination(of: change), questions[was] == nil { return [] }
      return [unacknowledgedDrop(change)]
    }
  }

  /// The model that a removed relationship led to, where that goes as well and nobody said that it may.
  private func removedDestination(of change: SchemaChange) -> ElementPath? {
    guard change.kind == .relationshipRemoved, let name = change.element.member,
      let was = pairing.oldModels[change.element.owner]?.property(named: name)?.relationship
    else { return nil }
    let destination = ElementPath(was.destination.value)
    return pending.contains { $0.element == destination } ? destination : nil
  }

  /// What is gone and nobody said that it may go.
  private var pending: [SchemaChange] {
    changes.filter {
      $0.classification.needsAcknowledgement && $0.acknowledgement == nil
        && !misnaming.covers($0.element)
    }
  }

  /// The questions what a removed thing may be now, as long as no person has said that it may go.
  func findRenameQuestions() -> [RenameQuestion] {
    let open = changes.filter {
      $0.classification.needsAcknowledgement
        && ($0.acknowledgement ?? .unconfirmed) == .unconfirmed
    }
    guard !open.isEmpty else { return [] }
    let finder = RenameFinder(
      old: StorageTypes(version: old), new: StorageTypes(version: new))
    return open.flatMap { ambiguities($0, finder) }
  }

  private func unacknowledgedDrop(_ change: SchemaChange) -> Diagnostic {
    let row = change.classification
    var help = ["if it may go, write: " + ManifestEdit.drop(change.element)]
    switch change.kind {
    case .modelRemoved:
      help.append("if it has another name now, write 'renamedFrom: \(change.element)' there")
      help += keepingRows(ofSubclass: change.element.owner)
    case .attributeRemoved, .relationshipRemoved:
      let name = change.element.member ?? ""
      let successors = possibleSuccessors(of: change.element)
      help += successors.map { successor in
        "if '\(successor.name)' is its new name, write: "
          + ManifestEdit.property(successor, adding: [("renamedFrom", name)])
      }
      if successors.isEmpty {
        help.append("if it has another name now, write 'renamedFrom: \(name)' there")
      }
    case .attributeBecameValueType:
      help += carrying(change.element).map { ["to keep its values: " + $0] } ?? []
    default: break
    }
    return Diagnostic(
      .unacknowledgedDrop,
      "\(oldName)'s '\(change.element)' is gone in \(new.number.name): \(row.reason)"
        + (change.kind == .modelRemoved && !change.detail.isEmpty ? "; \(change.detail)" : ""),
      element: change.element, at: change.location, help: help,
      severity: policy == .inferred ? .warning : .error)
  }

  /// New properties that could take its values, whatever they are called; at most three, as the manifest has them.
  func possibleSuccessors(of element: ElementPath) -> [Property] {
    guard let was = pairing.oldModels[element.owner],
      let removed = element.member.flatMap(was.property(named:)),
      let pair = new.models.lazy.compactMap(pairing.pair).first(where: { $0.old.name == was.name })
    else { return [] }
    let added = pair.properties.added.filter {
      $0.migration.isEmpty && !$0.isTransient && Self.isRenameable(removed, to: $0)
    }
    return Array(added.prefix(3))
  }

  /// Whether a rename alone carries the values.
  private static func isRenameable(_ old: Property, to new: Property) -> Bool {
    old.type.unwrapped == new.type.unwrapped
      && (new.type.isOptional || !old.type.isOptional || new.attribute?.defaultValue != nil)
  }

  /// How the rows of a subclass that is gone can stay rows of what it inherited from.
  private func keepingRows(ofSubclass name: String) -> [String] {
    guard let superclass = pairing.oldModels[name]?.superclass?.value,
      pairing.newModels[superclass] != nil
    else { return [] }
    return [
      "to keep its rows among those of '\(superclass)', keep the class, without properties of its own: "
        + "\(name): { inherits: \(superclass), properties: {} }",
      "or make them plain rows, which needs a new name for '\(superclass)': … { renamedFrom: \(superclass), … }",
    ]
  }

  /// The edit that converts an attribute's values into a value type, or back.
  private func carrying(_ element: ElementPath) -> String? {
    guard let name = element.member, let model = pairing.newModels[element.owner],
      let property = model.property(named: name),
      let old = pairing.predecessor(of: model)?.property(named: name)
    else { return nil }
    var convert = "…"
    if let type = pairing.new.type(named: property.type.unwrapped.description),
      case .enumeration(let raw?, _) = type.kind, raw == old.type
    {
      convert = "\(type.name)(rawValue: $0)" + (property.type.isOptional ? "" : " ?? …")
    } else if let type = pairing.old.type(named: old.type.description),
      case .enumeration(let raw?, _) = type.kind, raw == property.type.unwrapped
    {
      convert = "$0.rawValue"
    }
    return converting(property, convert)
  }

  /// The questions about what a removed thing may be now; none when nothing new resembles it.
  private func ambiguities(
    _ change: SchemaChange, _ finder: RenameFinder
  ) -> [RenameQuestion] {
    switch change.kind {
    case .modelRemoved:
      guard let removed = pairing.oldModels[change.element.owner] else { return [] }
      let added = new.models.filter { $0.sources.isEmpty && pairing.oldModels[$0.name] == nil }
      return finder.candidates(for: removed, among: added).map { ambiguity(removed, $0) }
    case .attributeRemoved, .relationshipRemoved:
      guard let name = change.element.member, let was = pairing.oldModels[change.element.owner],
        let removed = was.property(named: name),
        let pair = new.models.lazy.compactMap(pairing.pair).first(where: { $0.old.name == was.name }
        )
      else { return [] }
      let added = pair.properties.added.filter {
        $0.migration.isEmpty && !$0.isTransient
      }
      let candidates = finder.candidates(for: removed, among: added)
      return candidates.map {
        ambiguity(removed, $0, pair.new, change.element, isSplit: candidates.count > 1)
      }
    default: return []
    }
  }

  private func ambiguity(
    _ removed: Property, _ candidate: RenameFinder.Candidate<Property>, _ model: Model,
    _ element: ElementPath, isSplit: Bool
  ) -> RenameQuestion {
    let added = candidate.element
    let keys =
      Self.isRenameable(removed, to: added)
      ? [("renamedFrom", removed.name)]
      : [("from", removed.name), ("convert", conversion(from: removed.type, to: added.type))]
    let isKept = configuration.classes != nil
    let question =
      "'\(model.name).\(added.name)' may be \(oldName)'s '\(removed.name)' under a new name "
      + "(score \(Self.decimal(candidate.score)))"
    let finding = Diagnostic(
      .ambiguousRename, question,
      element: ElementPath(model.name, added.name), at: added.location,
      help: [
        isKept && Self.isRenameable(removed, to: added)
          ? "if it is, keep its values, in the class:      "
            + (added.relationship == nil ? "@Attribute" : "@Relationship")
            + "(originalName: \"\(removed.name)\")"
          : "if it is, keep its values with:              "
            + ManifestEdit.property(added, adding: keys)
      ]
        + (isSplit
          ? [
            "if the old one is split, take a part of it:   "
              + ManifestEdit.property(
                added, adding: [("from", removed.name), ("convert", "…")])
              + " (docs/cookbook/split-a-property.md)"
          ] : []) + [
          "if it is new, and the old one may go, write: " + ManifestEdit.drop(element),
          "nothing is written until you decide: every value of '\(element)' would be lost",
        ], severity: policy == .inferred ? .warning : .error)
    let way = keys.map { "\($0.0): \($0.1)" }.joined(separator: ", ")
    return RenameQuestion(removed: element, finding: finding, question: question, keys: way)
  }

  private func ambiguity(
    _ removed: Model, _ candidate: RenameFinder.Candidate<Model>
  ) -> RenameQuestion {
    let added = candidate.element
    let question =
      "'\(added.name)' may be \(oldName)'s '\(removed.name)' under a new name "
      + "(score \(Self.decimal(candidate.score)))"
    let finding = Diagnostic(
      .ambiguousRename, question,
      element: ElementPath(added.name), at: added.location,
      help: [
        "if it is, keep its rows with:                "
          + "\(added.name): { renamedFrom: \(removed.name), … }",
        "if it is new, and the old one may go, write: "
          + ManifestEdit.drop(ElementPath(removed.name)),
        "nothing is written until you decide: every row of '\(removed.name)' would be lost",
      ], severity: policy == .inferred ? .warning : .error)
    return RenameQuestion(
      removed: ElementPath(removed.name), finding: finding, question: question,
      keys: "renamedFrom: \(removed.name)")
  }

  private func conversion(from old: TypeReference, to new: TypeReference) -> String {
    if old.unwrapped == new.unwrapped { return "$0 ?? …" }
    guard !old.isOptional else { return "…" }
    switch (old.description, new.unwrapped.description) {
    case ("String", "Int"), ("String", "Double"), ("String", "Int64"), ("String", "Int32"):
      return new.isOptional ? "\(new.unwrapped)($0)" : "\(new)($0) ?? 0"
    case ("Int", "String"), ("Double", "String"), ("Bool", "String"), ("Int64", "String"):
      return "String($0)"
    default: return "…"
    }
  }

  /// Two decimals, in every locale.
  static func decimal(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
