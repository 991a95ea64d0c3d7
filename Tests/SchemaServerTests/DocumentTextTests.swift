import SchemaModel
import SchemaServer
import Testing

/// An editor's positions and ours refer to the same characters.
@Suite struct DocumentTextTests {
  private let text = DocumentText("a🌱b\r\n\u{301}é\n\nlast")

  @Test func positionsGoThereAndBack() {
    for offset in 0...text.text.utf16.count {
      // The second half of a CR LF is not a position.
      if offset == 5 { continue }
      #expect(text.offset(of: text.position(of: offset)) == offset)
    }
    #expect(text.position(of: 3) == .init(line: 0, character: 3))
    #expect(text.position(of: 6) == .init(line: 1, character: 0))
  }

  @Test func whatIsBeyondEndsThere() {
    #expect(text.offset(of: .init(line: 0, character: 99)) == 4)
    #expect(text.offset(of: .init(line: 99, character: 0)) == text.text.utf16.count)
    #expect(text.offset(of: .init(line: -1, character: -1)) == 0)
  }

  @Test func locationsCountScalars() {
    func range(_ line: Int, _ column: Int, _ length: Int) -> Range<Int> {
      text.range(of: SourceLocation(file: "", line: line, column: column, length: length))
    }
    #expect(range(1, 2, 1) == 1..<3)
    #expect(range(1, 3, 9) == 3..<4)
    #expect(range(2, 1, 2) == 6..<8)
    #expect(range(9, 1, 1).isEmpty)
  }

  @Test func editsMakeTheOtherText() {
    for (old, new) in [
      ("abc", "abc"), ("", "x"), ("x", ""), ("aaa", "aa"), ("a\r\nb", "a\nb"),
      ("one two", "one 2 two"), ("🌱", "🌲"), ("a🌱", "a🌱🌱"), ("a\r\n", "a\n"),
    ] {
      let document = DocumentText(old)
      let edit = document.edit(to: new)
      #expect((edit == nil) == (old == new))
      guard let edit else { continue }
      #expect(document.replacing(edit.range, with: edit.text) == new)
      #expect(!edit.text.unicodeScalars.contains("\u{FFFD}"))
    }
  }
}
