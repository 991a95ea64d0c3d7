import SchemaEvolution
import SchemaModel
import Testing

/// Tests/Support/Fixtures/EveryChange, which `schemagen rehearse` runs: a history with every kind of change that can be
/// made.
@Suite struct EveryChangeTests {
  /// Kinds that no history without errors has, since nothing silences the rule of the same name.
  /// `ClassificationTests.isAcceptedOrNot` shows that each is refused. The help for them (a `fill:`, a `convert:`, a
  /// `dedupe:`) leads to a change of another kind.
  static let refused: Set<ChangeKind> = [
    .superclassChanged, .missingDefault, .nullTrap, .requiredStructAdded, .requiredWithoutFill,
    .enumMadeRequired, .structFieldAdded, .structFieldChanged, .structFieldMadeRequired,
    .typeChanged, .arrayElementChanged,
    .codableAttributeRenamed, .renamedUnderCloudKit,
    .externalStorageRemoved, .originalNameChanged, .uniqueAdded, .compoundUniqueAdded,
    .mandatoryRelationship, .relationshipMadeRequired, .toManyToOne, .toOneToManyNewInverse,
    .toOneToManyNoInverse, .destinationChanged, .valueTypeChanged,
  ]

  @Test func holdsEveryKind() throws {
    let evolution = try Histories.evolution("Tests/Support/Fixtures/EveryChange")
    let found = Set(evolution.steps.flatMap(\.changes).map(\.kind))
    #expect(found.isDisjoint(with: Self.refused))
    let missing = Set(ChangeKind.allCases).subtracting(found).subtracting(Self.refused)
    #expect(missing == [], "a kind that is in no rehearsal: give it a place in EveryChange")
  }

  @Test(arguments: refused.sorted { $0.rawValue < $1.rawValue })
  func nothingSilences(_ kind: ChangeKind) {
    let row = ClassificationTable[kind]
    #expect(row.severity == .error)
    #expect(!row.isAcceptable && !row.needsAcknowledgement)
  }
}
