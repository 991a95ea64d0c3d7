import SchemaServer
import Testing

/// Messages are found in a stream however it is split, and anything else is refused.
@Suite struct MessageStreamTests {
  private func items(_ text: String, by size: Int) -> [MessageStream.Item] {
    var stream = MessageStream()
    var items: [MessageStream.Item] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      stream.append(rest.prefix(size))
      rest = rest.dropFirst(size)
      while let item = stream.next() {
        items.append(item)
        if case .broken = item { return items }
      }
    }
    return items
  }

  private func message(_ text: String) -> MessageStream.Item { .message(Array(text.utf8)) }

  @Test("Messages do not depend on how their bytes are split", arguments: [1, 2, 3, 7, 64, 4096])
  func isFoundInPieces(size: Int) {
    let headers =
      "Content-Length: 2\r\n\r\n{}Content-Type: x; charset=utf-8\r\ncontent-length:8\r\n\r\n{\"🌱\"}"
    #expect(items(headers, by: size) == [message("{}"), message("{\"🌱\"}")])
    let lines = "\n{\"a\":1}\r\n\n  \n[]\n{\"rest\""
    #expect(items(lines, by: size) == [message("{\"a\":1}\r"), message("[]")])
  }

  @Test func theFirstByteTellsTheProtocol() {
    for (text, framing) in [
      ("Content-Length: 2\r\n\r\n{}", MessageStream.Framing.headers),
      ("content-length: 2\r\n\r\n{}", .headers), ("{}\n", .lines), ("\n {}\n", .lines),
      ("hello\n{}\n", .lines), ("hello {\"id\": 1}\n", .lines),
    ] {
      var stream = MessageStream()
      #expect(stream.framing == nil)
      stream.append(text.utf8)
      #expect(stream.next() != nil)
      #expect(stream.framing == framing)
    }
  }

  @Test(
    "A header without a usable length for the next message is refused",
    arguments: [
      "Content-Length: -1\r\n\r\n", "Content-Length: 1e3\r\n\r\n", "Content-Length: \r\n\r\n{}",
      "Content-Type: x\r\n\r\n{}", "Content-Length 2\r\n\r\n{}",
      "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: 99999999\r\n\r\n",
      "Content-" + String(repeating: "x", count: 9000),
    ])
  func brokenHeaders(text: String) {
    let found = items(text, by: 100)
    guard case .broken? = found.last else {
      Issue.record("\(found)")
      return
    }
  }

  @Test func framesAreReadBack() {
    for framing in [MessageStream.Framing.headers, .lines] {
      var stream = MessageStream()
      let value: JSONValue = ["text": "a\nb 🌱", "n": 1, "list": [true, .null, .number(1.5)]]
      stream.append(framing.frame(value))
      guard case .message(let bytes)? = stream.next() else {
        Issue.record("no message")
        continue
      }
      #expect(JSONValue(parsing: bytes) == value)
      #expect(stream.framing == framing)
    }
  }

  @Test(
    arguments: ["", "{", "nul", "{\"a\":}", "\"\\ud800\"", String(repeating: "[", count: 100_000)])
  func whatIsNoJSONIsNone(text: String) {
    #expect(JSONValue(parsing: Array(text.utf8)) == nil)
  }
}
