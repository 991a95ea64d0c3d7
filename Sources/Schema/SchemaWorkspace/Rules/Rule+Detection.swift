package import SchemaModel

/// The rules of detection, which `CodeFirst` applies. They are declared here so that `explain` knows them without
/// swift-syntax.
extension Rule {
  package static let newModel = Rule(
    "new-model", "Every '@Model' class of the app is in the newest manifest",
    basis: .guide(.ritualist, "Build-Time Detection"), isAcceptable: true)
  package static let removedModel = Rule(
    "removed-model", "Every model of the newest manifest is a class of the app",
    basis: .guide(.ritualist, "Build-Time Detection"), isAcceptable: true)
  package static let modelDiffers = Rule(
    "model-differs", "A '@Model' class stores the properties of the newest manifest",
    basis: .fact(.identity, "recognised-by-hashes", .certain), isAcceptable: true)
  package static let unlistedModel = Rule(
    "unlisted-model", "A version lists all models that it declares",
    basis: .fact(.swiftData, "nested-names-resolve-silently", .certain), isAcceptable: true)
  package static let editedGeneratedFile = Rule(
    "edited-generated-file", "Generated files match their manifests",
    basis: .guide(.ritualist, "Build-Time Detection"), isAcceptable: true)
}
