import Foundation
import SchemaModel
import Testing

@testable import SchemaReporting

/// One document and three writers: the layout of each, and that no text of a document becomes markup.
@Suite struct DocumentTests {
  static let document: Document = [
    .heading("Step \("(custom)", .faint)"), .paragraph("It says \(code: "a|b"):"),
    .list([
      [.paragraph("one"), .lines(["below", "it"], .bullets)],
      [.paragraph("two"), .code("schemagen check\nschemagen generate")],
    ]),
    .table(
      Table(
        ["Data", "Element"],
        [["\("dropped", .bad)", "first\n".isEmpty ? "" : ["line", "further"].lines]])),
    .table(Table(["path", "rows"], [["\("✓", .good) V1", "12"]], numbersFrom: 1)),
    .paragraph("ways out:"), .list([[.paragraph("go")], [.paragraph("stay")]], .numbers),
    .lines(["done"], .boxes), .picture("<svg></svg>"),
    .folded("More", [.paragraph("hidden")], id: "more"),
  ]

  @Test func text() {
    #expect(
      Self.document.text() == """
        Step (custom)
        It says a|b:
          one
            below
            it
          two
            schemagen check
            schemagen generate

          Data     Element
          dropped  line
                   further

        path  rows
        ✓ V1    12

        ways out:
          1. go
          2. stay

          [ ] done

        More:
          hidden

        """)
    let shown = Document([.table(Table([], [["\("at risk", .bad)", "\("x y", .strong)"]]))])
    #expect(
      shown.text(on: TerminalText(usesColor: true, width: 40))
        == "  \u{1B}[1;31mat risk\u{1B}[0m  \u{1B}[1mx y\u{1B}[0m\n")
  }

  @Test func markdown() {
    #expect(
      Self.document.markdown == """
        ## Step (custom)

        It says `a|b`:

        - one
          - below
          - it
        - two

          ```sh
          schemagen check
          schemagen generate
          ```

        | Data | Element |
        |---|---|
        | **dropped** | line<br>further |

        | path | rows |
        |---|---:|
        | ✓ V1 | 12 |

        ways out:

        1. go
        2. stay

        - [ ] done

        <details><summary>More</summary>

        hidden

        </details>

        """)
  }

  @Test func html() {
    #expect(
      Self.document.html == """
        <h2>Step <span class="faint">(custom)</span></h2>
        <p>It says <code>a|b</code>:</p>
        <ul>
        <li>one<ul>
        <li>below</li>
        <li>it</li>
        </ul>
        </li>
        <li>two<pre><code>schemagen check
        schemagen generate</code></pre>
        </li>
        </ul>
        <div class="scroll"><table><thead><tr><th scope="col">Data</th><th scope="col">Element</th></tr>
        </thead><tbody>
        <tr><td><span class="bad">dropped</span></td><td>line<br>further</td></tr>
        </tbody></table></div>
        <div class="scroll"><table><thead><tr><th scope="col">path</th><th scope="col">rows</th></tr>
        </thead><tbody>
        <tr><td><span class="good">✓</span> V1</td><td>12</td></tr>
        </tbody></table></div>
        <p>ways out:</p>
        <ol>
        <li>go</li>
        <li>stay</li>
        </ol>
        <ul>
        <li>done</li>
        </ul>
        <svg></svg><details id="more"><summary>More</summary>
        <p>hidden</p>
        </details>

        """)
  }

  // MARK: Attacks

  /// Possible names, reasons and paths of users.
  static let texts =
    HostileTextTests.texts + [
      "# heading", "- item", "+ item", "1. item", "2) item", "    code", "\tcode", "===", "---",
      "> quote",
      "/close", "- [x] done", ": term", "javascript:alert(1)", "x) <script>", "\"onclick='a'",
      "--> <!-- <script>", "org/app#7 !3 ~bug %\"1.0\" ada@example.org", "</summary></details>",
      "{{name}} ${name} &lt; &#60;",
    ]

  /// A document with the text in every possible place.
  static func document(_ text: String) -> Document {
    let words: Inline =
      "\(text) \(code: text) \("\(text)", to: text) \("\(text)", .strong) \("\(text)", .warning)"
    let place = SourceLocation(file: text, line: 1, column: 2)
    return [
      .heading(words), .paragraph("\(text)"), .paragraph(words),
      .list([[.paragraph("\(text)"), .lines([text], .numbers)]]),
      .table(Table([words, "B"], [[words, [words, words].lines]])), .code(text),
      .findings([
        Diagnostic(
          Rule("a-rule", "It", basis: .manifest), text, at: place,
          related: [Diagnostic.Related(text, at: place)], help: [text])
      ]),
      .folded(words, [.paragraph(words)]),
    ]
  }

  @Test("Text output shows hidden characters and keeps lines apart", arguments: texts)
  func hostileText(_ text: String) {
    let lines = ReadBack.lines(Self.document(text).text())
    let usual = ReadBack.lines(Self.document("x").text())
    #expect(
      lines.allSatisfy { line in line.unicodeScalars.allSatisfy { !$0.isHidden || $0 == "\t" } })
    // Only text to be copied keeps its lines: blocks of code, and help.
    #expect(lines.count <= usual.count + 2 * text.visibleLines.count)
    // No style other than the terminal's own.
    #expect(!lines.joined().contains("\u{1B}"))
  }

  @Test("Text in HTML cannot add tags or attributes", arguments: texts)
  func hostileHTML(_ text: String) {
    func tags(_ text: String) -> [String] {
      Self.document(text).html.matches(of: /<[^>]*>/).map {
        String($0.output).replacing(/href="[^"]*"/, with: "href")
      }
    }
    // An empty text has no emphasis.
    if !text.isEmpty { #expect(tags(text) == tags("x")) }
    #expect(!Self.document(text).html.contains("\u{202E}"))
  }

  @Test("Text in Markdown cannot add blocks or references", arguments: texts)
  func hostileMarkdown(_ text: String) {
    func unfenced(_ text: String) -> String {
      Self.document(text).markdown.replacing(/(?s)(`{3,})[a-z]+\n.*?\n *\1\n/, with: "")
    }
    let words = unfenced(text).replacing("\\`", with: "").replacing(
      /(?s)`[^`\n]*`|<code>.*?<\/code>|\]\([^)]*\)/, with: "")
    for reference in [
      /[@#!~%$^&][A-Za-z0-9_"]/, /gh-\d/.ignoresCase(), /:\/\//, /www\./.ignoresCase(),
    ] as [Regex<Substring>] {
      for match in words.matches(of: reference) {
        let isEntity =
          words[match.range.lowerBound...].prefixMatch(of: /&(amp|lt|gt|quot|#124|#10|#13|#9);/)
          != nil || words[..<match.range.lowerBound].hasSuffix("&")
        #expect(isEntity, "\(words[match.range.lowerBound...].prefix(40))")
      }
    }
    let tags = Set(words.matches(of: /<[^>\n]*>/).map { String($0.output) })
    #expect(
      tags.isSubset(of: ["<details>", "</details>", "<summary>", "</summary>", "<br>"]), "\(tags)")
    // Lines begin like those of a harmless document.
    func starts(_ text: String) -> Set<String> {
      Set(
        unfenced(text).split(separator: "\n").filter { !$0.hasPrefix("|") }
          .compactMap { $0.firstMatch(of: /^ *(#+ |- |\d+\. |\+ |> |=+$|-+$|\/)/)?.output.1 }
          .map(String.init))
    }
    if !text.contains("\n") { #expect(starts(text).isSubset(of: starts("x")), "\(starts(text))") }
  }
}
