internal import SchemaModel

/// Checks that need all manifests together.
struct HistoryCheck {
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var versions: [SchemaVersion] = []
  private let manifests: [ReadManifest]

  init(_ manifests: [ReadManifest]) { self.manifests = manifests }

  mutating func run() {
    guard !manifests.isEmpty else {
      diagnostics.append(
        Diagnostic(
          .noManifests, "there is no manifest", at: nil,
          help: ["write the first version into V1.yaml, or begin with 'schemagen init'"]))
      return
    }
    for manifest in manifests {
      // A file with neither the name nor the contents of a manifest is unrelated.
      let isForeign = manifest.fileName.number == nil && manifest.version == nil
      if !isForeign { diagnostics += manifest.diagnostics.map { carriedName($0, in: manifest) } }
      checkName(of: manifest)
    }
    checkOrder()
    collectVersions()
    checkSteps()
    checkFirst()
  }

  // MARK: Names

  private mutating func checkName(of manifest: ReadManifest) {
    let place = SourceLocation(file: manifest.path)
    guard let named = manifest.fileName.number else {
      let meant = (manifest.version?.number ?? manifest.fileName.guess).map { "\($0.name).yaml" }
      diagnostics.append(
        Diagnostic(
          .fileName, "'\(manifest.fileName.name)' is not a name for a manifest", at: place,
          help: [
            meant.map { "rename it to \($0)" }
              ?? "name it after its version: V1.yaml, V1.1.yaml; or move it elsewhere"
          ], correction: meant.map { .write($0) }))
      return
    }
    guard let number = manifest.version?.number, number != named else { return }
    diagnostics.append(
      Diagnostic(
        .versionMismatch,
        "the file is called \(manifest.fileName.name), but its version is \(number)",
        element: number.name, at: place,
        help: ["rename it to \(number.name).yaml, or write 'version: \(named)'"]))
  }

  /// Turns an error about a reserved name into a warning if the previous version has the property too: rows have values
  /// under that name.
  private func carriedName(_ finding: Diagnostic, in manifest: ReadManifest) -> Diagnostic {
    guard finding.rule == .reservedName, finding.severity == .error, let version = manifest.version,
      let before = manifests.compactMap(\.version).filter({ $0.number < version.number })
        .max(by: { $0.number < $1.number })
    else { return finding }
    let isCarried = version.models.contains { model in
      model.properties.contains { property in
        property.location?.line == finding.location?.line
          && SwiftIdentifier.shippedPropertyNames.contains(property.name)
          && before.model(named: model.name)?.property(named: property.name) != nil
      }
    }
    guard isCarried else { return finding }
    var finding = finding
    finding.severity = .warning
    finding.help.append("\(before.number.name) already has this property, so its name can stay")
    return finding
  }

  // MARK: Numbers

  private mutating func checkOrder() {
    let named = manifests.filter { $0.fileName.number != nil }
      .sorted { ($0.fileName.number!, $0.path) < ($1.fileName.number!, $1.path) }
    for (before, after) in zip(named, named.dropFirst()) {
      guard let first = before.version?.number, let second = after.version?.number,
        second < first
      else { continue }
      diagnostics.append(
        Diagnostic(
          .versionOrder,
          "version \(second) comes after \(first), which is in \(before.fileName.name)",
          element: second.name, at: SourceLocation(file: after.path),
          related: [
            .init("version \(first) is here", at: SourceLocation(file: before.path))
          ]))
    }
  }

  private mutating func collectVersions() {
    var first: [VersionNumber: String] = [:]
    for manifest in manifests {
      guard let version = manifest.version else { continue }
      if let path = first[version.number] {
        diagnostics.append(
          Diagnostic(
            .duplicateVersion, "version \(version.number) has two manifests",
            element: version.number.name, at: SourceLocation(file: manifest.path),
            related: [.init("the other manifest is here", at: SourceLocation(file: path))],
            help: ["give one of the manifests another number, or delete it"]))
      } else {
        first[version.number] = manifest.path
        versions.append(version)
      }
    }
    versions.sort { $0.number < $1.number }
  }

  /// Reports gaps between versions. A manifest that could not be read still counts, since its number is in its file's
  /// name.
  private mutating func checkSteps() {
    let numbers = Set(manifests.compactMap(\.number)).sorted()
    var gaps: [VersionNumber: [Diagnostic]] = [:]
    for (before, after) in zip(numbers, numbers.dropFirst())
    where !before.successors.contains(after) {
      let place = manifests.first { $0.number == after }.map { SourceLocation(file: $0.path) }
      let next = before.successors.map(\.description).joined(separator: ", ")
      gaps[after] = [
        Diagnostic(
          .versionGap, "version \(after) does not follow \(before)", element: after.name,
          at: place,
          help: [
            "the version after \(before) is one of \(next)",
            "if the versions between are gone for good: accept: [{ rule: version-gap, "
              + "element: \(after.name), reason: \"why\" }]",
          ])
      ]
    }
    for version in versions {
      let book = AcceptanceMatcher(version)
      let outcome = book.apply(to: gaps.removeValue(forKey: version.number) ?? [])
      diagnostics += outcome.remaining + book.unused(outcome, of: ManifestRules.acceptableIDs)
    }
    diagnostics += gaps.values.joined()
  }

  // MARK: The first version

  private mutating func checkFirst() {
    guard let first = versions.first,
      first.number == manifests.compactMap(\.number).min()
    else { return }
    for drop in first.drops { reportStep("drops", drop.element.value, drop.element.location) }
    if !first.hooks.isEmpty { reportStep("hooks", nil, first.location) }
    if let expectation = first.expectations.first {
      reportStep("expect", nil, expectation.model.location)
    }
    if let stage = first.expectedStage { reportStep("stage", nil, stage.location) }
    for model in first.models { checkFirst(model) }
    for type in first.types {
      guard case .enumeration(_, let cases) = type.kind else { continue }
      for one in cases {
        guard let source = one.renamedFrom else { continue }
        reportStep(
          "renamedFrom", ElementPath(type.name, one.name), source.location,
          help: "delete 'renamedFrom'; if rows hold another raw value, give the case that value")
      }
    }
  }

  private mutating func checkFirst(_ model: Model) {
    if let source = model.sources.first {
      reportStep(model.isRenamed ? "renamedFrom" : "from", ElementPath(model.name), source.location)
    }
    for unique in model.uniques where unique.dedupe != nil {
      reportStep("dedupe", ElementPath(model.name), unique.location)
    }
    for property in model.properties {
      let element = ElementPath(model.name, property.name)
      let migration = property.migration
      let steps: [(String, SourceLocation?)?] = [
        migration.renamedFrom.map { ("renamedFrom", $0.location) },
        migration.from.first.map { ("from", $0.location) },
        migration.convert.map { ("convert", $0.location) },
        migration.revert.first.map { ("revert", $0.location) },
        migration.fill.map { ("fill", $0.location) },
        property.attribute?.dedupe.map { _ in ("dedupe", property.location) },
      ]
      for (key, place) in steps.compactMap({ $0 }) {
        reportStep(
          key, element, place,
          help: key == "renamedFrom"
            ? "if stores from before the first manifest have that name, write 'originalName:'; if not, delete 'renamedFrom'"
            : "delete this key")
      }
    }
  }

  private mutating func reportStep(
    _ key: String, _ element: ElementPath?, _ location: SourceLocation?,
    help: String = "delete this key"
  ) {
    // `renamedFrom` is not removed, since its name may be meant as 'originalName' or as a raw value. Without 'from'
    // there is nothing to convert or revert.
    let correction: Correction? =
      switch key {
      case "renamedFrom": nil
      case "from": .removalOfKeys(["from", "convert", "revert"])
      default: .removalOfKeys([key])
      }
    diagnostics.append(
      Diagnostic(
        .stepKeyInFirstVersion, "'\(key)' belongs to a step, and the first version has none",
        element: element, at: location,
        help: [help], correction: correction))
  }
}
