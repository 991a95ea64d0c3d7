import Foundation
import SchemaModel
import Testing

@testable import SchemaReporting

/// Whatever text a manifest puts into messages or paths, each format can be read back with that text.
@Suite struct HostileTextTests {
  static let texts = [
    "", " ", "plain", "a\nb\r\nc\rd\n", "::error file=x,line=1::y", "::stop-commands::x",
    "100% %0A %25 %", "a,b:c=d;e", "]]> <![CDATA[ </failure> <b> & &amp; \" '",
    "| a | b |", "`` ` ``` ``", "<details></details></table>",
    "x\n```\n<details>\n````\n<details>", "[a](b) ![c](d) *e* _f_ ~~g~~ $h$",
    "\\ \\| \\n", "for @ada see #12, GH-12 and www.example.org", "emoji 👩‍👩‍👧 🇩🇪 e\u{301}",
    "\u{202E}rtl\u{2066}\u{200B}",
    "\u{0}\u{1}\u{8}\u{B}\u{C}\u{1B}[31m\u{7F}\u{85}\u{9B}\u{2028}\u{2029}\u{FEFF}",
    "\u{FFFE}\u{FFFF}\u{FFFD}\u{10FFFF}", "../..", "a: b\t- c\t",
    String(repeating: "long \u{1F389}<|%`\n", count: 1000),
  ]

  private func path(_ text: String) -> String { "Schemas/\(text).yaml" }

  @Test(arguments: texts) func json(_ text: String) throws {
    let report = Examples.report(saying: text)
    let root = try #require(ReadBack.json(report.render(.json)) as? [String: Any])
    let findings = try #require(root["findings"] as? [[String: Any]])
    try #require(findings.count == 2)
    #expect(same(findings[0]["message"], text))
    let finding = findings[1]
    let related = try #require((finding["related"] as? [[String: Any]])?.first)
    for found in [finding["message"], finding["element"], related["message"]] {
      #expect(same(found, text))
    }
    let location = try #require(finding["location"] as? [String: Any])
    #expect(same(location["file"], report.relativePath(path(text))))
    #expect(same((finding["help"] as? [String])?.first, text))
    let accepted = try #require((root["accepted"] as? [[String: Any]])?.first)
    #expect((root["rules"] as? [[String: Any]])?.map { $0["id"] as? String } == ["missing-default"])
    #expect(same(accepted["reason"], text))
  }

  @Test(arguments: texts) func sarif(_ text: String) throws {
    let root = try #require(
      ReadBack.json(Examples.report(saying: text).render(.sarif)) as? [String: Any])
    let run = try #require((root["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    try #require(results.count == 3)
    let message = (results[1]["message"] as? [String: Any])?["text"]
    #expect(same(message, (text.isEmpty ? "missing-default" : text) + "\nhelp: " + text))
    #expect(strings(in: root).allSatisfy { !$0.isEmpty })
    let uris = strings(in: root, under: "uri")
    #expect(uris.count == 5)
    #expect(
      uris.allSatisfy { uri in
        uri.unicodeScalars.allSatisfy {
          $0.isASCII && $0.value > 0x20 && !":\"<>|`".contains(Character($0))
        }
      })
    let report = Examples.report(saying: text)
    #expect(same(uris[0].removingPercentEncoding, report.relativePath(path(text))))
  }

  @Test(arguments: texts) func gitlab(_ text: String) throws {
    let report = Examples.report(saying: text)
    let issues = try #require(ReadBack.json(report.render(.gitlab)) as? [[String: Any]])
    try #require(issues.count == 2)
    #expect(same(issues[1]["description"], text))
    let location = try #require(issues[1]["location"] as? [String: Any])
    #expect(same(location["path"], report.relativePath(path(text))))
  }

  @Test(arguments: texts) func junit(_ text: String) throws {
    let report = Examples.report(saying: text)
    let elements = try #require(ReadBack.xml(report.render(.junit)))
    #expect(
      elements.map(\.name) == [
        "testsuites", "testsuite", "testcase", "system-out", "testsuite", "testcase", "failure",
      ])
    let failure = try #require(elements.last)
    #expect(same(failure.attributes["message"], inXML(text)))
    #expect(failure.text.unicodeScalars.contains { $0 == "[" })
    #expect(same(elements[4].attributes["name"], inXML(report.relativePath(path(text)))))
  }

  @Test(arguments: texts) func github(_ text: String) throws {
    let report = Examples.report(saying: text)
    let commands = try #require(ReadBack.commands(report.render(.github)))
    #expect(commands.map(\.name) == ["error", "warning"])
    let command = try #require(commands.first)
    #expect(same(command.properties["file"], report.relativePath(path(text))))
    #expect(
      Set(command.properties.keys) == ["file", "line", "endLine", "col", "endColumn", "title"])
    #expect(command.data.hasPrefix(text.visible + "\nhelp: "))
    #expect(same(commands[1].data, text.visible))
  }

  @Test(arguments: texts) func xcode(_ text: String) throws {
    let lines = ReadBack.lines(Examples.report(saying: text).render(.xcode))
    #expect(lines.first == "schemagen: warning: \(text.visible) [missing-default]")
    let place = Examples.report(saying: text).absolutePath(path(text)).visible + ":2:3: "
    #expect(lines.dropFirst().first == "\(place)error: \(text.visible) [missing-default]")
    #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix(place + "note: ") })
    #expect(lines.allSatisfy(isVisible))
  }

  @Test(arguments: texts) func text(_ text: String) {
    let lines = ReadBack.lines(Examples.report(saying: text).render(.text))
    #expect(lines.first == "warning: \(text.visible) [missing-default]")
    #expect(lines.last == "1 error, 1 warning, 1 accepted")
    #expect(lines.allSatisfy(isVisible))
  }

  @Test(arguments: texts) func markdown(_ text: String) {
    let report = Examples.report(saying: text).render(.markdown)
    let lines = ReadBack.lines(report)
    let rows = lines.drop { !$0.hasPrefix("|---") }.dropFirst().prefix { $0.hasPrefix("| ") }
    #expect(rows.count == 2)
    for row in rows { #expect(cells(row) == 5, "\(row)") }
    // The zero-width space is ours and prevents mentions; the user's own is written as an escape.
    #expect(lines.allSatisfy { isVisible($0.replacing("\u{200B}", with: "")) })
    #expect(report.contains("\\u{200B}") == text.contains("\u{200B}"))
    if text.contains("@ada") {
      let words = "for @\u{200B}ada see #\u{200B}12, GH-\u{200B}12 and www\u{200B}.example.org"
      #expect(report.contains("| \(words) |"))
    }
    // Outside the fences, all markup is ours.
    let outside = unfenced(lines)
    #expect(outside.filter { $0.hasPrefix("<details>") }.count == 1)
    #expect(outside.last == "</details>")
    #expect(report.utf8.count <= 1_048_576)
  }

  // MARK: Means

  /// Whether texts are equal scalar by scalar; `==` would take a composed character for its parts.
  private func same(_ found: Any?, _ text: String) -> Bool {
    (found as? String).map { Array($0.unicodeScalars) == Array(text.unicodeScalars) } ?? false
  }

  private func isVisible(_ line: String) -> Bool {
    line.unicodeScalars.allSatisfy { !$0.isHidden || $0 == "\t" }
  }

  /// Characters that XML 1.0 cannot hold are shown as escapes.
  private func inXML(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 9, 10, 13, 0x20...0xFFFD, 0x10000...0x10FFFF: result.unicodeScalars.append(scalar)
      default: result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      }
    }
    return result
  }

  /// The number of cells in a table's row: pipes without a backslash separate them.
  private func cells(_ row: String) -> Int {
    var count = 0
    var isEscaped = false
    for scalar in row.unicodeScalars {
      if scalar == "|", !isEscaped { count += 1 }
      isEscaped = scalar == "\\" && !isEscaped
    }
    return count - 1
  }

  /// The lines outside blocks of code.
  private func unfenced(_ lines: [String]) -> [String] {
    var fence: String?
    var result: [String] = []
    for line in lines {
      if let open = fence {
        if line.hasPrefix(open), line.allSatisfy({ $0 == "`" }) { fence = nil }
      } else if line.hasPrefix("```") {
        fence = String(line.prefix { $0 == "`" })
      } else {
        result.append(line)
      }
    }
    return result
  }

  private func strings(in value: Any) -> [String] {
    switch value {
    case let text as String: [text]
    case let list as [Any]: list.flatMap { strings(in: $0) }
    case let object as [String: Any]: object.values.flatMap { strings(in: $0) }
    default: []
    }
  }

  private func strings(in value: Any, under key: String) -> [String] {
    switch value {
    case let list as [Any]: list.flatMap { strings(in: $0, under: key) }
    case let object as [String: Any]:
      object.flatMap { name, value in
        name == key ? strings(in: value) : strings(in: value, under: key)
      }
    default: []
    }
  }
}
