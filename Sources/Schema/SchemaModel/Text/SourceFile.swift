/// A file that was read, with its contents and the path to show.
package struct SourceFile: Hashable, Sendable {
  package var path: String
  package var bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  package init(path: String, text: String) { self.init(path: path, bytes: Array(text.utf8)) }

  package var name: String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension [SourceFile] {
  package var textsByPath: [String: String] {
    Dictionary(self, keyedBy: \.path).mapValues(\.text)
  }
}
