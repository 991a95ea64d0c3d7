/// The relationships that SwiftData connects although neither is declared as the inverse of the other
/// (docs/facts/identity.md#inverses-that-are-not-declared).
package struct UndeclaredInverses: Sendable {
  /// A relationship, with what the rule depends on.
  package struct End: Hashable, Sendable {
    package var entity: String
    package var name: String
    package var destination: String
    package var isToMany: Bool
    /// Whether its own Swift type is optional: `T?` or `[T]?`.
    package var isOptional: Bool
    /// Whether it has a declared inverse, on either side.
    package var isJoined: Bool

    package init(
      entity: String, name: String, destination: String, isToMany: Bool, isOptional: Bool,
      isJoined: Bool
    ) {
      self.entity = entity
      self.name = name
      self.destination = destination
      self.isToMany = isToMany
      self.isOptional = isOptional
      self.isJoined = isJoined
    }
  }

  /// The indices of connected relationships. In each pair the relationship that was examined first comes first.
  ///
  /// A relationship that would become its own inverse is left out: only one analysis describes that case, and no hash
  /// depends on it.
  package let pairs: [(Int, Int)]

  /// Finds the pairs among all relationships of a version, given in any order.
  package init(_ ends: [End]) {
    var owned: [String: [Int]] = [:]
    for index in ends.indices { owned[ends[index].entity, default: []].append(index) }
    var isJoined = ends.map(\.isJoined)
    var pairs: [(Int, Int)] = []
    for entity in owned.keys.sorted() {
      let own = (owned[entity] ?? []).sorted { ends[$0].name < ends[$1].name }
      // If an entity declares one inverse, SwiftData assumes that the entity declares all of them.
      guard !own.contains(where: { isJoined[$0] }) else { continue }
      let siblings = Dictionary(grouping: own) { ends[$0].destination }
      for index in own where ends[index].isOptional && !isJoined[index] {
        let destination = ends[index].destination
        let back = (owned[destination] ?? []).filter {
          ends[$0].destination == entity && (ends[$0].isOptional || ends[$0].isToMany)
        }
        guard back.count == 1, back[0] != index, siblings[destination]?.count == 1,
          !isJoined[back[0]]
        else {
          continue
        }
        isJoined[index] = true
        isJoined[back[0]] = true
        pairs.append((index, back[0]))
      }
    }
    self.pairs = pairs
  }
}

extension ManagedModel {
  package mutating func joinUndeclaredInverses() {
    let places = entities.indices.flatMap { entity in
      entities[entity].relationships.indices.map { (entity: entity, relationship: $0) }
    }
    let joined = UndeclaredInverses(
      places.map { place in
        let relationship = entities[place.entity].relationships[place.relationship]
        return UndeclaredInverses.End(
          entity: entities[place.entity].name, name: relationship.name,
          destination: relationship.destination, isToMany: relationship.isToMany,
          isOptional: relationship.isOptional, isJoined: relationship.inverse != nil)
      })
    for (one, other) in joined.pairs {
      let (first, second) = (places[one], places[other])
      let names = [first, second].map {
        entities[$0.entity].relationships[$0.relationship].name
      }
      entities[first.entity].relationships[first.relationship].inverse = names[1]
      entities[second.entity].relationships[second.relationship].inverse = names[0]
    }
  }
}
