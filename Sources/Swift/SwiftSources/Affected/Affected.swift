package import SchemaEvolution
package import SchemaModel
internal import SchemaRendering
internal import SchemaReporting
internal import SchemaWorkspace

/// The places in an app's code that use what changes between versions of its schema.
package struct Affected: Sendable {
  /// Folders that are not looked into, as the user would name them.
  package let excluded: [String]
  /// For each step its title, and what it changes.
  private let steps: [(title: String, search: AffectedSearch)]
  private let output: String

  /// - Parameters:
  ///   - folder: The folder of manifests.
  ///   - isOneOfSeveral: Whether titles have to say which folder is meant.
  ///   - first: The version to begin with; the last but one where it is nil, or the one before `last`.
  ///   - last: The version to end with; the newest where it is nil.
  package init(
    _ evolution: Evolution, folder: String, isOneOfSeveral: Bool = false,
    from first: VersionNumber? = nil, to last: VersionNumber? = nil
  ) {
    let names = evolution.configuration.names
    let wanted = evolution.steps.filter { step in
      (first.map { step.old.number >= $0 } ?? true)
        && last.map { step.new.number <= $0 } ?? true
    }
    steps = wanted.suffix(first == nil ? 1 : wanted.count).map { step in
      let (old, new) = (step.old, step.new)
      let title =
        (isOneOfSeveral ? "\(folder): " : "") + "\(old.number.name) → \(new.number.name)"
        + (new.summary.map { ": \($0)" } ?? "")
      let entities = Set((old.models + new.models).compactMap(\.entity))
      return (
        title,
        AffectedSearch(
          AffectedSubject.subjects(of: step, in: evolution), entities: entities,
          activeSchema: names.activeSchema)
      )
    }
    output = Path.join(folder, evolution.configuration.output)
    excluded = [Path.join(folder, evolution.configuration.owned)]
  }

  /// Texts of which one stands in every file that is worth parsing.
  package var words: [String] {
    steps.reduce(into: Set<String>()) { $0.formUnion($1.search.names) }.sorted()
  }

  /// Whether there are no two versions to compare.
  package var isEmpty: Bool { steps.isEmpty }

  // MARK: The list

  /// What is to be looked at, in Markdown, to be ticked off.
  ///
  /// - Parameter files: The app's Swift files, in any order; those that schemagen writes are left out.
  package func checklist(of files: [SourceFile]) -> String {
    let files = files.filter { !GeneratedFile.isMarked($0.bytes) }.sorted { $0.path < $1.path }
    let found = DeepStack.concurrentMap(files.count) { index in
      let source = SwiftSource(files[index])
      return steps.map { $0.search.look(into: source) }
    }
    return steps.enumerated().map { index, step in
      var text = "# \(MarkdownText.escaped(step.title))\n\n"
      let places = found.flatMap { $0[index] }
      if step.search.subjects.isEmpty { return text + "Nothing that code uses changes.\n" }
      let sure = places.count(where: \.isSure)
      let more = places.count > sure ? " and \(places.count - sure) more that may be meant," : ""
      let count = Set(places.map(\.place.file)).count
      text += "\(counted(sure, "place"))\(more) in \(counted(count, "file")).\n\n"
      if index == 0 {
        text += "- [ ] `\(output)`: `schemagen generate` rewrites it\n"
        text += "- [ ] `\(excluded[0])`: yours, and not searched: functions of migrations\n\n"
      }
      return text
        + step.search.subjects.enumerated().map { number, subject in
          section(subject, places.filter { $0.subject == number })
        }.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private func section(_ subject: AffectedSubject, _ places: [AffectedPlace]) -> String {
    var text = "## \(subject.title)\n\n" + subject.changes.map { "*\($0)*\n\n" }.joined()
    if places.isEmpty { text += "Nothing uses it.\n" }
    let sure = Dictionary(grouping: places.filter(\.isSure), by: \.layer)
    var parts = CodeLayer.allCases.compactMap { layer in
      sure[layer].map { "### \(layer.rawValue)\n\n" + list($0) }
    }
    let possible = places.filter { !$0.isSure }
    if !possible.isEmpty {
      parts.append(
        "### Possibly\n\nThe name is the same; whose it is cannot be told here.\n\n"
          + list(possible))
    }
    return text + parts.joined(separator: "\n")
  }

  private func list(_ places: [AffectedPlace]) -> String {
    places.map { found in
      // A path that can be clicked: nothing is escaped but what would hide a part of it.
      let path = String(found.place.file.flatMap { "\\`*<[".contains($0) ? ["\\", $0] : [$0] })
      let code = MarkdownText.span(found.code.shortened(to: 120))
      return "- [ ] \(path):\(found.place.line): \(code)\n"
    }.joined()
  }
}
