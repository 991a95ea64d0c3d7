/// The rules about manifests and what follows from them.
package enum LintRules {
  /// In the order of their files.
  package static let all: [any LintRule] =
    cloudKit + convention + dataLoss + integrity + migration

  private static let cloudKit: [any LintRule] = [
    CloudEncryptionChanged()
  ]

  private static let convention: [any LintRule] = [
    ExpiredAcceptance(),
    MalformedAcceptance(),
    RedundantDeleteRule(),
    UnusedAcceptance(),
  ]

  private static let dataLoss: [any LintRule] = [
    AmbiguousRename(),
    EncodedTypeChanged(),
    EnumCaseRemoved(),
    InferredInverse(),
    InverseChanged(),
    NumberTypeChanged(),
    OriginalNameChanged(),
    RawValueChanged(),
    RelationshipMadeExclusive(),
    ReusedName(),
    SharedDefault(),
    StructFieldAdded(),
    StructFieldChanged(),
    TransformerChanged(),
    UnacknowledgedDrop(),
    ValueTypeChanged(),
  ]

  private static let integrity: [any LintRule] = [
    CircularInheritance(),
    ConflictingEntity(),
    ConflictingKeys(),
    ContestedInverse(),
    DanglingInverse(),
    DuplicateKey(),
    DuplicateName(),
    DuplicateVersion(),
    EmptyFile(),
    FileName(),
    HiddenCharacter(),
    InvalidExpression(),
    InvalidName(),
    InvalidType(),
    InverseOnBothSides(),
    MissingFallback(),
    MissingInverse(),
    MissingKey(),
    NoWayBack(),
    NoWayForward(),
    ReservedName(),
    StepKeyInFirstVersion(),
    UnknownKey(),
    UnknownModel(),
    UnknownProperty(),
    UnknownType(),
    UnqualifiedDefault(),
    UnreadableFile(),
    VersionGap(),
    VersionMismatch(),
    WrongPlaceholder(),
    WrongValue(),
    YamlSyntax(),
    YamlUnsupported(),
  ]

  private static let migration: [any LintRule] = [
    CompoundUniqueAdded(),
    DestinationChanged(),
    DuplicateIdentity(),
    EmptyVersion(),
    ExternalStorageRemoved(),
    MandatoryRelationship(),
    MissingDefault(),
    MissingSource(),
    NoRoomForBridge(),
    NullTrap(),
    RelationshipMadeRequired(),
    RelationshipNarrowed(),
    RequiredWithoutFill(),
    SuperclassChanged(),
    ToManyToOne(),
    TypeChanged(),
    UniqueAdded(),
    UnknownSource(),
    Unorderable(),
    UnusedHint(),
  ]
}
