import Foundation

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// Writes binary property lists, including ones that no other writer would produce: with references to anything.
struct PropertyListWriter {
  enum Value {
    case boolean(Bool)
    case integer(Int)
    case real(Double)
    case text(String)
    case data([UInt8])
    case reference(Int)
    case array([Int])
    case dictionary([(String, Int)])
  }

  private(set) var values: [Value] = []

  /// Adds a value and returns its number.
  mutating func add(_ value: Value) -> Int {
    values.append(value)
    return values.count - 1
  }

  mutating func set(_ number: Int, _ value: Value) { values[number] = value }

  func bytes(root: Int) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var keys: [String: Int] = [:]
    var objects = values
    for value in values {
      guard case .dictionary(let entries) = value else { continue }
      for (key, _) in entries where keys[key] == nil {
        keys[key] = objects.count
        objects.append(.text(key))
      }
    }
    var offsets: [Int] = []
    for value in objects {
      offsets.append(bytes.count)
      switch value {
      case .boolean(let value): bytes.append(value ? 9 : 8)
      case .integer(let value): bytes += Self.number(value)
      case .real(let value): bytes += [0x23] + Self.big(value.bitPattern, 8)
      case .text(let text):
        let units = Array(text.utf16)
        bytes += Self.head(0x60, units.count) + units.flatMap { Self.big(UInt64($0), 2) }
      case .data(let data): bytes += Self.head(0x40, data.count) + data
      case .reference(let place): bytes += [0x83] + Self.big(UInt64(place), 4)
      case .array(let items):
        bytes += Self.head(0xA0, items.count) + items.flatMap { Self.big(UInt64($0), 4) }
      case .dictionary(let entries):
        bytes += Self.head(0xD0, entries.count)
        bytes += entries.flatMap { Self.big(UInt64(keys[$0.0] ?? 0), 4) }
        bytes += entries.flatMap { Self.big(UInt64($0.1), 4) }
      }
    }
    let table = bytes.count
    for offset in offsets { bytes += Self.big(UInt64(offset), 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 4] + Self.big(UInt64(offsets.count), 8)
    return bytes + Self.big(UInt64(root), 8) + Self.big(UInt64(table), 8)
  }

  private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 15] + number(count)
  }

  private static func number(_ value: Int) -> [UInt8] {
    [0x13] + big(UInt64(bitPattern: Int64(value)), 8)
  }

  private static func big(_ value: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
  }
}

/// Archives a model with the keys that Apple-written stores have.
struct ModelArchive {
  private var list = PropertyListWriter()
  private var objects: [Int] = []
  private var entities: [String: Int] = [:]

  /// The property list, uncompressed.
  static func bytes(of model: ManagedModel) -> [UInt8] {
    var archive = ModelArchive()
    return archive.write(model)
  }

  /// As in `Z_MODELCACHE`, in blocks that are stored rather than compressed.
  static func content(of model: ManagedModel) -> Data { deflated(bytes(of: model)) }

  static func deflated(_ bytes: [UInt8]) -> Data {
    var output: [UInt8] = []
    var rest = bytes[...]
    repeat {
      let part = rest.prefix(0xFFFF)
      rest = rest.dropFirst(part.count)
      let count = UInt16(part.count)
      output += [rest.isEmpty ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8)]
      output += [UInt8(~count & 0xFF), UInt8(~count >> 8)] + part
    } while !rest.isEmpty
    return Data(output)
  }

  /// Adds an object to the archive and returns a reference to it.
  private mutating func object(_ value: PropertyListWriter.Value) -> Int {
    objects.append(list.add(value))
    return list.add(.reference(objects.count - 1))
  }

  private mutating func text(_ text: String?) -> Int {
    text.map { object(.text($0)) } ?? list.add(.reference(0))
  }

  private mutating func mutableText(_ text: String?) -> Int {
    guard let text else { return list.add(.reference(0)) }
    let characters = list.add(.text(text))
    return object(.dictionary([("NS.string", characters)]))
  }

  private mutating func array(_ items: [Int]) -> Int {
    let items = list.add(.array(items))
    return object(.dictionary([("NS.objects", items)]))
  }

  private mutating func write(_ model: ManagedModel) -> [UInt8] {
    _ = object(.text("$null"))
    // Entities refer to each other before they are written.
    for entity in model.entities { entities[entity.name] = object(.dictionary([])) }
    for entity in model.entities { write(entity) }
    let members = array(model.entities.map { entities[$0.name]! })
    let versions = array([text(model.versionIdentifier)])
    let root = object(
      .dictionary([
        ("NSEntities", members), ("NSVersionIdentifiers", versions),
      ]))
    let top = list.add(.dictionary([("root", root)]))
    let all = list.add(.array(objects))
    let version = list.add(.integer(100_000))
    let document = list.add(.dictionary([("$objects", all), ("$top", top), ("$version", version)]))
    return list.bytes(root: document)
  }

  private mutating func write(_ entity: ManagedEntity) {
    let attributes = entity.attributes.map { attribute($0) }
    let relationships = entity.relationships.map { relationship($0) }
    // Some versions of Core Data archive a reference for inherited properties.
    let inherited = entity.superentity == nil ? [] : [object(.dictionary([]))]
    let properties = array(attributes + relationships + inherited)
    let uniques = array(entity.uniqueness.map { names in array(names.map { text($0) }) })
    let indexes = array(entity.indexes.map { index($0) })
    let parent = entity.superentity.flatMap { entities[$0] } ?? list.add(.reference(0))
    let value = PropertyListWriter.Value.dictionary([
      ("NSEntityName", text(entity.name)), ("NSProperties", properties),
      ("NSUniqueTuples", uniques), ("NSFetchIndexDescriptions", indexes),
      ("NSSuperentity", parent),
    ])
    guard case .reference(let place) = list.values[entities[entity.name]!] else { return }
    list.set(objects[place], value)
  }

  private mutating func index(_ index: ManagedIndex) -> Int {
    let kind = list.add(.integer(index.isRTree ? 1 : 0))
    let elements = index.properties.map { name in
      object(.dictionary([("NSPropertyName", text(name)), ("NSFetchIndexElementType", kind)]))
    }
    return object(.dictionary([("NSIndexElements", array(elements))]))
  }

  private mutating func attribute(_ attribute: ManagedAttribute) -> Int {
    let flags = (attribute.isExternal ? 4 : 0) | (attribute.isPreservedOnDeletion ? 16 : 0)
    var entries = [
      ("NSPropertyName", text(attribute.name)),
      ("NSRenamingIdentifier", text(attribute.originalName ?? attribute.name)),
      ("NSAttributeType", list.add(.integer(attribute.type.rawValue))),
      ("_P", list.add(.integer(attribute.isOptional ? 243 : 241))),
      ("NSFlagsKey", list.add(.integer(flags))),
      // An archive has mutable strings where code has put them together.
      ("NSVersionHashModifier", mutableText(attribute.hashModifier)),
      ("NSDefaultValue", value(attribute.defaultValue)),
    ]
    if !attribute.elements.isEmpty {
      entries.append(("NSElements", array(attribute.elements.map { self.attribute($0) })))
    }
    return object(.dictionary(entries))
  }

  private mutating func value(_ value: StoredValue?) -> Int {
    switch value {
    case nil, .null?: list.add(.reference(0))
    case .integer(let value)?: object(.integer(Int(value)))
    case .real(let value)?: object(.real(value))
    case .text(let value)?: object(.text(value))
    case .blob(let value)?: object(.data(Array(value)))
    }
  }

  private mutating func relationship(_ relationship: ManagedRelationship) -> Int {
    let rules: [ManagedRelationship.DeleteRule] = [.noAction, .nullify, .cascade, .deny]
    let maximum = relationship.isToMany ? relationship.maximumCount : 1
    return object(
      .dictionary([
        ("NSPropertyName", text(relationship.name)),
        ("NSRenamingIdentifier", text(relationship.originalName ?? relationship.name)),
        ("_P", list.add(.integer(relationship.isOptional ? 243 : 241))),
        ("_NSDestinationEntityName", text(relationship.destination)),
        ("_NSInverseRelationshipName", text(relationship.inverse)),
        ("NSMinCount", list.add(.integer(relationship.minimumCount))),
        ("NSMaxCount", list.add(.integer(maximum))),
        ("NSDeleteRule", list.add(.integer(rules.firstIndex(of: relationship.deleteRule) ?? 1))),
        ("NSVersionHashModifier", text(relationship.hashModifier)),
      ]))
  }
}
