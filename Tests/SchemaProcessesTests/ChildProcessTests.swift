import Foundation
import SchemaProcesses
import Testing

@Suite struct ChildProcessTests {
  private func shell(_ script: String) -> ChildProcess { ChildProcess("sh", ["-c", script]) }

  @Test func whatAProgramWritesIsReturned() throws {
    let outcome = try shell("echo one; echo two >&2; exit 3").run()
    #expect(outcome.end == .exit(3) && outcome.status == 3 && !outcome.isSuccess)
    #expect(outcome.text == "one\n" && outcome.errors == "two\n")
    #expect(try shell("exit 0").run().isSuccess)
  }

  @Test func aSignalIsNoStatus() throws {
    let outcome = try shell("kill -9 $$").run()
    #expect(outcome.end == .signal(9) && outcome.status == -9 && !outcome.isSuccess)
  }

  @Test("A child process's output, errors and input may exceed a pipe's buffer")
  func neitherWaitsForTheOther() throws {
    var process = shell("cat; head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero")
    process.input = Array(repeating: 7, count: 300_000)
    let outcome = try process.run()
    // Not within '#expect', which would take minutes to show the difference.
    let isWhole = outcome.output == process.input + Array(repeating: 0, count: 300_000)
    #expect(isWhole)
    #expect(outcome.errors.utf8.count == 300_000)
  }

  @Test func aProgramWithoutInputReadsNothing() throws {
    #expect(try ChildProcess("cat").run().output.isEmpty)
  }

  @Test func outputIsBounded() throws {
    var process = shell("printf 12345678; printf 12345678 >&2")
    process.errorLimit = 3
    #expect(try process.run().errors == "678")
    process.outputLimit = 8
    #expect(try process.run().text == "12345678")
    process.outputLimit = 7
    #expect(throws: ChildProcess.Failure.unreadable("'sh' wrote more than 7 bytes")) {
      try process.run()
    }
  }

  @Test func whatIsDiscardedIsNotReturned() throws {
    let nowhere = "-ef /dev/null ]"
    var process = shell(
      "[ /dev/fd/1 \(nowhere) && echo two >&2; [ /dev/fd/2 \(nowhere) && echo one; :")
    process.output = .discarded
    #expect(try process.run().output.isEmpty)
    #expect(try process.run().errors == "two\n")
    (process.output, process.errors) = (.returned, .discarded)
    #expect(try process.run().text == "one\n")
    #expect(try process.run().errors.isEmpty)
  }

  @Test("A child process's lines are delivered while it runs, including an unfinished last one")
  func linesAreTold() throws {
    let told = Told()
    var process = shell("echo one; echo 'two é'; echo >&2 three; printf four")
    process.output = .lines { told.add($0) }
    let outcome = try process.run()
    #expect(told.lines == ["one", "two é", "four"])
    #expect(outcome.output.isEmpty && outcome.errors == "three\n")
    // The program continues only after the first line was delivered.
    let first = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: first) }
    process = shell("echo one; until [ -e '\(first.path)' ]; do sleep 0.01; done")
    process.output = .lines { _ in try? Data().write(to: first) }
    #expect(try process.run().isSuccess)
  }

  /// Collects lines from another thread.
  private final class Told: @unchecked Sendable {
    private let lock = NSLock()
    private var said: [String] = []

    func add(_ line: String) { lock.withLock { said.append(line) } }

    var lines: [String] { lock.withLock { said } }
  }

  @Test func variablesAndTheFolderAreItsOwn() throws {
    var process = shell("echo \"$ADDED ${HOME-gone} ${PATH:+kept}\"; pwd")
    process.environment = ["ADDED": "yes", "HOME": nil]
    process.folder = "/"
    #expect(try process.run().text == "yes gone kept\n/\n")
  }

  @Test func whatIsNoProgramIsNotStarted() {
    #expect {
      try ChildProcess("/no/such/program").run()
    } throws: { error in
      if case .notStarted? = error as? ChildProcess.Failure { true } else { false }
    }
  }
}
