package import SchemaEvolution
package import SchemaModel
internal import SchemaRendering
internal import SchemaReporting
internal import SchemaWorkspace
internal import SwiftSources

/// The places in an app's code that use what changes between versions of its schema.
package struct Affected: Sendable {
  /// Folders that are not searched, as the user would name them.
  package let excluded: [String]
  private let steps: [Step]
  private let output: String
  private let activeSchema: String

  /// A step's title, and what it changes.
  private struct Step: Sendable {
    var title: String
    var changes: [SchemaChange]
    var names: AffectedNames
    /// The app's domain entities.
    var entities: Set<String>
  }

  /// - Parameters:
  ///   - folder: The folder of manifests.
  ///   - isOneOfSeveral: Whether titles have to say which folder is meant.
  ///   - first: The version to begin with; the last but one where it is nil, or the one before `last`.
  ///   - last: The version to end with; the newest where it is nil.
  package init(
    _ evolution: Evolution, folder: String, isOneOfSeveral: Bool = false,
    from first: VersionNumber? = nil, to last: VersionNumber? = nil
  ) {
    activeSchema = evolution.configuration.names.activeSchema
    let wanted = evolution.steps.filter { step in
      (first.map { step.old.number >= $0 } ?? true)
        && last.map { step.new.number <= $0 } ?? true
    }
    steps = wanted.suffix(first == nil ? 1 : wanted.count).map { step in
      let (old, new) = (step.old, step.new)
      return Step(
        title: (isOneOfSeveral ? "\(folder): " : "") + step.heading,
        changes: step.changes.filter { $0.kind != .documentationChanged },
        names: AffectedNames(step, in: evolution),
        entities: Set((old.models + new.models).compactMap(\.entity)))
    }
    output = Path.join(folder, evolution.configuration.output)
    excluded = [Path.join(folder, evolution.configuration.owned)]
  }

  /// Texts of which a file must have one to be worth parsing.
  package var words: [String] {
    Set(steps.flatMap { Array($0.names.members.keys) + $0.names.types.keys }).sorted()
  }

  package var isEmpty: Bool { steps.isEmpty }

  // MARK: The list

  /// What to check, as a Markdown list with boxes to tick.
  ///
  /// - Parameter files: The app's Swift files, in any order; those that schemagen writes are left out.
  package func checklist(of files: [SourceFile]) -> String {
    let files = files.filter { !GeneratedFile.isMarked($0.bytes) }.sorted { $0.path < $1.path }
    let found = DeepStack.concurrentMap(files.count) { index in
      let source = SwiftSource(files[index])
      return steps.map { step in
        source.uses(
          of: step.names,
          in: CodeLayer(source, entities: step.entities, activeSchema: activeSchema))
      }
    }
    return steps.enumerated().map { index, step in
      text(of: step, found.flatMap { $0[index] }, isFirst: index == 0)
    }.joined(separator: "\n")
  }

  private func text(of step: Step, _ places: [AffectedPlace], isFirst: Bool) -> String {
    let title = "# \(MarkdownText.escaped(step.title))\n\n"
    guard !step.names.isEmpty else { return title + "Nothing that code uses changes.\n" }
    let sure = places.count(where: \.isSure)
    let more = places.count > sure ? " and \(places.count - sure) more that may be meant," : ""
    let count = Set(places.map(\.place.file)).count
    var parts = [
      "\(title)\(counted(sure, "place"))\(more) in \(counted(count, "file")).\n",
      step.changes.map { change in
        let detail = change.detail.isEmpty ? "" : ": \(MarkdownText.span(change.detail))"
        return "- `\(change.element)`: \(change.classification.title)\(detail)\n"
      }.joined(),
    ]
    if isFirst {
      parts.append(
        "- [ ] `\(output)`: `schemagen generate` rewrites it\n"
          + "- [ ] `\(excluded[0])`: yours, and not searched: functions of migrations\n")
    }
    for need in AffectedNames.Need.allCases {
      let own = Dictionary(grouping: places.filter { $0.isSure && $0.need == need }, by: \.layer)
      if !own.isEmpty { parts.append("## \(need.rawValue)\n") }
      for layer in CodeLayer.allCases {
        if let places = own[layer] { parts.append("### \(layer.rawValue)\n\n\(list(places))") }
      }
    }
    if places.count > sure {
      parts.append(
        "## Possibly\n\nThe name is the same; whose it is cannot be told here.\n\n"
          + list(places.filter { !$0.isSure }))
    }
    return parts.joined(separator: "\n")
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
