internal import SchemaEvolution
internal import SchemaModel

struct RevivedName: LintRule {
  let rule = Rule(
    "revived-name", .warning, "A dropped name is not used again",
    basis: .fact(.migration, "dropped-name-returns", .likely), isAcceptable: true)
  let category = RuleCategory.dataLoss
  let scope = RuleScope.step

  let purpose = """
    V2 dropped a name and V3 uses it again. For a user who goes from V1 directly to V3, the
    engine sees one property: it brings V1's old values back, or fails if the type differs.
    schemagen inserts a barrier stage that prevents this. But every later reader, and every
    hand-written query, has to know that the name means two things. Choose a name that no
    version had.
    """

  let beginning = """
    version: 1.0.0
    models:
      Trip:
        properties:
          name: String
          note: String?
    === V2.yaml
    version: 2.0.0
    drops:
      Trip.note: nobody wrote any
    models:
      Trip:
        properties:
          name: String
    === V3.yaml
    """

  let bad = [
    Example(
      """
      version: 3.0.0
      models:
        Trip:
          properties:
            name: String
            ‹note›: String?
      """)
  ]

  let good = [
    Example(
      """
      version: 3.0.0
      models:
        Trip:
          properties:
            name: String
            remark: String?
      """)
  ]

  private static let arrivals: Set<ChangeKind> = [
    .modelAdded, .subclassAdded, .modelDerived, .modelRenamed, .optionalAttributeAdded,
    .defaultedAttributeAdded, .sharedDefault, .attributeFilled, .attributeConverted,
    .attributeRenamed, .relationshipAdded, .relationshipFilled, .relationshipLinked,
    .relationshipRenamed,
  ]

  func findings(in context: LintContext) -> [Diagnostic] {
    let arrivals = context.openSteps.map { step in
      (step: step, changes: step.changes.filter { Self.arrivals.contains($0.kind) })
    }
    let owners = Set(arrivals.flatMap { $0.changes.map(\.element.owner) })
    guard !owners.isEmpty else { return [] }
    let retired = retiredNames(context, of: owners)
    return arrivals.flatMap { step, changes in
      changes.compactMap { change in
        guard let last = retired[change.element], let number = last.last(where: { $0 < step.from })
        else { return nil }
        let version = context.history[number].number.name
        return Diagnostic(
          rule, "'\(change.element)' is a name that \(version) had and a later version dropped",
          element: change.element, at: change.location,
          help: [
            "choose a name that no version had",
            context.acceptance(id, change.element),
          ])
      }
    }
  }

  /// For each of some models and their properties that some later version does not have: the last versions that had it,
  /// as indexes.
  private func retiredNames(
    _ context: LintContext, of owners: Set<String>
  ) -> [ElementPath: [Int]] {
    var retired: [ElementPath: [Int]] = [:]
    let steps = zip(context.history, context.history.dropFirst())
    for (index, (before, after)) in steps.enumerated() {
      let models = Dictionary(
        after.models.filter { owners.contains($0.name) }, keyedBy: \.name)
      for model in before.models where owners.contains(model.name) {
        let now = models[model.name]
        if now == nil { retired[ElementPath(model.name), default: []].append(index) }
        // Most models keep their properties from one version to the next.
        if let now, now.properties.elementsEqual(model.properties, by: Self.isSame) { continue }
        let names = Set(now?.properties.filter { !$0.isTransient }.map(\.name) ?? [])
        for property in model.properties
        where !property.isTransient && !names.contains(property.name) {
          retired[ElementPath(model.name, property.name), default: []].append(index)
        }
      }
    }
    return retired
  }

  private static func isSame(_ one: Property, _ other: Property) -> Bool {
    one.name == other.name && one.isTransient == other.isTransient
  }
}
