import Foundation
import SchemaModel
import SchemaRehearsal

/// The parent's side: gives ranges of runs to children, watches their time and memory, and writes down what fails.
struct Supervisor {
  /// Runs that one child makes: its start is then hardly seen, and a fault costs little.
  static let rangeLength = 500
  /// Every so many ranges, one is worked through by a second process too: Swift's hashes, and with them the order of
  /// sets and dictionaries, differ from process to process, and what comes out must not.
  static let repeatedRanges = 20
  /// Resident memory of a child, in MiB.
  static let mostMemory = 512

  let corpus: Corpus
  let seed: UInt64
  let jobs: Int
  /// How long one run may take, in seconds.
  let patience: Double
  /// Where inputs of failures go.
  let folder: URL
  /// What children are told beside their range.
  let arguments: [String]

  private(set) var tally = Tally()
  private var waiting: [Job] = []
  private var children: [Child] = []
  private var sums: [Int: String] = [:]

  init(
    corpus: Corpus, seed: UInt64, jobs: Int, patience: Double, folder: URL, arguments: [String]
  ) {
    self.corpus = corpus
    self.seed = seed
    self.jobs = jobs
    self.patience = patience
    self.folder = folder
    self.arguments = arguments
  }

  /// What one child has to do.
  private struct Job {
    var range: Range<Int>
    /// Whether another child did the same.
    var isRepeated: Bool
    var keepsSums: Bool
  }

  /// - Parameter shard: Which ranges are made: they are dealt to shards in turn, so that a run is in the same one
  ///   however many there are.
  mutating func run(_ runs: Int, _ shard: Shard? = nil) throws {
    let (first, count) = shard.map { ($0.number - 1, $0.count) } ?? (0, 1)
    let starts = stride(
      from: first * Self.rangeLength, to: runs, by: count * Self.rangeLength)
    let total = starts.reduce(0) { $0 + min(Self.rangeLength, runs - $1) }
    for (number, start) in starts.enumerated() {
      let range = start..<min(start + Self.rangeLength, runs)
      let isChosen = number % Self.repeatedRanges == 0
      waiting.append(Job(range: range, isRepeated: false, keepsSums: isChosen))
      if isChosen { waiting.append(Job(range: range, isRepeated: true, keepsSums: true)) }
    }
    waiting.reverse()
    var lastShown = ContinuousClock.now
    while !waiting.isEmpty || !children.isEmpty {
      while children.count < jobs, let job = waiting.popLast() {
        children.append(try start(job))
      }
      wait()
      for child in children { watch(child) }
      for child in children where child.hasEnded { try finish(child) }
      children.removeAll(where: \.hasEnded)
      if ContinuousClock.now - lastShown > .seconds(15) {
        lastShown = .now
        Console.error("\(tally.runs) of \(total) runs, \(tally.failures.count) failures")
      }
    }
  }

  // MARK: Children

  /// A child at work, as far as its lines have come.
  private final class Child {
    let process: Process
    let output: FileHandle
    let errors: URL
    let job: Job
    var rest: [UInt8] = []
    /// The run that has begun and not ended.
    var current: Int?
    var since = ContinuousClock.now
    var hasEnded = false
    /// Why the parent ended it.
    var verdict: String?

    init(_ process: Process, _ output: FileHandle, _ errors: URL, _ job: Job) {
      self.process = process
      self.output = output
      self.errors = errors
      self.job = job
    }
  }

  private func start(_ job: Job) throws -> Child {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let errors = folder.appending(path: "errors-\(UUID().uuidString)")
    try Data().write(to: errors)
    let process = Process()
    // The first argument may be relative to a folder that is no longer the working one.
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    process.executableURL = URL(filePath: path ?? CommandLine.arguments[0])
    process.arguments =
      arguments + ["--worker", "\(job.range.lowerBound)..\(job.range.upperBound)"]
    // A trap's own line says enough, and its backtrace takes seconds.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    try pipe.fileHandleForWriting.close()
    return Child(process, pipe.fileHandleForReading, errors, job)
  }

  /// Waits until a child says something, or a moment.
  private func wait() {
    var descriptors = children.map {
      pollfd(fd: $0.output.fileDescriptor, events: Int16(POLLIN), revents: 0)
    }
    poll(&descriptors, nfds_t(descriptors.count), 200)
    for (child, descriptor) in zip(children, descriptors) where descriptor.revents != 0 {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(child.output.fileDescriptor, &buffer, buffer.count)
      if count > 0 { child.rest += buffer[..<count] } else { child.hasEnded = true }
    }
  }

  private mutating func watch(_ child: Child) {
    var lines = child.rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    child.rest = Array(lines.removeLast())
    for line in lines { take(String(decoding: line, as: UTF8.self), from: child) }
    guard child.verdict == nil, !child.hasEnded else { return }
    let memory = Memory.resident(of: child.process.processIdentifier)
    tally.memory = max(tally.memory, memory)
    if memory > Self.mostMemory {
      end(child, "takes more than \(Self.mostMemory) MiB")
    } else if ContinuousClock.now - child.since > .seconds(patience) {
      // A child says nothing for so long only within a run, or when its corpus cannot be read.
      end(child, "takes more than \(patience) s")
    }
  }

  private func end(_ child: Child, _ verdict: String) {
    child.verdict = verdict
    kill(child.process.processIdentifier, SIGKILL)
  }

  private mutating func take(_ line: String, from child: Child) {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return }
    switch words[0] {
    case "begin":
      child.current = Int(words[1])
      child.since = .now
    case "rule": tally.rules.insert(words[1])
    case "problem":
      if let index = child.current { fail(index, words[1]) }
    case "end":
      let parts = words[1].split(separator: " ").map(String.init)
      guard parts.count == 4, let index = Int(parts[0]) else { return }
      child.current = nil
      child.since = .now
      if child.job.keepsSums, let other = sums.updateValue(parts[3], forKey: index),
        other != parts[3]
      {
        let steps = ["findings", "reports", "fixes", "generated files"]
        let pairs = zip(other.split(separator: ","), parts[3].split(separator: ","))
        let differing = zip(steps, pairs).filter { $0.1.0 != $0.1.1 }.map(\.0)
        fail(index, "two processes give different \(differing.joined(separator: ", "))")
      }
      if !child.job.isRepeated { tally.add(parts[1], flags: parts[2]) }
    default: break
    }
  }

  private mutating func finish(_ child: Child) throws {
    child.process.waitUntilExit()
    try? child.output.close()
    let said = (try? String(contentsOf: child.errors, encoding: .utf8)) ?? ""
    try? FileManager.default.removeItem(at: child.errors)
    let status = child.process.terminationStatus
    let isSignal = child.process.terminationReason == .uncaughtSignal
    guard isSignal || status != 0 || child.verdict != nil else { return }
    guard let index = child.current else {
      throw Failure(description: "a child ended between runs: \(child.verdict ?? said)")
    }
    let trap = said.split(separator: "\n").first { $0.contains("error") }.map { ": \($0)" } ?? ""
    fail(index, (child.verdict ?? "dies by \(isSignal ? "signal" : "status") \(status)") + trap)
    if !child.job.isRepeated { tally.runs += 1 }
    // The rest goes on behind the run that failed.
    let range = (index + 1)..<child.job.range.upperBound
    if !range.isEmpty {
      var job = child.job
      job.range = range
      waiting.append(job)
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  // MARK: Failures

  private mutating func fail(_ index: Int, _ problem: String) {
    // A range that two processes work through fails twice.
    guard tally.failures[index, default: []].insert(problem).inserted else { return }
    let input = folder.appending(path: "\(seed)-\(index)")
    Console.write("run \(index) of seed \(seed): \(problem)\n  input: \(input.path)\n")
    do {
      for file in Mutator.files(corpus, seed: seed, index: index) {
        let url = input.appending(path: file.path)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.bytes).write(to: url)
      }
      let problems = tally.failures[index, default: []].sorted().joined(separator: "\n") + "\n"
      try Data(problems.utf8).write(to: input.appending(path: "problem.txt"))
    } catch {
      Console.error("the input cannot be written: \(error)")
    }
  }
}

/// What came of all runs.
struct Tally {
  var runs = 0
  var outcomes: [String: Int] = [:]
  var fixed = 0
  var generated = 0
  /// What does not hold, by the run's index.
  var failures: [Int: Set<String>] = [:]
  /// The ids of rules that found something.
  var rules: Set<String> = []
  /// The most that a child had resident, in MiB.
  var memory = 0

  mutating func add(_ outcome: String, flags: String) {
    runs += 1
    outcomes[outcome, default: 0] += 1
    if flags.contains("r") { fixed += 1 }
    if flags.contains("g") { generated += 1 }
  }
}

enum Memory {
  /// A process's resident memory in MiB, its highest where the kernel tells that; 0 where it tells nothing.
  static func resident(of process: Int32) -> Int {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (Int(line.filter(\.isNumber)) ?? 0) / 1024
  }
}

enum Console {
  static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

  static func error(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
