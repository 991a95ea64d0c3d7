import Foundation
package import SchemaWorkspace

/// A file system in memory, which can be told to fail.
package final class MemoryDisk: FileSystem {
  private struct State {
    var files: [String: [UInt8]] = [:]
    var writes = 0
    var failAt: Int?
    var failFrom: Int?
  }

  private let state: Guarded

  package init(_ files: [String: String] = [:]) {
    state = Guarded(State(files: files.mapValues { Array($0.utf8) }))
  }

  /// A state behind a lock.
  private final class Guarded: @unchecked Sendable {
    private var state: State
    private let lock = NSLock()

    init(_ state: State) { self.state = state }

    func withLock<Result>(_ work: (inout State) -> Result) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return work(&state)
    }
  }

  /// Texts by path.
  package var files: [String: String] {
    state.withLock { $0.files.mapValues { String(decoding: $0, as: UTF8.self) } }
  }

  package subscript(path: String) -> String? {
    get { state.withLock { $0.files[path] }.map { String(decoding: $0, as: UTF8.self) } }
    set { state.withLock { $0.files[path] = newValue.map { Array($0.utf8) } } }
  }

  /// The number of writes and removals so far.
  package var writes: Int { state.withLock { $0.writes } }

  /// Makes only the write or removal of that number fail, counted from now and from 1.
  package func fail(at number: Int) { state.withLock { $0.failAt = $0.writes + number } }

  /// Makes the write or removal of that number and all later ones fail, as if the process were killed then.
  package func die(at number: Int) { state.withLock { $0.failFrom = $0.writes + number } }

  package func list(_ folder: String) -> [String]? {
    let prefix = folder == "." ? "" : folder + "/"
    let names = state.withLock { state in
      state.files.keys.filter { $0.hasPrefix(prefix) }.compactMap {
        $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init)
      }
    }
    return names.isEmpty ? nil : Set(names).sorted()
  }

  package func isFolder(_ path: String) -> Bool { list(path) != nil }

  package func read(_ path: String, limit: Int) -> [UInt8]? {
    state.withLock { $0.files[path].map { Array($0.prefix(limit)) } }
  }

  package func write(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    try change(path) { $0[path] = bytes }
  }

  package func remove(_ path: String) throws(FileSystemError) {
    try change(path) { $0[path] = nil }
  }

  private func change(
    _ path: String, _ work: (inout [String: [UInt8]]) -> Void
  ) throws(FileSystemError) {
    let fails = state.withLock { state in
      state.writes += 1
      if state.failAt == state.writes || state.failFrom.map({ $0 <= state.writes }) == true {
        return true
      }
      work(&state.files)
      return false
    }
    if fails { throw FileSystemError(path: path, reason: "no space left on device") }
  }
}
