package import SchemaModel

/// The findings of `schemagen cloud` about a container's schema.
extension Rule {
  package static let brokenCloudSchema = Rule(
    "broken-cloud-schema", "An export of a container's schema is readable and complete",
    basis: .fact(.cloudKit, "grammar", .certain))
  package static let cloudTypeMissing = Rule(
    "cloud-type-missing", "Production has every record type that a version writes",
    basis: .fact(.cloudKit, "production-makes-nothing", .certain))
  package static let cloudFieldMissing = Rule(
    "cloud-field-missing", "Production has every field that a version writes",
    basis: .fact(.cloudKit, "production-makes-nothing", .certain))
  package static let cloudAssetMissing = Rule(
    "cloud-asset-missing",
    "Production has the field and the asset field of each value of any length",
    basis: .fact(.cloudKit, "asset-companion", .certain))
  package static let cloudConflict = Rule(
    "cloud-conflict", "A field in production has the type that versions write",
    basis: .fact(.cloudKit, "final-after-promotion", .certain))
  package static let cloudLeftOver = Rule(
    "cloud-left-over", .note, "Some version writes everything that production has",
    basis: .fact(.cloudKit, "final-after-promotion", .certain))
  package static let cloudIndex = Rule(
    "cloud-index", .note, "The Console can list the records of every type",
    basis: .fact(.cloudKit, "indexes-by-hand", .certain))
}
