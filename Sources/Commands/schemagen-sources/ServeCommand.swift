import ArgumentParser
import CommandLineSupport
import Foundation
import SchemaModel
import SchemaProcesses
import SchemaWorkspace
import SwiftSources

struct ServeCommand: ParsableCommand {
  static let configuration = ServeOptions.configuration

  @OptionGroup var options: ServeOptions

  func run() throws {
    let folder = options.root ?? "."
    guard FileManager.default.changeCurrentDirectoryPath(folder) else {
      Output.error("schemagen: there is no folder '\(folder)'")
      throw ExitCode(2)
    }
    // Who has gone reads no answer: writing to them is to fail, not to end the program by a signal.
    signal(SIGPIPE, SIG_IGN)
    // What commands tell of a step in a workflow is not for here.
    unsetenv("GITHUB_STEP_SUMMARY")
    let stream = ServedStream()
    let status = stream.run()
    if status != 0 { throw ExitCode(status) }
  }
}

/// The program's own streams, and the session that is held on them.
private final class ServedStream {
  private var stream = MessageStream()
  private var editor: LanguageServer?
  private var agent: ToolServer?
  /// What has come and was not looked at.
  private var waiting: [JSONValue] = []
  /// Whether more of it came while a tool was at work.
  private var hasNews = false
  /// Whether the client has closed the stream.
  private var isClosed = false
  /// The call that a tool works on, and whether the client has taken it back.
  private var current: (id: JSONValue?, isCancelled: Bool) = (nil, false)

  /// Answers until the client ends it; the exit status.
  func run() -> Int32 {
    while true {
      // Everything that is there, before anything is answered: a cancelled request needs no answer, and of many
      // keystrokes only the last is looked at.
      while !isClosed, waiting.isEmpty || Self.isReadable {
        guard let reason = take() else { continue }
        _ = write([RemoteCall.broken(reason)])
        Output.error("schemagen: \(reason)")
        return 1
      }
      for message in Self.cancelled(waiting) {
        waiting.removeFirst()
        if !write(message.isCancelled ? [message.refusal] : receive(message.value)) { return 1 }
        if let status = editor?.exitStatus { return status }
        // What came while a tool was at work is looked at with the rest.
        if hasNews { break }
      }
      if hasNews, !isClosed {
        hasNews = false
        continue
      }
      if isClosed { return agent == nil ? (editor == nil ? 0 : 1) : 0 }
      if !Self.isReadable, !idle() { return 1 }
    }
  }

  /// Reads what is there; why nothing can be read any more, if so.
  private func take() -> String? {
    guard let bytes = Self.read() else {
      isClosed = true
      return nil
    }
    stream.append(bytes)
    while let item = stream.next() {
      switch item {
      case .message(let bytes):
        if let message = JSONValue(parsing: bytes) {
          waiting.append(message)
        } else if !write([RemoteCall.unreadable]) {
          isClosed = true
        }
      case .broken(let reason): return reason
      }
    }
    return nil
  }

  private func receive(_ message: JSONValue) -> [JSONValue] {
    switch stream.framing {
    case .lines?:
      let session = agent ?? makeAgent()
      agent = session
      current = (message["id"], false)
      let answers = session.receive(message)
      // Whoever has taken a call back expects no answer.
      defer { current = (nil, false) }
      return current.isCancelled ? [] : answers
    case .headers?, nil:
      let session = editor ?? Self.editor()
      editor = session
      return session.receive(message)
    }
  }

  /// Publishes findings; whether anybody reads them.
  private func idle() -> Bool { write(editor?.pending() ?? []) }

  private struct Waiting {
    var value: JSONValue
    var isCancelled: Bool
    var refusal: JSONValue {
      guard let call = try? RemoteCall(value) else { return .null }
      return call.refusal(.cancelled, "cancelled")
    }
  }

  /// The messages, those marked that a later one takes back.
  private static func cancelled(_ messages: [JSONValue]) -> [Waiting] {
    var ids: Set<JSONValue> = []
    for message in messages where message["method"]?.string == "$/cancelRequest" {
      if let id = message["params"]?["id"] { ids.insert(id) }
    }
    return messages.map { message in
      let isRequest = message["method"] != nil && message["id"] != nil
      return Waiting(
        value: message, isCancelled: isRequest && message["id"].map(ids.contains) == true)
    }
  }

  // MARK: Sessions

  private static func editor() -> LanguageServer {
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

  /// The folders of manifests of a project.
  private static func folders(below root: String, _ disk: Disk) -> [String] {
    let schemas = Path.join(root, "Schemas")
    let names = ((try? disk.list(schemas)) ?? nil) ?? []
    return ([schemas] + names.map { Path.join(schemas, $0) }).filter { folder in
      let names = ((try? disk.list(folder)) ?? nil) ?? []
      return names.contains { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
    }
  }

  /// Runs a command, and listens meanwhile: a call can be taken back, whoever asks whether anybody is there is answered,
  /// and with the stream the work ends.
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
    let end = done.fileHandleForReading.fileDescriptor
    while true {
      answerMeanwhile()
      var entries = [
        pollfd(fd: end, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isClosed ? -1 : 0, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&entries, 2, -1) < 0, errno == EINTR { continue }
      if entries[0].revents != 0 { break }
      guard entries[1].revents != 0 else { continue }
      // What is no message ends the session, as it does at any other time.
      if take() != nil { isClosed = true }
      if isClosed { ChildProcess.endAll() }
    }
    return result.withLock { $0 } ?? .failure(.notStarted("nobody knows why"))
  }

  /// Answers and takes out of the queue what does not wait for the end of a call: all but other calls.
  private func answerMeanwhile() {
    let count = waiting.count
    for message in waiting {
      switch message["method"]?.string {
      case "notifications/cancelled":
        let id = message["params"]?["requestId"]
        if let id, id == current.id, !current.isCancelled {
          current.isCancelled = true
          ChildProcess.endAll()
        }
        // Or one that has not begun.
        waiting.removeAll { $0["method"] != nil && $0["id"] != nil && $0["id"] == id }
      case "tools/call": continue
      default: _ = write(agent?.receive(message) ?? [])
      }
    }
    waiting.removeAll { $0["method"]?.string != "tools/call" }
    hasNews = hasNews || waiting.count != count || !waiting.isEmpty
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

  private func write(_ messages: [JSONValue]) -> Bool {
    for message in messages {
      let bytes = (stream.framing ?? .headers).frame(message)
      do {
        try FileHandle.standardOutput.write(contentsOf: Data(bytes))
      } catch {
        return false
      }
    }
    return true
  }

  /// Whether more can be read without waiting.
  private static var isReadable: Bool {
    var entry = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  /// What comes next; nil where nothing will come any more.
  private static func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Foundation.read(0, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        // Whoever started the program does not wait at the other end, and so this one would not either.
        var entry = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, -1)
        continue
      }
      return count > 0 ? Array(buffer[..<count]) : nil
    }
  }
}
