internal import Foundation

/// How this program ends by a signal: what it is writing is written whole, what it has started ends with it, and who
/// sent the signal is told what became of the files.
///
/// SIGINT, SIGTERM and SIGHUP. The program then ends by the same signal, so that a shell sees 128 and its number.
package enum Interruption {
  /// What a signal's handler reads: it may lock nothing and allocate nothing.
  private struct State {
    /// Who speaks; nil where nobody does.
    var name: UnsafeMutablePointer<CChar>?
    /// Where scratch files are written, which do not count.
    var scratch: UnsafeMutablePointer<CChar>?
    /// How many writes are under way.
    var writes: Int32 = 0
    /// How many files were written or removed.
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

  /// From now on a signal that ends this program is seen, and told of under the program's name.
  package static func prepare(as name: String) {
    state.pointee.name = strdup(name)
    RunningProcesses.prepare()
  }

  /// Names a folder for scratch files: what is written there is not written to anybody's files.
  package static func write(scratchFilesTo folder: String) {
    state.pointee.scratch = strdup(folder)
  }

  /// Does work that a signal is not to stop in the middle; the program ends after it. A second signal ends it at once.
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

  /// Counts a file that was written or removed.
  package static func countFile() { lock.withLock { state.pointee.files += 1 } }

  /// Called before there is a handler, which may not be the first to ask for the state.
  static func makeReady() { _ = state }

  /// Whether the handler is to leave the program running, since a write is under way.
  static func waits(_ number: Int32) -> Bool {
    let isSecond = state.pointee.pending != 0
    state.pointee.pending = number
    return state.pointee.writes > 0 && !isSecond
  }

  /// Says what became of the files; called by a signal's handler.
  static func tell() {
    let state = state.pointee
    guard let name = state.name else { return }
    // A line of progress, or what the terminal shows for Ctrl-C.
    if isatty(STDERR_FILENO) == 1 { say("\r\u{1B}[K") }
    say(name)
    if state.writes > 0 {
      say(": stopped in the middle of writing; the next run of schemagen finishes it\n")
    } else if state.files == 0 {
      say(": stopped: nothing was written")
      if let scratch = state.scratch {
        say(" outside ")
        say(scratch)
      }
      say("\n")
    } else {
      say(": stopped; files written or removed before, each as a whole: ")
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
