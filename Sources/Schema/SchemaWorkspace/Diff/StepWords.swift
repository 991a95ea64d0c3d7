package import SchemaEvolution
package import SchemaModel
internal import SchemaRendering
internal import SchemaReporting

/// The outcome of one element of a step in the words of `schemagen diff`, for editors.
package struct StepWords: Sendable {
  private let evolution: Evolution
  private let step: VersionStep

  package init(_ evolution: Evolution, _ step: VersionStep) {
    self.evolution = evolution
    self.step = step
  }

  /// What happens to the older version's rows of an element, as Markdown.
  ///
  /// - Parameter element: Its name in the newer version; the former name if it is gone.
  package func text(of element: ElementPath) -> [String] {
    let title = "**\(MarkdownText.escaped(step.heading))**"
    let changes = step.changesByRisk.map(\.change).filter { $0.element == element }
    guard !changes.isEmpty else { return ["\(title): no change"] }
    return [title] + changes.map { HistoryMarkdown.sentences(($0, nil), showsBasis: false) }
  }
}
