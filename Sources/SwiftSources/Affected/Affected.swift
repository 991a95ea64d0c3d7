package import SchemaEvolution
package import SchemaModel
internal import SchemaRendering
internal import SchemaWorkspace

/// The places in an app's code that use what changes between versions of its schema.
package struct Affected: Sendable {
  /// Folders that are not looked into, as the user would name them.
  package let excluded: [String]
  private let evolution: Evolution
  /// Stands in front of titles: the folder of manifests, where there are several.
  private let prefix: String
  private let hops: [Hop]
  private let searches: [AffectedSearch]
  private let folders: [AffectedChecklist.Folder]

  /// - Parameters:
  ///   - folder: The folder of manifests.
  ///   - isOneOfSeveral: Whether titles have to say which folder is meant.
  ///   - first: The version to begin with; the last but one where it is nil, or the one before `last`.
  ///   - last: The version to end with; the newest where it is nil.
  package init(
    _ evolution: Evolution, folder: String, isOneOfSeveral: Bool = false,
    from first: VersionNumber? = nil, to last: VersionNumber? = nil
  ) {
    self.evolution = evolution
    prefix = isOneOfSeveral ? "\(folder): " : ""
    let names = evolution.configuration.names
    var hops = evolution.hops.filter { hop in
      let isAfter = first.map { evolution.history[hop.from].number >= $0 } ?? true
      return isAfter && last.map { evolution.history[hop.to].number <= $0 } ?? true
    }
    if first == nil { hops = hops.suffix(1) }
    self.hops = hops
    searches = hops.map { hop in
      let models = evolution.history[hop.from].models + evolution.history[hop.to].models
      return AffectedSearch(
        AffectedSubjects.subjects(of: hop, in: evolution),
        entities: Set(models.compactMap(\.entity)), activeSchema: names.activeSchema)
    }
    let owned = Path.join(folder, evolution.configuration.owned)
    folders = [
      AffectedChecklist.Folder(
        path: Path.join(folder, evolution.configuration.output),
        reason: "`schemagen generate` writes it anew"),
      AffectedChecklist.Folder(
        path: owned, reason: "yours, and not looked into: functions of migrations"),
    ]
    excluded = [owned]
  }

  /// Texts of which one stands in every file that is worth parsing.
  package var words: [String] { Set(searches.flatMap(\.words)).sorted() }

  /// Whether there are two versions to compare.
  package var isEmpty: Bool { hops.isEmpty }

  /// The checklist in Markdown.
  ///
  /// - Parameter files: The app's Swift files, in any order; those that schemagen writes are left out.
  package func checklist(of files: [SourceFile]) -> String {
    let files = files.filter { !GeneratedFile.isMarked($0.bytes) }.sorted { $0.path < $1.path }
    let found = DeepStack.concurrentMap(files.count) { index in
      let source = SwiftSource(files[index])
      return searches.map { $0.look(into: source) }
    }
    let steps = hops.indices.map { index in
      AffectedChecklist.Step(
        title: title(hops[index]), subjects: searches[index].subjects,
        files: found.compactMap { $0[index] })
    }
    return AffectedChecklist(steps, folders: folders).text
  }

  private func title(_ hop: Hop) -> String {
    let new = evolution.history[hop.to]
    let summary = new.summary.map { ": \($0)" } ?? ""
    return "\(prefix)\(evolution.history[hop.from].number.name) → \(new.number.name)\(summary)"
  }
}
