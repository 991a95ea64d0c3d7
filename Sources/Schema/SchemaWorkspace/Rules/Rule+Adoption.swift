package import SchemaModel

/// The rules of adoption, which `SwiftAdoption` applies. They are declared here so that `explain` knows them without
/// swift-syntax.
extension Rule {
  package static let cannotAdopt = Rule(
    "cannot-adopt", "Manifests can express the declarations in a source file",
    basis: .page("adoption", "how-sources-become-manifests"))
  package static let brokenSource = Rule(
    "broken-source", "A Swift file with models parses",
    basis: .page("code-first", "a-snapshot"))
  package static let unreadProperty = Rule(
    "unread-property", "A manifest can express every stored property",
    basis: .page("adoption", "drafts"))
  package static let notCarried = Rule(
    "not-carried", .note, "Generated models have everything that hand-written ones have",
    basis: .page("adoption", "how-sources-become-manifests"))
  package static let liveModel = Rule(
    "live-model", .warning, "A version has its own models",
    basis: .fact(.identity, "equal-checksums-are-one-version", .certain))
  package static let mergedVersion = Rule(
    "merged-version", .warning, "SwiftData can tell all versions apart",
    basis: .fact(.identity, "equal-checksums-are-one-version", .certain))
  package static let modelNotListed = Rule(
    "model-not-listed", .warning, "A version lists every model that its models lead to",
    basis: .fact(.identity, "schema-holds-what-is-reachable", .certain))
  package static let unreachedModel = Rule(
    "unreached-model", .note, "The app's container leads to every model",
    basis: .fact(.identity, "schema-holds-what-is-reachable", .certain))
  package static let reversedPlan = Rule(
    "reversed-plan", .warning, "A plan lists its versions from the oldest to the newest",
    basis: .page("adoption", "how-sources-become-manifests"))
  package static let versionOutsidePlan = Rule(
    "version-outside-plan", .warning, "The migration plan lists every version",
    basis: .fact(.migration, "unknown-version-is-134504", .certain))
  package static let stageDiffers = Rule(
    "stage-differs", .warning, "A stage has the kind that its changes need",
    basis: .fact(.migration, "lightweight-must-be-inferable", .likely))
  package static let renumbered = Rule(
    "renumbered", .note, "Version identifiers ascend without repeats",
    basis: .page("manifest", "top-level"))
  package static let adoptedCode = Rule(
    "adopted-code", .note, "Code from a stage becomes a function in a user file",
    basis: .page("generated", "what-is-yours"))
  package static let undeclaredType = Rule(
    "undeclared-type", .note, "Every type that a model stores is declared in the sources",
    basis: .page("manifest", "types"))
  package static let adoptedInverse = Rule(
    "adopted-inverse", .note, "A version declares its inverses",
    basis: .fact(.identity, "undeclared-inverse-candidates", .likely))
  package static let classBesideVersion = Rule(
    "class-beside-version", .warning, "The newest version has the same models as the app",
    basis: .fact(.migration, "unknown-version-is-134504", .certain))
  package static let secondDeclaration = Rule(
    "second-declaration", .warning, "A model is declared once",
    basis: .page("adoption", "how-sources-become-manifests"))
  package static let testCode = Rule(
    "test-code", .note, "Models and plans in tests are not part of the app's store",
    basis: .page("adoption", "how-sources-become-manifests"))
  package static let notTakenOut = Rule(
    "not-taken-out", .note, "Adopted code is generated or in a user file",
    basis: .page("adoption", "afterwards"))
  package static let buildCondition = Rule(
    "build-condition", .note, "A version is the same on all platforms and in all builds",
    basis: .fact(.swiftData, "apps-forms", .certain))
}
