internal import SchemaEvolution
internal import SchemaLint
internal import SchemaManifest
package import SchemaModel

extension Rule {
  package static let notCopied = Rule(
    "not-copied", "A manifest cannot be copied for the next version automatically",
    basis: .manifest)
}

/// Writes the next version's manifest: the latest one's text, with its comments and layout, under the next number
/// and without what belonged to its own step.
package struct NewVersion: Sendable {
  /// The step's keys, anywhere in a model.
  private static let stepKeys: Set<String> = [
    "renamedFrom", "from", "convert", "revert", "fill", "dedupe",
  ]
  /// The step's keys at the top level.
  private static let topKeys: Set<String> = [
    "summary", "drops", "expect", "hooks", "stage", "identity",
  ]

  package init() {}

  /// The new manifest's text, or why there is none; errors that only the next version has come with the text, at their
  /// places in the file.
  package func manifest(
    from file: SourceFile, number: VersionNumber
  ) -> (text: String?, diagnostics: [Diagnostic]) {
    let (root, problems) = YAMLReader.read(file)
    guard let root, !problems.hasErrors else { return (nil, problems) }
    var edits = TextEdits(file.text)
    if case .mapping(let entries) = root.content {
      for entry in entries {
        if Self.topKeys.contains(entry.key) {
          edits.removeEntry(at: entry.keyLocation)
        } else if entry.key == "accept" {
          removeStepAcceptances(entry, &edits)
        } else if entry.key == "version" {
          edits.replace(at: entry.value.location, with: number.description)
        } else if entry.key == "models", case .mapping(let models) = entry.value.content {
          for model in models { removeSteps(of: model.value, &edits) }
        } else if entry.key == "types", case .mapping(let types) = entry.value.content {
          for type in types { removeRenames(of: type.value, &edits) }
        }
      }
    }
    for comment in YAMLComments.beginning(with: "schemagen:accept ", in: file)
    where Self.isOfStep(Self.rule(of: comment)) {
      edits.removeComment(at: comment.location)
    }
    // What was adopted is the version before.
    for comment in YAMLComments.beginning(with: "Adopted from ", in: file) {
      edits.removeComment(at: comment.location)
    }
    let text = EditorLine.manifest.updated(in: edits.apply())
    // The copy must say the same but for its step: the text was edited without understanding all of YAML.
    let reader = ManifestReader()
    let old = reader.read(file).version
    let new = reader.read(SourceFile(path: file.path, text: text))
    // What is only a warning of a version that has shipped is an error of the next one, and hides what it is about.
    let wrong = new.diagnostics.filter { $0.severity == .error }.compactMap { finding in
      finding.element.flatMap { old?.location(of: ElementPath(parsing: $0)) }.map { place in
        var finding = finding
        finding.location = place
        finding.help.append(
          "'schemagen new-version' writes \(number.name).yaml: rename it there, with 'renamedFrom:', and its values stay"
        )
        return finding
      }
    }
    let copy =
      wrong.isEmpty
      ? new
      : reader.read(
        SourceFile(path: file.path, text: text + "\nidentity: \(IdentityOrigin.shipped)\n"))
    guard let old, !copy.diagnostics.hasErrors, copy.version?.withoutNumber == old.withoutNumber
    else {
      return (
        nil,
        [
          Diagnostic(
            .notCopied, "'\(file.path)' has a layout that schemagen cannot copy",
            at: SourceLocation(file: file.path),
            help: [
              "copy it by hand: raise 'version' and remove renamedFrom, from, convert, revert, fill, "
                + "dedupe, drops, expect, accept and hooks"
            ])
        ]
      )
    }
    return (text, wrong)
  }

  /// Removes acceptances of the step's findings; those of the version's findings hold for the next one too.
  private func removeStepAcceptances(_ entry: YAMLEntry, _ edits: inout TextEdits) {
    let items = entry.value.items
    let ofStep = items.filter { Self.isOfStep($0.entry("rule")?.value.scalar?.text) }
    guard ofStep.count < items.count else { return edits.removeEntry(at: entry.keyLocation) }
    for item in ofStep { _ = edits.removeItem(at: item.location) }
  }

  /// The rule of a comment `schemagen:accept RULE: REASON` or `schemagen:accept RULE until DAY: REASON`.
  private static func rule(of comment: YAMLComment) -> String? {
    comment.text.split(separator: " ").dropFirst().first.map { String($0.prefix { $0 != ":" }) }
  }

  private static func isOfStep(_ rule: String?) -> Bool {
    rule.flatMap { RuleCatalog.rulesByID[$0] }?.scope != .version
  }

  /// A manifest under another number, otherwise unchanged; nil if that cannot be done automatically.
  package func renumbered(_ file: SourceFile, number: VersionNumber) -> String? {
    let (root, problems) = YAMLReader.read(file)
    guard let root, !problems.hasErrors, case .mapping(let entries) = root.content,
      let version = entries.first(where: { $0.key == "version" })
    else { return nil }
    var edits = TextEdits(file.text)
    edits.replace(at: version.value.location, with: number.description)
    let text = edits.apply()
    let reader = ManifestReader()
    var new = reader.read(SourceFile(path: file.path, text: text)).version
    guard let old = reader.read(file).version, new?.number == number else { return nil }
    new?.number = old.number
    return new == old ? text : nil
  }

  private func removeSteps(of model: YAMLNode, _ edits: inout TextEdits) {
    guard case .mapping(let entries) = model.content else { return }
    for entry in entries {
      switch entry.key {
      case "renamedFrom", "from": edits.removeEntry(at: entry.keyLocation)
      case "properties":
        guard case .mapping(let properties) = entry.value.content else { continue }
        for property in properties { removeKeys(of: property.value, &edits) }
      case "unique":
        guard case .sequence(let uniques) = entry.value.content else { continue }
        for unique in uniques { removeKeys(of: unique, &edits) }
      default: break
      }
    }
  }

  /// Removes the former names of cases.
  private func removeRenames(of type: YAMLNode, _ edits: inout TextEdits) {
    guard let cases = type.entry("cases")?.value else { return }
    func isRename(_ entry: YAMLEntry) -> Bool {
      if case .mapping(let keys) = entry.value.content { return keys.map(\.key) == ["renamedFrom"] }
      return false
    }
    switch cases.content {
    case .sequence(let items):
      for item in items {
        guard case .mapping(let entries) = item.content, let entry = entries.first,
          isRename(entry)
        else { continue }
        edits.replaceEntry(
          at: entry.keyLocation, value: entry.value.location, item: item.location, with: entry.key)
      }
    case .mapping(let entries):
      for entry in entries {
        guard isRename(entry) else {
          removeKeys(of: entry.value, &edits)
          continue
        }
        edits.replaceEntry(
          at: entry.keyLocation, value: entry.value.location, with: "\(entry.key): \(entry.key)")
      }
    case .scalar: break
    }
  }

  private func removeKeys(of node: YAMLNode, _ edits: inout TextEdits) {
    guard case .mapping(let entries) = node.content else { return }
    for entry in entries where Self.stepKeys.contains(entry.key) {
      edits.removeEntry(at: entry.keyLocation)
    }
  }
}

extension SchemaVersion {
  /// Whether a version equals another except for its number, its summary and its step.
  package func says(whatIsSaidBy other: SchemaVersion) -> Bool {
    hasNoStep && withoutNumber == other.withoutNumber
  }

  /// Whether it has no step keys.
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
