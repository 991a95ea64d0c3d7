internal import CGNU
internal import Foundation

/// Starts a program with `posix_spawn`.
///
/// Foundation's `Process` on Linux lists the open files before each start and copies 256 bytes of each entry, however
/// long it is (`dirent.d_name`). If the last entry is at the end of a page, that crashes this program.
final class Spawn {
  private let actions = Spawn.made(posix_spawn_file_actions_init)
  private let attributes = Spawn.made(posix_spawnattr_init)
  private(set) var pipe: FileHandle?
  private var writingEnd: Int32?
  private var failure: Int32 = 0

  deinit {
    if let writingEnd { close(writingEnd) }
    posix_spawn_file_actions_destroy(actions)
    posix_spawnattr_destroy(attributes)
    actions.deallocate()
    attributes.deallocate()
  }

  /// Creates a value that C declares as a structure on one system and as a pointer on another.
  private static func made<Value>(
    _ initialize: (UnsafeMutablePointer<Value>) -> Int32
  ) -> UnsafeMutablePointer<Value> {
    let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    _ = initialize(value)
    return value
  }

  func open(_ number: Int32, _ path: String, _ flags: Int32) {
    note(posix_spawn_file_actions_addopen(actions, number, path, flags, 0o600))
  }

  func changeFolder(to folder: String) {
    note(posix_spawn_file_actions_addchdir_np(actions, folder))
  }

  func readLines(from number: Int32) {
    var ends: [Int32] = [0, 0]
    guard Foundation.pipe(&ends) == 0 else { return note(errno) }
    pipe = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    writingEnd = ends[1]
    note(posix_spawn_file_actions_adddup2(actions, ends[1], number))
  }

  /// Starts a program in a separate process group, with no blocked signals and no other open files.
  func start(
    _ words: [String], _ environment: [String: String]
  ) throws(ChildProcess.Failure) -> pid_t {
    var none = sigset_t()
    sigemptyset(&none)
    note(posix_spawnattr_setsigmask(attributes, &none))
    note(posix_spawnattr_setpgroup(attributes, 0))
    var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
      // Only these descriptors stay open.
      for number: Int32 in 0...2 {
        note(posix_spawn_file_actions_addinherit_np(actions, number))
      }
    #else
      note(posix_spawn_file_actions_addclosefrom_np(actions, 3))
    #endif
    note(posix_spawnattr_setflags(attributes, .init(flags)))
    var process: pid_t = 0
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    if failure == 0 {
      note(posix_spawn(&process, words[0], actions, attributes, arguments, variables))
    }
    guard failure == 0 else {
      throw .notStarted("\(words[0]): \(String(cString: strerror(failure)).lowercased())")
    }
    // The reader only sees the end once this program's descriptor is closed, too.
    if let end = writingEnd {
      close(end)
      writingEnd = nil
    }
    return process
  }

  private func note(_ result: Int32) {
    if failure == 0 { failure = result }
  }
}
