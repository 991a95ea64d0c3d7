import Foundation
import SchemaEvolution
import SchemaModel
import TestSupport
import Testing

/// docs/classification.md: people write its text, and its tables are rows of the classification.
@Suite struct ClassificationPageTests {
  /// What the author of a change has to do.
  enum Demand {
    case nothing
    /// `from:`, `fill:`, `dedupe:`, or a reason under `drops:` or `accept:`.
    case answer
    case anotherWay

    init(_ row: Classification) {
      self =
        row.isAcceptable || row.needsAcknowledgement || row.mechanism == .custom
        ? .answer : row.severity == nil ? .nothing : .anotherWay
    }
  }

  @Test("The classification page lists each kind of change once")
  func tables() throws {
    let rows = Dictionary(grouping: ClassificationTable.rows, by: Demand.init)
    let (safe, answered) = (rows[.nothing, default: []], rows[.answer, default: []])
    let tables = [
      safe.filter { $0.effect == .kept }, safe.filter { $0.effect != .kept },
      answered.filter { $0.mechanism == .custom }, answered.filter { $0.mechanism != .custom },
      rows[.anotherWay, default: []],
    ]
    #expect(tables.map(\.count).reduce(0, +) == ChangeKind.allCases.count)
    let path = "docs/classification.md"
    let difference = try difference(
      of: page(
        try String(contentsOfFile: Checkout.root + "/" + path, encoding: .utf8),
        with: tables.map(table)), fromSnapshot: path,
      recordedBy: "ClassificationPageTests")
    #expect(difference == nil, "\(difference ?? "")")
  }

  /// The page with its first tables replaced.
  private func page(_ text: String, with tables: [[String]]) -> String {
    var rest = tables[...]
    var lines: [String] = []
    var isTable = false
    var isReplaced = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("|"), !isTable {
        isReplaced = !rest.isEmpty
        lines += rest.popFirst() ?? []
      }
      isTable = line.hasPrefix("|")
      if !isTable || !isReplaced { lines.append(line) }
    }
    return lines.joined(separator: "\n")
  }

  /// A section's rows. If all values stay, or all rows get a default, the section says so.
  private func table(_ rows: [Classification]) -> [String] {
    let hasEffect = rows.contains { $0.effect != .kept && $0.effect != .defaulted }
    let columns = ["rule", "change", "how"] + (hasEffect ? ["values"] : []) + ["why", "sure"]
    let lines = rows.map { row in
      var how = row.mechanism.rawValue
      if row.isCustomWhenStrict { how += "; custom when strict" }
      if row.needsAcknowledgement { how += "; needs `drops:`" }
      if row.isAcceptable { how += "; can be accepted" }
      return ["`\(row.kind.rawValue)`", row.title, how] + (hasEffect ? [row.effect.rawValue] : [])
        + [row.reason, row.basis.markedLink]
    }
    let written = ([columns] + lines).map { "| " + $0.joined(separator: " | ") + " |" }
    return [written[0], "|" + String(repeating: "---|", count: columns.count)]
      + written.dropFirst()
  }
}

extension Basis {
  /// The mark of the basis as Markdown: a link to its place.
  fileprivate var markedLink: String {
    let link = markdown(docs: "")
    guard link.hasPrefix("["), let target = link.firstIndex(of: "]") else {
      return "\(text) (\(mark.rawValue))"
    }
    return "[\(mark.rawValue)]" + link[link.index(after: target)...]
  }
}
