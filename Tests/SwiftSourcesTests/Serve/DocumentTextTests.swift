import SchemaModel
import SwiftSources
import Testing

/// An editor's positions and ours name the same characters.
@Suite struct DocumentTextTests {
  private let text = DocumentText("a🌱b\r\n\u{301}é\n\nlast")

  @Test func positionsGoThereAndBack() {
    for encoding in [DocumentText.Encoding.utf8, .utf16] {
      for offset in 0...text.text.unicodeScalars.count {
        // The second half of a line's end is no place of its own.
        if offset == 4 { continue }
        #expect(text.offset(of: text.position(of: offset, encoding), encoding) == offset)
      }
    }
    #expect(text.position(of: 2, .utf16) == .init(line: 0, character: 3))
    #expect(text.position(of: 2, .utf8) == .init(line: 0, character: 5))
  }

  @Test func whatIsBeyondEndsThere() {
    #expect(text.offset(of: .init(line: 0, character: 99), .utf16) == 3)
    #expect(
      text.offset(of: .init(line: 99, character: 0), .utf16) == text.text.unicodeScalars.count)
    #expect(text.offset(of: .init(line: -1, character: -1), .utf16) == 0)
    // In the middle of a character is before it.
    #expect(text.offset(of: .init(line: 0, character: 2), .utf16) == 1)
  }

  @Test func locationsCountScalarsAndLinesOfYAML() {
    let manifest = DocumentText("a\u{2028}b: c\nd")
    let range = manifest.range(of: SourceLocation(file: "", line: 2, column: 1, length: 1))
    #expect(manifest.position(of: range.lowerBound, .utf16) == .init(line: 0, character: 2))
    let swift = manifest.range(
      of: SourceLocation(file: "", line: 2, column: 1, length: 5), isManifest: false)
    #expect(manifest.position(of: swift.upperBound, .utf16) == .init(line: 1, character: 1))
    let marked = DocumentText("\u{FEFF}version: 1")
    #expect(marked.range(of: SourceLocation(file: "", line: 1, column: 1, length: 7)) == 1..<8)
  }

  @Test func editsMakeTheOtherText() {
    for (old, new) in [
      ("abc", "abc"), ("", "x"), ("x", ""), ("aaa", "aa"), ("a\r\nb", "a\nb"),
      ("one two", "one 2 two"),
    ] {
      let document = DocumentText(old)
      let edit = document.edit(to: new)
      #expect((edit == nil) == (old == new))
      if let edit { #expect(document.replacing(edit.range, with: edit.text) == new) }
    }
  }
}
