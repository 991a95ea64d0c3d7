internal import CGNU
internal import Foundation

/// Handles signals that end this program: current writes are completed, started programs end as well, and a message
/// reports the state of the files.
///
/// The signals are SIGINT, SIGTERM and SIGHUP. The program then ends by the same signal, so that a shell sees 128 plus
/// its number.
package enum Interruption {
  /// The state for the signal handler, which must not lock or allocate.
  private struct State {
    /// The program's name in messages; nil for no messages.
    var name: UnsafeMutablePointer<CChar>?
    /// The folder of scratch files, which are not counted in `files`.
    var scratch: UnsafeMutablePointer<CChar>?
    /// The words of the command that removes the folder for temporary files, as a C array. The folder is the last word.
    /// `nil` if there is no such folder.
    var removal: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    /// The former value of TMPDIR; nil if it was not set.
    var temporary: UnsafeMutablePointer<CChar>?
    var writes: Int32 = 0
    var files: Int32 = 0
    /// The signal that waits for a write to end; 0 for none.
    var pending: Int32 = 0
  }

  nonisolated(unsafe) private static let state: UnsafeMutablePointer<State> = {
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(to: State())
    return state
  }()
  private static let lock = NSLock()

  /// Handles signals from now on. Messages begin with `name`. Temporary files of this program, and of the programs that
  /// it starts, are removed when this program ends, except by SIGKILL.
  package static func prepare(as name: String) {
    state.pointee.name = strdup(name)
    RunningProcesses.prepare()
    let place = FileManager.default.temporaryDirectory.appending(path: "schemagen.XXXXXX").path
    // A signal between creating the folder and preparing its removal would leave the folder behind.
    var signals = sigset_t()
    var before = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    // On Apple's systems Foundation ignores TMPDIR, so only programs that this program starts use the folder.
    guard let folder = strdup(place), mkdtemp(folder) != nil else { return }
    state.pointee.temporary = getenv("TMPDIR").flatMap { strdup($0) }
    setenv("TMPDIR", folder, 1)
    // Programs that are ending may still write to the folder, so it is removed in two attempts, without messages.
    let script = "rm -rf \"$0\" 2>/dev/null || { sleep 0.2; rm -rf \"$0\"; } 2>/dev/null"
    let removal = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: 5)
    for (place, word) in [strdup("sh"), strdup("-c"), strdup(script), folder, nil].enumerated() {
      (removal + place).initialize(to: word)
    }
    state.pointee.removal = removal
    atexit { Interruption.removeTemporaryFiles() }
  }

  /// Removes the folder for temporary files with another program, since a signal handler cannot list a folder.
  static func removeTemporaryFiles() {
    guard let removal = state.pointee.removal, let folder = removal[3] else { return }
    guard rmdir(folder) != 0, errno == ENOTEMPTY || errno == EEXIST else { return }
    var process: pid_t = 0
    var status: Int32 = 0
    // The end of the array serves as an empty environment.
    guard posix_spawn(&process, "/bin/sh", nil, nil, removal, removal + 4) == 0 else { return }
    _ = waitpid(process, &status, 0)
  }

  /// Removes the folder for temporary files and restores TMPDIR. Must be called before another program replaces this
  /// one.
  package static func handOver() {
    removeTemporaryFiles()
    if let folder = state.pointee.temporary {
      setenv("TMPDIR", folder, 1)
    } else {
      unsetenv("TMPDIR")
    }
  }

  package static func write(scratchFilesTo folder: String) {
    state.pointee.scratch = strdup(folder)
  }

  /// Does work that a signal must not interrupt. After a signal the program ends when the work is done; a second signal
  /// ends the program at once.
  package static func afterwards<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.withLock { state.pointee.writes += 1 }
    defer {
      lock.withLock { state.pointee.writes -= 1 }
      if state.pointee.writes == 0, state.pointee.pending != 0 { raise(state.pointee.pending) }
    }
    return try work()
  }

  package static func countFile() { lock.withLock { state.pointee.files += 1 } }

  /// Must be called before a handler is installed, since the handler must not be the first to access the state.
  static func makeReady() { _ = state }

  /// Whether the handler must leave the program running because a write is in progress.
  static func waits(_ number: Int32) -> Bool {
    let isSecond = state.pointee.pending != 0
    state.pointee.pending = number
    return state.pointee.writes > 0 && !isSecond
  }

  static func tell() {
    let state = state.pointee
    guard let name = state.name else { return }
    // Clears a line of progress, or what the terminal shows for Ctrl-C.
    if isatty(STDERR_FILENO) == 1 { say("\r\u{1B}[K") }
    say(name)
    if state.writes > 0 {
      say(": stopped while writing; the next run of schemagen completes the files\n")
    } else if state.files == 0 {
      say(": stopped: nothing was written")
      if let scratch = state.scratch {
        say(" outside ")
        say(scratch)
      }
      say("\n")
    } else {
      say(": stopped; number of files completely written or removed before: ")
      say(state.files)
      say("\n")
    }
  }

  private static func say(_ text: StaticString) {
    _ = Foundation.write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }

  private static func say(_ text: UnsafeMutablePointer<CChar>) {
    _ = Foundation.write(STDERR_FILENO, text, strlen(text))
  }

  private static func say(_ number: Int32) {
    var divisor: Int32 = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      var digit = UInt8(48 + number / divisor % 10)
      _ = Foundation.write(STDERR_FILENO, &digit, 1)
      divisor /= 10
    }
  }
}
