package import SchemaModel

/// A change that has to be made to one file.
package struct FileChange: Sendable, Equatable {
  package enum Action: String, Sendable, CaseIterable {
    case create, update, remove
  }

  package var action: Action
  package var path: String
  /// The new bytes; empty for a removal.
  package var contents: [UInt8]
  /// The file's present bytes; nil for a new file.
  package var previous: [UInt8]?

  package init(action: Action, path: String, contents: [UInt8], previous: [UInt8]?) {
    self.action = action
    self.path = path
    self.contents = contents
    self.previous = previous
  }

  /// The first changed line, counted from 1.
  package var firstDifference: Int {
    guard let previous, action == .update else { return 1 }
    let written = previous.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let wanted = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let same = zip(written, wanted).prefix { $0 == $1 }.count
    return min(same + 1, max(1, written.count))
  }

  package static func creating(_ files: [SourceFile]) -> [FileChange] {
    files.map { FileChange(action: .create, path: $0.path, contents: $0.bytes, previous: nil) }
  }
}
