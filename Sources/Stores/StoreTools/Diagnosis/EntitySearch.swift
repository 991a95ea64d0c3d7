internal import Foundation
internal import ManagedModels

/// Finds the entity that a store's hash was made of, near one that is known.
///
/// Equal hashes prove what it finds. It tries what the store's table does not fit without, then one and two changes
/// beside that, and more of those that people make most; changes that are not hashed it cannot tell.
struct EntitySearch {
  /// What came of it.
  enum Outcome: Equatable, Sendable {
    /// The entity that the hash was made of.
    case found(ManagedEntity)
    /// None within the changes that were tried.
    case notFound
    /// Not all was tried.
    case cutShort
  }

  private let entity: ManagedEntity
  private let target: [UInt8]
  private let hints: EntityHints
  /// With what is inherited.
  private let parts: EntityHashParts
  /// For each thing that the table has otherwise, what would explain it, by rank.
  private let forced: [[[Variation]]]
  /// The entity as the version has it.
  private let row: Row
  /// How many more hashes may be made.
  private var left = 0

  /// - Parameters:
  ///   - name: The entity's name; the model has it.
  ///   - model: What is known, its superclasses as the store has them.
  ///   - target: The store's hash of it.
  init?(_ name: String, in model: ManagedModel, target: Data, hints: EntityHints) {
    guard let entity = model.entitiesByName[name],
      let parts = EntityHashParts(of: name, in: model)
    else { return nil }
    self.entity = entity
    self.parts = parts
    self.target = Array(target)
    self.hints = hints
    row = Row(parts)
    let slots = EntityAlternatives(entity: entity, hints: hints).forced
    isFar = slots.count > Self.mostSlots
    forced =
      isFar
      ? []
      : slots.map { slot in
        (0...(slot.map(\.rank).max() ?? 0)).map { rank in
          slot.filter { $0.rank == rank }.map { Variation($0, of: entity, parts) }
        }
      }
  }

  /// Beyond so many differences between tables nobody finds a hash.
  private static let mostSlots = 6
  private let isFar: Bool

  /// - Parameter budget: How many hashes may be made; what was used is taken off.
  mutating func run(budget: inout Int) -> Outcome {
    guard !isFar else { return .notFound }
    // What explains the table was hashed already, property by property.
    left = budget - forced.joined().reduce(0) { $0 + $1.count }
    defer { budget = left }
    // The likely first: by how far is guessed in all, and how many changes there are beside what tables tell.
    for (rank, free) in [
      (0, 0), (0, 1), (1, 0), (2, 0), (0, 2), (1, 1), (0, 3), (3, 0), (4, 0), (0, 4),
    ] {
      if rank > 0, forced.isEmpty { continue }
      if let found = search(forced[...], [], rank: rank, free: free) { return .found(found) }
      if left <= 0 { return .cutShort }
    }
    return .notFound
  }

  /// Tries every way to explain the table of which the guesses add up to a rank.
  private mutating func search(
    _ slots: ArraySlice<[[Variation]]>, _ chosen: [Variation], rank: Int, free: Int
  ) -> ManagedEntity? {
    guard let slot = slots.first else {
      guard rank == 0 else { return nil }
      return free == 0 ? search(exactly: chosen) : search(beside: chosen, free: free)
    }
    for own in slot.indices where own <= rank && (slots.count > 1 || own == rank) {
      for variation in slot[own] {
        guard left > 0 else { return nil }
        if let found = search(
          slots.dropFirst(), chosen + [variation], rank: rank - own, free: free)
        {
          return found
        }
      }
    }
    return nil
  }

  private mutating func search(exactly chosen: [Variation]) -> ManagedEntity? {
    left -= 1
    let changes = chosen.map(\.change)
    var all = Variation(EntityChange(), of: entity, parts)
    for variation in chosen {
      all.hashes.merge(variation.hashes) { _, other in other }
      if variation.tail != nil { all.tail = variation.tail }
    }
    // What constraints are over may be among what is new.
    if chosen.count > 1, changes.contains(where: \.isOfConstraints) || all.tail != nil {
      all.tail = EntityHashParts.tail(of: applied(changes, to: entity))
    }
    return row.hash(with: all) == target ? applied(changes, to: entity) : nil
  }

  private mutating func search(beside chosen: [Variation], free: Int) -> ManagedEntity? {
    let entity = applied(chosen.map(\.change), to: self.entity)
    var base = parts
    for name in self.entity.parts.map(\.name) { base.properties[name] = nil }
    for part in entity.parts { base.properties[part.name] = part.hash(in: entity.name) }
    base.tail = EntityHashParts.tail(of: entity)
    let alternatives = EntityAlternatives(entity: entity, hints: hints)
    let row = Row(base)
    guard free < 3 else { return search(free, ofLikely: alternatives.likely, row, entity) }
    // What is guessed is too much to be taken twice.
    let changes = alternatives.all.filter { free == 1 || $0.rank == 0 }
    let singles = changes.map { Variation($0, of: entity, base) }
    // Their properties are hashed already.
    left -= singles.count
    guard free > 1 else {
      for single in singles {
        guard left > 0 else { return nil }
        if row.hash(with: single) == target { return applied([single.change], to: entity) }
      }
      return nil
    }
    return search(pairsOf: singles, row, entity) ?? search(twiceIn: entity, alternatives, row, base)
  }

  /// Two changes of different properties.
  private mutating func search(
    pairsOf singles: [Variation], _ row: Row, _ entity: ManagedEntity
  ) -> ManagedEntity? {
    for (index, first) in singles.enumerated() {
      let changed = row.with(first)
      let names = Set(first.names)
      for second in singles[(index + 1)...] where names.isDisjoint(with: second.names) {
        left -= 1
        guard left > 0 else { return nil }
        var second = second
        if first.tail != nil, second.tail != nil {
          second.tail = EntityHashParts.tail(
            of: applied([first.change, second.change], to: entity))
        }
        if changed.hash(with: second) == target {
          return applied([first.change, second.change], to: entity)
        }
      }
    }
    return nil
  }

  /// So many changes of those that people make most, each of another property.
  private mutating func search(
    _ count: Int, ofLikely parts: [EntityPart], _ row: Row, _ entity: ManagedEntity
  ) -> ManagedEntity? {
    var choices = [[(hash: [UInt8], part: EntityPart)]](repeating: [], count: row.count)
    for part in parts {
      guard let place = row.place(ofKnown: part.name) else { continue }
      choices[place].append((part.hash(in: entity.name), part))
    }
    let sets = Self.sets(choices.map(\.count), of: count)
    // All of them, or none: what is cut short proves nothing.
    guard sets < left else { return nil }
    left -= sets
    guard let found = row.search(choices.map { $0.map(\.hash) }, count, target) else { return nil }
    return applied(
      found.map { EntityChange(.set(choices[$0.place][$0.choice].part)) }, to: entity)
  }

  /// How many ways there are to take so many places with one of its choices each.
  private static func sets(_ choices: [Int], of count: Int) -> Int {
    var ways = [1] + Array(repeating: 0, count: count)
    for choice in choices {
      for taken in stride(from: count, to: 0, by: -1) {
        let more = ways[taken - 1].multipliedReportingOverflow(by: choice)
        ways[taken] = more.overflow ? .max / 2 : min(.max / 2, ways[taken] + more.partialValue)
      }
    }
    return ways[count]
  }

  /// Two changes of one property.
  private mutating func search(
    twiceIn entity: ManagedEntity, _ alternatives: EntityAlternatives, _ row: Row,
    _ base: EntityHashParts
  ) -> ManagedEntity? {
    for part in entity.parts {
      var seen: Set<EntityPart> = [part]
      for first in alternatives.alternatives(of: part) { seen.insert(first) }
      for first in alternatives.alternatives(of: part) {
        for second in alternatives.alternatives(of: first) where seen.insert(second).inserted {
          left -= 1
          guard left > 0 else { return nil }
          let variation = Variation(EntityChange(.set(second)), of: entity, base)
          if row.hash(with: variation) == target {
            return applied([variation.change], to: entity)
          }
        }
      }
    }
    return nil
  }

  private func applied(_ changes: [EntityChange], to entity: ManagedEntity) -> ManagedEntity {
    var changed = entity
    for change in changes { changed.apply(change) }
    return changed
  }
}

/// A change as its hashes.
private struct Variation {
  let change: EntityChange
  /// By name; nil for what is gone.
  var hashes: [String: [UInt8]?] = [:]
  /// Where it is another one.
  var tail: [UInt8]?

  var names: [String] { Array(hashes.keys) }

  init(_ change: EntityChange, of entity: ManagedEntity, _ base: EntityHashParts) {
    self.change = change
    // Nothing but one property is another one: the most frequent case by far.
    if change.edits.count == 1, case .set(let part) = change.edits[0] {
      hashes = [part.name: .some(part.hash(in: entity.name))]
      return
    }
    var changed = entity
    changed.apply(change)
    let parts = Dictionary(changed.parts.map { ($0.name, $0) }) { first, _ in first }
    for name in change.names { hashes[name] = .some(parts[name]?.hash(in: entity.name)) }
    let tail = EntityHashParts.tail(of: changed)
    if tail != base.tail { self.tail = tail }
  }
}

/// An entity's parts in the order of their names, with the hash's state before each.
private struct Row {
  private let names: [String]
  private let hashes: [[UInt8]]
  /// The hashes one after another, and the tail.
  private let bytes: [UInt8]
  /// The state before the part of a place; one more than there are parts.
  private let states: [SHA256]
  private let tail: [UInt8]
  /// Where a name is.
  private let places: [String: Int]
  private let head: [UInt8]

  init(_ parts: EntityHashParts) {
    self.init(
      head: parts.head, parts.properties.map { ($0.key, $0.value) }, tail: parts.tail)
  }

  private init(head: [UInt8], _ parts: [(name: String, hash: [UInt8])], tail: [UInt8]) {
    let sorted = parts.sorted { EntityHashParts.precedes($0.name, $1.name) }
    names = sorted.map(\.name)
    hashes = sorted.map(\.hash)
    bytes = hashes.flatMap { $0 } + tail
    self.tail = tail
    self.head = head
    places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    var state = SHA256()
    state.update(head)
    var states = [state]
    for hash in hashes {
      state.update(hash)
      states.append(state)
    }
    self.states = states
  }

  /// How many parts there are.
  var count: Int { names.count }

  /// Where a part is; nil for a name that no part has.
  func place(ofKnown name: String) -> Int? { places[name] }

  /// The same entity with a change.
  func with(_ variation: Variation) -> Row {
    var parts = Dictionary(uniqueKeysWithValues: zip(names, hashes))
    for (name, hash) in variation.hashes { parts[name] = hash }
    return Row(
      head: head, parts.map { ($0.key, $0.value) }, tail: variation.tail ?? tail)
  }

  /// The entity's hash with a change.
  func hash(with variation: Variation) -> [UInt8] {
    // One part in the place of another: nearly all of them.
    if variation.tail == nil, variation.hashes.count == 1,
      let (name, hash) = variation.hashes.first,
      let hash, let place = places[name]
    {
      var state = states[place]
      state.update(hash)
      update(&state, from: place + 1)
      return state.finalize()
    }
    var first = names.count
    for name in variation.hashes.keys { first = min(first, place(of: name)) }
    var added = variation.hashes.filter { places[$0.key] == nil }.compactMap { name, hash in
      hash.map { (name: name, hash: $0) }
    }.sorted { EntityHashParts.precedes($0.name, $1.name) }[...]
    var bytes: [UInt8] = []
    for place in first..<names.count {
      while let next = added.first, EntityHashParts.precedes(next.name, names[place]) {
        bytes += next.hash
        added.removeFirst()
      }
      if let other = variation.hashes[names[place]] {
        bytes += other ?? []
      } else {
        bytes += hashes[place]
      }
    }
    for next in added { bytes += next.hash }
    bytes += variation.tail ?? tail
    var state = states[first]
    state.update(bytes)
    return state.finalize()
  }

  /// Takes in the parts from a place on, and the tail.
  private func update(_ state: inout SHA256, from place: Int) {
    bytes.withUnsafeBytes { state.update(UnsafeRawBufferPointer(rebasing: $0[(place * 32)...])) }
  }

  /// The choices, one a place, that so many places have to take for the hash to be the target.
  ///
  /// - Parameter choices: For each place, other hashes of its part.
  func search(
    _ choices: [[[UInt8]]], _ count: Int, _ target: [UInt8]
  ) -> [(place: Int, choice: Int)]? {
    // What stands before a change is taken in once for all that follow it.
    func rest(
      _ start: Int, _ state: SHA256, _ count: Int
    ) -> [(place: Int, choice: Int)]? {
      guard count > 0 else {
        var state = state
        update(&state, from: start)
        return state.finalize() == target ? [] : nil
      }
      var before = state
      for place in start..<choices.count {
        for (choice, hash) in choices[place].enumerated() {
          var state = before
          state.update(hash)
          if let found = rest(place + 1, state, count - 1) { return [(place, choice)] + found }
        }
        before.update(hashes[place])
      }
      return nil
    }
    return rest(0, states[0], count)
  }

  /// Where a name is, or would be.
  private func place(of name: String) -> Int {
    places[name] ?? names.firstIndex { EntityHashParts.precedes(name, $0) } ?? names.count
  }
}
