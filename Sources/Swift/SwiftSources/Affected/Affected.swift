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
  private let steps: [VersionStep]
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
    var steps = evolution.steps.filter { step in
      let isAfter = first.map { evolution.history[step.from].number >= $0 } ?? true
      return isAfter && last.map { evolution.history[step.to].number <= $0 } ?? true
    }
    if first == nil { steps = steps.suffix(1) }
    self.steps = steps
    searches = steps.map { step in
      let models = evolution.history[step.from].models + evolution.history[step.to].models
      return AffectedSearch(
        AffectedSubjects.subjects(of: step, in: evolution),
        entities: Set(models.compactMap(\.entity)), activeSchema: names.activeSchema)
    }
    let owned = Path.join(folder, evolution.configuration.owned)
    folders = [
      AffectedChecklist.Folder(
        path: Path.join(folder, evolution.configuration.output),
        reason: "`schemagen generate` rewrites it"),
      AffectedChecklist.Folder(
        path: owned, reason: "yours, and not searched: functions of migrations"),
    ]
    excluded = [owned]
  }

  /// Texts of which one stands in every file that is worth parsing.
  package var words: [String] { Set(searches.flatMap(\.words)).sorted() }

  /// Whether there are two versions to compare.
  package var isEmpty: Bool { steps.isEmpty }

  /// The checklist in Markdown.
  ///
  /// - Parameter files: The app's Swift files, in any order; those that schemagen writes are left out.
  package func checklist(of files: [SourceFile]) -> String {
    let files = files.filter { !GeneratedFile.isMarked($0.bytes) }.sorted { $0.path < $1.path }
    let found = DeepStack.concurrentMap(files.count) { index in
      let source = SwiftSource(files[index])
      return searches.map { $0.look(into: source) }
    }
    let entries = steps.indices.map { index in
      AffectedChecklist.Step(
        title: title(steps[index]), subjects: searches[index].subjects,
        files: found.compactMap { $0[index] })
    }
    return AffectedChecklist(entries, folders: folders).text
  }

  private func title(_ step: VersionStep) -> String {
    let new = evolution.history[step.to]
    let summary = new.summary.map { ": \($0)" } ?? ""
    return "\(prefix)\(evolution.history[step.from].number.name) → \(new.number.name)\(summary)"
  }
}
