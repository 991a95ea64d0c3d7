import ArgumentParser
import CodeFirst
import CommandLineSupport
import Foundation
import SchemaModel
import SchemaProcesses
import SchemaServer
import SchemaWorkspace
import SwiftChecks

struct ServeCommand: ParsableCommand {
  static let configuration = ServeOptions.configuration

  @OptionGroup var options: ServeOptions

  func run() throws {
    let folder = options.root ?? "."
    guard FileManager.default.changeCurrentDirectoryPath(folder) else {
      Output.error("schemagen: there is no folder '\(folder)'")
      throw ExitCode(2)
    }
    // If the client is gone, a write must fail instead of ending the program with a signal.
    signal(SIGPIPE, SIG_IGN)
    // Commands that this server runs must not write to a workflow's step summary.
    unsetenv("GITHUB_STEP_SUMMARY")
    let stream = ServedStream()
    let status = stream.run()
    if status != 0 { throw ExitCode(status) }
  }
}

/// A session with an editor or an agent on the program's standard streams.
private final class ServedStream {
  private var stream = MessageStream()
  private var editor: LanguageServer?
  private var agent: ToolServer?
  /// Messages that have arrived and are not handled yet.
  private var waiting: [JSONValue] = []
  /// Whether the client has closed the input or no longer reads the output.
  private var isClosed = false
  /// The reason if messages can no longer be told apart; otherwise nil.
  private var broken: String?
  /// The agent's call that is being handled, and whether the client has cancelled the call.
  private var current: (message: JSONValue, isCancelled: Bool) = (.null, false)

  func run() -> Int32 {
    while true {
      // Read all messages that have arrived before answering one. A cancelled request needs no answer, and of many
      // keystrokes only the last one is checked.
      while !isClosed, waiting.isEmpty || Self.isReadable() { take() }
      if let broken {
        write([RemoteCall.broken(broken)])
        Output.error("schemagen: \(broken)")
        return 1
      }
      guard !waiting.isEmpty else { return editor == nil ? 0 : 1 }
      let message = waiting.removeFirst()
      write(isTakenBack(message) ? [refusal(of: message)] : receive(message))
      if let status = editor?.exitStatus { return status }
      if waiting.isEmpty, !Self.isReadable() { write(editor?.pending() ?? []) }
    }
  }

  private func take() {
    guard let bytes = Self.read() else {
      isClosed = true
      return
    }
    stream.append(bytes)
    while let item = stream.next() {
      switch item {
      case .message(let bytes):
        if let message = JSONValue(parsing: bytes) {
          waiting.append(message)
        } else {
          write([RemoteCall.unreadable])
        }
      case .broken(let reason):
        broken = reason
        isClosed = true
        return
      }
    }
  }

  private func receive(_ message: JSONValue) -> [JSONValue] {
    guard stream.framing == .lines else {
      let session = editor ?? Self.makeEditor()
      editor = session
      return session.receive(message)
    }
    let session = agent ?? makeAgent()
    agent = session
    current = (message, false)
    defer { current = (.null, false) }
    let answers = session.receive(message)
    // A client that has cancelled a call expects no answer.
    return current.isCancelled ? [] : answers
  }

  private func isTakenBack(_ message: JSONValue) -> Bool {
    guard let id = message["id"], message["method"] != nil else { return false }
    return waiting.contains {
      $0["method"]?.string == "$/cancelRequest" && $0["params"]?["id"] == id
    }
  }

  private func refusal(of message: JSONValue) -> JSONValue {
    guard let call = try? RemoteCall(message) else { return .null }
    return call.refusal(.cancelled, "cancelled")
  }

  // MARK: Sessions

  private static func makeEditor() -> LanguageServer {
    LanguageServer(version: Tool.version, today: .today, fileSystem: Disk()) { root in
      let disk = Disk()
      let folders = folders(below: root, disk)
      let lint = SourceLint(paths: [root], folders: folders, today: .today, fileSystem: disk)
      var findings = lint.findings
      var sources = lint.sources
      for folder in folders {
        guard
          let snapshot = Snapshot.take(
            SchemaFolder.read(folder, fileSystem: disk), fileSystem: disk)
        else { continue }
        findings += snapshot.findings
        sources.merge(snapshot.sources) { first, _ in first }
      }
      return (findings.reportOrder, sources)
    }
  }

  private static func folders(below root: String, _ disk: Disk) -> [String] {
    (try? FolderOptions.folders(in: Path.join(root, "Schemas"), disk)) ?? []
  }

  /// Runs a command, and handles messages meanwhile: reports progress and answers pings. If the client cancels the
  /// call or closes the stream, the command is ended.
  private func run(
    _ program: String, _ arguments: [String]
  ) -> Result<ChildProcess.Outcome, ChildProcess.Failure> {
    let done = Pipe()
    let result = Locked<Result<ChildProcess.Outcome, ChildProcess.Failure>?>(nil)
    let writing = done.fileHandleForWriting
    Thread.detachNewThread {
      let found: Result<ChildProcess.Outcome, ChildProcess.Failure>
      do throws(ChildProcess.Failure) {
        found = .success(try ChildProcess(program, arguments).run())
      } catch {
        found = .failure(error)
      }
      result.withLock { $0 = found }
      try? writing.close()
    }
    let token = current.message["params"]?["_meta"]?["progressToken"]
    var seconds = 0
    while true {
      answerMeanwhile()
      // Ending the commands is repeated each second, because a command may not have started the first time.
      if isClosed || current.isCancelled { ChildProcess.endAll() }
      var entries = [
        pollfd(fd: done.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isClosed ? -1 : 0, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&entries, 2, 1_000)
      if count == 0, let token {
        seconds += 1
        write([
          [
            "jsonrpc": "2.0", "method": "notifications/progress",
            "params": [
              "progressToken": token, "progress": .integer(seconds),
              "message": .string("\(arguments.first ?? ""): \(seconds) s"),
            ],
          ]
        ])
      }
      guard count > 0 else { continue }
      if entries[0].revents != 0 { break }
      take()
    }
    return result.withLock { $0 } ?? .failure(.notStarted("the reason is unknown"))
  }

  /// Answers all messages except tool calls, which wait until the current call ends.
  private func answerMeanwhile() {
    let messages = waiting
    waiting = []
    for message in messages {
      switch message["method"]?.string {
      case "notifications/cancelled":
        guard let id = message["params"]?["requestId"] else { continue }
        current.isCancelled = current.isCancelled || id == current.message["id"]
        // If the cancelled call has not begun, it is still in the queue.
        waiting.removeAll { $0["id"] == id }
      case "tools/call": waiting.append(message)
      default: write(agent?.receive(message) ?? [])
      }
    }
  }

  private func makeAgent() -> ToolServer {
    let own = RunningProgram.file.resolvingSymlinksInPath()
    let program = own.deletingLastPathComponent().appending(path: "schemagen").path
    return ToolServer(
      version: Tool.version,
      real: { path in
        guard let pointer = realpath(path.isEmpty ? "." : path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
      },
      run: { [unowned self] arguments in
        switch run(program, arguments) {
        case .success(let outcome):
          ToolServer.Outcome(status: outcome.status, output: outcome.text, errors: outcome.errors)
        case .failure(let error):
          ToolServer.Outcome(
            status: 2, output: "", errors: "schemagen cannot be started: \(error.reason)")
        }
      },
      moved: {
        let disk = Disk()
        return Self.folders(below: ".", disk).filter { folder in
          let schemas = SchemaFolder.read(folder, fileSystem: disk)
          return Snapshot.take(schemas, fileSystem: disk)?.changes.isEmpty == false
        }
      })
  }

  // MARK: Bytes

  private func write(_ messages: [JSONValue]) {
    for message in messages {
      let bytes = (stream.framing ?? .headers).frame(message)
      do {
        try FileHandle.standardOutput.write(contentsOf: Data(bytes))
      } catch {
        isClosed = true
        waiting = []
      }
    }
  }

  /// Whether more bytes arrive in time. A negative time waits forever.
  private static func isReadable(within milliseconds: Int32 = 0) -> Bool {
    var entry = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  private static func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Foundation.read(0, &buffer, buffer.count)
      if count >= 0 { return count > 0 ? Array(buffer[..<count]) : nil }
      // The parent process may have made the stream non-blocking.
      guard errno == EINTR || errno == EAGAIN else { return nil }
      _ = isReadable(within: -1)
    }
  }
}
