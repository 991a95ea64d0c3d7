import Foundation
import TestSupport
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// Unusual models, and migrations between them.
@Suite struct RandomModelTests {
  @Test(
    "A migrated random store has the structure of a new one, or is unchanged if the migration fails",
    arguments: Checkout.seeds(400))
  func migratedEqualsFresh(_ seed: Int) throws {
    var random = RandomModels(seed: UInt64(seed))
    let source = random.model(version: "1.0.0")
    let target = seed.isMultiple(of: 4) ? random.model(version: "2.0.0") : random.changed(source)
    let store = try StoreFile(source)
    try random.fill(store)
    let before = try contents(of: store)
    do {
      try store.migrate(to: target)
    } catch let error as StoreError {
      #expect([.noMapping, .migrationFailed].contains(error.kind))
      #expect(try contents(of: store) == before)
      return
    }
    if source.versionHashes == target.versionHashes { return }
    #expect(try store.structure() == StoreFile(target).structure())
    #expect(store.contents == .portable(target))
    try checkValues(before, in: store, from: source)
    // A migrated store can be written to and migrated again.
    try random.fill(store)
    try store.migrate(to: random.changed(target, addingOnly: true))
  }

  private struct Contents: Equatable {
    var structure: String
    var rows: [String: [StoreRow]]
    var slots: [String: [EntityLayout.Slot]] = [:]
    /// The rows that each row is linked to, by entity and relationship.
    var links: [String: [String: [[ObjectID]]]] = [:]
  }

  private func contents(of store: StoreFile) throws -> Contents {
    let model = try #require(store.model)
    var contents = Contents(structure: try store.structure(), rows: [:])
    for entity in model.entities {
      contents.rows[entity.name] = try store.rows(of: entity.name, includingSubentities: false)
      contents.slots[entity.name] = store.layout(of: entity.name).slots
      for relationship in entity.relationships where relationship.isToMany {
        contents.links[entity.name, default: [:]][relationship.name] =
          try contents.rows[entity.name]?.map {
            try store.related($0.id, by: relationship.name)
          }
      }
    }
    return contents
  }

  /// Attributes and links that are clearly the same keep their values.
  private func checkValues(_ before: Contents, in store: StoreFile, from source: ManagedModel)
    throws
  {
    let old = try ModelGraph(source)
    let new = try ModelGraph(#require(store.model))
    for node in new.nodes {
      guard let was = old[node.name] else {
        #expect(try store.count(of: node.name, includingSubentities: false) == 0)
        continue
      }
      let rows = try store.rows(of: node.name, includingSubentities: false)
      #expect(rows.map(\.id) == before.rows[node.name]?.map(\.id))
      for attribute in node.attributes where attribute.originalName == nil {
        guard
          let match = was.attributes.first(where: {
            $0.name == attribute.name && $0.originalName == nil
          }), match.type == attribute.type, match.isOptional == attribute.isOptional,
          let place = store.layout(of: node.name).index[attribute.name],
          let wasPlace = before.slots[node.name]?.firstIndex(where: { $0.path == match.name })
        else { continue }
        #expect(
          rows.map { $0.values[place] } == before.rows[node.name]?.map { $0.values[wasPlace] })
      }
      for relationship in node.entity.relationships
      where was.entity.relationships.contains(relationship) {
        guard let links = before.links[node.name]?[relationship.name] else { continue }
        // Some links lead to rows of a wrong entity in the tree, which may be kept or dropped.
        func sound(_ ids: [ObjectID]) -> [ObjectID] {
          ids.filter {
            new[$0.entity] != nil
              && old[$0.entity]?.lineage.contains(relationship.destination) == true
          }
        }
        let after = try rows.map { try store.related($0.id, by: relationship.name) }
        #expect(after.map(sound) == links.map(sound))
      }
    }
  }
}

/// Makes sound models and rows for them from a seed.
struct RandomModels {
  private var generator: SplitMix
  /// Relationships have distinct names, whatever inherits from whatever.
  private var linkCount = 0

  init(seed: UInt64) { generator = SplitMix(state: seed) }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &generator) < percent
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  // MARK: Models

  mutating func model(version: String) -> ManagedModel {
    var entities: [ManagedEntity] = []
    for name in ["Apple", "apricot", "Bean", "Cherry", "Date"].shuffled(using: &generator)
      .prefix(number(1...5))
    {
      var entity = ManagedEntity(name: name)
      if chance(30), let parent = entities.randomElement(using: &generator) {
        entity.superentity = parent.name
      }
      for index in 0..<number(0...4) { entity.attributes.append(attribute("\(name)\(index)")) }
      entities.append(entity)
    }
    for _ in 0..<number(0...4) { link(&entities) }
    for index in entities.indices where chance(20) {
      guard let name = entities[index].attributes.randomElement(using: &generator)?.name else {
        continue
      }
      entities[index].indexes.append(ManagedIndex(properties: [name]))
      if chance(50) { entities[index].uniqueness.append([name]) }
    }
    return ManagedModel(
      entities: entities.shuffled(using: &generator), versionIdentifier: version)
  }

  private mutating func attribute(_ name: String) -> ManagedAttribute {
    let type = AttributeType.allCases.randomElement(using: &generator) ?? .string
    var attribute = ManagedAttribute(name: name, type: type, isOptional: chance(60))
    if type == .composite {
      attribute.elements = (0..<number(0...2)).map {
        ManagedAttribute(name: "part\($0)", type: .string, isOptional: true)
      }
      if chance(30) {
        attribute.elements = [ManagedAttribute(name: attribute.name, type: .integer64)]
      }
    } else if chance(50) {
      attribute.defaultValue = value(of: type)
    }
    return attribute
  }

  private mutating func link(_ entities: inout [ManagedEntity]) {
    guard let one = entities.indices.randomElement(using: &generator),
      let other = entities.indices.randomElement(using: &generator)
    else { return }
    linkCount += 1
    let name = "to\(entities[other].name)\(linkCount)"
    var relationship = ManagedRelationship(
      name: name, destination: entities[other].name, isToMany: chance(60))
    if chance(60) {
      let back = "back\(entities[one].name)\(linkCount)"
      relationship.inverse = back
      entities[one].relationships.append(relationship)
      entities[other].relationships.append(
        ManagedRelationship(
          name: back, destination: entities[one].name, inverse: name, isToMany: chance(60)))
    } else {
      entities[one].relationships.append(relationship)
    }
  }

  mutating func changed(_ model: ManagedModel, addingOnly: Bool = false) -> ManagedModel {
    var model = model
    model.versionIdentifier += ".1"
    if chance(50) {
      model.entities.append(ManagedEntity(name: "New\(model.entities.count)\(number(0...99))"))
    }
    for index in model.entities.indices {
      if chance(50) {
        var added = attribute("added\(model.entities[index].name)\(number(1000...9999))")
        added.isOptional = addingOnly || added.isOptional
        model.entities[index].attributes.append(added)
      }
      if addingOnly { continue }
      let entity = model.entities[index]
      let bound = Set((entity.uniqueness + entity.indexes.map(\.properties)).joined())
      for place in entity.attributes.indices.reversed() where chance(40) {
        let attribute = entity.attributes[place]
        switch number(0...4) {
        case 0 where !bound.contains(attribute.name):
          model.entities[index].attributes.remove(at: place)
        case 1 where !bound.contains(attribute.name):
          model.entities[index].attributes[place].name += "Renamed"
          model.entities[index].attributes[place].originalName =
            attribute.originalName ?? attribute.name
        case 2: model.entities[index].attributes[place].isOptional.toggle()
        case 3 where attribute.type == .integer32:
          model.entities[index].attributes[place].type = .double
        case 4: model.entities[index].uniqueness.append([attribute.name])
        default: break
        }
      }
    }
    if chance(30) { link(&model.entities) }
    return model
  }

  // MARK: Rows

  private mutating func value(of type: AttributeType) -> StoredValue {
    switch type {
    case .integer16, .integer32, .integer64: .integer(Int64(number(-1000...1000)))
    case .boolean: .integer(Int64(number(0...1)))
    case .double, .float, .date, .decimal: .real(Double(number(-1000...1000)) + 0.5)
    case .string, .uri: .text("text \(number(0...1_000_000)) 🌱")
    case .binary, .uuid, .transformable, .composite, .undefined:
      .blob(Data((0..<16).map { _ in UInt8(number(0...255)) }))
    }
  }

  mutating func fill(_ store: StoreFile) throws {
    guard let model = store.model else { return }
    let graph = try ModelGraph(model)
    var changes = StoreChanges()
    for node in graph.nodes {
      for _ in 0..<number(0...6) {
        let key = try store.allocateKeys(of: node.name, count: 1).lowerBound
        let values = store.layout(of: node.name).slots.map { slot -> StoredValue in
          guard let type = slot.type else {
            return chance(50) ? .integer(Int64(number(1...6))) : .null
          }
          let isOptional = node.attributes.first { $0.name == slot.path }?.isOptional ?? true
          return isOptional && chance(40) ? .null : value(of: type)
        }
        changes.inserted.append(
          StoreRow(id: ObjectID(entity: node.name, key: key), values: values))
      }
      for relationship in node.relationships where relationship.isToMany && chance(50) {
        if let inverse = graph.inverse(of: relationship), !inverse.relationship.isToMany {
          continue
        }
        changes.links.append(
          StoreChanges.Link(
            source: ObjectID(entity: node.name, key: Int64(number(1...6))),
            relationship: relationship.name,
            destinations: (0..<number(0...3)).map { _ in
              ObjectID(entity: relationship.destination, key: Int64(number(1...6)))
            }))
      }
    }
    // Few columns are unique: rows that happen to be equal do not matter to these tests.
    do {
      try store.apply(changes)
    } catch let error as StoreError where error.kind == .notUnique {
      return
    }
  }
}

/// SplitMix64: small, and the same everywhere.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
