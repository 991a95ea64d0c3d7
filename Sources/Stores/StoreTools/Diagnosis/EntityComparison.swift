internal import Foundation
internal import ManagedModels
internal import SchemaEvolution
internal import StoreFormat

/// Holds the entities of a store against those of a version, by the store's own model or by their hashes.
struct EntityComparison {
  private(set) var entities: [StoreDiagnosis.Entity] = []

  private let facts: StoreFacts
  private let candidate: StoreMatch.Candidate
  /// The version, and what of it has been found to be otherwise in the store.
  private var known: ManagedModel
  /// What the store calls entities of the version, where that is another name.
  private var renames: [String: String] = [:]
  /// Entities of `known` that are as the store has them, with what showed it.
  private var found: [String: StoreDiagnosis.Entity.Basis] = [:]
  /// Why others are not, by name.
  private var failures: [String: [String]] = [:]
  private let own: [String: ManagedEntity]
  private let isBare: Bool

  init(_ facts: StoreFacts, _ candidate: StoreMatch.Candidate) {
    self.facts = facts
    self.candidate = candidate
    known = candidate.model.model
    // A cache that the hashes were not made of says nothing of them.
    let made = facts.model?.versionHashes.entities ?? [:]
    let doubts = facts.model?.hashDoubts ?? [:]
    own = (facts.model?.entitiesByName ?? [:]).filter { name, _ in
      facts.hashes[name].map { $0 == made[name] || doubts[name] != nil } ?? true
    }
    isBare = facts.model == nil && facts.hashes.isEmpty
  }

  private var version: ManagedModel { candidate.model.model }

  /// The store's model; nil where not all of it is known.
  var storeModel: ManagedModel? {
    guard failures.isEmpty, !isBare else { return nil }
    return known
  }

  private var storeNames: Set<String> {
    facts.hashes.isEmpty ? Set(facts.entities.map(\.name)) : Set(facts.hashes.keys)
  }

  mutating func run() {
    findRenames()
    let stored = storeNames
    let names = Set(known.entities.map(\.name))
    for name in stored.subtracting(names) {
      if let entity = own[name] {
        known.entities.append(entity)
      } else {
        failures[name] = []
      }
    }
    for name in names.subtracting(stored) { known.entities.removeAll { $0.name == name } }
    for name in names.intersection(stored).sorted() { find(name) }
    report(stored)
  }

  // MARK: Finding

  private mutating func find(_ name: String) {
    if let entity = own[name], let place = known.entities.firstIndex(where: { $0.name == name }) {
      known.entities[place] = entity
      found[name] = .model
    } else if let target = facts.hashes[name] {
      if hash(of: name, in: known) == target {
        found[name] = .hash
      } else {
        failures[name] = ["its hash is another one, and the store has no model that says why"]
      }
    } else if !isBare {
      failures[name] = ["the store has no hash of it"]
    }
  }

  /// Finds entities that the version has under another name.
  private mutating func findRenames() {
    let names = Set(version.entities.map(\.name))
    var gone = names.subtracting(storeNames).sorted()
    let new = storeNames.subtracting(names).sorted()
    // Of so many that only one side has, the two have little to do with each other.
    guard gone.count * new.count <= 400 else { return }
    for name in new {
      for old in gone {
        let renamed = known.renaming(old, to: name)
        guard isSame(name, renamed) else { continue }
        known = renamed
        renames[name] = old
        gone.removeAll { $0 == old }
        break
      }
    }
  }

  /// Whether an entity of a model is the store's.
  private func isSame(_ name: String, _ model: ManagedModel) -> Bool {
    if let target = facts.hashes[name] { return hash(of: name, in: model) == target }
    guard let entity = own[name], let other = model.entitiesByName[name] else { return false }
    return ModelComparison(
      ManagedModel(entities: [entity], versionIdentifier: ""),
      ManagedModel(entities: [other], versionIdentifier: "")
    ).isSame
  }

  private func hash(of name: String, in model: ManagedModel) -> Data? {
    EntityHashParts(of: name, in: model).map { Data($0.hash) }
  }

  // MARK: Telling

  private mutating func report(_ stored: Set<String>) {
    guard !isBare else { return }
    let versionNames = Set(version.entities.map(\.name))
    let hashes = version.versionHashes.entities
    let doubts = version.hashDoubts.mapValues { $0.map(\.text) }
    for name in stored.union(versionNames).sorted() {
      if renames.values.contains(name) { continue }
      var entity = StoreDiagnosis.Entity(name: name, status: .same)
      let old = renames[name] ?? name
      entity.versionName = renames[name]
      if !stored.contains(name) {
        entity.status = .versionOnly
      } else if !versionNames.contains(old) {
        entity.status = .storeOnly
        entity.basis = own[name] == nil ? nil : .model
      } else if let reasons = failures[name] {
        entity.status = .unexplained
        entity.reasons = reasons + (doubts[name] ?? [])
      } else if renames[name] != nil || facts.hashes[name] != hashes[name] {
        entity.differences = differences(name, old)
        entity.basis = found[name]
        entity.status = .differs
        if entity.differences.isEmpty, renames[name] == nil {
          tellWithoutDifferences(&entity, doubts[name] ?? [])
        }
      }
      entities.append(entity)
    }
  }

  /// Says why a hash is another one where the entity itself is the same.
  private func tellWithoutDifferences(_ entity: inout StoreDiagnosis.Entity, _ doubts: [String]) {
    let hashes = version.versionHashes.entities
    if let above = known.entitiesByName[entity.name]?.superentity,
      facts.hashes[above] != hashes[above]
    {
      entity.reasons = ["its superclass '\(above)' differs"]
    } else if facts.hashes.isEmpty || !doubts.isEmpty {
      // Its hash is not certain: by its model it is the same.
      entity.status = .same
      entity.reasons = doubts
    } else {
      entity.status = .unexplained
    }
  }

  private func differences(_ name: String, _ old: String) -> [ModelComparison.Difference] {
    let model = name == old ? version : version.renaming(old, to: name)
    guard let one = known.entitiesByName[name], let other = model.entitiesByName[name] else {
      return []
    }
    // By themselves: what a superclass has otherwise is told of that.
    let comparison = ModelComparison(
      ManagedModel(entities: [one], versionIdentifier: ""),
      ManagedModel(entities: [other], versionIdentifier: ""),
      unspecified: candidate.model.unspecified)
    return comparison.differences.filter(\.isHashed)
  }
}

extension ManagedModel {
  /// The same with another name for an entity, wherever it is named.
  func renaming(_ old: String, to name: String) -> ManagedModel {
    var model = self
    for index in model.entities.indices {
      if model.entities[index].name == old { model.entities[index].name = name }
      if model.entities[index].superentity == old { model.entities[index].superentity = name }
      for place in model.entities[index].relationships.indices
      where model.entities[index].relationships[place].destination == old {
        model.entities[index].relationships[place].destination = name
      }
    }
    return model
  }
}
