import Foundation
import SchemaReporting
import TestSupport
import Testing

/// Whole reports, recorded in `Snapshots`; `Tests/SchemaFiles/validate_reports.py` passes them to external validators.
@Suite struct SnapshotTests {
  /// Formats that programs read. Formats for people are not recorded with hostile texts, which editors would display
  /// wrongly.
  private static let strict: [ReportFormat] = [.gitlab, .sarif, .junit, .json]

  static let all: [(name: String, format: ReportFormat)] =
    ["example", "clean"].flatMap { name in ReportFormat.allCases.map { (name, $0) } }
    + strict.map { ("hostile", $0) }

  @Test("A report matches its recorded file", arguments: all)
  func isCurrent(_ name: String, _ format: ReportFormat) throws {
    let file = "\(name)-\(format.rawValue).\(format.fileExtension)"
    let change = try difference(
      of: Examples.report(name).render(format),
      fromSnapshot: "Tests/SchemaReportingTests/Snapshots/" + file,
      recordedBy: "SchemaReportingTests")
    if let change { Issue.record("\(change)") }
  }

  @Test("Every recorded report is read by a test")
  func noneIsLeft() {
    let names = filesBelow(Checkout.root + "/Tests/SchemaReportingTests/Snapshots")
    #expect(
      names
        == Self.all.map { "\($0.name)-\($0.format.rawValue).\($0.format.fileExtension)" }.sorted())
  }
}

extension ReportFormat {
  /// The extension of the recorded files.
  var fileExtension: String {
    switch self {
    case .text, .xcode, .github: "txt"
    case .gitlab, .sarif, .json: "json"
    case .junit: "xml"
    case .markdown: "md"
    }
  }
}
