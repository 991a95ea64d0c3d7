internal import SchemaModel

/// Reviews whether each change is safe, acknowledged and decided, and what to write if it is not.
extension StepReview {
  func unsafeChanges() -> [Diagnostic] {
    changes.compactMap { change in
      let row = change.classification
      guard var severity = row.severity, !row.needsAcknowledgement,
        !misnaming.covers(change.element)
      else { return nil }
      let final = finalEncryption(change)
      if final != nil { severity = .error }
      // If a model's removal is unconfirmed, the new destination of links to the model is a consequence.
      if change.kind == .destinationChanged, isPendingRemoval(change) { return nil }
      // The rename shipped before the store began to sync.
      if change.kind == .renamedUnderCloudKit, isShipped, !isRecord, !configuration.canSync(old),
        !configuration.canSync(new)
      {
        return nil
      }
      // For an enum's case, an entry of `drops:` counts like one of `accept:`.
      if change.kind == .enumCaseRemoved, change.acknowledgement != nil { return nil }
      let detail = change.detail.isEmpty ? "" : " (\(change.detail))"
      var help = (wayOut(of: change).map { [$0] } ?? []) + edits(for: change)
      let failure = failureBefore26(change)
      if failure != nil {
        help = [
          "make the field optional",
          "or, if the app runs on no system before 26, write 'platforms: { iOS: 26 }' in schemagen.yaml",
        ]
      }
      if let question = openQuestion(of: change.element) {
        // An example with another value would decide the question, and lose the values.
        help =
          ["decide first whether the element was renamed: \(question)"]
          + (row.wayOut.map { ["if the element is new, \($0)"] } ?? [])
      }
      if change.repetition != nil {
        help = [
          "write 'fill:' with a value for each row, such as UUID(), or make the value from other values with "
            + "'from:' and 'convert:'",
          "'dedupe:' would keep only one of the rows with the same value",
        ]
      }
      if change.kind == .enumCaseRemoved {
        help.append(
          answers.instruction(
            "if no row holds the case", answers.drop(change.element, hasOwner: true)))
      } else if row.isAcceptable, failure == nil {
        help.append(
          answers.instruction(
            "to accept it", answers.acceptance(row.rule.id, change.element)))
      }
      let message = "'\(change.element)'\(detail): \(final ?? failure ?? row.reason)"
      if severity == .error {
        if let finding = leftToCode(change, isRecord ? asRecord(message) : message) {
          return finding
        }
        if isRecord { return record(change, message) }
      }
      var rule = row.rule
      if failure != nil { rule.isAcceptable = false }
      return Diagnostic(
        rule, message, element: change.element, at: change.location, help: help,
        severity: severity)
    }
  }

  /// The behaviour of systems before 26 for a new field of a struct that only optional properties store. Returns `nil`
  /// for any other change, for an enum, whose column is never required, and if the app runs on no such system.
  private func failureBefore26(_ change: SchemaChange) -> String? {
    guard change.kind == .structFieldNullTrap, configuration.runsBefore26,
      let fields = new.type(named: change.element.owner)?.fields,
      let field = fields.first(where: { $0.name == change.element.member }),
      !StorageTypes(version: new).form(of: field.type).isOptionalAnyway
    else { return nil }
    return "on iOS 17 the migration failed with error 134110 if one row existed; from iOS 26 on, "
      + change.classification.reason
  }

  /// The meaning of changed encryption for a store that syncs; `nil` for any other change.
  private func finalEncryption(_ change: SchemaChange) -> String? {
    guard change.kind == .cloudEncryptionChanged, configuration.cloudKit == .private,
      !configuration.cloud.local.contains(where: { $0.value == change.element.owner })
    else { return nil }
    let isEncrypted =
      new.property(at: change.element)?.attribute?.options.contains(.allowsCloudEncryption) == true
    return isEncrypted
      ? "the field in CloudKit stays unencrypted: production refuses what this version writes into it"
      : "the field in CloudKit stays encrypted: production refuses what this version writes into it"
  }

  private func wayOut(of change: SchemaChange) -> String? {
    let row = change.classification
    if finalEncryption(change) != nil {
      return
        "keep the option as it was, and add an optional property with another name and the new option"
    }
    if change.kind == .rawValueChanged,
      case .structure? = new.type(named: change.element.owner)?.kind
    {
      return
        "give each case the raw value that it had, or declare the struct under another name and convert its values"
    }
    guard let property = new.property(at: change.element),
      [.typeChanged, .arrayElementChanged, .valueTypeChanged, .rawValueChanged]
        .contains(change.kind)
    else { return row.wayOut }
    if let old = property.migration.renamedFrom?.value {
      return answers.isInClass
        ? "remove 'originalName', and make the values from '\(old)' with 'from:' and 'convert:'"
        : "in place of 'renamedFrom:', write 'from: \(old)' and 'convert:' with an expression"
    }
    if change.kind == .rawValueChanged {
      return
        "give each case the raw value that it had, or carry the values over with 'from:' and 'convert:'"
    }
    guard needsNewName(property) else { return ClassificationTable[.typeChanged].wayOut }
    return "give the property a new name, with 'from:' and 'convert:'"
  }

  /// Whether converted values need a new name. To keep the old name, the engine would have to rename columns at the
  /// end, which it cannot do for all types (docs/facts/migration.md#rename-composite).
  private func needsNewName(_ property: Property) -> Bool {
    configuration.obstacle(toRenaming: property, in: new) != nil
  }

  /// The edit that converts a property's values, with a new name if the property cannot keep its name.
  func converting(_ property: Property, _ convert: String) -> String {
    var converted = property
    if needsNewName(property) { converted.name = "new" + property.name.uppercasedFirst }
    let answer = answers.property(converted, [("from", property.name), ("convert", convert)])
    return answers.isInClass && converted.name != property.name
      ? "rename '\(property.name)' to '\(converted.name)', and write \(answer)" : answer
  }

  /// The question whether a new element is a removed element under another name; `nil` if there is no open question.
  private func openQuestion(of element: ElementPath) -> String? {
    let pending = Set(pending.map(\.element))
    return renameQuestions.first {
      $0.finding.element == element.description && pending.contains($0.removed)
    }.map { question in
      let old = question.removed.member ?? question.removed.owner
      let isSplit =
        question.removed.member != nil
        && renameQuestions.count { $0.removed == question.removed } > 1
      let isKept = configuration.cloudKit == .private && question.removed.member != nil
      let split =
        answers.isInClass
        ? "write // schemagen:from \(old), and below it // schemagen:convert …"
        : "write 'from: \(old)' with 'convert: …'"
      return
        "if '\(old)' is its old name, \(isKept || answers.isInClass ? question.way : "write '\(question.keys)'")"
        + (isSplit ? "; if '\(old)' is split, \(split)" : "")
    }
  }

  /// A finding about a recorded step, which may have done what a new step cannot do.
  private func record(_ change: SchemaChange, _ message: String) -> Diagnostic {
    var help: [String] = []
    // A fill would be another edit of a shipped version, and could not reach rows that are past the step.
    if change.kind.leavesNull,
      let type = new.property(at: change.element)?.type.optionalized
    {
      help.append(
        configuration.classes != nil && isNewest
          ? "make the property optional in the class ('\(type)'), and run: schemagen snapshot; the app can then read these rows"
          : "make the property optional in the next version ('\(type)'); the app can then read these rows"
      )
    } else if let edit = edits(for: change).first {
      help.append(
        "for stores that still have version \(oldName), correct the step "
          + "(schemagen explain shipped-step-edited): \(edit)")
    }
    return settleable(change, asRecord(message), help: help)
  }

  func asRecord(_ message: String) -> String {
    "\(new.number.name) has shipped with this change: \(message)"
  }

  /// A warning in place of an error. A person may accept the warning with a reason, even if the error could not be
  /// accepted.
  func settleable(
    _ change: SchemaChange, _ message: String, related: [Diagnostic.Related] = [], help: [String]
  ) -> Diagnostic {
    var rule = change.classification.rule
    rule.isAcceptable = true
    return Diagnostic(
      rule, message, element: change.element, at: change.location, related: related,
      help: help + [
        answers.instruction("to accept it", answers.acceptance(rule.id, change.element))
      ],
      severity: .warning)
  }

  private func isPendingRemoval(_ change: SchemaChange) -> Bool {
    guard let was = oldDestination(of: change.element) else { return false }
    return ambiguousDrops.contains { $0.path == ElementPath(was) }
      || changes.contains { removed in
        removed.kind == .modelRemoved && removed.acknowledgement == nil
          && removed.element == ElementPath(was)
      }
  }

  private func oldDestination(of element: ElementPath) -> String? {
    guard let model = pairing.newModels[element.owner], let pair = pairing.pair(of: model) else {
      return nil
    }
    let end = pair.properties.continued.first { $0.new.name == element.member }
    return end?.old.relationship?.destination.value
  }

  private func edits(for change: SchemaChange) -> [String] {
    if change.kind == .enumCaseRemoved { return ways(ofRowsWith: change.element) }
    if change.kind == .rawValueChanged, new.type(named: change.element.owner) != nil {
      return newRawValue(of: change.element)
    }
    if change.kind == .compoundUniqueAdded, answers.isInClass {
      return [
        answers.instruction(
          "for example", "above '#Unique' in the class: // schemagen:dedupe { latest: … }")
      ]
    }
    guard let name = change.element.member, let model = pairing.newModels[change.element.owner],
      let property = model.property(named: name)
    else { return [] }
    func edit(_ keys: [(String, String)]) -> String {
      answers.instruction("for example", answers.property(property, keys))
    }
    switch change.kind {
    case .missingDefault, .nullTrap, .requiredStructAdded, .requiredWithoutFill, .enumMadeRequired,
      .sharedDefault:
      if property.isUnique || model.uniques.contains(where: { $0.names == [name] }) {
        // A single value for all rows would lead to the next error.
        let values = ["UUID": "UUID()", "String": "UUID().uuidString"]
        return values["\(property.type.unwrapped)"].map { [edit([("fill", $0)])] } ?? []
      }
      let value =
        property.attribute?.defaultValue?.text ?? placeholder(for: property.type)
      return [edit([("fill", value)])]
    case .typeChanged, .arrayElementChanged, .valueTypeChanged, .externalStorageRemoved,
      .encodedTypeChanged, .rawValueChanged, .numberRangeChanged:
      // If the property stores JSON, '$0' is the decoded value.
      let source = property.migration.renamedFrom?.value ?? name
      let old = pairing.predecessor(of: model)?.property(named: source).map(Self.valueType)
      let new = Self.valueType(property)
      let convert =
        old == new
        ? "$0"
        : conversion(from: old ?? new, to: new, isOfUnits: Self.isOfUnits(source, property.name))
      guard source == name else {
        var made = property
        made.migration.renamedFrom = nil
        return [
          answers.instruction(
            "for example", answers.property(made, [("from", source), ("convert", convert)]))
        ]
      }
      return [answers.instruction("for example", converting(property, convert))]
    case .renamedUnderCloudKit: return keptName(property).map { [$0] } ?? []
    case .codableAttributeRenamed:
      return newName(property).map { [answers.instruction("for example", $0)] } ?? []
    case .toManyToOne, .toOneToManyNewInverse, .toOneToManyNoInverse, .destinationChanged:
      return [edit([("from", property.name), ("convert", "{ function: \(property.name) }")])]
    case .mandatoryRelationship
    where pairing.predecessor(of: model)?.property(named: name)?.attribute != nil:
      // Every row has a value under this name, but it is an attribute's value, not a link.
      return [edit([("from", property.name), ("convert", "{ function: \(property.name) }")])]
    case .mandatoryRelationship, .relationshipMadeRequired:
      return [edit([("fill", "{ function: \(property.name) }")])]
    case .uniqueAdded:
      return [edit([("dedupe", "{ latest: … }")])]
    default: return []
    }
  }

  private func ways(ofRowsWith removed: ElementPath) -> [String] {
    let added = changes.filter {
      $0.kind == .enumCaseAdded && $0.element.owner == removed.owner
    }
    let type = new.type(named: removed.owner)
    let was = old.type(named: removed.owner)?.cases.first { $0.name == removed.member }
    let renames = added.compactMap(\.element.member).map { name in
      // A raw value that is written out, or is in the app's code, stays, so no row has to change.
      let keepsRawValue = type?.isOwn == true || was?.rawValue != nil
      if keepsRawValue, let was {
        return answers.isInClass
          ? answers.instruction(
            "if the case is called '\(name)' now, write",
            answers.renamedCase(name, from: was, rawValue: was.storedText))
          : "if the case is called '\(name)' now: " + answers.renamedCase(name, from: was)
      }
      let cases = type?.cases ?? []
      let isPlain = cases.allSatisfy { $0.rawValue == nil && $0.renamedFrom == nil }
      let renamed = "\(name): { renamedFrom: \(removed.member ?? "") }"
      let list = isPlain ? cases.map { $0.name == name ? renamed : $0.name } : [renamed, "…"]
      return "if the case is called '\(name)' now: cases: [\(list.joined(separator: ", "))]"
    }
    return renames + [
      answers.instruction(
        "if another case replaces the removed one", answers.replacement(of: removed))
    ]
  }

  private func newRawValue(of element: ElementPath) -> [String] {
    func find(_ version: SchemaVersion) -> EnumCase? {
      version.type(named: element.owner)?.cases.first { $0.name == element.member }
    }
    guard let was = find(old), let now = find(new) else { return [] }
    return [
      answers.instruction(
        "to give the rows the new raw value",
        answers.renamedCase(now.name, from: was, rawValue: now.storedText))
    ]
  }

  private static func valueType(_ property: Property) -> TypeReference {
    property.attribute?.valueType ?? property.type
  }

  /// The edit that copies a property's values to a new name, for which no column is renamed.
  private func newName(_ property: Property) -> String? {
    var property = property
    if let renamed = property.migration.renamedFrom?.value {
      let convert =
        property.relationship == nil ? "$0" : "{ function: \(property.name) }"
      return answers.property(property, [("from", renamed), ("convert", convert)])
    }
    guard property.migration.from.contains(where: { $0.value == property.name }) else { return nil }
    let convert = property.relationship == nil ? "…" : "{ function: \(property.name) }"
    let name = property.name
    property.name = "new" + name.uppercasedFirst
    return answers.property(property, [("from", name), ("convert", convert)])
  }

  private func keptName(_ property: Property) -> String? {
    property.migration.renamedFrom.flatMap { keeping($0.value, as: property) }.map {
      "for example, \($0)"
    }
  }

  /// An instruction that keeps a property's name in CloudKit, where neither a rename nor a copy moves the values. It
  /// begins with a verb. Returns `nil` if the store does not sync.
  func keeping(_ old: String, as property: Property) -> String? {
    guard configuration.cloudKit == .private, property.isStored else { return nil }
    guard !answers.isInClass else {
      return
        "rename the property back to '\(old)' in the class, without 'originalName', and add a computed property "
        + "'\(property.name)' that returns '\(old)'"
    }
    guard configuration.entities == .generated else {
      return "rename the property back to '\(old)'"
    }
    var kept = property
    kept.name = old
    kept.migration.renamedFrom = nil
    return "write instead: \(answers.property(kept, [("entityProperty", property.name)]))"
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
}
