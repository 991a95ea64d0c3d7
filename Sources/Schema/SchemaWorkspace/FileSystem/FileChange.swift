package import SchemaModel

/// What has to be done to one file.
package struct FileChange: Sendable, Equatable {
  package enum Action: String, Sendable, CaseIterable {
    case create, update, remove
  }

  package var action: Action
  package var path: String
  /// Empty for a removal.
  package var contents: [UInt8]
  /// The file's present bytes; nil for a new file.
  package var previous: [UInt8]?

  package init(action: Action, path: String, contents: [UInt8], previous: [UInt8]?) {
    self.action = action
    self.path = path
    self.contents = contents
    self.previous = previous
  }

  /// Files that are not there yet.
  package static func creating(_ files: [SourceFile]) -> [FileChange] {
    files.map { FileChange(action: .create, path: $0.path, contents: $0.bytes, previous: nil) }
  }
}
