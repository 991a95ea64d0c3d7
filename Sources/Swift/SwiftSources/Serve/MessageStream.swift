/// Takes messages out of the bytes that a client writes.
///
/// Two protocols share one stream: the Language Server Protocol puts a header before each message, the Model Context
/// Protocol a line break behind it. The first byte tells which: a header begins with a letter, a message with a bracket.
package struct MessageStream {
  /// How messages are told apart.
  package enum Framing: Hashable, Sendable {
    /// `Content-Length: 5`, an empty line, five bytes: the Language Server Protocol.
    case headers
    /// A message in each line: the Model Context Protocol.
    case lines
  }

  /// What the stream holds next.
  package enum Item: Hashable, Sendable {
    case message([UInt8])
    /// Nobody can tell where the next message would begin.
    case broken(String)
  }

  /// More than any header has reason to be.
  static let longestHeader = 8 * 1024
  /// Larger messages are refused: a manifest has 4 MiB at most.
  static let largestMessage = 64 << 20

  /// Nil until the first byte has come.
  package private(set) var framing: Framing?
  private var buffer: [UInt8] = []
  /// Where the part of the buffer begins that nobody has taken.
  private var start = 0
  /// Up to where no line break was found, so that a long line is looked through once.
  private var searched = 0

  package init() {}

  package mutating func append(_ bytes: some Sequence<UInt8>) {
    if start > 0 {
      buffer.removeFirst(start)
      searched -= start
      start = 0
    }
    buffer += bytes
  }

  /// The next message; nil where it has not come yet.
  package mutating func next() -> Item? {
    if framing == nil {
      while start < buffer.count, Self.isSpace(buffer[start]) { start += 1 }
      guard start < buffer.count else { return nil }
      searched = start
      guard let found = beginning() else { return nil }
      framing = found
    }
    switch framing {
    case .headers?: return nextWithHeader()
    case .lines?: return nextLine()
    case nil: return nil
    }
  }

  /// How the first message begins; nil where more of it has to come. A line that is no header and no message is broken,
  /// and whoever wrote it waits for an answer all the same.
  private func beginning() -> Framing? {
    let rest = buffer[start...]
    guard Self.isLetter(buffer[start]) else { return .lines }
    let name = rest.prefix { Self.isLetter($0) || $0 == UInt8(ascii: "-") }
    if name.endIndex == rest.endIndex, name.count <= Self.longestHeader { return nil }
    let isHeader = String(decoding: name, as: UTF8.self).lowercased().hasPrefix("content-")
    return isHeader || name.endIndex < rest.endIndex && rest[name.endIndex] == UInt8(ascii: ":")
      ? .headers : .lines
  }

  // MARK: Headers

  private mutating func nextWithHeader() -> Item? {
    guard start < buffer.count else { return nil }
    guard let end = endOfHeader() else {
      return buffer.count - start > Self.longestHeader
        ? .broken("a header of more than \(Self.longestHeader) bytes") : nil
    }
    let header = String(decoding: buffer[start..<end], as: UTF8.self)
    var length: Int?
    for line in header.split(separator: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { return .broken("'\(line)' is no header") }
      guard parts[0].lowercased() == "content-length" else { continue }
      let digits = parts[1].drop { $0 == " " }
      // No sign, no space behind it: what is not a number of bytes is nothing to guess at.
      guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits) else {
        return .broken("'\(parts[1])' is no length")
      }
      length = number
    }
    guard let length else { return .broken("a header without Content-Length") }
    guard length <= Self.largestMessage else {
      return .broken("a message of \(length) bytes; the most are \(Self.largestMessage)")
    }
    let body = end + 4
    guard buffer.count - body >= length else { return nil }
    start = body + length
    searched = start
    return .message(Array(buffer[body..<start]))
  }

  /// Where the empty line behind a header begins.
  private mutating func endOfHeader() -> Int? {
    let limit = min(buffer.count, start + Self.longestHeader)
    var index = max(start, searched)
    while index + 3 < limit {
      if buffer[index] == 13, buffer[index + 1] == 10, buffer[index + 2] == 13,
        buffer[index + 3] == 10
      {
        searched = index
        return index
      }
      index += 1
    }
    searched = max(start, index)
    return nil
  }

  // MARK: Lines

  private mutating func nextLine() -> Item? {
    while start < buffer.count {
      guard let end = buffer[max(start, searched)...].firstIndex(of: 10) else {
        searched = buffer.count
        return buffer.count - start > Self.largestMessage
          ? .broken("a line of more than \(Self.largestMessage) bytes") : nil
      }
      let line = buffer[start..<end]
      start = end + 1
      searched = start
      if !line.allSatisfy(Self.isSpace) { return .message(Array(line)) }
    }
    return nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [32, 9, 10, 13].contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xDF) }
}

extension MessageStream.Framing {
  /// A message as the other side expects it.
  package func frame(_ message: JSONValue) -> [UInt8] {
    let body = Array(message.line.utf8)
    switch self {
    case .headers: return Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    case .lines: return body + [10]
    }
  }
}
