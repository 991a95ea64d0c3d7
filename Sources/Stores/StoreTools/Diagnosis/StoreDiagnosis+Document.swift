internal import SchemaModel
package import SchemaReporting
internal import SchemaWorkspace
internal import StoreFormat

extension StoreDiagnosis {
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
      + (ends ? "; the app crashes when it migrates the store" : "")
  }

  package var document: Document {
    let facts: Document = [
      .paragraph("\(path)"),
      .table(
        Table(cells: [
          ["written by", facts.writerWords], ["version", facts.versionWords],
          ["model", facts.modelWords],
        ])),
    ]
    let damage = self.facts.damage.map { "damaged: \($0)" }
    return facts + (damage.isEmpty ? [] : [.lines(damage)])
      + (isRecognised ? recognised : unrecognised)
  }

  private var recognised: Document {
    var document = StoreMatch.recognition(matches.map(\.version), facts, after: "recognised: ")
    guard facts.writer == .coreData else { return document }
    guard facts.damage.isEmpty else {
      let page = StoreFacts.salvagePage
      return document + [
        .paragraph("a salvage writes what can still be read: \("\(page)", to: page)")
      ]
    }
    for match in matches {
      let name = match.version.candidate.name
      guard let folder = folder(of: match.version.candidate) else { continue }
      // The app treats equal versions the same.
      let same = matches.map(\.version.candidate).filter { $0.folder == folder.path }
      if !match.steps.isEmpty, same.contains(where: { $0.name == folder.newest }) { continue }
      if let retirement = match.retirement {
        document.append(.lines(retirement))
        continue
      }
      let endings = folder.endings.map(\.message)
      if !match.steps.isEmpty, !endings.isEmpty {
        guard name == same.first?.name else { continue }
        document += Block.item("the app cannot migrate from \(name) to \(folder.newest):", endings)
        document.append(
          .paragraph("'schemagen lint\(ShellWord.schemas(folder.path))' says what to do"))
        continue
      }
      let place = matches.count > same.count ? " of \(folder.path)" : ""
      document += Block.item(
        match.steps.isEmpty
          ? "\(name) is the newest version\(place): \(isVerified(match.version) ? "the app opens the store as it is" : "if the store has this version, the app opens the store as it is")"
          : "the app migrates the store from \(name) to \(folder.newest)\(place):", match.steps)
      if !endings.isEmpty {
        document += Block.item("the app does not migrate stores of older versions:", endings)
      }
      if !match.refusals.isEmpty {
        document.append(
          .paragraph(
            "'schemagen generate' refuses \(match.steps.count == 1 ? "this step" : "these steps") (\(match.refusals.joined(separator: ", "))): correct the manifests first, or values may be lost"
          ))
      }
      if !match.steps.isEmpty, folder.evolution != nil {
        document.append(
          .paragraph(
            "'schemagen diff --store \(ShellWord.quoted(path))\(ShellWord.schemas(folder.path))' says what becomes of the store's rows"
          ))
      }
    }
    return document
  }

  /// Whether everything that Core Data compares has been compared. Tables alone do not show optionality.
  private func isVerified(_ match: StoreMatch.Comparison) -> Bool {
    match.foreignHashes == [] || facts.model != nil && match.caveats.isEmpty
  }

  private var unrecognised: Document {
    guard let nearest = nearest else {
      return [.paragraph("not recognised: the manifests have no version to compare the store with")]
    }
    var document: Document = [.paragraph("not recognised: \(StoreMatch.mismatch(candidateCount))")]
    document += nearest.document(
      closest == nil ? "nearest is" : "by its number, the store is", facts)
    if let closest { document += closest.document("a closer match is", facts) }
    if let outcome { document += self.document(outcome) }
    let ways: [Document] = waysOut.map { way in
      [.paragraph("\(way.text)")]
        + (way.commands.isEmpty ? [] : [.code(way.commands.joined(separator: "\n"))])
    }
    return document + [.paragraph("ways out:"), .list(ways, .numbers)]
  }

  private func document(_ outcome: StoreDiagnosis.Outcome) -> Document {
    var lines = [
      "with a migration plan: no migration. Core Data fails with \(outcome.code), \"\(outcome.message)\"; SwiftData throws SwiftDataError.loadIssueModelContainer, on OS 27 perhaps unknownDataStoreSchema"
    ]
    if let dropped = outcome.dropped {
      lines.append(
        "without a plan: one inference from the store's model to \(outcome.newest), or an error if the engine cannot infer it"
          + (dropped.isEmpty
            ? "" : "; the engine would drop, with all values: \(dropped.joined(separator: ", "))"))
    } else {
      lines.append("without a plan: the engine finds no model to migrate from (134130)")
    }
    return Block.item("what the app does:", lines)
  }
}

extension StoreFacts {
  package static var salvagePage: String {
    Basis.documentation + "backups.md#when-a-store-is-damaged"
  }
}
