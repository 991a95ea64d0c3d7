import Foundation
import SchemaModel
import SchemaWorkspace
import SwiftChecks
import TestSupport
import Testing

/// How often lint-code is right about containers and stores, in a tree of forms that apps use: `expect: RULE` ends each
/// line with an expected finding.
@Suite struct SourceCheckAccuracyTests {
  static let tree = Checkout.root + "/Tests/Support/Fixtures/SourceChecks"

  @Test func nearlyAllIsRight() throws {
    let lint = SourceLint(
      paths: [Self.tree + "/App"], folders: [Self.tree + "/Schemas"],
      today: CalendarDay("2026-01-01")!, fileSystem: Disk())
    #expect(!lint.isMalformed)
    let found = lint.findings.map { finding in
      let place = finding.location.map { "\($0.file.dropFirst(Self.tree.count + 1)):\($0.line)" }
      return "\(place ?? "") \(finding.rule.id)"
    }
    var expected: Set<String> = []
    for path in filesBelow(Self.tree + "/App") {
      let text = try String(contentsOfFile: Self.tree + "/App/" + path, encoding: .utf8)
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        guard let mark = line.firstRange(of: "// expect: ") else { continue }
        expected.insert("App/\(path):\(index + 1) \(line[mark.upperBound...])")
      }
    }
    let wrong = Set(found).symmetricDifference(expected).sorted()
    let right = Set(found).intersection(expected).count
    let share = Double(right) / Double(right + wrong.count)
    print("source checks: \(right) right of \(right + wrong.count); wrong: \(wrong)")
    #expect(expected.count >= 23)
    #expect(share >= 0.95, "\(wrong.joined(separator: "\n"))")
    // Each place has one finding.
    #expect(Set(found).count == found.count)
  }
}
