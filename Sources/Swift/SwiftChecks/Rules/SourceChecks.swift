internal import SchemaLint
package import SchemaModel
package import SwiftSources
internal import SwiftSyntax

package struct SourceChecks: Sendable {
  private let names: VersionNames
  private let facts: TreeFacts

  static let all: [any SourceCheck] = [
    ActiveInMigration(), AdoptedSource(), CapturedModels(), CloudDatabaseDiffers(),
    ContainerWithoutPlan(),
    FatalContainer(), HardcodedVersion(), MemoryFallback(),
    OldTypesInDidMigrate(), StashedValues(), StoreDeletion(), SwallowedErrorInStage(),
    UnnamedCloudDatabase(),
  ]

  package static let rules: [Rule] = all.map(\.rule)

  /// The checks find something only in files that contain one of these strings or a version's name.
  package static let candidates = [
    "odelContainer", "ModelConfiguration", "fromVersion", "VersionedSchema", "SchemaMigrationPlan",
    "@Model",
    "destroyPersistentStore", "deleteAllData", "default.store", ".sqlite",
    "\"iCloud.", "removeItem(", "trashItem(", "replaceItem", "unlink(",
  ]

  package init(names: VersionNames, facts: TreeFacts) {
    self.names = names
    self.facts = facts
  }

  package func findings(in source: SwiftSource, role: SourceRole) -> [SourceFinding] {
    let context = CheckContext(source, role: role, names: names, facts: facts)
    var seen: Set<Diagnostic> = []
    let left = left(in: context)
    return Self.all.flatMap { $0.findings(in: context) }
      .filter {
        guard $0.diagnostic.rule != .adoptedSource, let place = $0.diagnostic.location else {
          return true
        }
        return !left.contains(place.position)
      }
      .sorted { $0.diagnostic < $1.diagnostic }
      .filter { seen.insert($0.diagnostic).inserted }
  }

  /// Ranges of code that will be removed in any case, because its replacement is generated. The ranges count in the
  /// units of `position`.
  private func left(in context: CheckContext) -> MergedRanges {
    guard !facts.replaced.isEmpty, context.role == .app else { return MergedRanges([]) }
    let aliases = context.source.syntax.statements.compactMap { statement -> Range<Int>? in
      guard case .decl(let declaration) = statement.item,
        let alias = declaration.as(TypeAliasDeclSyntax.self)
      else { return nil }
      let name = alias.name.plain
      return names.actives[name] != nil || names.aliases[name] != nil ? alias.offsets : nil
    }
    func position(_ offset: Int) -> Int { context.source.location(offset..<offset).position }
    return MergedRanges(
      (context.migrations.ranges + aliases).map {
        position($0.lowerBound)..<position($0.upperBound)
      })
  }
}

extension Place {
  fileprivate var position: Int { (line << 32) + column }
}
