/// Extracts messages from the bytes that a client writes.
///
/// The Language Server Protocol puts a header before each message. The Model Context Protocol puts a line break after
/// each message. The beginning of the stream decides which protocol it is.
package struct MessageStream {
  package enum Framing: Hashable, Sendable {
    /// `Content-Length: 5`, an empty line, five bytes: the Language Server Protocol.
    case headers
    /// A message in each line: the Model Context Protocol.
    case lines
  }

  package enum Item: Hashable, Sendable {
    case message([UInt8])
    case broken(String)
  }

  /// The maximum size of a header in bytes.
  static let longestHeader = 8 * 1024
  /// The maximum size of a message in bytes; a manifest has at most 4 MiB.
  static let largestMessage = 64 << 20

  /// Nil until the first bytes arrive.
  package private(set) var framing: Framing?
  private var buffer: [UInt8] = []
  /// The offset up to which there is no line break, so that a long line is searched only once.
  private var searched = 0

  package init() {}

  package mutating func append(_ bytes: some Sequence<UInt8>) { buffer += bytes }

  /// The next message. Nil if it has not arrived completely.
  package mutating func next() -> Item? {
    if framing == nil { framing = beginning() }
    switch framing {
    case .headers?: return nextWithHeader()
    case .lines?: return nextLine()
    case nil: return nil
    }
  }

  /// The framing according to the stream's beginning; nil if more bytes are needed.
  private mutating func beginning() -> Framing? {
    buffer.removeFirst(buffer.prefix(while: Self.isSpace).count)
    let header = "content-"
    let start = String(decoding: buffer.prefix(header.count), as: UTF8.self).lowercased()
    if start == header { return .headers }
    return header.hasPrefix(start) ? nil : .lines
  }

  private mutating func nextWithHeader() -> Item? {
    guard let end = buffer.prefix(Self.longestHeader).firstRange(of: Array("\r\n\r\n".utf8)) else {
      return buffer.count > Self.longestHeader
        ? .broken("a header of more than \(Self.longestHeader) bytes") : nil
    }
    var length: Int?
    for line in String(decoding: buffer[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { return .broken("'\(line)' is not a header") }
      guard parts[0].lowercased() == "content-length" else { continue }
      let digits = parts[1].drop { $0 == " " }
      // No signs or trailing spaces: anything but a plain number of bytes is refused.
      guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits) else {
        return .broken("'\(parts[1])' is not a length")
      }
      length = number
    }
    guard let length else { return .broken("a header without Content-Length") }
    guard length <= Self.largestMessage else {
      return .broken("a message of \(length) bytes; the limit is \(Self.largestMessage)")
    }
    guard buffer.count - end.upperBound >= length else { return nil }
    defer { buffer.removeFirst(end.upperBound + length) }
    return .message(Array(buffer[end.upperBound..<end.upperBound + length]))
  }

  private mutating func nextLine() -> Item? {
    while let end = buffer[searched...].firstIndex(of: 10) {
      let line = Array(buffer[..<end])
      buffer.removeFirst(end + 1)
      searched = 0
      if !line.allSatisfy(Self.isSpace) { return .message(line) }
    }
    searched = buffer.count
    return searched > Self.largestMessage
      ? .broken("a line of more than \(Self.largestMessage) bytes") : nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [32, 9, 10, 13].contains(byte) }
}

extension MessageStream.Framing {
  package func frame(_ message: JSONValue) -> [UInt8] {
    let body = Array(message.line.utf8)
    switch self {
    case .headers: return Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    case .lines: return body + [10]
    }
  }
}
