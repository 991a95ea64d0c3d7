internal import SchemaLint
package import SchemaModel
internal import SwiftSyntax

/// All checks of Swift code.
package struct SourceChecks: Sendable {
  private let names: VersionNames
  private let facts: TreeFacts

  static let all: [any SourceCheck] = [
    ActiveInMigration(), AdoptedSource(), CapturedModels(), ContainerWithoutPlan(),
    FatalContainer(), HardcodedVersion(),
    OldTypesInDidMigrate(), StashedValues(), StoreDeletion(), SwallowedErrorInStage(),
  ]

  /// The rules that are looked for.
  package static let rules: [Rule] = all.map(\.rule)

  /// Pieces of source without one of which, or a name, no check finds anything in a file.
  package static let candidates = [
    "odelContainer", "fromVersion", "VersionedSchema", "SchemaMigrationPlan", "@Model",
    "destroyPersistentStore", "deleteAllData", "default.store", ".sqlite",
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
      .filter { $0.diagnostic.rule == .adoptedSource || !isLeft($0.diagnostic, context) }
      .sorted { $0.diagnostic < $1.diagnostic }
      .filter { seen.insert($0.diagnostic).inserted }
  }

  /// Whether a finding is about code that goes in any case: what was adopted, while it stands beside what is generated.
  private func isLeft(_ finding: Diagnostic, _ context: CheckContext) -> Bool {
    guard !facts.replaced.isEmpty, context.role == .app, let place = finding.location else {
      return false
    }
    let aliases = context.source.syntax.statements.compactMap { statement -> Range<Int>? in
      guard case .decl(let declaration) = statement.item,
        let alias = declaration.as(TypeAliasDeclSyntax.self)
      else { return nil }
      let name = alias.name.plain
      return names.actives[name] != nil || names.aliases[name] != nil ? alias.offsets : nil
    }
    let ranges = context.migrations.ranges + aliases
    return ranges.contains { range in
      let (start, end) = (
        context.source.location(range.lowerBound..<range.lowerBound),
        context.source.location(range.upperBound..<range.upperBound)
      )
      return (start.line, start.column) <= (place.line, place.column)
        && (place.line, place.column) < (end.line, end.column)
    }
  }
}
