import SchemaModel
import StoreFormat
import TestSupport
import Testing

@testable import SchemaEvolution

/// The two comparisons of schemas agree: steps are planned from what versions declare, and stores are recognised by
/// what they hold.
@Suite struct ComparisonTests {
  /// Changes that need a stage or are refused although no hash shows them: indexes, changes only in rows and archives,
  /// and whether a value stored in optional columns of its own may be nil.
  private static let unhashed: Set<ChangeKind> = [
    .indexAdded, .indexRemoved, .enumCaseCarried, .enumCaseReplaced, .arrayElementChanged,
    .enumMadeRequired, .structFieldMadeOptional, .structFieldMadeRequired,
  ]

  @Test(
    "A version hash differs if and only if the store changes",
    arguments: ClassificationExample.all)
  func kinds(_ example: ClassificationExample) throws {
    let evolution = try Manifests.evolution(
      example.old, example.new, cloudKit: example.cloudKit, platforms: example.platforms)
    try compare(evolution.steps[0])
  }

  @Test(
    "In random histories a version hash differs if and only if the store changes", arguments: 0..<60
  )
  func histories(seed: Int) throws {
    let history = HistoryGenerator.history(seed: seed)
    for step in AnalysisPipeline(history: history).run().steps { try compare(step) }
  }

  private func compare(_ step: VersionStep) throws {
    let (old, new) = (VersionModel(step.old.withoutStep), VersionModel(step.new.withoutStep))
    let comparison = ModelComparison(
      old.model, new.model, unspecified: old.unspecified.union(new.unspecified))
    let seen = step.changes.filter { $0.mechanism != .none && !Self.unhashed.contains($0.kind) }
    #expect(
      comparison.isSame == seen.isEmpty,
      "\(seen.map(\.kind)), \(comparison.differences.filter(\.isHashed))")
    // Each difference concerns a model with a change, by its old or new name, or a type in it.
    let changed = step.changes.map(\.element)
    let owners = Set((changed + changed.flatMap { step.edges(into: $0).map(\.old) }).map(\.owner))
    for difference in comparison.differences where difference.isHashed {
      let path = ElementPath(parsing: difference.element)
      let types = [step.old, step.new].compactMap { $0.property(at: path)?.type.names }.flatMap {
        $0
      }
      #expect(
        !owners.isDisjoint(with: [path.owner] + types),
        "\(difference), \(step.changes.map(\.element))")
    }
  }
}
