internal import Dispatch
internal import Foundation

/// A program that this program starts and waits for.
package struct ChildProcess: Sendable {
  /// Where the program's output goes.
  package enum Stream: Sendable {
    case returned
    case inherited
    case discarded
    /// Each line goes to a function while the program runs, on another thread; for standard output only.
    case lines(@Sendable (String) -> Void)

    fileprivate var isReturned: Bool {
      if case .returned = self { true } else { false }
    }
  }

  /// How a program ended, and what it wrote.
  package struct Outcome: Hashable, Sendable {
    package enum End: Hashable, Sendable {
      case exit(Int32)
      case signal(Int32)
    }

    package var end: End
    package var output: [UInt8]
    /// Standard error: its last `errorLimit` bytes.
    package var errors: String

    package var isSuccess: Bool { end == .exit(0) }

    /// The exit status; for a program that was ended by a signal, the negated signal.
    package var status: Int32 {
      switch end {
      case .exit(let status): status
      case .signal(let number): -number
      }
    }

    package var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// Why there is no outcome.
  package enum Failure: Error, Equatable {
    case notStarted(String)
    /// The program's output cannot be read, or is larger than `outputLimit`.
    case unreadable(String)

    package var reason: String {
      switch self {
      case .notStarted(let reason), .unreadable(let reason): reason
      }
    }
  }

  /// The program's path, or a name to be looked up on the PATH.
  package var program: String
  package var arguments: [String]
  /// The folder in which the program starts; nil for the folder of this program.
  package var folder: String?
  /// Changes to this program's environment variables; nil removes one.
  package var environment: [String: String?] = [:]
  package var input: [UInt8] = []
  package var output = Stream.returned
  package var errors = Stream.returned
  /// The maximum size of the output in bytes, since it is held in memory.
  package var outputLimit = 1 << 30
  package var errorLimit = 1 << 24

  package init(_ program: String, _ arguments: [String] = [], in folder: String? = nil) {
    self.program = program
    self.arguments = arguments
    self.folder = folder
  }

  /// Ends all programs that this program has started and waits for: with SIGINT, and after a second with SIGKILL.
  package static func endAll() { RunningProcesses.endAll() }

  /// Makes this program, and all programs that it has started, end when its parent ends.
  package static func endWithParent() { RunningProcesses.endWithParent() }

  /// Runs the program and waits for its end. A signal that ends this process also ends the program. A status other than
  /// 0 is an outcome, not an error.
  package func run() throws(Failure) -> Outcome {
    // Files are used because a full pipe would block the program.
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: place) }
    let files = ["input", "output", "errors"].map { place.appending(path: $0) }
    do {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      if !input.isEmpty { try Data(input).write(to: files[0]) }
    } catch {
      throw .notStarted(error.localizedDescription)
    }
    let spawn = Spawn()
    spawn.open(0, input.isEmpty ? "/dev/null" : files[0].path, O_RDONLY)
    for (number, stream, file) in [(Int32(1), output, files[1]), (2, errors, files[2])] {
      switch stream {
      case .inherited: break
      case .lines: spawn.readLines(from: number)
      case .discarded: spawn.open(number, "/dev/null", O_WRONLY)
      case .returned: spawn.open(number, file.path, O_WRONLY | O_CREAT | O_TRUNC)
      }
    }
    if let folder { spawn.changeFolder(to: folder) }
    var variables = ProcessInfo.processInfo.environment
    for (name, value) in environment { variables[name] = value }
    RunningProcesses.prepare()
    let isPath = program.contains("/")
    let process = try spawn.start(
      isPath ? [program] + arguments : ["/usr/bin/env", program] + arguments, variables)
    RunningProcesses.add(process)
    let reading = reading(spawn.pipe)
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    reading?.wait()
    RunningProcesses.remove(process)
    // The macros WIFEXITED, WEXITSTATUS and WTERMSIG are not available in Swift.
    let number = status & 0x7F
    return Outcome(
      end: number == 0 ? .exit(status >> 8 & 0xFF) : .signal(number),
      output: output.isReturned ? try whole(files[1]) : [],
      errors: errors.isReturned ? try end(of: files[2]) : "")
  }

  /// Reads lines on a separate thread. The result is signalled when there are no more.
  private func reading(_ pipe: FileHandle?) -> DispatchSemaphore? {
    guard case .lines(let take) = output, let pipe else { return nil }
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      var rest = Data()
      while true {
        let data = pipe.availableData
        if data.isEmpty { break }
        rest += data
        while let line = rest.firstIndex(of: 0x0A) {
          take(String(decoding: rest[rest.startIndex..<line], as: UTF8.self))
          rest = Data(rest[(line + 1)...])
        }
      }
      if !rest.isEmpty { take(String(decoding: rest, as: UTF8.self)) }
      end.signal()
    }
    return end
  }

  private func whole(_ file: URL) throws(Failure) -> [UInt8] {
    let data = try read(file) { handle in try handle.read(upToCount: outputLimit + 1) }
    guard data.count <= outputLimit else {
      throw .unreadable("'\(program)' wrote more than \(outputLimit) bytes")
    }
    return Array(data)
  }

  private func end(of file: URL) throws(Failure) -> String {
    let data = try read(file) { handle in
      let size = try handle.seekToEnd()
      try handle.seek(toOffset: size - min(size, UInt64(errorLimit)))
      return try handle.readToEnd()
    }
    return String(decoding: data, as: UTF8.self)
  }

  private func read(
    _ file: URL, _ body: (FileHandle) throws -> Data?
  ) throws(Failure) -> Data {
    do {
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      return try body(handle) ?? Data()
    } catch {
      throw .unreadable(error.localizedDescription)
    }
  }
}
