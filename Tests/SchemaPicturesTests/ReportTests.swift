import SchemaEvolution
import SchemaPictures
import SchemaWorkspace
import Testing

@Suite struct ReportTests {
  private func page(_ bodies: String...) throws -> String {
    let report = try #require(
      HistoryReport(title: "T", evolution(bodies), findings: [], lock: SchemaLock()))
    let diagram = report.diagram
    return report.page(diagram, DiagramLayout(diagram.graph), engine: "a test")
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
}
