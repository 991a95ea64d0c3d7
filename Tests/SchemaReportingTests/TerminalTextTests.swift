import SchemaReporting
import Testing

/// Text for a terminal of a given width: tables, sentences, and characters that take two columns.
@Suite struct TerminalTextTests {
  @Test(
    "A character's width is its width in a terminal",
    arguments: [
      ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｱ", 1), ("Ａ", 2), ("한글", 4), ("✓ ✗", 3),
      ("🎯", 2), ("⚠️", 2), ("⚠", 1), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("→", 1), ("1️", 1), ("", 0),
    ])
  func widths(text: String, width: Int) {
    #expect(text.width == width)
  }

  private static let rows = [
    ["kept", "lightweight", "Trip.name", "property was added: it is optional [added]"],
    [
      "at risk", "custom", "旅行.名前",
      "property was retyped: String to Int, and some rows may fail [x]",
    ],
  ]

  private func shown(_ rows: [[String]], at width: Int?) -> [[String]] {
    let columns = TextColumns(
      rows, on: TerminalText(usesColor: false, width: width), indent: 2)
    return rows.map { columns.lines($0) }
  }

  @Test("Without a width limit each row is one aligned line")
  func unlimited() {
    #expect(
      shown(Self.rows, at: nil) == [
        ["kept     lightweight  Trip.name  property was added: it is optional [added]"],
        [
          "at risk  custom       旅行.名前  property was retyped: String to Int, and some rows may fail [x]"
        ],
      ])
  }

  @Test("A long sentence continues below its first word")
  func beside() {
    #expect(
      shown(Self.rows, at: 66) == [
        [
          "kept     lightweight  Trip.name  property was added: it is",
          "                                 optional [added]",
        ],
        [
          "at risk  custom       旅行.名前  property was retyped: String to",
          "                                 Int, and some rows may fail [x]",
        ],
      ])
  }

  @Test("A sentence without room next to the cells is printed below them")
  func below() {
    #expect(
      shown(Self.rows, at: 40) == [
        [
          "kept     lightweight  Trip.name", "    property was added: it is optional",
          "    [added]",
        ],
        [
          "at risk  custom       旅行.名前", "    property was retyped: String to",
          "    Int, and some rows may fail [x]",
        ],
      ])
  }

  @Test("No line is wider than the terminal, and no word is lost", arguments: 20...120)
  func everyWidth(width: Int) {
    for (row, lines) in zip(Self.rows, shown(Self.rows, at: width)) {
      #expect(lines.allSatisfy { $0.width + 2 <= width }, "\(lines)")
      let words = lines.joined(separator: " ").split(separator: " ")
      #expect(words == row.joined(separator: " ").split(separator: " "))
    }
  }

  @Test("A table of numbers that is too wide is split into several")
  func numbers() {
    let rows = [
      ["path", "rows", "preserved", "converted", "kills"], ["V1 → V2", "57", "400", "12", "15/15"],
    ]
    let columns = TextColumns(
      rows, rightAlignedFrom: 1, on: TerminalText(usesColor: false, width: 30), indent: 2)
    let tables = columns.groups.map { group in
      rows.map { row in
        let cells = columns.padded(row)
        return group.map { cells[$0] }.joined(separator: "  ")
      }
    }
    #expect(
      tables == [
        ["path     rows  preserved", "V1 → V2    57        400"],
        ["path     converted  kills", "V1 → V2         12  15/15"],
      ])
    let narrow = TextColumns(
      [["V1 → V2 of a-store-of-mine.store", "preserved"]], rightAlignedFrom: 1,
      on: TerminalText(usesColor: false, width: 30))
    #expect(
      narrow.padded(["V1 → V2 of a-store-of-mine.store", "1"]) == [
        "V1 → V2 of a-store…", "        1",
      ])
  }

  @Test("A sentence breaks between words and keeps its indentation")
  func sentences() {
    let terminal = TerminalText(usesColor: false, width: 20)
    #expect(terminal.lines("  one two three four five") == ["  one two three", "    four five"])
    #expect(terminal.lines("  0123456789012345678901234") == ["  0123456789012345678901234"])
    #expect(
      TerminalText.plain.lines("one two three four five six") == ["one two three four five six"])
    #expect(
      TerminalText(usesColor: true, width: 8).fitted("one two three", .bold)
        == "\u{1B}[1mone two\u{1B}[0m\n\u{1B}[1m  three\u{1B}[0m")
  }
}
