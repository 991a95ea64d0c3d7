/// A file read for the core, with its contents and the path that the user knows.
package struct SourceFile: Hashable, Sendable {
  /// The path as messages show it.
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

  /// The contents as text; broken UTF-8 shows as replacement characters.
  package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension [SourceFile] {
  /// The files' texts by path; of several with one path, the first.
  package var textsByPath: [String: String] {
    Dictionary(self, keyedBy: \.path).mapValues(\.text)
  }
}
