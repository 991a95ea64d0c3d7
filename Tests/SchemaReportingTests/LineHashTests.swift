import Testing

@testable import SchemaReporting

@Suite struct LineHashTests {
  /// The hashes that CodeQL's action computes (docs/facts/tooling.md#report-line-hash).
  @Test(arguments: [
    ("", ["c129715d7a2bc9a3:1"]),
    (
      " a\nb\n  \t\tc\n d",
      ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"]
    ),
  ])
  func knownHashes(_ text: String, _ hashes: [String]) {
    #expect(LineHashes.hashes(of: text) == hashes)
  }

  @Test("All kinds of line breaks hash like LF", arguments: ["\r\n", "\r"])
  func lineBreaks(_ lineBreak: String) {
    let text = "version: 3\n\nmodels:\n  A:\n"
    #expect(
      LineHashes.hashes(of: text.replacing("\n", with: lineBreak)) == LineHashes.hashes(of: text))
  }

  @Test("A line keeps its hash if lines are added before it or its indentation changes")
  func linesMove() {
    let long = String(repeating: "x", count: 120)
    let old = LineHashes.hashes(of: "a: 1\nb: \(long)\n")
    let new = LineHashes.hashes(of: "new\n\n\ta: 1\n  b: \(long)\n")
    #expect(Array(new[2...]) == old)
  }

  @Test("The hashes of equal lines get consecutive numbers")
  func equals() {
    let line = String(repeating: "x", count: 120) + "\n"
    let hashes = LineHashes.hashes(of: line + line + line)
    #expect(hashes.map { $0.split(separator: ":")[1] } == ["1", "2", "3", "1"])
    #expect(Set(hashes.prefix(3).map { $0.split(separator: ":")[0] }).count == 1)
  }

  @Test("Every line has a hash", arguments: ["\n", "\n\n", "a\n", " \n\t\n ", "é🎉\n\u{FEFF}"])
  func lineCount(_ text: String) {
    #expect(LineHashes.hashes(of: text).count == text.utf8.count { $0 == 10 } + 1)
  }
}
