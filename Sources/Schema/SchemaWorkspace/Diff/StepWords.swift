package import SchemaEvolution
package import SchemaModel
internal import SchemaRendering
internal import SchemaReporting

/// What `schemagen diff` says of one element of a step, for where somebody points at it.
package struct StepWords: Sendable {
  private let evolution: Evolution
  private let step: VersionStep

  package init(_ evolution: Evolution, _ step: VersionStep) {
    self.evolution = evolution
    self.step = step
  }

  /// What becomes of the rows that an element has in the version before, as Markdown.
  ///
  /// - Parameter element: By its name in the newer version; what is gone by the name that it had.
  package func text(of element: ElementPath) -> [String] {
    let title = "**\(MarkdownText.escaped(step.heading))**"
    let changes = step.changesByRisk.map(\.change).filter { $0.element == element }
    guard !changes.isEmpty else { return ["\(title): no change"] }
    return [title] + changes.map { HistoryMarkdown.sentences(($0, nil), showsBasis: false) }
  }
}
