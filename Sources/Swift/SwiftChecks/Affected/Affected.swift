package import SchemaEvolution
package import SchemaModel
internal import SchemaRendering
internal import SchemaReporting
internal import SchemaWorkspace
internal import SwiftSources

/// Finds the places in an app's code that use what changes between versions of its schema.
package struct Affected: Sendable {
  package let excluded: [String]
  private let steps: [Step]
  private let output: String
  private let activeSchema: String

  private struct Step: Sendable {
    var title: String
    var changes: [SchemaChange]
    var names: AffectedNames
    var entities: Set<String>
  }

  /// - Parameters:
  ///   - folder: The folder of manifests.
  ///   - isOneOfSeveral: Whether titles must name the folder, because there are several.
  ///   - first: The version to begin with; nil for the one before `last`.
  ///   - last: The version to end with; nil for the newest.
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

  /// A file that contains none of these strings need not be parsed.
  package var words: [String] {
    Set(steps.flatMap { Array($0.names.members.keys) + $0.names.types.keys }).sorted()
  }

  package var isEmpty: Bool { steps.isEmpty }

  // MARK: The list

  /// The places to check, as a Markdown list with boxes to tick. Files that schemagen writes are left out.
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
    return steps.enumerated().flatMap { index, step in
      document(of: step, found.flatMap { $0[index] }, isFirst: index == 0)
    }.markdown
  }

  private func document(
    of step: Step, _ places: [AffectedPlace], isFirst: Bool
  ) -> Document {
    let title = Block.heading("\(step.title)", level: 1)
    guard !step.names.isEmpty else {
      return [title, .paragraph("Nothing that the code uses changes.")]
    }
    let sure = places.count(where: \.isSure)
    let more = places.count > sure ? " and \(places.count - sure) possible ones," : ""
    let count = Set(places.map(\.place.file)).count
    var document: Document = [
      title, .paragraph("\(counted(sure, "place"))\(more) in \(counted(count, "file"))."),
      .lines(
        step.changes.map { change in
          let detail: Inline = change.detail.isEmpty ? "" : ": \(code: change.detail)"
          return "\(code: change.element): \(change.classification.title)\(detail)"
        }, .bullets),
    ]
    if isFirst {
      document.append(
        .lines(
          [
            "\(code: output): \(code: "schemagen generate") rewrites it",
            "\(code: excluded[0]): your migration functions, not searched",
          ], .boxes))
    }
    for need in AffectedNames.Need.allCases {
      let own = Dictionary(grouping: places.filter { $0.isSure && $0.need == need }, by: \.layer)
      if !own.isEmpty { document.append(.heading("\(need.rawValue)")) }
      for layer in CodeLayer.allCases {
        if let places = own[layer] {
          document += [.heading("\(layer.rawValue)", level: 3), list(places)]
        }
      }
    }
    if places.count > sure {
      document += [
        .heading("Possibly"),
        .paragraph(
          "These places use the same name, but schemagen cannot tell whether they use what changes."
        ),
        list(places.filter { !$0.isSure }),
      ]
    }
    return document
  }

  private func list(_ places: [AffectedPlace]) -> Block {
    .lines(
      places.map { found in
        // The path can be clicked.
        "\(code: "\(found.place.file):\(found.place.line)"): \(code: found.code.shortened(to: 120))"
      }, .boxes)
  }
}
