internal import SchemaModel

/// What was worked out for steps and versions of a history before one of its manifests changed.
///
/// A step is the same where both versions came out of the same readings, and all else that it follows from is equal. What
/// the last history did not use is gone.
package final class StepMemory: Sendable {
  /// What all steps of a history follow from, beside their versions.
  private struct Ground: Equatable, Sendable {
    var configuration: Configuration
    var shipped: ShippedVersions
    var newest: VersionNumber?
  }

  private struct Key: Hashable, Sendable {
    var old: ObjectIdentifier
    var new: ObjectIdentifier
    var index: Int
  }

  /// Holds on to the readings, so that no other can have their identities.
  private struct Entry: Sendable {
    var readings: [SchemaVersion.Reading]
    var hook: HookCode?
    var step: VersionStep
  }

  private struct Memory: Sendable {
    var ground: Ground?
    var pairings: [Key: (readings: [SchemaVersion.Reading], pairing: StepPairing)] = [:]
    var steps: [Key: Entry] = [:]
    var identities = IdentityMemory()
    var stages = StagePlanner.Memory()
    var withoutStep: [VersionNumber: (of: SchemaVersion.Reading, version: SchemaVersion)] = [:]
  }

  private let memory = Locked(Memory())

  package init() {}

  /// Forgets all steps: something that no value tells has changed, such as places in the configuration.
  package func forget() { memory.withLock { $0 = Memory() } }

  private static func key(_ pairing: StepPairing, _ index: Int) -> Key? {
    key(pairing.old, pairing.new, index)
  }

  private static func key(_ old: SchemaVersion, _ new: SchemaVersion, _ index: Int) -> Key? {
    guard let old = old.reading, let new = new.reading else { return nil }
    return Key(old: ObjectIdentifier(old), new: ObjectIdentifier(new), index: index)
  }

  func pairings(
    _ history: [SchemaVersion], _ make: @Sendable (Int) -> StepPairing
  ) -> [StepPairing] {
    let known = memory.withLock { $0.pairings }
    let pairings = concurrentMap(max(0, history.count - 1)) { index in
      Self.key(history[index], history[index + 1], index).flatMap { known[$0]?.pairing }
        ?? make(index)
    }
    var kept: [Key: (readings: [SchemaVersion.Reading], pairing: StepPairing)] = [:]
    for (index, pairing) in pairings.enumerated() {
      guard let key = Self.key(pairing, index) else { continue }
      kept[key] = ([pairing.old.reading, pairing.new.reading].compactMap(\.self), pairing)
    }
    memory.withLock { [kept] in $0.pairings = kept }
    return pairings
  }

  func steps(
    _ pairings: [StepPairing], _ configuration: Configuration, _ shipped: ShippedVersions,
    _ hooks: [VersionNumber: HookCode], _ make: @Sendable (Int) -> VersionStep
  ) -> [VersionStep] {
    let ground = Ground(
      configuration: configuration, shipped: shipped, newest: pairings.last?.new.number)
    let known = memory.withLock { $0.ground == ground ? $0.steps : [:] }
    let steps = concurrentMap(pairings.count) { index -> VersionStep in
      if let key = Self.key(pairings[index], index), let entry = known[key],
        entry.hook == hooks[pairings[index].new.number]
      {
        return entry.step
      }
      return make(index)
    }
    var kept: [Key: Entry] = [:]
    for (index, pairing) in pairings.enumerated() {
      guard let key = Self.key(pairing, index) else { continue }
      kept[key] = Entry(
        readings: [pairing.old.reading, pairing.new.reading].compactMap(\.self),
        hook: hooks[pairing.new.number], step: steps[index])
    }
    memory.withLock { [kept] in
      $0.ground = ground
      $0.steps = kept
    }
    return steps
  }

  func identities(of versions: [SchemaVersion], _ reader: IdentityReader) -> [StructuralIdentity] {
    let known = memory.withLock { $0.identities }
    let (identities, kept) = reader.identities(of: versions, knowing: known)
    memory.withLock { $0.identities = kept }
    return identities
  }

  /// A version without what belongs to the step to it; the latest of each number is kept.
  func withoutStep(_ version: SchemaVersion) -> SchemaVersion {
    guard let reading = version.reading else { return version.withoutStep }
    let known = memory.withLock { $0.withoutStep[version.number] }
    if let known, known.of === reading { return known.version }
    let made = version.withoutStep
    memory.withLock { $0.withoutStep[version.number] = (reading, made) }
    return made
  }

  func planner(of chain: [ChainVersion], _ isCustom: [Bool]) -> StagePlanner {
    let known = memory.withLock { $0.stages }
    let planner = StagePlanner(chain: chain, isCustom: isCustom, knowing: known)
    memory.withLock { $0.stages = planner.memory }
    return planner
  }
}
