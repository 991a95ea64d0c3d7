internal import SchemaEvolution
internal import SchemaModel

struct CloudKitTypeChange: LintRule {
  let rule = Rule.cloudKitTypeChange

  func findings(in context: LintContext) -> [Diagnostic] {
    guard context.configuration.cloudKit == .private else { return [] }
    return context.openSteps.flatMap { step in
      let (old, new) = context.cloudRecords(of: step)
      let version = step.new
      let types = new.fields(sharedWith: old).compactMap { _, was, now -> Diagnostic? in
        guard was.type.withoutEncryption != now.type.withoutEncryption,
          let element = now.properties.first
        else { return nil }
        return finding(
          element, "\(was.type.withoutEncryption) → \(now.type.withoutEncryption) in CloudKit",
          at: version.location(of: element), in: context)
      }
      let returns = returns(context, step, new)
      let known = Set((types + returns).compactMap(\.path))
      let ends = step.changes.filter { change in
        Self.otherEnds.contains(change.kind) && !known.contains(change.element)
      }.map { finding($0.element, $0.detail, at: $0.location, in: context) }
      return types + returns + ends
    }
  }

  /// Fields that had another type or encryption in an older version and are missing in the version before a step.
  private func returns(
    _ context: LintContext, _ step: VersionStep, _ new: CloudRecords
  ) -> [Diagnostic] {
    let records = context.history.prefix { $0.number < step.new.number }.map {
      (number: $0.number, records: CloudRecords($0, local: context.localModels))
    }
    guard let before = records.last?.records else { return [] }
    let kept = Set(new.fields(sharedWith: before).map { "\($0.type).\($0.new.name)" })
    let version = step.new
    var known: Set<ElementPath> = []
    return records.dropLast().reversed().flatMap { older in
      new.fields(sharedWith: older.records).compactMap { type, was, now -> Diagnostic? in
        guard was.type != now.type, !kept.contains("\(type).\(now.name)"),
          let element = now.properties.first, known.insert(element).inserted
        else { return nil }
        return Diagnostic(
          rule,
          "'\(element)' returns as \(now.type), but the field was \(was.type) in \(older.number.name): no row that has a value there syncs",
          element: element, at: version.location(of: element),
          help: [
            "give the property a name that no version had",
            context.acceptance(id, element),
          ])
      }
    }
  }

  /// Changes of a field that holds the name of another record before or after the change.
  private static let otherEnds: Set<ChangeKind> = [
    .attributeBecameRelationship, .toManyToOne, .toOneToMany, .toOneToManyNewInverse,
    .toOneToManyNoInverse, .destinationChanged,
  ]

  private func finding(
    _ element: ElementPath, _ detail: String, at location: SourceLocation?,
    in context: LintContext
  ) -> Diagnostic {
    Diagnostic(
      rule, "'\(element)' (\(detail)) changes its type under the same name",
      element: element, at: location,
      help: [
        "keep the property, and add an optional one with another name, which the app fills",
        context.acceptance(id, element),
      ])
  }
}
