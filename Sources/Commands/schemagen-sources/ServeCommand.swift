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
    var stream = ServedStream()
    let status = stream.run()
    if status != 0 { throw ExitCode(status) }
  }
}

/// The program's own streams, and the session that is held on them.
private struct ServedStream {
  private var stream = MessageStream()
  private var editor: LanguageServer?
  private var agent: ToolServer?

  /// Answers until the client ends it; the exit status.
  mutating func run() -> Int32 {
    var waiting: [JSONValue] = []
    while true {
      // Everything that is there, before anything is answered: a cancelled request needs no answer, and of many
      // keystrokes only the last is looked at.
      var isOver = false
      repeat {
        guard let bytes = Self.read() else {
          isOver = true
          break
        }
        stream.append(bytes)
        while let item = stream.next() {
          switch item {
          case .message(let bytes):
            if let message = JSONValue(parsing: bytes) {
              waiting.append(message)
            } else if !write([RemoteCall.unreadable]) {
              return 1
            }
          case .broken(let reason):
            _ = write([RemoteCall.broken(reason)])
            Output.error("schemagen: \(reason)")
            return 1
          }
        }
      } while waiting.isEmpty || Self.isReadable
      for message in Self.cancelled(waiting) {
        if !write(message.isCancelled ? [message.refusal] : receive(message.value)) { return 1 }
        if let status = editor?.exitStatus { return status }
      }
      waiting = []
      if isOver { return agent == nil ? (editor == nil ? 0 : 1) : 0 }
      if !Self.isReadable, !idle() { return 1 }
    }
  }

  private mutating func receive(_ message: JSONValue) -> [JSONValue] {
    switch stream.framing {
    case .lines?:
      let session = agent ?? Self.agent()
      agent = session
      return session.receive(message)
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

  private static func agent() -> ToolServer {
    let own = RunningProgram.file.resolvingSymlinksInPath()
    let program = own.deletingLastPathComponent().appending(path: "schemagen").path
    return ToolServer(
      version: Tool.version,
      real: { path in
        guard let pointer = realpath(path.isEmpty ? "." : path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
      },
      run: { arguments in
        do throws(ChildProcess.Failure) {
          let outcome = try ChildProcess(program, arguments).run()
          return ToolServer.Outcome(
            status: outcome.status, output: outcome.text, errors: outcome.errors)
        } catch {
          return ToolServer.Outcome(
            status: 2, output: "", errors: "'\(program)' cannot be started: \(error.reason)")
        }
      },
      moved: {
        let disk = Disk()
        return folders(below: ".", disk).filter { folder in
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
