internal import SchemaModel
package import SchemaReporting
internal import SchemaWorkspace
internal import StoreFormat

/// A diagnosis for people and for machines.
package struct DiagnosisReport: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case text, json
  }

  private let diagnosis: StoreDiagnosis

  package init(_ diagnosis: StoreDiagnosis) { self.diagnosis = diagnosis }

  package func render(_ format: Format, on terminal: TerminalText = .plain) -> String {
    switch format {
    case .text: text(terminal)
    case .json: json()
    }
  }

  private var facts: StoreFacts { diagnosis.facts }

  // MARK: Text

  /// The diagnosis in one sentence: the last line of the text.
  package var headline: String {
    let name = diagnosis.path.split(separator: "/").last.map(String.init) ?? diagnosis.path
    let store = name.visibleInOneLine
    guard diagnosis.isRecognised else {
      let count = diagnosis.waysOut.count
      return "\(store): not recognised, \(counted(count, "way")) out"
    }
    let parts = diagnosis.matches.map { match in
      let folder = diagnosis.folder(of: match.candidate)
      if folder?.retirement(of: match.candidate.name) != nil {
        return match.candidate.name + ", which is retired"
      }
      let steps =
        folder?.steps(from: match.candidate.name).count ?? 0
      return match.candidate.name
        + (steps == 0
          ? ", the newest version" : ", \(counted(steps, "step")) behind the newest")
    }
    let isVerified = diagnosis.matches.allSatisfy(isVerified)
    let ends = diagnosis.crashes.contains { !$0.isEmpty }
    return "\(store): recognised as \(parts.joined(separator: " and "))"
      + (isVerified ? "" : ", not verified by every hash")
      + (ends ? "; the app crashes when it migrates it" : "")
  }

  private func text(_ terminal: TerminalText) -> String {
    var lines = [diagnosis.path]
    let cells = [
      ["written by", facts.writerWords], ["version", facts.versionWords],
      ["model", facts.modelWords],
    ]
    let columns = TextColumns(cells, on: terminal, indent: 2)
    lines += cells.flatMap { columns.lines($0).map { "  " + $0 } } + [""]
    lines += facts.damage.map { "damaged: \($0)" }
    lines +=
      diagnosis.isRecognised
      ? recognised().flatMap(terminal.lines) : unrecognised(terminal)
    return lines.map(\.visibleInOneLine).joined(separator: "\n") + "\n"
  }

  private func recognised() -> [String] {
    var lines = StoreMatch.recognition(diagnosis.matches, facts)
    lines[0] = "recognised: " + lines[0]
    guard facts.writer == .coreData else { return lines }
    guard facts.damage.isEmpty else {
      return lines + [
        "", "what can still be read is written by a salvage: \(StoreFacts.salvagePage)",
      ]
    }
    for (match, refusals) in zip(diagnosis.matches, diagnosis.refusals) {
      guard let folder = diagnosis.folder(of: match.candidate) else { continue }
      let steps = folder.steps(from: match.candidate.name)
      // Equal versions are one to the app: it does one thing with the store.
      let same = diagnosis.matches.filter { $0.candidate.folder == folder.path }
      if !steps.isEmpty, same.contains(where: { $0.candidate.name == folder.newest }) { continue }
      if let retirement = folder.retirement(of: match.candidate.name) {
        lines += [""] + retirement
        continue
      }
      let endings = folder.endings.map(\.message)
      if !steps.isEmpty, !endings.isEmpty {
        guard match.candidate.name == same.first?.candidate.name else { continue }
        lines += [
          "", "the app does not get from \(match.candidate.name) to \(folder.newest):",
        ]
        lines += endings.map { "  \($0)" }
        lines.append(
          "'schemagen lint\(ShellWord.schemas(folder.path))' says what to do about it")
        continue
      }
      let place = diagnosis.matches.count > same.count ? " of \(folder.path)" : ""
      lines.append("")
      lines.append(
        steps.isEmpty
          ? "\(match.candidate.name) is the newest version\(place): "
            + (!facts.damage.isEmpty
              ? "the app would open the store as it is, but it is damaged: \(facts.damage[0])"
              : isVerified(match)
                ? "the app opens the store as it is" : "if it is that, the app opens it as it is")
          : "the app migrates it from \(match.candidate.name) to \(folder.newest)\(place):")
      lines += steps.map { "  \($0)" }
      if !endings.isEmpty {
        lines.append("stores of older versions it does not migrate:")
        lines += endings.map { "  \($0)" }
      }
      if !refusals.isEmpty {
        lines.append(
          "'schemagen generate' refuses \(steps.count == 1 ? "this step" : "these steps") (\(refusals.joined(separator: ", "))): "
            + "correct the manifests first, or values may be lost")
      }
      if !steps.isEmpty, folder.evolution != nil {
        lines.append(
          "'schemagen diff --store \(ShellWord.quoted(diagnosis.path))\(ShellWord.schemas(folder.path))' says what becomes of its rows"
        )
      }
    }
    return lines
  }

  /// Whether all that Core Data goes by has been compared: tables do not tell what is optional.
  private func isVerified(_ match: StoreMatch.Comparison) -> Bool {
    match.foreignHashes == [] || facts.model != nil && match.caveats.isEmpty
  }

  private func unrecognised(_ terminal: TerminalText) -> [String] {
    guard let nearest = diagnosis.nearest else {
      return ["not recognised: the manifests have no version to compare it with"]
    }
    let name = nearest.candidate.name
    let count = diagnosis.candidateCount
    let versions = count == 1 ? "the one version" : "any of the \(count) versions"
    var lines = [
      "not recognised: the store does not match \(versions) of the manifests",
      (diagnosis.closest == nil ? "nearest is " : "by its number it is ")
        + "\(name) of \(nearest.candidate.folder)" + Self.sameCount(diagnosis.entities), "",
    ]
    lines += self.lines(diagnosis.entities, name)
    if let closest = diagnosis.closest {
      let name = closest.candidate.name
      lines += [
        "",
        "more like it is \(name) of \(closest.candidate.folder)"
          + Self.sameCount(diagnosis.closestEntities), "",
      ]
      lines += self.lines(diagnosis.closestEntities, name)
    }
    if !diagnosis.tables.isEmpty {
      lines.append("the tables show:")
      lines += diagnosis.tables.map { "  \($0)" }
    }
    if let outcome = diagnosis.outcome { lines += [""] + self.lines(outcome) }
    // What follows has commands and lines of manifests, which are to be copied.
    lines = lines.flatMap(terminal.lines) + ["", "ways out:"]
    let width = min(90, terminal.width.map { $0 - 5 } ?? 90)
    for (index, way) in diagnosis.waysOut.enumerated() {
      let text = way.text.wrapped(to: width)
      lines.append("  \(index + 1). \(text[0])")
      lines += text.dropFirst().map { "     \($0)" }
      if let revision = way.revision { lines += self.lines(revision) }
      lines += way.commands.map { "       \($0)" }
    }
    return lines
  }

  private static func sameCount(_ entities: [StoreDiagnosis.Entity]) -> String {
    let same = entities.filter { $0.status == .same }.count
    switch (same, entities.count) {
    case (_, 0): return ""
    case (0, 1): return ": its one model differs"
    case (0, _): return ": all of its models differ"
    case (_, 1): return ": its one model is the same"
    case (_, let all): return ": \(same) of \(all) models \(same == 1 ? "is" : "are") the same"
    }
  }

  private func lines(_ entities: [StoreDiagnosis.Entity], _ version: String) -> [String] {
    var lines = entities.flatMap { self.lines($0, version) }
    for (status, words) in [
      (StoreDiagnosis.Entity.Status.storeOnly, "in the store, not in \(version)"),
      (.versionOnly, "in \(version), not in the store"),
    ] {
      let names = entities.filter { $0.status == status }.map(\.name)
      if !names.isEmpty { lines.append("\(words): \(names.joined(separator: ", "))") }
    }
    return lines
  }

  private func lines(_ entity: StoreDiagnosis.Entity, _ version: String) -> [String] {
    switch entity.status {
    case .same, .storeOnly, .versionOnly: return []
    case .unexplained:
      return [(["\(entity.name): differs"] + entity.reasons).joined(separator: "; ")]
    case .differs: break
    }
    var lines: [String] = []
    if let name = entity.versionName {
      lines.append("\(entity.name): the store's name for '\(name)'")
    } else if entity.differences.isEmpty {
      lines.append("\(entity.name): differs, because \(entity.reasons.joined(separator: "; "))")
    }
    lines += entity.differences.map { words($0, version) }
    if entity.basis == .hash {
      lines.append(
        "  proven: '\(entity.versionName ?? entity.name)' of \(version) has the store's hash")
    }
    return lines
  }

  /// The store's side, then the version's.
  private func words(_ difference: ModelComparison.Difference, _ version: String) -> String {
    var sides = [difference.store ?? "not there", difference.version ?? "not there"]
    if let one = difference.store, let other = difference.version {
      if one + "?" == other { sides = ["required (\(one))", "optional (\(other))"] }
      if other + "?" == one { sides = ["optional (\(one))", "required (\(other))"] }
    }
    return
      "\(difference.element): \(sides[0]) when the store was written, \(sides[1]) in \(version)"
  }

  private func lines(_ outcome: StoreDiagnosis.Outcome) -> [String] {
    var lines = [
      "what the app does:",
      "  with a migration plan: no migration. Core Data fails with \(outcome.code),",
      "    \"\(outcome.message)\"; SwiftData throws SwiftDataError.loadIssueModelContainer",
    ]
    guard let dropped = outcome.dropped else {
      return lines + [
        "  without a plan: it finds no model to migrate from (134130)"
      ]
    }
    lines.append(
      "  without a plan: one inference from the store's model to \(outcome.newest), or an error where it cannot infer"
    )
    if !dropped.isEmpty {
      lines.append("    it would drop, with all values: \(dropped.joined(separator: ", "))")
    }
    return lines
  }

  private func lines(_ revision: ManifestRevision) -> [String] {
    revision.files.flatMap { file in
      file.edits.flatMap { edit -> [String] in
        let place = "\(file.path):\(edit.line)"
        let title =
          edit.old.isEmpty ? "behind \(place)" : edit.new.isEmpty ? "without \(place)" : place
        return ["     \(title)"] + edit.old.map { "     - \($0)" } + edit.new.map { "     + \($0)" }
      }
    }
  }

  // MARK: JSON

  private struct Document: Encodable {
    var format = 1
    var store: String
    var writer: String
    var versionIdentifiers: [String]
    var modelSource: String?
    var recognised: Bool
    var matches: [Match]
    var nearest: Nearest?
    var closest: Nearest?
    var outcome: Outcome?
    var waysOut: [WayOut]
    var notes: [String]
    var damage: [String]
  }

  private struct Match: Encodable {
    var folder: String
    var name: String
    var bridge: Bool
    var newest: Bool
    var steps: [String]
    /// Whether it has left the plan.
    var retired: Bool
    /// Why the app crashes as soon as it migrates the store; not there where it does not.
    var crash: [String]?
    /// Whether its hashes prove it; not there where that cannot be told.
    var hashesProven: Bool?
    /// Why it cannot be told.
    var hashDoubts: [String]
  }

  private struct Nearest: Encodable {
    var folder: String
    var name: String
    var released: Bool
    var entities: [Entity]
    var tables: [String]?
  }

  private struct Entity: Encodable {
    var name: String
    var status: String
    var versionName: String?
    var basis: String?
    var differences: [Difference]
    var reasons: [String]
  }

  private struct Difference: Encodable {
    var element: String
    var store: String?
    var version: String?
  }

  private struct Outcome: Encodable {
    var code: Int
    var message: String
    var thrown = "SwiftDataError.loadIssueModelContainer"
    /// What goes without a migration plan; not there where nothing can be inferred.
    var droppedWithoutPlan: [String]?
  }

  private struct WayOut: Encodable {
    var kind: String
    var text: String
    var commands: [String]
    /// The version's manifest.
    var file: String?
    var edits: [Edit]
    /// Other manifests, which go on from it.
    var further: [File]
  }

  private struct File: Encodable {
    var file: String
    var edits: [Edit]
  }

  private struct Edit: Encodable {
    var line: Int
    var old: [String]
    var new: [String]
  }

  private func json() -> String {
    let document = Document(
      store: diagnosis.path, writer: facts.writer.rawValue,
      versionIdentifiers: facts.versionIdentifiers, modelSource: facts.modelSource?.rawValue,
      recognised: diagnosis.isRecognised,
      matches: zip(diagnosis.matches, diagnosis.crashes).map(match),
      nearest: diagnosis.nearest.map { comparison in
        var nearest = version(comparison, diagnosis.entities)
        nearest.tables = diagnosis.tables
        return nearest
      }, closest: diagnosis.closest.map { version($0, diagnosis.closestEntities) },
      outcome: diagnosis.outcome.map {
        Outcome(code: $0.code, message: $0.message, droppedWithoutPlan: $0.dropped)
      },
      waysOut: diagnosis.waysOut.map { way in
        WayOut(
          kind: way.kind.rawValue, text: way.text, commands: way.commands,
          file: way.revision?.files.first?.path, edits: edits(way.revision?.files.first),
          further: (way.revision?.files.dropFirst() ?? []).map { file in
            File(file: file.path, edits: edits(file))
          })
      }, notes: facts.notes, damage: facts.damage)
    return JSONText.encode(document)
  }

  private func edits(_ file: ManifestRevision.File?) -> [Edit] {
    (file?.edits ?? []).map { Edit(line: $0.line, old: $0.old, new: $0.new) }
  }

  private func match(_ comparison: StoreMatch.Comparison, _ crash: [String]) -> Match {
    let candidate = comparison.candidate
    let steps = diagnosis.folder(of: candidate)?.steps(from: candidate.name) ?? []
    return Match(
      folder: candidate.folder, name: candidate.name, bridge: candidate.isBridge,
      newest: steps.isEmpty, steps: steps,
      retired: diagnosis.folder(of: candidate)?.retirement(of: candidate.name) != nil,
      crash: crash.isEmpty ? nil : crash,
      hashesProven: comparison.foreignHashes.map(\.isEmpty),
      hashDoubts: comparison.caveats)
  }

  private func version(
    _ comparison: StoreMatch.Comparison, _ entities: [StoreDiagnosis.Entity]
  ) -> Nearest {
    let candidate = comparison.candidate
    let folder = diagnosis.folder(of: candidate)
    return Nearest(
      folder: candidate.folder, name: candidate.name,
      released: folder.map { folder in
        folder.released.contains { $0.name == candidate.name }
      } ?? false,
      entities: entities.map { entity in
        Entity(
          name: entity.name, status: entity.status.rawValue, versionName: entity.versionName,
          basis: entity.basis?.rawValue,
          differences: entity.differences.map {
            Difference(element: $0.element, store: $0.store, version: $0.version)
          }, reasons: entity.reasons)
      })
  }
}

extension StoreFacts {
  /// How data is got out of a damaged store.
  package static var salvagePage: String {
    Basis.documentation + "backups.md#when-a-store-is-damaged"
  }
}
