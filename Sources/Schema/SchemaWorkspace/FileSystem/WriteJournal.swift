internal import Foundation
internal import ManagedModels
internal import SchemaProcesses

/// What a run is about to do to several files, kept beside the manifests while it does it: if the run is killed, the
/// next one finishes it.
///
/// A line of JSON, and behind it the bytes of the files, one after the other: as text in JSON they would take longer
/// than writing the files.
package struct WriteJournal: Sendable {
  /// The journal's name in a folder of manifests.
  package static let fileName = ".schemagen-journal"
  private static let format = 2
  /// More than all generated files of the largest histories, as text.
  private static let readLimit = 1 << 30

  private struct Contents: Codable {
    var format: Int
    var changes: [Entry]
  }

  private struct Entry: Codable {
    /// From the journal's folder.
    var path: String
    /// A hash of the bytes before; nil where there was no file.
    var old: String?
    /// How many bytes it gets; nil for a removal.
    var new: Int?
  }

  /// Finishes what a killed run had begun in a folder of manifests.
  ///
  /// A file that is neither as that run found it nor as it leaves it was changed since by somebody else: then nothing
  /// is touched.
  ///
  /// - Returns: How many files that run had to write or to remove; 0 where there is no journal.
  /// - Throws: `FileSystemError` where that cannot be.
  package static func finish(
    in folder: String, _ fileSystem: some FileSystem
  ) throws(FileSystemError) -> Int {
    let journal = Path.join(folder, fileName)
    fileSystem.removeLeftovers(in: folder)
    guard try fileSystem.read(journal, limit: 1) != nil else { return 0 }
    return try fileSystem.exclusively(in: folder) { () throws(FileSystemError) in
      // A run that was under way has removed it by now.
      guard let bytes = try fileSystem.read(journal, limit: readLimit) else { return 0 }
      guard let changes = changes(in: bytes) else {
        throw FileSystemError(
          path: journal,
          reason: "it cannot be read; check with 'git status' what an interrupted run wrote, "
            + "and remove this file")
      }
      var open: [(path: String, bytes: [UInt8]?)] = []
      var edited: [String] = []
      for (entry, new) in changes {
        let path = Path.join(folder, entry.path)
        let present = try fileSystem.read(path, limit: readLimit)
        if present == new { continue }
        if hash(present) == entry.old { open.append((path, new)) } else { edited.append(path) }
      }
      guard edited.isEmpty else {
        let files = edited.map { "'\($0)'" }.joined(separator: ", ")
        throw FileSystemError(
          path: journal,
          reason: "a run was interrupted, and \(files) changed since; to finish that run, restore "
            + "them from git; to keep all files as they are, remove this one")
      }
      for (path, bytes) in open {
        if let bytes {
          try fileSystem.write(bytes, to: path)
        } else {
          try fileSystem.remove(path)
        }
      }
      try fileSystem.remove(journal)
      return changes.count
    }
  }

  /// Does the changes with the journal beside the manifests, or none.
  fileprivate static func write(
    _ changes: [FileChange], in folder: String, to fileSystem: some FileSystem
  ) throws(FileSystemError) {
    try fileSystem.exclusively(in: folder) { () throws(FileSystemError) in
      for change in changes {
        let limit = (change.previous?.count ?? 0) + 1
        guard try fileSystem.read(change.path, limit: limit) == change.previous else {
          throw FileSystemError(
            path: change.path, reason: "it changed while schemagen ran: run it again")
        }
      }
      let journal = Path.join(folder, fileName)
      // One file is written at once, or not at all.
      let isJournaled = changes.count > 1
      // A signal waits: there is no file before the last one is there.
      try Interruption.afterwards { () throws(FileSystemError) in
        if isJournaled { try fileSystem.write(text(of: changes, in: folder), to: journal) }
        try apply(changes, to: fileSystem, journal: isJournaled ? journal : nil)
      }
    }
  }

  /// Does the changes, or none, and removes the journal.
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
      var reason = error.reason
      for change in done.reversed() {
        do throws(FileSystemError) {
          try change.inverse.apply(to: fileSystem)
        } catch {
          reason += "; '\(error.path)' cannot be put back: \(error.reason)"
        }
      }
      // With the journal the next run can still go on.
      guard reason == error.reason else {
        throw FileSystemError(
          path: error.path, reason: reason + "; the next run finishes this one")
      }
      if let journal { try? fileSystem.remove(journal) }
      throw error
    }
    if let journal { try fileSystem.remove(journal) }
  }

  private static func text(of changes: [FileChange], in folder: String) -> [UInt8] {
    let working = FileManager.default.currentDirectoryPath
    let entries = changes.map { change in
      Entry(
        path: Path.relative(change.path, to: folder, in: working), old: hash(change.previous),
        new: change.action == .remove ? nil : change.contents.count)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and numbers alone: nothing that cannot be encoded, and no line break.
    let head = (try? encoder.encode(Contents(format: format, changes: entries))) ?? Data()
    var text = [UInt8](head) + [UInt8(ascii: "\n")]
    text.reserveCapacity(text.count + entries.reduce(0) { $0 + ($1.new ?? 0) })
    for change in changes where change.action != .remove { text += change.contents }
    return text
  }

  /// What a journal says is to be done, with the bytes of each file; nil where it is not whole.
  private static func changes(in text: [UInt8]) -> [(entry: Entry, new: [UInt8]?)]? {
    guard let end = text.firstIndex(of: UInt8(ascii: "\n")),
      let contents = try? JSONDecoder().decode(Contents.self, from: Data(text[..<end])),
      contents.format == format
    else { return nil }
    var rest = text[(end + 1)...]
    var changes: [(entry: Entry, new: [UInt8]?)] = []
    for entry in contents.changes {
      guard let count = entry.new else {
        changes.append((entry, nil))
        continue
      }
      guard (0...rest.count).contains(count) else { return nil }
      changes.append((entry, [UInt8](rest.prefix(count))))
      rest = rest.dropFirst(count)
    }
    return rest.isEmpty ? changes : nil
  }

  private static func hash(_ bytes: [UInt8]?) -> String? {
    bytes.map { SHA256.hash($0).hexadecimal }
  }
}

extension FileChange {
  /// What puts the file back.
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
  /// Writes all changes or none: a failure halfway puts everything back as it was, and a run that is killed is finished
  /// by the next one.
  ///
  /// - Parameter folder: The folder of manifests.
  /// - Throws: `FileSystemError` of the first failure, or for a file that is not as it was when the changes were
  ///   worked out.
  package func write(in folder: String, to fileSystem: some FileSystem) throws(FileSystemError) {
    guard !isEmpty else { return }
    // What moves is written before it goes, for whoever looks meanwhile.
    let ordered = filter { $0.action != .remove } + filter { $0.action == .remove }
    try WriteJournal.write(ordered, in: folder, to: fileSystem)
  }
}
