internal import CStoreLibraries
internal import Foundation
internal import ManagedModels
internal import StoreFormat

/// Reads rows from the pages of a database one by one, without the pages of keys that lead to them.
///
/// By SQLite's description of its file format. Every length is held against the page and the file: what does not fit is
/// no row.
struct PageReader {
  private let database: SQLite
  private let pageSize: Int
  private let pageCount: Int
  /// Bytes of a page that are used.
  private let usable: Int
  /// SQLite's own handle of the file. Another one, closed, would take the locks of the whole process with it.
  private let file: UnsafeMutablePointer<sqlite3_file>

  /// `nil` where SQLite does not tell.
  init?(_ database: SQLite) {
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    let status = sqlite3_file_control(
      database.handle, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
    guard status == SQLITE_OK, let pointer, let methods = pointer.pointee.pMethods,
      let pageSize = try? database.number("PRAGMA page_size"), pageSize >= 512
    else { return nil }
    var size: Int64 = 0
    guard methods.pointee.xFileSize?(pointer, &size) == SQLITE_OK else { return nil }
    self.database = database
    self.pageSize = Int(pageSize)
    pageCount = Int(size / pageSize)
    file = pointer
    var header = [UInt8](repeating: 0, count: 100)
    let read = methods.pointee.xRead?(pointer, &header, 100, 0)
    usable = self.pageSize - (read == SQLITE_OK ? Int(header[20]) : 0)
  }

  /// A page, or `nil` for one that is not there. Counted from 1.
  private func page(_ number: Int) -> [UInt8]? {
    guard (1...max(1, pageCount)).contains(number) else { return nil }
    var bytes = [UInt8](repeating: 0, count: pageSize)
    let status = file.pointee.pMethods?.pointee.xRead?(
      file, &bytes, Int32(pageSize), Int64(number - 1) * Int64(pageSize))
    return status == SQLITE_OK ? bytes : nil
  }

  /// Every row on a page of rows, of whichever table, in the order of the pages.
  ///
  /// - Parameter isWanted: Whether a key is worth reading the row.
  func forEachRow(
    isWanted: (Int64) -> Bool, _ body: (_ key: Int64, _ values: [StoredValue]) throws -> Void
  ) throws {
    guard pageCount > 0 else { return }
    for number in 1...pageCount {
      guard let page = page(number) else { continue }
      let start = number == 1 ? 100 : 0
      // A leaf of a table.
      guard page[start] == 0x0D else { continue }
      let count = Self.number(page, start + 3, 2)
      guard count > 0, start + 8 + 2 * count <= usable else { continue }
      for index in 0..<count {
        let place = Self.number(page, start + 8 + 2 * index, 2)
        var reader = Bytes(page[..<usable], at: place)
        guard place >= start + 8 + 2 * count, let length = reader.varint(),
          let key = reader.varint(), isWanted(key), length >= 2,
          length <= Int64(pageCount) * Int64(pageSize),
          let payload = payload(Int(length), reader), let values = Self.values(payload)
        else { continue }
        try body(key, values)
      }
    }
  }

  /// A row's bytes, from its page and the pages that go on from there.
  private func payload(_ length: Int, _ reader: Bytes) -> [UInt8]? {
    let most = usable - 35
    if length <= most { return reader.bytes(length) }
    let least = (usable - 12) * 32 / 255 - 23
    let fitting = least + (length - least) % (usable - 4)
    let local = fitting <= most ? fitting : least
    guard var payload = reader.bytes(local + 4) else { return nil }
    var next = Self.number(payload, local, 4)
    payload.removeLast(4)
    while payload.count < length {
      // Each page adds to it, so that a circle ends.
      guard let page = page(next) else { return nil }
      next = Self.number(page, 0, 4)
      payload += page[4..<min(usable, 4 + length - payload.count)]
    }
    return payload
  }

  private static func values(_ payload: [UInt8]) -> [StoredValue]? {
    var header = Bytes(payload[...], at: 0)
    guard let headerLength = header.varint(), headerLength <= payload.count else { return nil }
    var body = Bytes(payload[...], at: Int(headerLength))
    var values: [StoredValue] = []
    while header.place < headerLength {
      guard let type = header.varint() else { return nil }
      let value: StoredValue
      switch type {
      case 0: value = .null
      case 1...6:
        guard let bytes = body.take([1, 2, 3, 4, 6, 8][Int(type) - 1]) else { return nil }
        value = .integer(integer(bytes))
      case 7:
        guard let bytes = body.take(8) else { return nil }
        value = .real(Double(bitPattern: UInt64(bitPattern: integer(bytes))))
      case 8, 9: value = .integer(type - 8)
      case 12...:
        guard let bytes = body.take(Int(clamping: (type - 12) / 2)) else { return nil }
        value = type % 2 == 0 ? .blob(Data(bytes)) : .text(String(decoding: bytes, as: UTF8.self))
      default: return nil
      }
      values.append(value)
    }
    return header.place == headerLength ? values : nil
  }

  /// With the sign of the first byte.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
    var value: Int64 = bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
    for byte in bytes { value = value << 8 | Int64(byte) }
    return value
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ length: Int) -> Int {
    guard place + length <= bytes.count else { return 0 }
    return bytes[place..<place + length].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Bytes that are read one after another, and not beyond their end.
  private struct Bytes {
    private let all: ArraySlice<UInt8>
    private(set) var place: Int

    init(_ all: ArraySlice<UInt8>, at place: Int) {
      self.all = all
      self.place = place
    }

    /// A number of one to nine bytes.
    mutating func varint() -> Int64? {
      var value: UInt64 = 0
      for index in 0..<9 {
        guard place >= all.startIndex, place < all.endIndex else { return nil }
        let byte = all[place]
        place += 1
        if index == 8 {
          value = value << 8 | UInt64(byte)
        } else {
          value = value << 7 | UInt64(byte & 0x7F)
          if byte < 0x80 { break }
        }
      }
      return Int64(bitPattern: value)
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count >= 0, place <= all.endIndex, count <= all.endIndex - place else { return nil }
      defer { place += count }
      return all[place..<place + count]
    }

    func bytes(_ count: Int) -> [UInt8]? {
      var copy = self
      return copy.take(count).map(Array.init)
    }
  }
}
