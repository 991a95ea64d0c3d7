/// A file that was read, with its contents and the path to show.
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
  /// The files' texts by path. The first of several files with the same path is kept.
  package var textsByPath: [String: String] {
    Dictionary(self, keyedBy: \.path).mapValues(\.text)
  }
}
