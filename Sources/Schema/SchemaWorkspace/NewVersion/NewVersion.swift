internal import SchemaEvolution
internal import SchemaLint
package import SchemaManifest
package import SchemaModel

extension Rule {
  package static let notCopied = Rule(
    "not-copied", "A manifest cannot be copied for the next version automatically",
    basis: .manifest)
}

/// Writes the next version's manifest: the latest manifest with its comments, under the next number and without its
/// step.
package enum NewVersion {
  /// The step's keys at the top level, which are removed with their comments.
  private static let stepKeys = ["summary", "drops", "expect", "hooks", "stage", "identity"]

  /// The next version, and the latest manifest with the comments that stay. Nil if the latest manifest has errors.
  package static func copy(
    of file: SourceFile, number: VersionNumber
  ) -> (version: SchemaVersion, document: YAMLDocument)? {
    let (read, problems) = ManifestReader().read(file)
    let text = EditorLine.manifest.updated(in: file.text)
    guard let old = read, !problems.hasErrors,
      let document = YAMLDocument(SourceFile(path: file.path, text: text))
    else { return nil }
    var new = old.withoutStep
    new.number = number
    new.summary = nil
    // Acceptances of the step's findings are removed. Acceptances of the version's findings apply to the next version,
    // too.
    new.acceptances = old.acceptances.filter { !isOfStep($0.rule.value) }
    let accepted = document.root.entry("accept")?.value.items ?? []
    let gone =
      stepKeys.filter { document.root.entry($0) != nil }.map { YAMLPath(keys: [$0]) }
      + accepted.indices.filter {
        isOfStep(accepted[$0].entry("rule")?.value.scalar?.text ?? "")
      }.map { ["accept", .index($0)] }
    // The comment `Adopted from …` is removed, since only the previous version was adopted.
    let kept = (document.applying(gone.map(YAMLEdit.remove)) ?? document).removingComments {
      $0.hasPrefix("Adopted from ")
    }
    return (new, kept)
  }

  /// The new manifest's text, or why there is none. If only the next version has errors, they are returned with the
  /// text, at places in `file`.
  package static func manifest(
    from file: SourceFile, number: VersionNumber
  ) -> (text: String?, diagnostics: [Diagnostic]) {
    let (old, problems) = ManifestReader().read(file)
    guard let copy = copy(of: file, number: number) else { return (nil, problems) }
    let text = ManifestText(copy.version, of: copy.document).text
    // A warning about a shipped version may be an error in the next one. An element with an error is not read, so the
    // old version gives the element's place.
    let found = ManifestReader().read(SourceFile(path: file.path, text: text)).diagnostics
    let wrong = found.filter { $0.severity == .error }.map { finding in
      var finding = finding
      finding.location =
        finding.element.flatMap { old?.location(of: ElementPath(parsing: $0)) }
        ?? SourceLocation(file: file.path)
      finding.help.append(
        "'schemagen new-version' writes \(number.name).yaml: rename the element there, with 'renamedFrom:', to keep its values"
      )
      return finding
    }
    return (text, wrong)
  }

  private static func isOfStep(_ rule: String) -> Bool {
    RuleCatalog.rulesByID[rule]?.scope != .version
  }

  /// A manifest under another number, otherwise unchanged. Nil if the manifest has errors.
  package static func renumbered(_ file: SourceFile, number: VersionNumber) -> String? {
    let (read, problems) = ManifestReader().read(file)
    guard var version = read, !problems.hasErrors, let document = YAMLDocument(file) else {
      return nil
    }
    version.number = number
    return ManifestText(version, of: document).text
  }
}

extension SchemaVersion {
  /// Whether a version has no step keys and equals another version, apart from the number, the summary and the other's
  /// step.
  package func says(whatIsSaidBy other: SchemaVersion) -> Bool {
    hasNoStep && withoutNumber == other.withoutNumber
  }

  private var hasNoStep: Bool {
    var version = self
    version.number = VersionNumber(0)
    version.summary = nil
    return version == withoutNumber
  }

  fileprivate var withoutNumber: SchemaVersion {
    var version = withoutStep
    version.number = VersionNumber(0)
    version.summary = nil
    return version
  }
}
