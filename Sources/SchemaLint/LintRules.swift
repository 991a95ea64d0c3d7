/// The rules about manifests and what follows from them.
package enum LintRules {
  /// By category, as their files are.
  package static let all: [any LintRule] = cloudKit + convention + dataLoss + integrity + migration

  private static let cloudKit: [any LintRule] = [
    CloudEncryptionWithoutSync(),
    CloudKitCompoundUnique(),
    CloudKitCustomStage(),
    CloudKitDeny(),
    CloudKitMissingDefault(),
    CloudKitMissingInverse(),
    CloudKitRemoval(),
    CloudKitRename(),
    CloudKitRequiredRelationship(),
    CloudKitTypeChange(),
    CloudKitUnique(),
  ]

  private static let convention: [any LintRule] = [
    AdditiveNeedsMinor(),
    BreakingNeedsMajor(),
    MissingSummary(),
    MissingTimestamp(),
    NameStyle(),
    PatchChangesSchema(),
    RedundantDeleteRule(),
    RedundantName(),
    RedundantNilDefault(),
    RedundantOption(),
    RedundantRawValue(),
    TypeSpelling(),
    VersionSpelling(),
  ]

  private static let dataLoss: [any LintRule] = [
    AfterHook(),
    CascadeManyToMany(),
    CascadeToOwner(),
    DeleteRuleCycle(),
    NoActionOrphans(),
    NullifyRequired(),
    OptionalArray(),
    PlaceholderReason(),
    RevivedName(),
  ]

  private static let integrity: [any LintRule] = [
    DuplicateIndex(),
    MissingInverse(),
    MissingLock(),
    NothingReleased(),
    RedundantUnique(),
    UnusedType(),
  ]

  private static let migration: [any LintRule] = [
    CustomDeclared(),
    LightweightDeclared(),
    MissingDefault(),
    NeedlessConversion(),
    NoUpgradeTests(),
    StopNeeded(),
    TransformableAttribute(),
    UnreachableVersion(),
    VolatileConversion(),
  ]
}
