internal import Foundation

/// The programs that this one has started and waits for: they end with it.
///
/// Each is in a process group of its own, so that what a terminal or a CI sends to this program's never reaches them.
enum RunningProcesses {
  private static let capacity = 256
  private static let lock = NSLock()
  /// The process groups; zero in a free place. A signal's handler reads it: it may lock nothing and allocate nothing.
  nonisolated(unsafe) private static let groups: UnsafeMutablePointer<pid_t> = {
    let groups = UnsafeMutablePointer<pid_t>.allocate(capacity: capacity)
    groups.initialize(repeating: 0, count: capacity)
    return groups
  }()
  private static let handlers: Void = {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // Who starts a program with a signal ignored wants it to stay so, as `nohup` does.
      let before = signal(number, endByHandler)
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        _ = signal(number, SIG_IGN)
      }
    }
  }()

  /// Handles signals from now on. It is called before a program is started.
  static func prepare() {
    // In this order: the handler takes the first for granted.
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

  /// Ends the programs, and then this one by the signal; later, if it is writing.
  private static let endByHandler: @convention(c) (Int32) -> Void = { number in
    if Interruption.waits(number) { return }
    endAll()
    Interruption.removeTemporaryFiles()
    Interruption.tell()
    _ = signal(number, SIG_DFL)
    // It waits until its own handler is over.
    raise(number)
  }

  /// Asks the programs to end, as a terminal would, waits a second for it, and ends them.
  static func endAll() {
    for place in 0..<capacity where groups[place] > 0 { kill(-groups[place], SIGINT) }
    for _ in 0..<100 {
      var isOver = true
      for place in 0..<capacity where groups[place] > 0 {
        var status: Int32 = 0
        // Whoever waits for it elsewhere does so no more: this program ends.
        _ = waitpid(groups[place], &status, WNOHANG)
        if kill(-groups[place], 0) == 0 { isOver = false }
      }
      if isOver { break }
      usleep(10_000)
    }
    for place in 0..<capacity where groups[place] > 0 { kill(-groups[place], SIGKILL) }
  }

  /// Ends the programs and this one once the one that started this is gone.
  static func endWithParent() {
    prepare()
    let parent = getppid()
    Thread.detachNewThread {
      while getppid() == parent { usleep(200_000) }
      endAll()
      // By no signal: threads of a pool, which start programs, hand on that they block them.
      _exit(128 + SIGTERM)
    }
  }
}
