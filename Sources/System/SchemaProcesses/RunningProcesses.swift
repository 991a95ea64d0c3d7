internal import Foundation

/// The running programs that this program has started. When this program ends, they end too.
///
/// Each has a separate process group, so signals that a terminal or CI sends to this program's group do not reach them.
enum RunningProcesses {
  private static let capacity = 256
  private static let lock = NSLock()
  /// The process groups; 0 is a free place. The signal handler reads them and must not lock or allocate.
  nonisolated(unsafe) private static let groups: UnsafeMutablePointer<pid_t> = {
    let groups = UnsafeMutablePointer<pid_t>.allocate(capacity: capacity)
    groups.initialize(repeating: 0, count: capacity)
    return groups
  }()
  private static let handlers: Void = {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // A signal that was ignored at the start stays ignored, as with `nohup`.
      let before = signal(number, endByHandler)
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        _ = signal(number, SIG_IGN)
      }
    }
  }()

  /// Handles signals from now on. It must be called before a program is started.
  static func prepare() {
    // The groups and the state come first, since the handlers use them.
    _ = groups
    Interruption.makeReady()
    handlers
  }

  static func add(_ process: pid_t) {
    lock.withLock {
      for place in 0..<capacity where groups[place] == 0 {
        groups[place] = process
        return
      }
    }
  }

  static func remove(_ process: pid_t) {
    lock.withLock {
      for place in 0..<capacity where groups[place] == process { groups[place] = 0 }
    }
  }

  /// Ends the started programs, and then this program by the same signal. If a write is in progress, this happens when
  /// the write is done.
  private static let endByHandler: @convention(c) (Int32) -> Void = { number in
    if Interruption.waits(number) { return }
    endAll()
    Interruption.removeTemporaryFiles()
    Interruption.tell()
    _ = signal(number, SIG_DFL)
    // The signal is delivered after this handler returns.
    raise(number)
  }

  /// Sends SIGINT to the programs, waits for up to a second, and kills them.
  static func endAll() {
    for place in 0..<capacity where groups[place] > 0 { kill(-groups[place], SIGINT) }
    for _ in 0..<100 {
      var isOver = true
      for place in 0..<capacity where groups[place] > 0 {
        var status: Int32 = 0
        // Another thread may be waiting for the same process, but this program is ending.
        _ = waitpid(groups[place], &status, WNOHANG)
        if kill(-groups[place], 0) == 0 { isOver = false }
      }
      if isOver { break }
      usleep(10_000)
    }
    for place in 0..<capacity where groups[place] > 0 { kill(-groups[place], SIGKILL) }
  }

  static func endWithParent() {
    prepare()
    let parent = getppid()
    Thread.detachNewThread {
      while getppid() == parent { usleep(200_000) }
      endAll()
      // This program does not end by a signal: a pool thread may have started it, and such threads block signals.
      _exit(128 + SIGTERM)
    }
  }
}
