package import SchemaEvolution
package import SchemaModel
internal import SchemaRendering
internal import SchemaReporting

/// The outcome of one element of a step in the words of `schemagen diff`, for editors.
package struct StepWords: Sendable {
  private let step: VersionStep

  package init(_ step: VersionStep) { self.step = step }

  /// What happens to the older version's rows of an element, as Markdown.
  ///
  /// - Parameter element: Its name in the newer version, or its former name if the step removes it.
  package func text(of element: ElementPath) -> [String] {
    let title: Inline = "\("\(step.heading)", .strong)"
    let changes = step.changesByRisk.map(\.change).filter { $0.element == element }
    guard !changes.isEmpty else { return [title.markdown + ": no change"] }
    return [title.markdown]
      + changes.flatMap { change -> [Inline] in
        ["\(change.mechanism.rawValue), values \(change.effect.inline)"]
          + HistoryDocument.words((change, nil), cites: false)
      }.map(\.markdown)
  }
}
