package import SchemaModel

/// All checks of Swift code.
package struct SourceChecks: Sendable {
  private let names: VersionNames
  private let facts: TreeFacts

  static let all: [any SourceCheck] = [
    ActiveInMigration(), CapturedModels(), ContainerWithoutPlan(), HardcodedVersion(),
    OldTypesInDidMigrate(), StashedValues(), StoreDeletion(), SwallowedErrorInStage(),
  ]

  /// The rules that are looked for.
  package static let rules: [Rule] = all.map(\.rule)

  /// Pieces of source without one of which, or a name, no check finds anything in a file.
  package static let candidates = [
    "odelContainer", "fromVersion", "VersionedSchema", "SchemaMigrationPlan",
  ]

  package init(names: VersionNames, facts: TreeFacts) {
    self.names = names
    self.facts = facts
  }

  /// What is found in a file, by place.
  package func findings(in source: SwiftSource, role: SourceRole) -> [SourceFinding] {
    let context = CheckContext(source, role: role, names: names, facts: facts)
    var seen: Set<Diagnostic> = []
    return Self.all.flatMap { $0.findings(in: context) }
      .sorted { $0.diagnostic < $1.diagnostic }
      .filter { seen.insert($0.diagnostic).inserted }
  }
}
