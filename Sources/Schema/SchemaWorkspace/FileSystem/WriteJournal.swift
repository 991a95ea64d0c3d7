internal import Foundation
internal import ManagedModels
internal import SchemaProcesses

/// The changes of a run to several files, stored as JSON next to the manifests while the run writes them. If the run is
/// killed, the next run completes the changes.
package struct WriteJournal: Codable, Sendable {
  package static let fileName = ".schemagen-journal"
  /// More bytes than all generated files of the largest histories need in Base64.
  private static let readLimit = 1 << 30

  private struct Entry: Codable {
    /// The path relative to the journal's folder.
    var path: String
    /// A hash of the old bytes; nil if there was no file.
    var old: String?
    /// The new bytes; nil for a removal.
    var new: Data?
  }

  private var changes: [Entry]

  /// Completes the changes of a killed run in a folder of manifests.
  ///
  /// If a file is neither as it was before that run nor as the run would leave it, the file has been changed since, and
  /// nothing is written.
  ///
  /// - Returns: The number of files that the run had to write or remove. 0 if there is no journal.
  package static func finish(
    in folder: String, _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> Int {
    let path = Path.join(folder, fileName)
    fileSystem.removeLeftovers(in: folder)
    guard try fileSystem.read(path, limit: 1) != nil else { return 0 }
    return try fileSystem.exclusively(in: folder) { () throws(FileSystemError) in
      // The journal is gone if another run was still active and has removed it.
      guard let bytes = try fileSystem.read(path, limit: readLimit) else { return 0 }
      guard let journal = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else {
        throw FileSystemError(
          path: path,
          reason: "it cannot be read; check with 'git status' what an interrupted run wrote, "
            + "and remove this file")
      }
      var open: [FileChange] = []
      var edited: [String] = []
      for entry in journal.changes {
        let path = Path.join(folder, entry.path)
        let present = try fileSystem.read(path, limit: readLimit)
        let new = entry.new.map { [UInt8]($0) }
        if present == new { continue }
        if hash(present) != entry.old { edited.append("'\(path)'") }
        open.append(
          FileChange(
            action: new == nil ? .remove : .update, path: path, contents: new ?? [], previous: nil))
      }
      guard edited.isEmpty else {
        throw FileSystemError(
          path: path,
          reason:
            "a run was interrupted, and \(edited.joined(separator: ", ")) changed since; to finish that run, "
            + "restore them from git; to keep all files as they are, remove this file")
      }
      for change in open { try change.apply(to: fileSystem) }
      try fileSystem.remove(path)
      return journal.changes.count
    }
  }

  fileprivate static func write(
    _ changes: [FileChange], in folder: String, to fileSystem: some FileSystem
  ) throws(FileSystemError) {
    try fileSystem.exclusively(in: folder) { () throws(FileSystemError) in
      for change in changes {
        let limit = (change.previous?.count ?? 0) + 1
        guard try fileSystem.read(change.path, limit: limit) == change.previous else {
          throw FileSystemError(
            path: change.path, reason: "it changed while schemagen ran: run the command again")
        }
      }
      let path = Path.join(folder, fileName)
      let working = FileManager.default.currentDirectoryPath
      let journal = Self(
        changes: changes.map { change in
          Entry(
            path: Path.relative(change.path, to: folder, in: working), old: hash(change.previous),
            new: change.action == .remove ? nil : Data(change.contents))
        })
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      // A signal is handled afterwards, when all files are written.
      try Interruption.afterwards { () throws(FileSystemError) in
        // A single file is written atomically. The journal contains only strings and bytes, which can always be
        // encoded.
        let isJournaled = changes.count > 1
        if isJournaled {
          try fileSystem.write([UInt8]((try? encoder.encode(journal)) ?? Data()), to: path)
        }
        try apply(changes, to: fileSystem, journal: isJournaled ? path : nil)
        if isJournaled { try fileSystem.remove(path) }
      }
    }
  }

  /// Applies all changes or none; on failure the journal is removed as well.
  private static func apply(
    _ changes: [FileChange], to fileSystem: some FileSystem, journal: String?
  ) throws(FileSystemError) {
    var done: [FileChange] = []
    do throws(FileSystemError) {
      for change in changes {
        try change.apply(to: fileSystem)
        done.append(change)
      }
    } catch {
      do throws(FileSystemError) {
        for change in done.reversed() { try change.inverse.apply(to: fileSystem) }
      } catch let second {
        // With the journal the next run can complete the changes.
        throw FileSystemError(
          path: error.path,
          reason: "\(error.reason); '\(second.path)' cannot be restored: \(second.reason); "
            + "the next run finishes this one")
      }
      if let journal { try? fileSystem.remove(journal) }
      throw error
    }
  }

  private static func hash(_ bytes: [UInt8]?) -> String? {
    bytes.map { SHA256.hash($0).hexadecimal }
  }
}

extension FileChange {
  fileprivate var inverse: FileChange {
    FileChange(
      action: previous == nil ? .remove : .update, path: path, contents: previous ?? [],
      previous: nil)
  }

  fileprivate func apply(to fileSystem: some FileSystem) throws(FileSystemError) {
    if action == .remove {
      try fileSystem.remove(path)
    } else {
      try fileSystem.write(contents, to: path)
    }
  }
}

extension [FileChange] {
  /// Writes all changes or none. A failure restores all files, and the next run completes a killed run.
  ///
  /// - Throws: `FileSystemError` of the first failure, or for a file that has changed since the changes were computed.
  package func write(in folder: String, to fileSystem: some FileSystem) throws(FileSystemError) {
    guard !isEmpty else { return }
    // A moved file is written to its new place before the old one is removed, so that it always exists.
    let ordered = filter { $0.action != .remove } + filter { $0.action == .remove }
    try WriteJournal.write(ordered, in: folder, to: fileSystem)
  }
}
