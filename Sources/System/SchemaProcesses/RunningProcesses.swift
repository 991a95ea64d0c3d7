internal import Foundation

/// The programs that this one has started and waits for. They end with it.
///
/// Each has a separate process group, so signals that a terminal or CI sends to this program's group do not reach them.
enum RunningProcesses {
  private static let capacity = 256
  private static let lock = NSLock()
  /// The process groups; zero is a free place. The signal handler reads it and must not lock or allocate.
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
    // The order matters, since the handler uses the first.
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

  /// The handler, which ends the programs, and then this one by the same signal, after a write if one is in progress.
  private static let endByHandler: @convention(c) (Int32) -> Void = { number in
    if Interruption.waits(number) { return }
    endAll()
    Interruption.removeTemporaryFiles()
    Interruption.tell()
    _ = signal(number, SIG_DFL)
    // The signal is delivered after this handler returns.
    raise(number)
  }

  /// Asks the programs to end, as a terminal would, waits for a second, and kills them.
  static func endAll() {
    for place in 0..<capacity where groups[place] > 0 { kill(-groups[place], SIGINT) }
    for _ in 0..<100 {
      var isOver = true
      for place in 0..<capacity where groups[place] > 0 {
        var status: Int32 = 0
        // Another thread may be waiting for it, but this program is ending.
        _ = waitpid(groups[place], &status, WNOHANG)
        if kill(-groups[place], 0) == 0 { isOver = false }
      }
      if isOver { break }
      usleep(10_000)
    }
    for place in 0..<capacity where groups[place] > 0 { kill(-groups[place], SIGKILL) }
  }

  /// Ends the programs and this one when its parent ends.
  static func endWithParent() {
    prepare()
    let parent = getppid()
    Thread.detachNewThread {
      while getppid() == parent { usleep(200_000) }
      endAll()
      // It does not end by a signal, since threads of a pool, which start programs, block them.
      _exit(128 + SIGTERM)
    }
  }
}
