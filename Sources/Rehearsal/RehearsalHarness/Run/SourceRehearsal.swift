internal import Foundation
internal import ManagedModels
internal import SchemaProcesses
internal import StoreEngine
internal import StoreFormat

/// Rehearses all paths from one version.
struct SourceRehearsal {
  private let session: RehearsalSession
  private let from: Int
  /// The user's store from which the rows come; nil for rows from the plan.
  private let given: GivenStore?
  private let fresh: [FreshStore]
  private let folder: URL
  /// The labels of rows on which a migration from this version fails.
  private var culprits: Set<String> = []
  /// Labels of rows with cases that the path's end still has and the newest version lacks. The code is compiled with
  /// the newest enums, so it cannot show how an app of the path's end treats these rows.
  private var absent: Set<String> = []
  private var base: Base
  /// The store that is migrated step by step; nil once a step has failed.
  private var chain: URL?
  private var chainBase: Set<String> = []
  private var chainBefore: URL?
  private var stepFailure: String?

  /// A filled store of the version.
  private struct Base {
    var store: URL
    var without: Set<String>
    var tags: [ObjectID: RowTag]
    var dump: StoreDump
    var identifier: String
    /// The domain entities by row; nil if there are no converters, or they fail with `entitiesFailure`.
    var entities: [ObjectID: [String: [String]]]?
    var entitiesFailure: String?
  }

  /// - Parameters:
  ///   - given: The user's store from which the rows come, which has the version. The store is copied.
  ///   - folder: The working folder; nil for a folder named after the version.
  init(
    _ session: RehearsalSession, from: Int, fresh: [FreshStore], given: GivenStore? = nil,
    in folder: URL? = nil
  ) throws {
    self.session = session
    self.from = from
    self.fresh = fresh
    self.given = given
    self.folder = try folder ?? session.folder("from-\(session.name(from))")
    base = try Self.base(
      session, from, fresh, self.folder, without: [], given: given.map { URL(filePath: $0.path) })
    chain = nil
    try restartChain()
  }

  private static func base(
    _ session: RehearsalSession, _ from: Int, _ fresh: [FreshStore], _ folder: URL,
    without: Set<String>,
    given: URL? = nil
  ) throws -> Base {
    let store = folder.appending(path: "base-\(without.count).store")
    let rows = session.plan.versions[from].rows.filter { !without.contains($0.label) }
    var tags: [ObjectID: RowTag] = [:]
    if let given {
      try session.copy(given, to: store)
    } else {
      tags = try session.fill(store, from, empty: fresh[from].store, with: rows)
    }
    var base = Base(
      store: store, without: without, tags: tags, dump: try session.dump(store, from),
      identifier: try StoreFile(at: .file(store), isReadOnly: true).identifier)
    guard session.runtime.entities != nil else { return base }
    do {
      let copy = folder.appending(path: "entities.store")
      try session.copy(store, to: copy)
      base.entities = try session.entities(copy, from, except: Self.unreadable(tags))
    } catch {
      base.entitiesFailure = "\(error)"
    }
    return base
  }

  private static func unreadable(_ tags: [ObjectID: RowTag]) -> Set<ObjectID> {
    Set(tags.filter { !$0.value.isReadable }.keys)
  }

  private mutating func restartChain(with first: URL? = nil) throws {
    let store = folder.appending(path: "steps.store")
    try session.copy(first ?? base.store, to: store)
    chain = store
    chainBase = base.without
    stepFailure = nil
  }

  // MARK: Paths

  mutating func run() -> [PathResult] {
    session.plan.ends(from: from).map { to in
      let clock = ContinuousClock()
      let start = clock.now
      var result = PathResult(
        from: session.name(from), to: session.name(to), store: given?.name)
      do {
        try rehearse(to, &result)
      } catch {
        result.failures.append(
          RehearsalFailure(
            .migrationFailed, path: session.pathName(from, to), note: "\(error)"))
      }
      result.seconds = (clock.now - start).seconds
      // A user's store is reported once, after all of its paths.
      if given == nil {
        session.tell(
          RehearsalEvent(from: result.from, to: result.to, failures: result.failures.count))
      }
      return result
    }
  }

  private mutating func rehearse(_ to: Int, _ result: inout PathResult) throws {
    let name = session.pathName(from, to)
    guard let path = session.plan.path(from: from, to: to) else {
      throw RehearsalSession.Stopped(description: "the plan does not contain \(name)")
    }
    let store = folder.appending(path: "direct.store")
    guard try migrate(store, to, path, &result) else {
      try step(to)
      return
    }
    let migrated = try session.dump(store, to)
    let verdict = MigrationVerifier.verdict(
      on: path, named: name, source: base.dump, target: migrated, tags: base.tags)
    result.entities = verdict.entities
    result.failures += verdict.failures
    result[.conservation] = verdict.failures.isEmpty ? .passed : .failed
    if to == from + 1 { checkExpectations(base.store, store, to, name, &result) }
    try checkStructure(store, to, name, &result)
    try checkSteps(store, to, path, migrated, name, &result)
    let isOpenedAgain = checkConverters(store, to, path, verdict, name, &result)
    try checkAgain(store, isOpenedAgain, to, migrated, name, &result)
  }

  /// Migrates all rows at once. If that fails, finds the rows that cause it, reports them and leaves them out.
  /// - Returns: Whether there is a store of the newer version.
  private mutating func migrate(
    _ store: URL, _ to: Int, _ path: PlannedPath, _ result: inout PathResult
  ) throws -> Bool {
    absent = Self.absent(session.plan.versions[from].rows, on: path)
    let all = session.plan.versions[from].rows.filter { !absent.contains($0.label) }
    // A row that fails on a shorter path may succeed on this one, so every path begins with all rows.
    try rebase(without: [])
    try session.copy(base.store, to: store)
    let outcome = try migrate(store, to, &result)
    if outcome.isSuccess { return true }
    if given != nil {
      // Rows of a user's store are not left out: only the user decides about them.
      result.failures.append(failed(outcome.description, path))
      return false
    }
    let nasty = all.filter { $0.category != nil }.map(\.label)
    guard try succeeds(without: Set(nasty), to) else {
      result.failures.append(failed("with ordinary rows alone: \(outcome.description)", path))
      return false
    }
    var found: Set<String> = []
    var suspects = nasty.filter(culprits.contains)
    for _ in 0..<8 {
      if suspects.isEmpty {
        guard let culprit = try culprit(among: nasty.filter { !found.contains($0) }, nasty, to)
        else { break }
        suspects = [culprit]
      }
      found.formUnion(suspects)
      suspects = []
      if try succeeds(without: found, to) { break }
    }
    for label in found.sorted() {
      let row = all.first { $0.label == label }
      let reason = try failure(with: [label], nasty, to) ?? outcome
      let property = try row.flatMap { try failingProperty(of: $0, nasty, to) }
      let ways = [
        row.flatMap(Self.wayOut),
        reason.isTrap ? Self.wayOut(ofTrapAt: property, in: row?.entity, on: path) : nil,
      ]
      let reasons = [reason.description] + ways.compactMap(\.self)
      result.failures.append(failed(reasons.joined(separator: "\n"), path, row, property))
    }
    if found.isEmpty {
      result.failures.append(
        failed("on several adversarial rows together: \(outcome.description)", path))
      found = Set(nasty)
    }
    culprits.formUnion(found)
    try rebase(without: found)
    try session.copy(base.store, to: store)
    return try migrate(store, to, &result).isSuccess
  }

  private func migrate(
    _ store: URL, _ to: Int, _ result: inout PathResult
  ) throws -> ChildProcess.Outcome {
    let file = folder.appending(path: "record.json")
    let outcome = try session.migrate(store, to: to, record: file)
    if outcome.isSuccess {
      let record = try RehearsalJSON.decode(MigrationRecord.self, from: Data(contentsOf: file))
      result.fallbacks = record.fallbacks
      result.peakMemory = record.peakMemory
    }
    return outcome
  }

  private func failed(
    _ text: String, _ path: PlannedPath, _ row: PlannedRow? = nil, _ property: String? = nil
  ) -> RehearsalFailure {
    let hooks = path.hooks.joined(separator: ", ")
    return RehearsalFailure(
      .migrationFailed, path: session.pathName(path.from, path.to), entity: row?.entity,
      row: row?.label, category: row?.category, property: property, expected: "a migrated store",
      found: "a failure",
      note: text + (hooks.isEmpty ? "" : "\nyour hooks run on this path: \(hooks)"))
  }

  private static func absent(_ rows: [PlannedRow], on path: PlannedPath) -> Set<String> {
    Set(
      rows.filter { row in
        guard !row.cases.isEmpty else { return false }
        let fields = path.flows.filter { $0.source == row.entity }.flatMap(\.fields)
        return !fields.contains { field in
          field.gone.contains { gone in
            field.origins.contains { row.cases[gone.place(in: $0)] == gone.name }
          }
        }
      }.map(\.label))
  }

  private static func wayOut(_ row: PlannedRow) -> String? {
    row.cases.sorted { $0.key < $1.key }.first.map { property, name in
      // A path into a struct has a dot, and a case without a raw value has a column.
      let isReplaceable = !property.contains(".") && row.values["\(property).rawValue"] != nil
      return "its '\(property)' holds '\(name)': "
        + GoneCase.wayOut(name, isReplaceable: isReplaceable)
    }
  }

  private static func wayOut(
    ofTrapAt property: String?, in entity: String?, on path: PlannedPath
  ) -> String? {
    guard let property else { return nil }
    let made = path.flows.filter { $0.source == entity }.flatMap { flow in
      flow.fields.filter { $0.fate == .converted && $0.origins.contains(property) }
        .map { "'\(flow.target ?? "").\($0.property)'" }
    }
    guard !made.isEmpty else { return nil }
    return
      "the code that makes \(Set(made).sorted().joined(separator: ", ")) from '\(property)' must accept every value that "
      + "a row can hold: limit the value before you convert it"
  }

  private mutating func rebase(without: Set<String>) throws {
    let without = without.union(absent)
    guard base.without != without else { return }
    base = try Self.base(session, from, fresh, folder, without: without)
  }

  // MARK: Culprits

  private func succeeds(without labels: Set<String>, _ to: Int) throws -> Bool {
    try outcome(without: labels, to).isSuccess
  }

  private func outcome(without labels: Set<String>, _ to: Int) throws -> ChildProcess.Outcome {
    try outcome(with: rows(without: labels), to)
  }

  private func rows(without labels: Set<String>) -> [PlannedRow] {
    let left = labels.union(absent)
    return session.plan.versions[from].rows.filter { !left.contains($0.label) }
  }

  private func outcome(with rows: [PlannedRow], _ to: Int) throws -> ChildProcess.Outcome {
    let store = folder.appending(path: "probe.store")
    _ = try session.fill(store, from, empty: fresh[from].store, with: rows)
    return try session.migrate(store, to: to)
  }

  private func failure(
    with labels: [String], _ nasty: [String], _ to: Int
  ) throws -> ChildProcess.Outcome? {
    let outcome = try outcome(without: Set(nasty).subtracting(labels), to)
    return outcome.isSuccess ? nil : outcome
  }

  /// One row that makes a migration fail, found by halving; nil if no single row does.
  private func culprit(
    among suspects: [String], _ nasty: [String], _ to: Int
  ) throws -> String? {
    guard try failure(with: suspects, nasty, to) != nil else { return nil }
    return try Self.halved(suspects[...]) { try failure(with: Array($0), nasty, to) != nil }
  }

  private static func halved(
    _ suspects: ArraySlice<String>, _ shows: (ArraySlice<String>) throws -> Bool
  ) rethrows -> String? {
    var suspects = suspects
    while suspects.count > 1 {
      let half = suspects.prefix(suspects.count / 2)
      let rest = suspects.dropFirst(suspects.count / 2)
      if try shows(half) {
        suspects = half
      } else if try shows(rest) {
        suspects = rest
      } else {
        return nil
      }
    }
    return suspects.first
  }

  /// The property whose value makes a row fail, found by halving. With an ordinary row's value instead, the migration
  /// succeeds. Nil if no single value is the cause.
  private func failingProperty(
    of row: PlannedRow, _ nasty: [String], _ to: Int
  ) throws -> String? {
    let rows = rows(without: Set(nasty).subtracting([row.label]))
    guard let place = rows.firstIndex(where: { $0.label == row.label }),
      let ordinary = rows.first(where: { $0.entity == row.entity && $0.category == nil })
    else { return nil }
    func succeeds(_ properties: ArraySlice<String>, copy: Int = 0) throws -> Bool {
      var rows = rows
      rows[place] = row.taking(Set(properties), from: ordinary, copy: copy)
      return try outcome(with: rows, to).isSuccess
    }
    let unique = Set(session.runtime.versions[from].model.entities.flatMap(\.uniqueness).joined())
    let properties = row.properties(otherThanIn: ordinary)
    // Two rows cannot have the same value, so the row gets one that is only similar to the ordinary row's.
    for property in properties where unique.contains(property) {
      if try succeeds([property], copy: Self.farCopy) { return property }
    }
    let suspects = properties.filter { !unique.contains($0) }
    guard let found = try Self.halved(suspects[...], { try succeeds($0) }) else { return nil }
    return try succeeds([found]) ? found : nil
  }

  /// A number for a copy that no other copy has, because there are far fewer rows.
  private static let farCopy = 1_000_003

  // MARK: Checks

  private func checkStructure(
    _ store: URL, _ to: Int, _ name: String, _ result: inout PathResult
  ) throws {
    let file = try StoreFile(at: .file(store), isReadOnly: true)
    var failures: [RehearsalFailure] = []
    let structure = try file.structure()
    if structure != fresh[to].structure {
      let difference = Self.lineDifference(fresh[to].structure, structure)
      failures.append(
        RehearsalFailure(
          .structureDiffers, path: name, expected: difference.expected, found: difference.found))
    }
    if !file.matches(session.runtime.versions[to].model) {
      failures.append(
        RehearsalFailure(
          .structureDiffers, path: name, expected: "a store of \(session.name(to))",
          found: "a store of another model"))
    }
    if file.identifier != base.identifier {
      failures.append(
        RehearsalFailure(
          .structureDiffers, path: name, expected: "the same store", found: "a new one"))
    }
    result.failures += failures
    result[.structure] = failures.isEmpty ? .passed : .failed
  }

  private static func lineDifference(
    _ first: String, _ second: String
  ) -> (expected: String, found: String) {
    let one = first.split(separator: "\n")
    let other = second.split(separator: "\n")
    let missing = one.filter { !other.contains($0) }.prefix(5)
    let extra = other.filter { !one.contains($0) }.prefix(5)
    return (missing.joined(separator: "\n"), extra.joined(separator: "\n"))
  }

  private mutating func step(_ to: Int) throws {
    guard let store = chain else { return }
    if !session.expectations(of: to).isEmpty {
      let before = folder.appending(path: "before.store")
      try session.copy(store, to: before)
      chainBefore = before
    }
    let outcome = try session.migrate(store, to: to)
    guard !outcome.isSuccess else { return }
    chain = nil
    stepFailure = "\(session.pathName(to - 1, to)) \(outcome.description)"
  }

  private mutating func catchUp(before to: Int) throws {
    try restartChain()
    for version in (from + 1)..<max(from + 1, to) { try step(version) }
  }

  private mutating func checkSteps(
    _ direct: URL, _ to: Int, _ path: PlannedPath, _ migrated: StoreDump, _ name: String,
    _ result: inout PathResult
  ) throws {
    if to == from + 1 {
      // A single step is the direct path, so the step-by-step store continues from its result.
      try restartChain(with: direct)
      result[.stepwise] = .skipped("one step is the direct path")
      return
    }
    if chainBase != base.without || (chain == nil && !base.without.isEmpty) {
      try catchUp(before: to)
    }
    try step(to)
    guard let store = chain else {
      result[.stepwise] = .failed
      result.failures.append(
        RehearsalFailure(
          .stepwiseDiffers, path: name, expected: "every step to work", found: "a failure",
          note: stepFailure))
      return
    }
    let stepwise = try session.dump(store, to)
    if let chainBefore { checkExpectations(chainBefore, store, to, name, &result) }
    var comparison = DumpComparison(on: path)
    let differences = try comparison.differences(migrated, stepwise, on: path) {
      try session.migrated(base.store, as: folder.appending(path: "probe.store"), to: to)
    }
    result[.stepwise] = differences.isEmpty ? .passed : .failed
    result.failures += MigrationVerifier.condensed(
      differences.map { difference in
        RehearsalFailure(
          .stepwiseDiffers, path: name, entity: difference.entity,
          row: label(difference, path), property: difference.property,
          expected: "step by step \(difference.second)", found: "at once \(difference.first)")
      })
  }

  private func checkExpectations(
    _ before: URL, _ after: URL, _ to: Int, _ name: String, _ result: inout PathResult
  ) {
    let numbers = session.expectations(of: to)
    guard !numbers.isEmpty, let way = session.plan.path(from: from, to: to),
      let step = session.plan.path(from: to - 1, to: to)
    else { return }
    var failures: [RehearsalFailure] = []
    do {
      let verdict = MigrationVerifier.verdict(
        on: step, named: name, source: try session.dump(before, to - 1),
        target: try session.dump(after, to), tags: [:])
      var origins: [ObjectID: ObjectID] = [:]
      for (old, news) in verdict.successors { for new in news { origins[new] = old } }
      func label(_ row: ObjectID) -> String {
        let tag = to == from + 1 ? origins[row].flatMap { base.tags[$0] } : nil
        return tag?.label ?? self.label(row.entity, row.key, way) ?? "key \(row.key)"
      }
      // The plan makes unreadable values on purpose.
      let hasUnreadable = !Self.unreadable(base.tags).isEmpty
      for number in numbers {
        let broken = try session.broken(number, from: before, to: after, origins: origins)
        failures += MigrationVerifier.condensed(
          broken.filter { !hasUnreadable || !$0.isUnreadable }.map {
            RehearsalFailure(
              .expectationBroken, path: name, entity: $0.row?.entity, row: $0.row.map(label),
              expected: session.runtime.expectations[number].text, found: $0.found, note: $0.note)
          })
      }
    } catch {
      failures.append(
        RehearsalFailure(
          .expectationBroken, path: name, found: "a failure",
          note: "the expectations cannot be checked: \(error)"))
    }
    result[.expectations] = failures.isEmpty ? .passed : .failed
    result.failures += failures
  }

  private func label(_ difference: DumpComparison.Difference, _ path: PlannedPath) -> String {
    guard case .row(let key) = difference.place,
      let label = label(difference.entity, key, path)
    else { return difference.place.description }
    return label
  }

  private func label(_ entity: String, _ key: Int64, _ path: PlannedPath) -> String? {
    path.flows.first { $0.target == entity && $0.identity == .kept }
      .flatMap { base.tags[ObjectID(entity: $0.source, key: key)]?.label }
  }

  /// - Parameter isOpened: Whether another process has opened the store since it was migrated.
  private func checkAgain(
    _ store: URL, _ isOpened: Bool, _ to: Int, _ migrated: StoreDump, _ name: String,
    _ result: inout PathResult
  ) throws {
    if !isOpened, case let outcome = try session.migrate(store, to: to), !outcome.isSuccess {
      result[.again] = .failed
      result.failures.append(
        RehearsalFailure(
          .againDiffers, path: name, expected: "the store to open", found: "a failure",
          note: outcome.description))
      return
    }
    let differences = DumpComparison().differences(migrated, try session.dump(store, to))
    result[.again] = differences.isEmpty ? .passed : .failed
    result.failures += MigrationVerifier.condensed(
      differences.map { difference in
        RehearsalFailure(
          .againDiffers, path: name, entity: difference.entity, row: difference.place.description,
          property: difference.property, expected: difference.first, found: difference.second)
      })
  }

  /// - Returns: Whether a process has opened the store and read all domain entities.
  private func checkConverters(
    _ store: URL, _ to: Int, _ path: PlannedPath, _ verdict: MigrationVerifier.Verdict,
    _ name: String, _ result: inout PathResult
  ) -> Bool {
    guard session.runtime.entities != nil, path.flows.contains(where: { $0.entityFields != nil })
    else {
      result[.converters] = .skipped("one of the versions has no converters")
      return false
    }
    var isOpened = false
    do {
      guard let before = base.entities else {
        throw RehearsalSession.Stopped(description: base.entitiesFailure ?? "no entities")
      }
      let hidden = Self.unreadable(base.tags)
      let unreadable = hidden.flatMap { verdict.successors[$0] ?? [] }
      let after = try session.entities(store, to, except: Set(unreadable))
      isOpened = true
      let failures = ConverterComparison(path: path, name: name, tags: base.tags)
        .failures(before, after, verdict.successors)
      guard failures.isEmpty || path.hooks.isEmpty else {
        result[.converters] = .skipped("your hooks change values on this path")
        return isOpened
      }
      result.failures += failures
      result[.converters] = failures.isEmpty ? .passed : .failed
    } catch {
      result[.converters] = .failed
      result.failures.append(
        RehearsalFailure(
          .convertersDiffer, path: name, expected: "toEntity() of every row", found: "a failure",
          note: "\(error)"))
    }
    return isOpened
  }
}

/// An empty store of a version, and its layout.
struct FreshStore: Sendable {
  var store: URL
  var structure: String
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

extension PlannedRow {
  fileprivate func properties(otherThanIn other: PlannedRow) -> [String] {
    let paths = Set(values.keys).union(other.values.keys)
    return Set(paths.filter { values[$0] != other.values[$0] }.map(Self.property)).sorted()
  }

  fileprivate func taking(
    _ properties: Set<String>, from other: PlannedRow, copy: Int
  ) -> PlannedRow {
    var row = self
    row.values = values.filter { !properties.contains(Self.property($0.key)) }
    for (path, value) in other.values where properties.contains(Self.property(path)) {
      row.values[path] =
        if case .stored(let value) = value { .stored(value.distinguished(by: copy)) } else { value }
    }
    return row
  }

  private static func property(_ path: String) -> String { String(path.prefix { $0 != "." }) }
}
