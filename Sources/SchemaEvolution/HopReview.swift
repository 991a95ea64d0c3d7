internal import SchemaDiagnostics
internal import SchemaModel

/// Holds a step's changes against what its manifest declares: what is not safe, not acknowledged, not decided,
/// and what is declared but matches nothing.
struct HopReview {
  let pairing: HopPairing
  let changes: [SchemaChange]
  let policy: Configuration.Policy

  private var old: SchemaVersion { pairing.old }
  private var new: SchemaVersion { pairing.new }
  private var oldName: String { pairing.old.number.name }

  func diagnostics() -> [Diagnostic] {
    modelHints() + propertyHints() + unusedDrops() + unsafeChanges() + unacknowledged()
  }

  // MARK: Hints

  private func modelHints() -> [Diagnostic] {
    new.models.flatMap { model in
      model.sources.flatMap { source -> [Diagnostic] in
        guard pairing.oldModels[source.value] != nil else {
          return [
            Diagnostic(
              .unknownSource, "\(oldName) has no model '\(source.value)'", element: model.name,
              at: source.location,
              help: Suggestion.help(for: source.value, among: pairing.oldModels.keys))
          ]
        }
        if model.isRenamed, pairing.newModels[source.value] != nil {
          return [
            Diagnostic(
              .unusedHint,
              "'\(source.value)' still stands in \(new.number.name): it was not renamed",
              element: model.name, at: source.location,
              help: ["to make rows of '\(model.name)' from its rows, write 'from: \(source.value)'"]
            )
          ]
        }
        if pairing.oldModels[model.name] != nil {
          return [
            Diagnostic(
              .unusedHint,
              "\(oldName) already has a model '\(model.name)', whose rows stay its own",
              element: model.name, at: source.location,
              help: ["give the model that takes the rows a new name"])
          ]
        }
        return []
      }
    }
  }

  private func propertyHints() -> [Diagnostic] {
    new.models.flatMap { model -> [Diagnostic] in
      let sources = pairing.predecessor(of: model).map { [$0] } ?? pairing.sources(of: model)
      let stepProperties = model.properties.filter { property in
        !property.hop.isEmpty || property.attribute?.dedupe != nil
      }
      var found = stepProperties.flatMap { hints($0, of: model, sources) }
      found += duplicateRenames(model)
      found += missingSources(model)
      found += carriedUniques(model)
      found += unorderable(model)
      found += unlinkable(model, sources)
      found += uninherited(model)
      for unique in model.uniques where unique.dedupe != nil {
        let isNew = changes.contains {
          $0.kind == .compoundUniqueDeduped && $0.element == model.name
            && $0.location == unique.location
        }
        if !isNew {
          found.append(unused("dedupe", "the constraint is not new", model.name, unique.location))
        }
      }
      return found
    }
  }

  private func hints(
    _ property: Property, of model: Model, _ sources: [Model]
  ) -> [Diagnostic] {
    let element = "\(model.name).\(property.name)"
    let hop = property.hop
    var found: [Diagnostic] = []
    if sources.isEmpty {
      let place =
        hop.renamedFrom?.location ?? hop.from.first?.location ?? hop.fill?.location
        ?? hop.revert.first?.location ?? property.location
      return [
        unused(
          "renamedFrom, from, fill, revert or dedupe",
          "'\(model.name)' is new in \(new.number.name) and has no rows yet", element, place)
      ]
    }
    let known = Set(sources.flatMap { $0.properties.map(\.name) })
    for name in hop.from + (hop.renamedFrom.map { [$0] } ?? []) where !known.contains(name.value) {
      found.append(
        Diagnostic(
          .unknownSource,
          "\(oldName)'s '\(sources[0].name)' has no property '\(name.value)'", element: element,
          at: name.location, help: Suggestion.help(for: name.value, among: known)))
    }
    if let renamed = hop.renamedFrom {
      let was = sources.lazy.compactMap { $0.property(named: renamed.value) }.first
      if let was, was.isTransient, !property.isTransient {
        found.append(
          unused("renamedFrom", "no store holds what is transient", element, renamed.location))
      } else if renamed.value == property.name {
        found.append(unused("renamedFrom", "the name is the same", element, renamed.location))
      } else if known.contains(renamed.value),
        let heir = model.property(named: renamed.value), heir.hop.renamedFrom == nil
      {
        found.append(reusedName(property, heir, model, sources[0], renamed))
      } else if known.contains(renamed.value), known.contains(property.name) {
        found.append(reusedName(property, property, model, sources[0], renamed))
      }
    }
    found += copies(property, of: model, sources)
    let kinds = Set(changes.filter { $0.element == element }.map(\.kind))
    let isCarried = !model.sources.isEmpty
    if !isCarried, let fill = hop.fill,
      kinds.isDisjoint(with: [
        .attributeFilled, .attributeMadeRequiredFilled, .relationshipFilled,
      ])
    {
      found.append(
        unused("fill", "every row of \(oldName) has a value", element, fill.location))
    }
    if !isCarried, let attribute = property.attribute, attribute.dedupe != nil,
      !kinds.contains(.uniqueDeduped)
    {
      found.append(unused("dedupe", "'unique' is not new", element, property.location))
    }
    return found
  }

  private func unused(
    _ key: String, _ reason: String, _ element: String, _ location: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      .unusedHint, "'\(key)' has nothing to do: \(reason)", element: element, at: location,
      help: ["remove it"])
  }

  private func reusedName(
    _ property: Property, _ heir: Property, _ model: Model, _ old: Model,
    _ source: Located<String>
  ) -> Diagnostic {
    let wasOwn = old.property(named: heir.name) != nil && heir.name == property.name
    let message =
      wasOwn
      ? "'\(property.name)' is a name that \(oldName) uses for another property of '\(model.name)'"
      : "'\(source.value)' is renamed to '\(property.name)' and used again in the same step"
    return Diagnostic(
      .reusedName, message + ": the engine would mix up the two",
      element: "\(model.name).\(property.name)", at: source.location,
      help: [
        "give the new property a name that no version had",
        "or carry the values through a bridge: "
          + ManifestEdit.property(
            property, adding: [("from", source.value), ("convert", "$0"), ("revert", "$0")]),
      ])
  }

  private func duplicateRenames(_ model: Model) -> [Diagnostic] {
    var heirs: [String: Property] = [:]
    var found: [Diagnostic] = []
    for property in model.properties {
      guard let source = property.hop.renamedFrom else { continue }
      guard let first = heirs[source.value] else {
        heirs[source.value] = property
        continue
      }
      found.append(
        Diagnostic(
          .reusedName,
          "'\(first.name)' is renamed from '\(source.value)' already",
          element: "\(model.name).\(property.name)", at: source.location,
          help: ["to copy its values as well: from: \(source.value), convert: $0"]))
    }
    return found
  }

  /// A carried model's required properties need values: by name, by a rename or a conversion, by default or fill.
  private func missingSources(_ model: Model) -> [Diagnostic] {
    guard pairing.predecessor(of: model) == nil else { return [] }
    return pairing.sources(of: model).flatMap { source in
      model.properties.compactMap { property -> Diagnostic? in
        guard !property.isTransient, property.hop.from.isEmpty, property.hop.fill == nil else {
          return nil
        }
        let name = property.hop.renamedFrom?.value ?? property.name
        let same = source.property(named: name)
        if let same, same.type.unwrapped == property.type.unwrapped,
          property.type.isOptional || !same.type.isOptional
            || property.attribute?.defaultValue != nil
        {
          return nil
        }
        if same == nil,
          property.attribute?.defaultValue != nil || property.type.isOptional
            || property.relationship?.cardinality.isMany == true
        {
          return nil
        }
        // A relationship to a model that is carried over as well is followed.
        if let was = same?.relationship, let now = property.relationship,
          pairing.takers(of: was.destination.value).contains(where: {
            $0.name == now.destination.value
          }), was.cardinality == now.cardinality
        {
          return nil
        }
        return Diagnostic(
          .missingSource,
          "nothing says what '\(model.name).\(property.name)' is for a row of '\(source.name)'",
          element: "\(model.name).\(property.name)", at: property.location,
          help: [
            "say which property it comes from: "
              + ManifestEdit.property(property, adding: [("from", "…"), ("convert", "$0")]),
            "or give it a value: "
              + ManifestEdit.property(property, adding: [("fill", "…")]),
          ])
      }
    }
  }

  /// Without `convert:` a value is copied, which needs the same type at both ends.
  private func copies(_ property: Property, of model: Model, _ sources: [Model]) -> [Diagnostic] {
    guard !property.hop.from.isEmpty, property.hop.convert == nil else { return [] }
    let types = property.hop.from.flatMap { from in
      sources.compactMap { $0.property(named: from.value) }
    }.map { $0.attribute?.valueType ?? $0.type }
    let own = property.attribute?.valueType ?? property.type
    if property.hop.from.count == 1, property.attribute != nil,
      types.allSatisfy({ $0 == own || $0.optionalized == own })
    {
      return []
    }
    let shown = types.map(\.description).joined(separator: ", ")
    return [
      Diagnostic(
        .missingSource,
        "'from' gives \(shown.isEmpty ? "nothing" : shown), and nothing says how it becomes \(own)",
        element: "\(model.name).\(property.name)", at: property.hop.from.first?.location,
        help: [
          "say how: "
            + ManifestEdit.property(
              property,
              adding: [("from", property.hop.from.first?.value ?? "…"), ("convert", "…")])
        ])
    ]
  }

  /// One link cannot become many while it is set anew: the two are steps of their own.
  private func unlinkable(_ model: Model, _ sources: [Model]) -> [Diagnostic] {
    model.properties.compactMap { property in
      guard let now = property.relationship, property.hop.convert == nil else { return nil }
      let name = property.hop.renamedFrom?.value ?? property.name
      let was = sources.lazy.compactMap { $0.property(named: name)?.relationship }.first
      guard let was, !was.cardinality.isMany, now.cardinality.isMany,
        !model.sources.isEmpty
          || pairing.takers(of: was.destination.value).contains(where: {
            $0.name == now.destination.value
          })
      else { return nil }
      return Diagnostic(
        .missingSource,
        "'\(model.name).\(property.name)' cannot become to-many while rows are carried over",
        element: "\(model.name).\(property.name)", at: property.location,
        help: ["keep it to-one here, and make it to-many in the next version"])
    }
  }

  /// Rows of a model that inherits need the values that they inherit.
  private func uninherited(_ model: Model) -> [Diagnostic] {
    guard !model.sources.isEmpty, model.superclass != nil else { return [] }
    let inherited = pairing.inherited(by: model)
    return pairing.sources(of: model).flatMap { source -> [Diagnostic] in
      let whole = pairing.withInherited(source)
      return inherited.compactMap { property in
        guard !property.isTransient else { return nil }
        let was = whole.property(named: property.name)
        if property.relationship == nil {
          if was?.type == property.type, was?.isTransient == false { return nil }
          if was == nil, property.type.isOptional || property.attribute?.defaultValue != nil {
            return nil
          }
        } else if was == nil, property.relationship?.cardinality != .one {
          return nil
        }
        return Diagnostic(
          .missingSource,
          "a row of '\(model.name)' made of one of '\(source.name)' would lose '\(property.name)', "
            + "which it inherits",
          element: model.name, at: model.superclass?.location ?? model.location,
          help: [
            "keep the model's name",
            "or move '\(property.name)' from the superclass into its subclasses first",
          ])
      }
    }
  }

  /// Which row stays is decided by comparing values, so there has to be an order among them.
  private func unorderable(_ model: Model) -> [Diagnostic] {
    let own = model.properties.compactMap { property in
      property.attribute?.dedupe.map { ($0, property.location) }
    }
    let strategies =
      own
      + model.uniques.compactMap { unique in
        unique.dedupe.map { ($0, unique.location) }
      }
    let storage = StorageTypes(version: new)
    return strategies.compactMap { strategy, location in
      let name: String
      switch strategy {
      case .latest(let by), .earliest(let by): name = by
      case .function: return nil
      }
      guard let property = model.property(named: name) else { return nil }
      let type = property.attribute.flatMap { storage.storage(of: $0.type).primitive }
      switch type {
      case .int16, .int32, .int64, .decimal, .double, .float, .string, .date: return nil
      default: break
      }
      return Diagnostic(
        .unorderable,
        "there is no order among values of '\(model.name).\(name)' (\(property.type))",
        element: "\(model.name).\(name)", at: location,
        help: ["name a date, a number or a text, or say 'dedupe: { function: … }'"])
    }
  }

  /// Rows that come from several places may collide in what was unique in each.
  private func carriedUniques(_ model: Model) -> [Diagnostic] {
    guard pairing.predecessor(of: model)?.name != model.name else { return [] }
    let sources = pairing.predecessor(of: model).map { [$0] } ?? pairing.sources(of: model)
    guard !sources.isEmpty else { return [] }
    return model.properties.compactMap { property in
      guard let attribute = property.attribute, attribute.options.contains(.unique),
        attribute.dedupe == nil
      else { return nil }
      let name = property.hop.renamedFrom?.value ?? property.name
      let wasUnique = sources.allSatisfy {
        $0.property(named: name)?.attribute?.options.contains(.unique) ?? false
      }
      if wasUnique, sources.count == 1, property.hop.from.isEmpty { return nil }
      if case .expression(let fill)? = property.hop.fill?.value, fill.isVolatile { return nil }
      let row = ClassificationTable[.uniqueAdded]
      return Diagnostic(
        row.rule,
        "'\(model.name).\(property.name)': rows that are carried over may hold the same value",
        element: "\(model.name).\(property.name)", at: property.location,
        help: [
          "say which stays: "
            + ManifestEdit.property(property, adding: [("dedupe", "{ latest: … }")])
        ])
    }
  }

  private func unusedDrops() -> [Diagnostic] {
    let droppable = Set(
      changes.filter { $0.classification.needsAcknowledgement || $0.kind == .enumCaseRemoved }
        .map(\.element))
    return new.drops.filter { !droppable.contains($0.element.value) }.map { drop in
      Diagnostic(
        .unusedHint,
        "'\(drop.element.value)' is not dropped between \(oldName) and \(new.number.name)",
        element: drop.element.value, at: drop.element.location,
        help: Suggestion.help(for: drop.element.value, among: droppable) + ["else remove the line"])
    }
  }

  // MARK: Changes

  private func unsafeChanges() -> [Diagnostic] {
    changes.compactMap { change in
      let row = change.classification
      guard let severity = row.severity, !row.needsAcknowledgement else { return nil }
      // Where a model is gone that nobody said may go, its links' new destination is a consequence.
      if change.kind == .destinationChanged, isPendingRemoval(change) { return nil }
      // `drops:` is as good as `accept:` for an enum's case.
      if change.kind == .enumCaseRemoved, change.acknowledgement != nil { return nil }
      let detail = change.detail.isEmpty ? "" : " (\(change.detail))"
      var help = row.wayOut.map { [$0] } ?? []
      help += edits(for: change)
      if row.isAcceptable {
        help.append("to accept it: " + ManifestEdit.acceptance(row.rule.id, change.element))
      }
      return Diagnostic(
        row.rule, "'\(change.element)'\(detail): \(row.reason)", element: change.element,
        at: change.location, help: help, severity: severity)
    }
  }

  private func isPendingRemoval(_ change: SchemaChange) -> Bool {
    changes.contains { removed in
      removed.kind == .modelRemoved && removed.acknowledgement == nil
        && change.detail.hasPrefix("\(removed.element) → ")
    }
  }

  /// What exactly to write, where that can be said.
  private func edits(for change: SchemaChange) -> [String] {
    let parts = change.element.split(separator: ".").map(String.init)
    guard parts.count == 2, let property = pairing.newModels[parts[0]]?.property(named: parts[1])
    else { return [] }
    func edit(_ keys: [(String, String)]) -> String {
      "for example: " + ManifestEdit.property(property, adding: keys)
    }
    switch change.kind {
    case .missingDefault, .nullTrap, .requiredWithoutFill, .sharedDefault:
      let value =
        property.attribute?.defaultValue?.text ?? placeholder(for: property.type)
      return [edit([("fill", value)])]
    case .typeChanged, .valueTypeChanged, .externalStorageRemoved, .encodedTypeChanged:
      let old = pairing.predecessor(of: pairing.newModels[parts[0]]!)?.property(named: parts[1])
      let convert =
        change.kind == .externalStorageRemoved
        ? "$0" : conversion(from: old?.type ?? property.type, to: property.type)
      return [edit([("from", property.name), ("convert", convert)])]
    case .toManyToOne, .destinationChanged:
      return [edit([("from", property.name), ("convert", "{ function: \(property.name) }")])]
    case .mandatoryRelationship, .relationshipMadeRequired:
      return [edit([("fill", "{ function: \(property.name) }")])]
    case .uniqueAdded:
      return [edit([("dedupe", "{ latest: … }")])]
    default: return []
    }
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

  private func unacknowledged() -> [Diagnostic] {
    let pending = changes.filter {
      $0.classification.needsAcknowledgement && $0.acknowledgement == nil
    }
    guard !pending.isEmpty else { return [] }
    let finder = RenameFinder(
      old: StorageTypes(version: old), new: StorageTypes(version: new))
    return pending.flatMap { change in
      ambiguities(change, finder) ?? [unacknowledgedDrop(change)]
    }
  }

  private func unacknowledgedDrop(_ change: SchemaChange) -> Diagnostic {
    let row = change.classification
    var help = ["if it may go, say: " + ManifestEdit.drop(change.element)]
    switch change.kind {
    case .modelRemoved:
      help.append("if it has another name now, write 'renamedFrom: \(change.element)' there")
    case .attributeRemoved, .relationshipRemoved:
      let name = change.element.split(separator: ".").last ?? ""
      help.append("if it has another name now, write 'renamedFrom: \(name)' there")
    default: break
    }
    return Diagnostic(
      .unacknowledgedDrop,
      "\(oldName)'s '\(change.element)' is gone in \(new.number.name): \(row.reason)",
      element: change.element, at: change.location, help: help,
      severity: policy == .inferred ? .warning : .error)
  }

  /// The questions about what a removed thing may be now; nil when nothing new resembles it.
  private func ambiguities(
    _ change: SchemaChange, _ finder: RenameFinder
  ) -> [Diagnostic]? {
    switch change.kind {
    case .modelRemoved:
      guard let removed = pairing.oldModels[change.element] else { return nil }
      let added = new.models.filter { $0.sources.isEmpty && pairing.oldModels[$0.name] == nil }
      let found = finder.candidates(for: removed, among: added)
      return found.isEmpty ? nil : found.map { ambiguity(removed, $0) }
    case .attributeRemoved, .relationshipRemoved:
      let parts = change.element.split(separator: ".").map(String.init)
      guard parts.count == 2, let was = pairing.oldModels[parts[0]],
        let removed = was.property(named: parts[1]),
        let model = new.models.first(where: { pairing.predecessor(of: $0)?.name == was.name })
      else { return nil }
      let added = pairing.properties(from: was, to: model).added.filter {
        $0.hop.isEmpty && !$0.isTransient
      }
      let found = finder.candidates(for: removed, among: added)
      return found.isEmpty ? nil : found.map { ambiguity(removed, $0, model, change.element) }
    default: return nil
    }
  }

  private func ambiguity(
    _ removed: Property, _ candidate: RenameFinder.Candidate<Property>, _ model: Model,
    _ element: String
  ) -> Diagnostic {
    let added = candidate.element
    let isConvertible =
      removed.type.unwrapped == added.type.unwrapped
      && (added.type.isOptional || !removed.type.isOptional
        || added.attribute?.defaultValue != nil)
    let keys =
      isConvertible
      ? [("renamedFrom", removed.name)]
      : [("from", removed.name), ("convert", conversion(from: removed.type, to: added.type))]
    return Diagnostic(
      .ambiguousRename,
      "'\(model.name).\(added.name)' may be \(oldName)'s '\(removed.name)' under a new name "
        + "(score \(Self.decimal(candidate.score)))",
      element: "\(model.name).\(added.name)", at: added.location,
      help: [
        "if it is, its values are kept by:          "
          + ManifestEdit.property(added, adding: keys),
        "if it is new, and the old one may go, say: " + ManifestEdit.drop(element),
        "until then nothing is written: as it stands, every value of '\(element)' would be lost",
      ], severity: policy == .inferred ? .warning : .error)
  }

  private func ambiguity(
    _ removed: Model, _ candidate: RenameFinder.Candidate<Model>
  ) -> Diagnostic {
    let added = candidate.element
    return Diagnostic(
      .ambiguousRename,
      "'\(added.name)' may be \(oldName)'s '\(removed.name)' under a new name "
        + "(score \(Self.decimal(candidate.score)))",
      element: added.name, at: added.location,
      help: [
        "if it is, its rows are kept by:            "
          + "\(added.name): { renamedFrom: \(removed.name), … }",
        "if it is new, and the old one may go, say: " + ManifestEdit.drop(removed.name),
        "until then nothing is written: as it stands, every row of '\(removed.name)' would be lost",
      ], severity: policy == .inferred ? .warning : .error)
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
