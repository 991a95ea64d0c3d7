internal import SchemaEvolution
package import SchemaLint
internal import SchemaManifest
package import SchemaModel
internal import SchemaRendering
package import SchemaReporting

/// Every rule. A test compares it with the rules declared in the sources.
package enum RuleCatalog {
  package static let rulesByID: [String: RulePage] = Dictionary(RulePages.all, keyedBy: \.id)

  package static let descriptions: [RuleDescription] = RulePages.all.map { page in
    RuleDescription(
      id: page.id, title: page.rule.title, purpose: page.purpose,
      category: page.category.rawValue, severity: page.rule.severity, basis: page.rule.basis,
      isFixable: page.isFixable, documentation: "docs/rules/\(page.fileName)")
  }

  package static let all: [Rule] = Set(
    RulePages.all.map(\.rule) + ClassificationTable.rows.map(\.rule) + withoutPage
  ).sorted { $0.id < $1.id }

  /// The rules without an example manifest. `explain` prints their titles.
  package static let withoutPage: [Rule] =
    [
      // Folders and their files.
      .unreadable, .foreignFile, .noManifests, .versionOrder,
      .staleBaseline, .brokenBaseline, .brokenApprovals,
      // Generated files.
      .template, .conflictingName, .cloudField, .unwrittenFunction, .rowsOfOtherVersion,
      .uncalledUserFile, .notCopied, .notReleasable,
      // Comparing and merging branches.
      .shippedVersionRenumbered, .versionRetired, .releaseMarkRemoved, .weakerChecks, .storeMoved,
      .brokenBase,
      .newFolder, .releaseWithoutVersion,
      .movedFolder,
      .notRebased,
      .rebaseConflict,
      // Comparing kept stores with their list.
      .brokenStoreList, .keptStoreMissing, .keptStoreChanged, .keptStoreVersion,
      .keptStoreNotFetched, .versionWithoutStore,
      // Comparing a Core Data model with manifests.
      .coreDataModel, .coreDataDiffers,
      // Reading an app's models as versions.
      .cannotAdopt, .brokenSource, .unreadProperty, .notCarried, .liveModel, .mergedVersion,
      .modelNotListed,
      .unreachedModel, .reversedPlan, .versionOutsidePlan,
      .stageDiffers, .renumbered, .adoptedCode, .buildCondition, .undeclaredType,
      .testCode, .adoptedInverse, .classBesideVersion, .notTakenOut,
      .secondDeclaration,
      // Comparing a container's schema with versions.
      .brokenCloudSchema, .cloudTypeMissing, .cloudFieldMissing, .cloudAssetMissing, .cloudConflict,
      .cloudLeftOver, .cloudIndex, .cloudNotDeployed, .unknownLocalModel, .noCloudVersion,
    ] + detection

  /// The rules of detection. Their findings are accepted in Swift, at their places.
  package static let detection: [Rule] = [
    .newModel, .removedModel, .modelDiffers, .unlistedModel, .editedGeneratedFile,
  ]

  private static let ids = Set(all.map(\.id))

  static func unknownRules(_ history: History) -> [Diagnostic] {
    let known = ids
    var found: [Diagnostic] = []
    for (id, level) in history.configuration.rules where !known.contains(id) {
      found.append(unknown(id, level.location, known))
    }
    for version in history.versions {
      for entry in version.acceptances where !known.contains(entry.rule.value) {
        found.append(unknown(entry.rule.value, entry.rule.location, known))
      }
    }
    return found
  }

  private static func unknown(
    _ id: String, _ location: SourceLocation?, _ known: Set<String>
  ) -> Diagnostic {
    let meant = Suggestion.nearest(to: id, among: known)
    return Diagnostic(
      .unknownRule, "no rule is called '\(id)'", at: location, help: Suggestion.help(meant),
      correction: meant.map { .write($0) })
  }
}
