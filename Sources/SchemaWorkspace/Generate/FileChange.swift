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

extension [FileChange] {
  /// Writes all changes or none: a failure halfway puts everything back as it was.
  ///
  /// - Throws: `FileSystemError` of the first failure.
  package func write(to fileSystem: some FileSystem) throws(FileSystemError) {
    var done: [FileChange] = []
    do throws(FileSystemError) {
      // What a killed run leaves must be there once at least: a file that moves is written before it goes. The lock
      // comes last: it records what generation gave.
      let isLock = { (change: FileChange) in change.path.hasSuffix("/" + SchemaLock.fileName) }
      let others = filter { !isLock($0) }
      let ordered = others.filter { $0.action != .remove } + others.filter { $0.action == .remove }
      for change in ordered + filter(isLock) {
        if change.action == .remove {
          try fileSystem.remove(change.path)
        } else {
          try fileSystem.write(change.contents, to: change.path)
        }
        done.append(change)
      }
    } catch {
      for change in done.reversed() {
        if let previous = change.previous {
          try? fileSystem.write(previous, to: change.path)
        } else {
          try? fileSystem.remove(change.path)
        }
      }
      throw error
    }
  }
}
