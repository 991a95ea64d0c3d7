internal import Dispatch
internal import Foundation
internal import ManagedModels
internal import SchemaProcesses
internal import StoreEngine
internal import StoreFormat

/// The rehearsal's command line, which the generated `main` calls:
///
///     exit(RehearsalProgram(runtime).run(CommandLine.arguments))
///
///     run --plan plan.json --work DIR --result result.json [--no-kill] [--jobs N] [--progress]
///         [--store PATH | --stores stores.json]
///     create --store PATH --version V1
///     migrate --store PATH --to V9 [--record record.json]
///     entities --store PATH --version V9 --except rows.json --result entities.json
///     expect --before PATH --after PATH --origins rows.json --number 3 --result broken.json
///
/// `--stores` names a list of `GivenStore`. `run` with `--progress` writes a `RehearsalEvent` to standard output for
/// each path and kill test when it ends. It starts the other commands, so that each opening of a store is a separate
/// process. Exit codes: 0, the result is written, whatever it is; 1, the store could not be opened, made or migrated;
/// 2, the arguments or the plan are wrong.
public struct RehearsalProgram: Sendable {
  private let runtime: RehearsalRuntime

  public init(_ runtime: RehearsalRuntime) { self.runtime = runtime }

  /// A command line that is not understood.
  private struct Misuse: Error {
    var reason: String
  }

  /// - Parameter arguments: With the program's own name first.
  /// - Returns: The exit code.
  public func run(_ arguments: [String]) -> Int32 {
    ChildProcess.endWithParent()
    do {
      let options = try Options(arguments.dropFirst(2))
      switch arguments.dropFirst().first {
      case "run": try rehearse(options)
      case "create":
        try runtime.create(options.url("--store"), version(options.text("--version")))
      case "migrate":
        try runtime.migrate(options.url("--store"), version(options.text("--to")))
        if options.isSet("--record") {
          try RehearsalJSON.encode(MigrationRecord.current()).write(to: options.url("--record"))
        }
      case "entities": try entities(options)
      case "expect": try expect(options)
      default:
        throw Misuse(reason: "the first argument must be run, create, migrate, entities or expect")
      }
      return 0
    } catch let error as Misuse {
      complain(error.reason)
      return 2
    } catch {
      complain("\(error)")
      return 1
    }
  }

  private func complain(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }

  private func version(_ name: String) throws -> Int {
    guard let version = runtime.versions.firstIndex(where: { $0.name == name }) else {
      throw Misuse(reason: "there is no version '\(name)'")
    }
    return version
  }

  // MARK: Options

  private struct Options {
    private var values: [String: String] = [:]

    init(_ arguments: ArraySlice<String>) throws {
      var rest = arguments
      while let name = rest.popFirst() {
        guard name.hasPrefix("--") else { throw Misuse(reason: "'\(name)' is not an option") }
        if ["--no-kill", "--progress"].contains(name) {
          values[name] = ""
        } else if let value = rest.popFirst() {
          values[name] = value
        } else {
          throw Misuse(reason: "'\(name)' needs a value")
        }
      }
    }

    func text(_ name: String) throws -> String {
      guard let value = values[name] else { throw Misuse(reason: "'\(name)' is missing") }
      return value
    }

    func url(_ name: String) throws -> URL { URL(filePath: try text(name)) }

    func isSet(_ name: String) -> Bool { values[name] != nil }

    func number(_ name: String, or fallback: Int) throws -> Int {
      guard let value = values[name] else { return fallback }
      guard let number = Int(value), number > 0 else {
        throw Misuse(reason: "'\(name)' is a number from 1")
      }
      return number
    }
  }

  // MARK: Commands

  private func entities(_ options: Options) throws {
    guard let entities = runtime.entities else {
      throw Misuse(reason: "no version has converters")
    }
    let except = try RehearsalJSON.decode(
      [ObjectID].self, from: Data(contentsOf: options.url("--except")))
    let rows = try entities(
      options.url("--store"), version(options.text("--version")), Set(except))
    try RehearsalJSON.encode(rows.map { EntityRow(row: $0.row, fields: $0.fields) })
      .write(to: options.url("--result"))
  }

  private func expect(_ options: Options) throws {
    let number = try options.number("--number", or: 1)
    guard runtime.expectations.indices.contains(number - 1) else {
      throw Misuse(reason: "there is no expectation \(number)")
    }
    let expectation = runtime.expectations[number - 1]
    let version = try version(expectation.version)
    let check = ExpectationCheck(
      before: try StoreDump(at: options.url("--before"), runtime.versions[version - 1].model),
      after: try StoreDump(at: options.url("--after"), runtime.versions[version].model),
      origins: try RehearsalJSON.decode(
        [ObjectID: ObjectID].self, from: Data(contentsOf: options.url("--origins"))))
    try RehearsalJSON.encode(check.broken(expectation)).write(to: options.url("--result"))
  }

  private func rehearse(_ options: Options) throws {
    let plan = try RehearsalJSON.decode(
      RehearsalPlan.self, from: Data(contentsOf: options.url("--plan")))
    guard plan.format == RehearsalPlan.currentFormat,
      plan.versions.map(\.name) == runtime.versions.map(\.name)
    else {
      throw Misuse(reason: "the plan and this program have different versions")
    }
    let folder = try options.url("--work")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let session = RehearsalSession(
      plan: plan, runtime: runtime, folder: folder, launcher: Launcher(),
      isTold: options.isSet("--progress"))
    let jobs = try options.number("--jobs", or: ProcessInfo.processInfo.activeProcessorCount)
    let single = options.isSet("--store") ? try options.url("--store") : nil
    var stores = single.map { [GivenStore(name: $0.lastPathComponent, path: $0.path)] } ?? []
    if options.isSet("--stores") {
      stores = try RehearsalJSON.decode(
        [GivenStore].self, from: Data(contentsOf: options.url("--stores")))
    }
    var result = try Self.result(
      session, stores, jobs: jobs, kills: !options.isSet("--no-kill"))
    if let single {
      // A store named with `--store` must be rehearsed, or there was no rehearsal.
      if let store = result.stores?.first, !store.isStore || store.refusal != nil {
        let refusal = store.refusal ?? store.limit ?? ""
        throw Misuse(reason: "'\(single.path)' \(refusal)")
      }
      result.limits += (result.stores ?? []).compactMap { store in
        store.limit.map { "'\(store.store)' \($0)" }
      }
    }
    if !options.isSet("--stores") { result.stores = nil }
    try RehearsalJSON.encode(result, isPretty: true).write(
      to: options.url("--result"), options: .atomic)
  }

  private static func result(
    _ session: RehearsalSession, _ stores: [GivenStore], jobs: Int, kills: Bool
  ) throws -> RehearsalResult {
    let clock = ContinuousClock()
    let start = clock.now
    let count = session.plan.versions.count
    var result = RehearsalResult(
      versions: session.plan.versions.map(\.name), limits: session.plan.limits)
    let folder = try session.folder("fresh")
    let fresh = try inParallel(count, jobs: jobs) { version in
      Result { try freshStore(session, folder, version) }
    }.map { try $0.get() }
    let plan = session.plan
    let starts = plan.starts
    // The longest task runs first, so that nothing waits for it at the end.
    let pairs = kills ? plan.kills.suffix(1) + plan.kills.dropLast() : []
    let tasks = pairs.count + starts.count
    let done = inParallel(tasks + stores.count, jobs: jobs) { task -> Done in
      if task < pairs.count {
        let (from, to) = (pairs[task].from, pairs[task].to)
        return .kill(KillTest(session, from: from, to: to, empty: fresh[from].store).run())
      }
      if task >= tasks {
        let (store, paths) = GivenStoreRehearsal(session, fresh: fresh, number: task - tasks)
          .run(stores[task - tasks])
        return .store(store, paths)
      }
      let from = starts[task - pairs.count]
      do {
        var rehearsal = try SourceRehearsal(session, from: from, fresh: fresh)
        return .paths(rehearsal.run())
      } catch {
        return .paths(unfilled(session, from, error))
      }
    }
    result.stores = []
    for item in done {
      switch item {
      case .store(let store, let paths):
        result.stores?.append(store)
        result.paths += paths
      case .paths(let paths): result.paths += paths
      case .kill(let kill): result.kills.append(kill)
      }
    }
    // The longest path comes last in the report, whenever it ran.
    if !result.kills.isEmpty { result.kills.append(result.kills.removeFirst()) }
    result.seconds = (clock.now - start).seconds
    return result
  }

  private static func freshStore(
    _ session: RehearsalSession, _ folder: URL, _ version: Int
  ) throws -> FreshStore {
    let store = folder.appending(path: "\(session.name(version)).store")
    try session.create(store, version)
    let file = try StoreFile(at: .file(store), isReadOnly: true)
    return FreshStore(store: store, structure: try file.structure())
  }

  private enum Done: Sendable {
    case paths([PathResult])
    case kill(KillResult)
    case store(StoreResult, [PathResult])
  }

  private static func unfilled(
    _ session: RehearsalSession, _ from: Int, _ error: any Error
  ) -> [PathResult] {
    session.plan.ends(from: from).map { to in
      PathResult(
        from: session.name(from), to: session.name(to),
        failures: [
          RehearsalFailure(
            .fillFailed, path: session.pathName(from, to),
            expected: "a store of \(session.name(from)) with the plan's rows", found: "a failure",
            note: "\(error)")
        ])
    }
  }

  private static func inParallel<Value: Sendable>(
    _ count: Int, jobs: Int, _ make: @Sendable (Int) -> Value
  ) -> [Value] {
    let lock = NSLock()
    nonisolated(unsafe) var next = 0
    nonisolated(unsafe) var found = [Value?](repeating: nil, count: count)
    @Sendable func take() -> Int? {
      lock.withLock {
        next += 1
        return next <= count ? next - 1 : nil
      }
    }
    DispatchQueue.concurrentPerform(iterations: min(jobs, count)) { _ in
      while let index = take() {
        let value = make(index)
        lock.withLock { found[index] = value }
      }
    }
    return found.compactMap { $0 }
  }
}
