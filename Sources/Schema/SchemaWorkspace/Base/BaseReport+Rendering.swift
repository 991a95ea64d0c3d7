internal import SchemaEvolution
internal import SchemaModel
package import SchemaReporting

extension BaseReport {
  /// The steps that changed as `schemagen diff` shows them, then what else changed, the findings and what is next.
  package var document: Document {
    var document: Document = [.paragraph("\(path), compared with \(base.name)")]
    document += pairs?.document() ?? []
    let others = changedSteps.filter { $0.step == nil }.map { step in
      "\(step.number.name): \(step.state == .removed ? "the draft is removed" : ChangedStep.first)"
    }
    if !others.isEmpty || !edits.isEmpty {
      document.append(.lines((others + edits).map { Inline($0) }))
    }
    document.append(.findings(findings))
    var next = isUnchanged && errors.isEmpty ? ["no step changes"] : []
    // A draft that the base has as well is no change, and its step is still to come.
    if isUnchanged, let current, !current.isReleased, evolution?.history.count ?? 0 > 1 {
      next.append(
        "\(current.number.name) is in \(base.name) as it is here: 'schemagen diff' shows its step")
    }
    if let nextStep { next.append("next: \(nextStep)") }
    return document + (next.isEmpty ? [] : [.lines(next.map { Inline($0) })])
  }

  private var changedSteps: [ChangedStep] { ChangedStep.all(of: PullRequestComment.Folder(self)) }

  /// The changed steps; nil if the manifests have errors of their own.
  private var pairs: DiffReport? {
    evolution.map { DiffReport($0, changedSteps.compactMap(\.step)) }
  }

  /// The differences of drafts from the base, one line each.
  var edits: [String] {
    changes.flatMap { change in
      (change.edit?.descriptions ?? []).map { "\(change.number.name), edited: \($0)" }
    }
  }

  /// The last line of the text.
  package var headline: String {
    func count(_ number: Int, _ noun: String) -> String {
      number == 0 ? "no \(noun)s" : counted(number, noun)
    }
    let added = changedSteps.filter { $0.state == .added }.flatMap(\.lines)
    let number = added.count + edits.count
    let versions = changes.isEmpty ? "" : "\(count(changes.count, "version")), "
    return
      "\(path): \(versions)\(count(number, "change")) since \(base.name), \(count(errors.count, "error"))"
  }
}

extension BaseReport: Encodable {
  private enum CodingKeys: String, CodingKey {
    case format, folder, base, current, versions, pairs, findings, outdatedFiles
  }

  private struct Base: Encodable {
    var name: String
    var commit: String?
    var isRelease: Bool
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(2, forKey: .format)
    try container.encode(path, forKey: .folder)
    try container.encode(
      Base(name: base.name, commit: base.commit, isRelease: base.isRelease), forKey: .base)
    try container.encodeIfPresent(current?.number.description, forKey: .current)
    try container.encode(changes, forKey: .versions)
    try container.encode(pairs?.steps ?? [], forKey: .pairs)
    try container.encode(findings, forKey: .findings)
    try container.encode(outdatedFiles, forKey: .outdatedFiles)
  }
}

extension BaseReport.VersionChange: Encodable {
  private enum CodingKeys: String, CodingKey { case version, state, summary, edits, steps }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(number.description, forKey: .version)
    try container.encode(state.rawValue, forKey: .state)
    try container.encodeIfPresent(summary, forKey: .summary)
    try container.encode(edit?.changes ?? [], forKey: .edits)
    try container.encode(edit?.steps ?? [], forKey: .steps)
  }
}
