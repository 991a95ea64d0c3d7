import Foundation
import SchemaReporting
import TestSupport
import Testing

/// Whole reports, as they are kept in `Snapshots`; `Tests/SchemaFiles/validate_reports.py` shows them to outside
/// validators.
@Suite struct SnapshotTests {
  /// Formats that programs read. What people read is not kept for hostile texts: editors would show it wrong.
  private static let strict: [ReportFormat] = [.gitlab, .sarif, .junit, .checkstyle, .json]

  static let all: [(name: String, format: ReportFormat)] =
    ["example", "clean"].flatMap { name in ReportFormat.allCases.map { (name, $0) } }
    + strict.map { ("hostile", $0) }

  @Test("A report is what is kept", arguments: all)
  func isCurrent(_ name: String, _ format: ReportFormat) throws {
    let file = "\(name)-\(format.rawValue).\(format.fileExtension)"
    let url = URL(filePath: Checkout.root + "/Tests/SchemaReportingTests/Snapshots/" + file)
    let now = Examples.report(name).render(format)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try Data(now.utf8).write(to: url)
    }
    let known = (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) }
    // Byte by byte: `==` would take a composed character for its parts.
    guard known.map({ Array($0.utf8) }) != Array(now.utf8) else { return }
    Issue.record(
      """
      \(file) differs; 'RECORD_SNAPSHOTS=1 swift test --filter SchemaReportingTests' records it anew
      \(difference(from: known ?? "", to: now))
      """)
  }

  @Test("No file is kept that no test reads")
  func noneIsLeft() {
    let names = filesBelow(Checkout.root + "/Tests/SchemaReportingTests/Snapshots")
    #expect(
      names
        == Self.all.map { "\($0.name)-\($0.format.rawValue).\($0.format.fileExtension)" }.sorted())
  }
}

extension ReportFormat {
  /// What its files are called.
  var fileExtension: String {
    switch self {
    case .text, .xcode, .github: "txt"
    case .gitlab, .sarif, .json: "json"
    case .junit, .checkstyle: "xml"
    case .markdown: "md"
    }
  }
}
