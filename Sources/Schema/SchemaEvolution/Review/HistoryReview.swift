internal import SchemaModel

/// Finds problems of the history as a whole.
struct HistoryReview {
  let history: [SchemaVersion]

  /// Reports JSON that has no fallback in case it cannot be decoded.
  func missingFallbacks() -> [Diagnostic] {
    history.flatMap { version in
      version.models.flatMap { model in
        model.properties.compactMap { property -> Diagnostic? in
          guard let attribute = property.attribute, let encodes = attribute.encodes,
            attribute.fallback == nil, !attribute.valueType.isOptional
          else { return nil }
          return Diagnostic(
            .missingFallback,
            "'\(model.name).\(property.name)' has no fallback for JSON that cannot be read",
            element: ElementPath(model.name, property.name), at: property.location,
            help: [
              "write a fallback: "
                + ManifestEdit.property(property, adding: [("fallback", "…")]),
              "or let the value be nil: encodes: \(encodes.optionalized), with an optional type",
            ])
        }
      }
    }
  }

  /// Reports raw values of removed cases that a later version gives to another case. In older rows they mean the
  /// removed case.
  func revivedRawValues() -> [Diagnostic] {
    CaseHistory.all(in: history).flatMap { cases -> [Diagnostic] in
      var carried: [String: VersionNumber] = [:]
      return history.indices.dropFirst().flatMap { index -> [Diagnostic] in
        let revived = cases.cases(at: index).compactMap { one -> Diagnostic? in
          guard let version = carried[one.storedText] else { return nil }
          return Diagnostic(
            .caseNotCarried,
            "\(one.storedText) is the raw value of a case that \(version.name) renamed or replaced: rows of older "
              + "versions hold it for that case",
            element: ElementPath(cases.type, one.name),
            at: one.location ?? history[index].location,
            help: ["give '\(one.name)' a raw value that no case had"])
        }
        for link in CasePairing(cases.type, from: history[index - 1], to: history[index]).carried {
          carried[link.old.storedText] = history[index].number
        }
        return revived
      }
    }
  }

  /// Reports unshipped steps that read a required property in which older rows hold NULL, because a shipped step left
  /// the NULL there. The property's type in the older version is not optional, so the migration traps.
  func nullReads(
    _ steps: [VersionStep], _ shipped: ShippedVersions, _ configuration: Configuration
  ) -> [Diagnostic] {
    var holders: [ElementPath: VersionNumber] = [:]
    return steps.flatMap { step -> [Diagnostic] in
      defer { holders = step.nullHolders(after: holders) }
      guard !holders.isEmpty, !shipped.released.contains(step.new.number) else { return [] }
      let read = step.readProperties
      return holders.filter { read.contains($0.key) }.sorted { $0.key < $1.key }
        .map { nullRead($0.key, from: $0.value, step, configuration) }
    }
  }

  private func nullRead(
    _ element: ElementPath, from origin: VersionNumber, _ step: VersionStep,
    _ configuration: Configuration
  ) -> Diagnostic {
    let now = step.pairing.successors(of: element).first ?? element
    let type = step.old.property(at: element)?.type.optionalized.description ?? "…?"
    return Diagnostic(
      .nullRead,
      "this step reads '\(element)', which is NULL in rows from \(origin.name): reading NULL traps, so the app crashes "
        + "at every launch",
      element: now, at: step.new.location(of: now) ?? step.new.location,
      help: [
        configuration.classes == nil
          ? "first make only the property optional, in a version of its own: \(element.member ?? ""): \(type)"
          : "first make only the property optional ('\(type)'), and run: schemagen snapshot",
        "make this change in the next version, which can read nil",
      ], severity: .error)
  }

  /// Reports undeclared inverses. Findings about a version are not repeated for its bridges.
  func inferredInverses(_ chain: [ChainVersion]) -> [Diagnostic] {
    let own = chain.filter { !$0.isBridge }.flatMap {
      InferredInverses($0.schema).diagnostics(in: $0.identifier.name)
    }
    let known = Set(own.map(\.element))
    let bridges = chain.flatMap { version -> [Diagnostic] in
      guard case .bridge(_, let target, _) = version.role,
        let next = history.first(where: { $0.number == target })
      else { return [] }
      return InferredInverses(version.schema)
        .diagnostics(in: "the bridge '\(version.name)'", onTheWayTo: next)
    }
    return own + bridges.filter { !known.contains($0.element) }
  }

  /// Reports steps whose bridge has no version number, because the numbers of the two versions are too close.
  func bridgesWithoutRoom(_ steps: [VersionStep]) -> [Diagnostic] {
    steps.compactMap { step in
      guard step.plan.bridges > 0 else { return nil }
      let (old, new) = (step.old.number, step.new.number)
      let last = VersionNumber(old.major, old.minor, old.patch + step.plan.bridges)
      guard last >= new else { return nil }
      return Diagnostic(
        .noRoomForBridge,
        "no version number between \(old) and \(new) is free for the bridge that copies the values",
        at: step.new.location,
        help: ["number it \(old.major).\(old.minor + 1).0 or \(old.major + 1).0.0"])
    }
  }

  /// Reports names that the engine would confuse even between neighbouring versions, where a barrier stage does not
  /// help.
  func reusedNames(_ stages: [Stage]) -> [Diagnostic] {
    stages.flatMap { stage -> [Diagnostic] in
      let (before, after) = (stage.from, stage.to)
      let oldModels = Dictionary(before.schema.models, keyedBy: \.name)
      let oldStorage = StorageTypes(version: before.schema)
      let newStorage = StorageTypes(version: after.schema)
      return after.schema.models.flatMap { model -> [Diagnostic] in
        guard model.properties.contains(where: { $0.originalName != nil }),
          let was = oldModels[model.name], was != model
        else { return [] }
        let found = Inference.provenances(
          from: StoredModel(was, oldStorage), to: StoredModel(model, newStorage))
        return model.properties.compactMap { property in
          guard case .failure(let reason)? = found[property.name],
            case .ambiguous = reason
          else { return nil }
          return Diagnostic(
            .reusedName,
            "'\(model.name).\(property.name)' uses a name that another property had: \(reason)",
            element: ElementPath(model.name, property.name), at: property.location,
            help: ["give the property a name that no version had"])
        }
      }
    }
  }
}

extension VersionStep {
  /// The older version's properties that the step's code reads.
  fileprivate var readProperties: Set<ElementPath> {
    var found: Set<ElementPath> = []
    func add(_ model: String, _ names: some Sequence<String>) {
      let now = pairing.newModels[model]
      let owner = now.flatMap { pairing.predecessor(of: $0)?.name } ?? model
      for name in names { found.insert(ElementPath(owner, name)) }
    }
    for update in plan.rowUpdates {
      add(update.model, update.cases.map(\.property))
      for assignment in update.assignments { add(update.model, assignment.value.properties) }
    }
    for transfer in plan.transfers {
      let names = transfer.values.flatMap(\.value.properties)
      found.formUnion(names.map { ElementPath(transfer.source, $0) })
    }
    for dedupe in plan.dedupes { add(dedupe.model, dedupe.keys.map(\.name)) }
    return found
  }

  /// The newer version's required properties that hold NULL in older rows, each with the version of those rows.
  fileprivate func nullHolders(
    after holders: [ElementPath: VersionNumber]
  ) -> [ElementPath: VersionNumber] {
    var found: [ElementPath: VersionNumber] = [:]
    for change in changes where change.kind.leavesNull {
      found[change.element] = old.number
    }
    for (element, origin) in holders {
      for now in pairing.successors(of: element) {
        guard let property = new.property(at: now), !property.type.isOptional,
          property.migration.fill == nil
        else { continue }
        found[now] = found[now] ?? origin
      }
    }
    return found
  }
}

extension StepPairing {
  /// The newer version's properties that keep a property's values without reading them.
  fileprivate func successors(of element: ElementPath) -> [ElementPath] {
    isUnchanged(element.owner)
      ? [element]
      : new.models.flatMap { edges(into: $0.name) }
        .filter { $0.old == element && $0.kind != .converted && $0.new.member != nil }.map(\.new)
  }
}
