package import SchemaDiagnostics

extension Rule {
  package static let cannotAdopt = Rule(
    "cannot-adopt", "What a source says can be said in a manifest",
    basis: Basis("manifest.md: everything SwiftData can say can be said", .certain))
  package static let notCarried = Rule(
    "not-carried", .note, "Generated models carry all that hand-written ones do",
    basis: Basis("manifest.md: everything SwiftData can say can be said", .certain))
  package static let liveModel = Rule(
    "live-model", .warning, "A version has models of its own",
    basis: .swiftData("3", .certain))
  package static let mergedVersion = Rule(
    "merged-version", .warning, "No two versions look the same to the framework",
    basis: .swiftData("3", .certain))
  package static let modelNotListed = Rule(
    "model-not-listed", .warning, "A version lists every model that its models lead to",
    basis: .swiftData("2", .certain))
  package static let versionOutsidePlan = Rule(
    "version-outside-plan", .warning, "Every version stands in the migration plan",
    basis: .swiftData("3", .certain))
  package static let stageDiffers = Rule(
    "stage-differs", .warning, "A stage is of the kind that its changes need",
    basis: .swiftData("4", .likely))
  package static let renumbered = Rule(
    "renumbered", .note, "Version identifiers go up, each once",
    basis: Basis("product.md: versions never decrease, never repeat", .certain))
  package static let adoptedDrop = Rule(
    "adopted-drop", .note, "What a version takes away is acknowledged",
    basis: .seed(3, "Dangerous Changes"))
  package static let adoptedCode = Rule(
    "adopted-code", .note, "Code of a stage becomes a function of the app's",
    basis: Basis("manifest.md: what the user owns", .certain))
  package static let undeclaredType = Rule(
    "undeclared-type", .note, "Every type that a model stores is declared in the sources",
    basis: Basis("manifest.md: opaque types", .certain))
  package static let buildCondition = Rule(
    "build-condition", .note, "A version is the same on all platforms and in all builds",
    basis: .swiftData("6", .certain))
}

/// The rules under which adoption tells what it found.
package enum AdoptionRules {
  package static let all: [Rule] = [
    .cannotAdopt, .notCarried, .liveModel, .mergedVersion, .modelNotListed, .versionOutsidePlan,
    .stageDiffers,
    .renumbered, .adoptedDrop, .adoptedCode, .buildCondition,
    .undeclaredType,
  ]
}
