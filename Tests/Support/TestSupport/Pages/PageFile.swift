import Foundation
package import SchemaModel
internal import SchemaReporting

/// A page of docs/rules as people write it, with its examples.
///
/// It accepts the pages that `Scripts/rules.py` accepts, without reporting what that refuses.
package struct PageFile: Sendable, CustomStringConvertible {
  /// The rule's id.
  package let id: String
  package let text: String
  package private(set) var bad: [PageExample] = []
  package private(set) var good: [PageExample] = []

  /// The path in the checkout.
  package var path: String { "docs/rules/\(id).md" }
  package var description: String { id }

  /// Every page, sorted by id.
  package static let all: [PageFile] = filesBelow(Checkout.root + "/docs/rules")
    .filter { $0 != "README.md" }.map { String($0.dropLast(".md".count)) }.sorted()
    .map(PageFile.init(id:))

  private init(id: String) {
    self.id = id
    let url = URL(filePath: Checkout.root + "/docs/rules/\(id).md")
    text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    var reader = PageReader(text)
    for example in reader.examples() {
      if example.isBad { bad.append(example) } else { good.append(example) }
    }
  }

  /// The page without its comments, as readers see it.
  package var shown: String {
    var isBelowComment = false
    let lines = PageReader.lines(of: text).filter { line in
      defer { isBelowComment = line.hasPrefix("<!-- ") }
      return !line.hasPrefix("<!-- ") && !isBelowComment
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The page with the findings of its bad examples, and with the result of `--fix`.
  package func text(_ lint: (PageExample) -> PageOutcome) -> String {
    var lines = PageReader.lines(of: text)
    for example in bad.reversed() {
      let outcome = lint(example).text(below: example.above, isSwift: example.isSwift)
      lines.replaceSubrange(example.outcome, with: PageReader.lines(of: outcome))
    }
    return lines.map { $0 + "\n" }.joined()
  }
}

/// An example of a page.
package struct PageExample: Sendable {
  package let isBad: Bool
  package let example: Example
  /// Rules whose findings inevitably come with it.
  package let companions: Set<String>
  /// The lines of the page with the findings and fixes.
  let outcome: Range<Int>
  /// The last text shown above these lines under each name.
  let above: [String: String]

  package var isSwift: Bool { example.files.contains { $0.path.hasSuffix(".swift") } }
}

/// The outcome of a bad example.
package struct PageOutcome {
  let findings: [Diagnostic]
  let sources: [String: String]
  let fixed: [SourceFile]

  /// - Parameters:
  ///   - findings: Those of the page's rule.
  ///   - sources: The files with findings, by path.
  ///   - fixed: The files that `--fix` changes, or makes.
  package init(findings: [Diagnostic], sources: [String: String], fixed: [SourceFile]) {
    self.findings = findings
    self.sources = sources
    self.fixed = fixed
  }

  func text(below above: [String: String], isSwift: Bool) -> String {
    let text = "```text\n\(TextReport(sources: sources).render(findings))```\n"
    if fixed.isEmpty { return text }
    let named = fixed.filter { above[$0.path] == $0.text }.map { "`\($0.path)`" }
    let shown = fixed.filter { above[$0.path] != $0.text }.map(Self.block)
    let names = named.isEmpty ? [] : [named.joined(separator: ", ") + " as above.\n"]
    return text + "\n`schemagen \(isSwift ? "lint-code" : "lint") --fix` writes:\n\n"
      + (names + shown).joined(separator: "\n")
  }

  private static func block(_ file: SourceFile) -> String {
    let suffix = file.path.split(separator: ".").last.map(String.init) ?? ""
    let language = ["json", "swift"].contains(suffix) ? suffix : "yaml"
    let text = file.text.visibleLines.joined(separator: "\n")
    return "`\(file.path)`\n\n```\(language)\n\(text)```\n"
  }
}

/// Reads the examples of a page, line by line.
private struct PageReader {
  private let lines: [String]
  private var number = 0
  /// The text last shown under each name.
  private var above: [String: String] = [:]

  init(_ text: String) { lines = Self.lines(of: text) }

  static func lines(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  mutating func examples() -> [PageExample] {
    var examples: [PageExample] = []
    while number < lines.count {
      if let kind = ["## Bad", "## Good"].first(where: lines[number].hasPrefix) {
        number += 1
        examples.append(example(isBad: kind == "## Bad"))
      } else {
        number += 1
      }
    }
    return examples
  }

  private mutating func example(isBad: Bool) -> PageExample {
    var files: [SourceFile] = []
    var shipped: [SourceFile] = []
    var today: CalendarDay?
    var companions: Set<String> = []
    var outcome: Range<Int>?
    var aboveOutcome: [String: String] = [:]
    while number < lines.count, !lines[number].hasPrefix("## ") {
      let line = lines[number]
      if line == "```text" {
        outcome =
          number..<(lines[number...].firstIndex { $0.hasPrefix("## ") }.map { $0 - 1 }
          ?? lines.count)
        aboveOutcome = above
      } else if let day = Self.between("<!-- today: ", " -->", line) {
        today = CalendarDay(day)
      } else if let ids = Self.between("<!-- also: ", " -->", line) {
        companions = Set(ids.components(separatedBy: ", "))
      }
      for title in titles(line) {
        if outcome != nil { continue }
        let name = title.replacing(", as it was released", with: "")
        let file = SourceFile(path: name, text: above[title] ?? "")
        if name == title { files.append(file) } else { shipped.append(file) }
      }
      number += 1
    }
    files.sort { $0.path < $1.path }
    shipped.sort { $0.path < $1.path }
    return PageExample(
      isBad: isBad, example: Example(files: files, shipped: shipped, today: today),
      companions: companions, outcome: outcome ?? number..<number, above: aboveOutcome)
  }

  /// The files that a line names. The text of one followed by a fence is read.
  private mutating func titles(_ line: String) -> [String] {
    if let names = Self.between("`", "` as above.", line) {
      return names.components(separatedBy: "`, `")
    }
    guard let title = Self.between("`", "`", line), number + 2 < lines.count,
      lines[number + 2].hasPrefix("```"),
      let end = lines[(number + 3)...].firstIndex(of: "```")
    else { return [] }
    let isSwift = lines[number + 2] == "```swift"
    let text = lines[(number + 3)..<end].map { $0 + "\n" }.joined()
    above[title] = isSwift ? text : Self.hidden(text)
    number = end
    return [title]
  }

  /// The text between the start and the end, if the line has both.
  private static func between(_ start: String, _ end: String, _ line: String) -> String? {
    guard line.count > start.count + end.count, line.hasPrefix(start), line.hasSuffix(end) else {
      return nil
    }
    return String(line.dropFirst(start.count).dropLast(end.count))
  }

  /// Replaces `\u{200B}` with the character that it names.
  private static func hidden(_ text: String) -> String {
    guard text.contains("\\u{") else { return text }
    return text.replacing(/\\u\{([0-9A-F]+)\}/) { match in
      UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? String(match.0)
    }
  }
}
