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
    return report.page
  }

  @Test("A converted value is shown as changed, even if its name and type stay")
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
        "changed</span> <code>length: Int</code>: convert values into an attribute; by $0 / 60<"))
    #expect(text.contains("changed</span> <code>kind: Kind</code>: Kind.side: "))
    #expect(text.contains("Never changed:</span> <code>id</code></p>"))
  }

  @Test("The history report matches its recorded page")
  func isCurrent() throws {
    let history = try evolution(DiagramTests.history)
    let report = try #require(
      HistoryReport(
        title: "Trips", history, findings: history.diagnostics, lock: SchemaLock()))
    // Styles and scripts are recorded in files of their own.
    let page = report.page.replacing(
      /<(style|script)>.*?<\/(style|script)>/.dotMatchesNewlines()
    ) {
      "<\($0.output.1)></\($0.output.1)>"
    }
    let change = try difference(
      of: page, fromSnapshot: "Tests/SchemaRenderingTests/Pictures/Recorded/report.html",
      recordedBy: "SchemaRenderingTests")
    if let change { Issue.record("\(change)") }
  }
}
