internal import SchemaEvolution
internal import SchemaModel
package import SchemaReporting

extension BaseReport {
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
    // If the base has the same draft, nothing changes, but the draft's step has not shipped yet.
    if isUnchanged, let current, !current.isReleased, evolution?.history.count ?? 0 > 1 {
      next.append(
        "\(current.number.name) is the same in \(base.name): 'schemagen diff' shows its step")
    }
    if let nextStep { next.append("next: \(nextStep)") }
    return document + (next.isEmpty ? [] : [.lines(next.map { Inline($0) })])
  }

  private var changedSteps: [ChangedStep] { ChangedStep.all(of: PullRequestComment.Folder(self)) }

  private var pairs: DiffReport? {
    evolution.map { DiffReport($0, changedSteps.compactMap(\.step)) }
  }

  var edits: [String] {
    changes.flatMap { change in
      (change.edit?.descriptions ?? []).map { "\(change.number.name), edited: \($0)" }
    }
  }

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
  package func encode(to encoder: any Encoder) throws {
    try JSONObject([
      "format": 2, "folder": path,
      "base": JSONObject([
        "name": base.name, "commit": base.commit, "isRelease": base.isRelease,
      ]),
      "current": current?.number, "versions": changes, "pairs": pairs?.steps ?? [],
      "findings": findings, "outdatedFiles": outdatedFiles,
    ]).encode(to: encoder)
  }
}

extension BaseReport.VersionChange: Encodable {
  func encode(to encoder: any Encoder) throws {
    try JSONObject([
      "version": number, "state": state.rawValue, "summary": summary,
      "edits": edit?.changes ?? [], "steps": edit?.steps ?? [],
    ]).encode(to: encoder)
  }
}
