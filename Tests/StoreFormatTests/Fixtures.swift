import Foundation
import Testing

@testable import ManagedModels
@testable import StoreEngine
@testable import StoreFormat

/// A folder that is removed with its owner.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(
      path: "StoreFormatTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appending(path: name) }
}

/// Models that cover much in few lines.
enum Fixture {
  static func model(_ entities: ManagedEntity..., version: String = "1.0.0") -> ManagedModel {
    ManagedModel(entities: entities, versionIdentifier: version)
  }

  /// Books, their author and their readers: to-one, to-many, many-to-many, a hidden to-many, composites.
  static let library = model(
    ManagedEntity(
      name: "Author",
      attributes: [
        ManagedAttribute(name: "name", type: .string),
        ManagedAttribute(name: "born", type: .date, isOptional: true),
        ManagedAttribute(
          name: "address", type: .composite,
          elements: [
            ManagedAttribute(name: "street", type: .string, isOptional: true),
            ManagedAttribute(name: "id", type: .integer64, isOptional: true),
          ]),
      ],
      relationships: [
        ManagedRelationship(
          name: "books", destination: "Book", inverse: "author", isToMany: true,
          deleteRule: .cascade),
        ManagedRelationship(name: "prizes", destination: "Prize", isToMany: true),
      ],
      uniqueness: [["name"]]),
    ManagedEntity(
      name: "Book",
      attributes: [
        ManagedAttribute(name: "title", type: .string),
        ManagedAttribute(name: "id", type: .uuid),
        ManagedAttribute(name: "pages", type: .integer64, isOptional: true),
        ManagedAttribute(
          name: "kind", type: .composite,
          elements: [ManagedAttribute(name: "kind", type: .string, isOptional: true)]),
        ManagedAttribute(name: "cover", type: .binary, isOptional: true),
      ],
      relationships: [
        ManagedRelationship(
          name: "author", destination: "Author", inverse: "books", isToMany: false),
        ManagedRelationship(
          name: "readers", destination: "Reader", inverse: "reads", isToMany: true),
      ],
      uniqueness: [["title", "author"]],
      indexes: [ManagedIndex(properties: ["pages", "title"])]),
    ManagedEntity(
      name: "Prize", attributes: [ManagedAttribute(name: "year", type: .integer32)]),
    ManagedEntity(
      name: "Reader",
      attributes: [ManagedAttribute(name: "name", type: .string)],
      relationships: [
        ManagedRelationship(
          name: "reads", destination: "Book", inverse: "readers", isToMany: true),
        ManagedRelationship(
          name: "friends", destination: "Reader", inverse: "friends", isToMany: true),
      ]))

  /// An inheritance tree whose subentities share a property's name.
  static let media = model(
    ManagedEntity(name: "Medium", attributes: [ManagedAttribute(name: "title", type: .string)]),
    ManagedEntity(
      name: "Film", superentity: "Medium",
      attributes: [ManagedAttribute(name: "length", type: .double)]),
    ManagedEntity(
      name: "Song", superentity: "Medium",
      attributes: [ManagedAttribute(name: "length", type: .integer32)]),
    ManagedEntity(name: "Artist", attributes: [ManagedAttribute(name: "name", type: .string)]))
}

extension StoreFile {
  /// A store in memory with the tables of a model.
  convenience init(_ model: ManagedModel) throws {
    try self.init(at: .memory)
    try create(model)
  }

  /// Inserts a row by the paths of slots, with nil for all others. Returns its key.
  @discardableResult
  func insert(_ entity: String, _ values: [String: StoredValue] = [:]) throws -> ObjectID {
    let key = try allocateKeys(of: entity, count: 1).lowerBound
    let id = ObjectID(entity: entity, key: key)
    var changes = StoreChanges()
    changes.inserted = [
      StoreRow(id: id, values: layout(of: entity).slots.map { values[$0.path] ?? .null })
    ]
    try apply(changes)
    return id
  }

  /// Writes values without any checks, as a damaged or foreign store may have them.
  func force(_ sql: String, _ values: [StoredValue] = []) throws {
    try database.run(sql, values)
  }

  func values(_ id: ObjectID) throws -> [String: StoredValue] {
    let row = try #require(try row(id))
    return Dictionary(
      zip(layout(of: row.id.entity).slots.map(\.path), row.values)
    ) { first, _ in first }
  }

  func value(_ id: ObjectID, _ path: String) throws -> StoredValue {
    try #require(try values(id)[path])
  }

  func link(_ source: ObjectID, _ relationship: String, _ destinations: ObjectID...) throws {
    var changes = StoreChanges()
    changes.links = [
      StoreChanges.Link(
        source: source, relationship: relationship, destinations: destinations)
    ]
    try apply(changes)
  }
}

/// The error that a call throws; anything else is an issue.
func storeError(
  _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) -> StoreError? {
  do {
    try body()
    Issue.record("nothing was thrown", sourceLocation: sourceLocation)
  } catch let error as StoreError {
    return error
  } catch {
    Issue.record("not a StoreError: \(error)", sourceLocation: sourceLocation)
  }
  return nil
}
