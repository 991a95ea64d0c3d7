#if os(Linux)
  internal import Foundation

  /// Does this program's work in processes of their own, each of which begins as this program was when the server was
  /// made: nothing is loaded or computed anew, which takes longer than the work where that is small.
  ///
  /// To be made while this program has one thread and no open database. One process at a time; several servers do several.
  package final class ForkServer: @unchecked Sendable {
    /// Requests go one way, and how processes ended the other.
    private let connection: Int32
    /// What processes write to standard error.
    private let errors: Int32
    private let server: pid_t

    /// As many servers as there are to be processes at once.
    ///
    /// - Parameter work: What a process does with its arguments, and its exit status.
    package static func servers(
      _ count: Int, _ work: ([String]) -> Int32
    ) throws(ChildProcess.Failure) -> [ForkServer] {
      var servers: [ForkServer] = []
      for _ in 0..<count { servers.append(try ForkServer(beside: servers, work)) }
      return servers
    }

    private init(
      beside others: [ForkServer], _ work: ([String]) -> Int32
    ) throws(ChildProcess.Failure) {
      var sockets: [Int32] = [-1, -1]
      var pipes: [Int32] = [-1, -1]
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      let isOpen = socketpair(AF_UNIX, kind, 0, &sockets) == 0 && pipe(&pipes) == 0
      for end in pipes where isOpen { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      let server = isOpen ? fork() : -1
      guard server >= 0 else {
        let reason = String(cString: strerror(errno))
        for end in sockets + pipes where end >= 0 { close(end) }
        throw .notStarted(reason)
      }
      if server == 0 {
        // A server ends when nobody else has its other end.
        for other in others { other.closeAll() }
        for end in [sockets[0], pipes[0]] { close(end) }
        Self.serve(sockets[1], errors: pipes[1], work)
      }
      for end in [sockets[1], pipes[1]] { close(end) }
      (connection, errors, self.server) = (sockets[0], pipes[0], server)
      _ = fcntl(errors, F_SETFL, O_NONBLOCK)
    }

    deinit {
      closeAll()
      // What its processes took counts as this program's then.
      while waitpid(server, nil, 0) < 0, errno == EINTR {}
    }

    private func closeAll() { for end in [connection, errors] { close(end) } }

    /// Does the work in a process of its own, and waits for its end.
    ///
    /// - Parameters:
    ///   - environment: Variables beside those of this program.
    ///   - errorLimit: Of what it writes to standard error, the last bytes that are kept. What it writes to standard
    ///     output is not kept.
    package func run(
      _ arguments: [String], environment: [String: String], errorLimit: Int
    ) throws(ChildProcess.Failure) -> ChildProcess.Outcome {
      let variables = environment.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
      let text = Array(
        (["\(arguments.count)"] + arguments + variables).joined(separator: "\0").utf8)
      let length = withUnsafeBytes(of: UInt32(text.count)) { Array($0) }
      guard Self.write(length + text, to: connection) else {
        throw .notStarted(String(cString: strerror(errno)))
      }
      var said: [UInt8] = []
      while true {
        var ready = [connection, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&ready, 2, -1) >= 0 || errno == EINTR else {
          throw .unreadable(String(cString: strerror(errno)))
        }
        // What is written before the end is there before the status is.
        readErrors(into: &said, limit: errorLimit)
        if ready[0].revents != 0 { break }
      }
      guard let bytes = Self.read(4, from: connection) else {
        throw .unreadable("the process that starts others has died")
      }
      readErrors(into: &said, limit: errorLimit)
      let status = bytes.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
      return ChildProcess.Outcome(
        end: status & 0x7f == 0 ? .exit(status >> 8 & 0xff) : .signal(status & 0x7f),
        output: [], errors: String(decoding: said.suffix(errorLimit), as: UTF8.self))
    }

    private func readErrors(into said: inout [UInt8], limit: Int) {
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = Foundation.read(errors, &piece, piece.count)
        guard count > 0 else { return }
        said += piece[..<count]
        if said.count > 2 * limit { said.removeFirst(said.count - limit) }
      }
    }

    // MARK: - In the server

    /// Starts a process for each request, until there is nobody to make one.
    private static func serve(
      _ connection: Int32, errors: Int32, _ work: ([String]) -> Int32
    ) -> Never {
      let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
      dup2(nowhere, STDIN_FILENO)
      dup2(nowhere, STDOUT_FILENO)
      dup2(errors, STDERR_FILENO)
      while let head = read(4, from: connection) {
        let length = head.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        guard let bytes = read(Int(length), from: connection) else { break }
        let process = fork()
        if process == 0 { exit(begin(bytes, connection, work)) }
        var status: Int32 = 0xff00
        if process > 0 {
          while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
        guard write(withUnsafeBytes(of: status) { Array($0) }, to: connection) else { break }
      }
      _exit(0)
    }

    /// What a request's process does.
    private static func begin(
      _ request: [UInt8], _ connection: Int32, _ work: ([String]) -> Int32
    ) -> Int32 {
      // A trap's own line says enough, and its backtrace takes seconds.
      for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
        signal(number, SIG_DFL)
      }
      endWithRequester(connection)
      let fields = request.split(separator: 0, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      let count = Int(fields[0]) ?? 0
      for place in stride(from: count + 1, to: fields.count - 1, by: 2) {
        setenv(fields[place], fields[place + 1], 1)
      }
      return work(Array(fields[1...count]))
    }

    /// Ends this process once nobody can make requests any more.
    private static func endWithRequester(_ connection: Int32) {
      Thread.detachNewThread {
        var end = pollfd(fd: connection, events: 0, revents: 0)
        while poll(&end, 1, -1) <= 0 {}
        _exit(128 + SIGTERM)
      }
    }

    // MARK: - Bytes

    private static func write(_ bytes: [UInt8], to end: Int32) -> Bool {
      var position = 0
      while position < bytes.count {
        let count = bytes.withUnsafeBytes { bytes in
          send(
            end, bytes.baseAddress! + position, bytes.count - position, Int32(MSG_NOSIGNAL))
        }
        if count > 0 { position += count } else if errno != EINTR { return false }
      }
      return true
    }

    /// Nil where the other end is closed before.
    private static func read(_ length: Int, from end: Int32) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: length)
      var position = 0
      while position < length {
        let count = bytes.withUnsafeMutableBytes { bytes in
          Foundation.read(end, bytes.baseAddress! + position, length - position)
        }
        if count > 0 {
          position += count
        } else if count == 0 || errno != EINTR {
          return nil
        }
      }
      return bytes
    }
  }
#endif
