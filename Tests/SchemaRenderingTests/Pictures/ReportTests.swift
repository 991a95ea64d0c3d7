import Foundation
import SchemaEvolution
import SchemaRendering
import SchemaWorkspace
import TestSupport
import Testing

@Suite struct ReportTests {
  private func page(_ bodies: String...) throws -> String {
    let report = try #require(
      HistoryReport(title: "T", evolution(bodies), findings: [], lock: SchemaLock()))
    let diagram = report.diagram
    return report.page(diagram, DiagramLayout(rowsOf: diagram.graph))
  }

  @Test("Values that become others are no property that never changed")
  func turns() throws {
    let kind = "types: { Kind: { enum: String, cases: "
    let text = try page(
      "models: { A: { properties: { id: Int, length: Int, kind: Kind } } }\n\(kind)[side] } }",
      """
      models:
        A: { properties: { id: Int, length: { type: Int, from: length, convert: $0 / 60 }, kind: Kind } }
      \(kind){ side: { rawValue: aside, renamedFrom: side } } } }
      """)
    #expect(
      text.contains(
        "<td class=\"turn\">length: Int<small>convert values into an attribute; by $0 / 60<"))
    #expect(text.contains("<td class=\"turn\">kind: Kind<small>Kind.side: "))
    #expect(text.contains("Never changed: <code>id</code></p>"))
  }

  /// Each format of a history, as it is kept in Recorded/.
  private static let formats: [(file: String, make: @Sendable (HistoryReport) -> String?)] = [
    (
      "report.html",
      { report in
        let diagram = report.diagram
        let page = report.page(diagram, DiagramLayout(rowsOf: diagram.graph))
        // Their files are kept already.
        return page.replacing(/<(style|script)>.*?<\/(style|script)>/.dotMatchesNewlines()) {
          "<\($0.output.1)></\($0.output.1)>"
        }
      }
    ),
    (
      "report.svg",
      { report in
        let diagram = report.newestDiagram
        return EntityDiagram.svg(
          diagram, DiagramLayout(rowsOf: diagram.graph), title: report.pictureTitle)
      }
    ),
  ]

  @Test("A report is what is kept, in each format", arguments: formats.map(\.file))
  func isCurrent(_ file: String) throws {
    let history = try evolution(DiagramTests.history)
    let report = try #require(
      HistoryReport(
        title: "Trips", history, findings: history.diagnostics, lock: SchemaLock()))
    let make = try #require(Self.formats.first { $0.file == file }).make
    let now = try #require(make(report))
    let change = try difference(
      of: now, fromSnapshot: "Tests/SchemaRenderingTests/Pictures/Recorded/\(file)",
      recordedBy: "SchemaRenderingTests")
    if let change { Issue.record("\(change)") }
  }
}
