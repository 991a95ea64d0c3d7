internal import SchemaModel
package import SchemaReporting
internal import SchemaWorkspace
internal import StoreFormat

extension StoreDiagnosis {
  /// The diagnosis in one sentence: the last line of the text.
  package var headline: String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let store = name.visibleInOneLine
    guard isRecognised else {
      let count = waysOut.count
      return "\(store): not recognised, \(counted(count, "way")) out"
    }
    let parts = matches.map { match in
      let name = match.version.candidate.name
      if match.retirement != nil { return name + ", which is retired" }
      return match.steps.isEmpty
        ? name + ", the newest version"
        : name + ", \(counted(match.steps.count, "step")) behind the newest"
    }
    let isVerified = matches.map(\.version).allSatisfy(isVerified)
    let ends = matches.contains { !$0.crash.isEmpty }
    return "\(store): recognised as \(parts.joined(separator: " and "))"
      + (isVerified ? "" : ", not verified by every hash")
      + (ends ? "; the app crashes when it migrates it" : "")
  }

  /// The diagnosis as text, without its last line.
  package func text(on terminal: TerminalText = .plain) -> String {
    var lines = [path]
    lines +=
      TextColumns.lines(
        [
          ["written by", facts.writerWords], ["version", facts.versionWords],
          ["model", facts.modelWords],
        ], on: terminal) + [""]
    lines += facts.damage.map { "damaged: \($0)" }
    lines +=
      isRecognised
      ? recognised().flatMap(terminal.lines) : unrecognised(terminal)
    return lines.map(\.visibleInOneLine).joined(separator: "\n") + "\n"
  }

  private func recognised() -> [String] {
    var lines = StoreMatch.recognition(matches.map(\.version), facts)
    lines[0] = "recognised: " + lines[0]
    guard facts.writer == .coreData else { return lines }
    guard facts.damage.isEmpty else {
      return lines + [
        "", "what can still be read is written by a salvage: \(StoreFacts.salvagePage)",
      ]
    }
    for match in matches {
      let name = match.version.candidate.name
      guard let folder = folder(of: match.version.candidate) else { continue }
      // Equal versions are one to the app: it does one thing with the store.
      let same = matches.map(\.version.candidate).filter { $0.folder == folder.path }
      if !match.steps.isEmpty, same.contains(where: { $0.name == folder.newest }) { continue }
      if let retirement = match.retirement {
        lines += [""] + retirement
        continue
      }
      let endings = folder.endings.map { "  \($0.message)" }
      if !match.steps.isEmpty, !endings.isEmpty {
        guard name == same.first?.name else { continue }
        lines += ["", "the app does not get from \(name) to \(folder.newest):"] + endings
        lines.append(
          "'schemagen lint\(ShellWord.schemas(folder.path))' says what to do about it")
        continue
      }
      let place = matches.count > same.count ? " of \(folder.path)" : ""
      lines.append("")
      lines.append(
        match.steps.isEmpty
          ? "\(name) is the newest version\(place): "
            + (isVerified(match.version)
              ? "the app opens the store as it is" : "if it is that, the app opens it as it is")
          : "the app migrates it from \(name) to \(folder.newest)\(place):")
      lines += match.steps.map { "  \($0)" }
      if !endings.isEmpty { lines += ["stores of older versions it does not migrate:"] + endings }
      if !match.refusals.isEmpty {
        lines.append(
          "'schemagen generate' refuses \(match.steps.count == 1 ? "this step" : "these steps") (\(match.refusals.joined(separator: ", "))): "
            + "correct the manifests first, or values may be lost")
      }
      if !match.steps.isEmpty, folder.evolution != nil {
        lines.append(
          "'schemagen diff --store \(ShellWord.quoted(path))\(ShellWord.schemas(folder.path))' says what becomes of its rows"
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
    guard let nearest = nearest else {
      return ["not recognised: the manifests have no version to compare it with"]
    }
    var lines =
      ["not recognised: \(StoreMatch.mismatch(candidateCount))"]
      + nearest.lines(closest == nil ? "nearest is" : "by its number it is", facts)
    if let closest { lines += closest.lines("more like it is", facts) }
    if let outcome { lines += [""] + self.lines(outcome) }
    // What follows has commands and lines of manifests, which are to be copied.
    lines = lines.flatMap(terminal.lines) + ["", "ways out:"]
    let width = min(90, terminal.width.map { $0 - 5 } ?? 90)
    for (index, way) in waysOut.enumerated() {
      let text = way.text.wrapped(to: width)
      lines.append("  \(index + 1). \(text[0])")
      lines += text.dropFirst().map { "     \($0)" }
      lines += way.commands.map { "       \($0)" }
    }
    return lines
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
}

extension StoreFacts {
  /// How data is got out of a damaged store.
  package static var salvagePage: String {
    Basis.documentation + "backups.md#when-a-store-is-damaged"
  }
}
