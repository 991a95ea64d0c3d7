import Foundation
import ManagedModels
import SchemaMigrationKit
import StoreEngine
import StoreFormat

// A schema of three versions and a bridge. It is for the process that is killed and for the tests that kill it, which
// compile this file through a symbolic link.

/// Notes in folders, with tags.
enum Sample {
  static let v1 = model("1.0.0", stars: true)
  static let v2 = model("2.0.0", stars: true, isPinned: true)
  static let bridge = model("2.9000.1", stars: true, isPinned: true, score: true)
  static let v3 = model("3.0.0", isPinned: true, score: true)
  static let chain = [v1, v2, bridge, v3]

  /// Older versions of a Core Data model whose current one is `v1`. "Notes" has an abstract entity, and one below it
  /// whose rows are dropped; "Notes 2" has the tables of `v1` and other hashes.
  static let coreData = [
    (
      "Notes",
      ManagedModel(entities: v1.entities.map(hashedOtherwise) + scraps, versionIdentifier: "")
    ),
    ("Notes 2", ManagedModel(entities: v1.entities.map(hashedOtherwise), versionIdentifier: "")),
  ]

  static let customTitle = "V2 → V3: Stars become scores"

  /// - Parameter isRepeatable: Whether the plan says that the custom stage can be repeated.
  static func plan(
    isRepeatable: Bool = true, effects: [String: MigrationPlanDescription.RowEffect] = [:]
  ) -> MigrationPlanDescription {
    let names = ["V1", "V2", "V2ToV3", "V3"]
    let versions = zip(chain, names).map { model, name in
      MigrationPlanDescription.Version(model, name: name, isBridge: model == bridge)
    }
    func stage(
      _ from: Int, _ title: String, _ kind: MigrationPlanDescription.Stage.Kind
    ) -> MigrationPlanDescription.Stage {
      MigrationPlanDescription.Stage(
        from: versions[from].number, to: versions[from + 1].number, kind: kind, title: title,
        rowEffects: kind == .custom ? effects : [:],
        isRepeatable: kind == .lightweight || isRepeatable)
    }
    return MigrationPlanDescription(
      versions: versions,
      stages: [
        stage(0, "V1 → V2: Pins", .lightweight), stage(1, "V2 → V3, first half", .lightweight),
        stage(2, customTitle, .custom),
      ],
      coreData: MigrationPlanDescription.CoreDataStep(
        model: "Notes", to: versions[0].number, hashes: v1.base64Hashes,
        versions: coreData.map { name, model in
          MigrationPlanDescription.CoreDataVersion(
            name, entities: model.entities.map(MigrationPlanDescription.Entity.init),
            hashes: model.base64Hashes,
            rowEffects: name == "Notes" ? ["Scrap": .removed, "Snippet": .removed] : [:])
        }))
  }

  private static func hashedOtherwise(_ entity: ManagedEntity) -> ManagedEntity {
    var entity = entity
    entity.hashModifier = "core"
    return entity
  }

  private static var scraps: [ManagedEntity] {
    var scrap = ManagedEntity(
      name: "Scrap", attributes: [ManagedAttribute(name: "words", type: .string)])
    scrap.isAbstract = true
    return [scrap, ManagedEntity(name: "Snippet", superentity: "Scrap")]
  }

  private static func model(
    _ version: String, stars: Bool = false, isPinned: Bool = false, score: Bool = false
  ) -> ManagedModel {
    var attributes = [
      ManagedAttribute(name: "text", type: .string),
      ManagedAttribute(name: "date", type: .date, isOptional: true),
      ManagedAttribute(name: "data", type: .binary, isOptional: true),
    ]
    if stars { attributes.append(ManagedAttribute(name: "stars", type: .integer64)) }
    if isPinned {
      attributes.append(
        ManagedAttribute(name: "isPinned", type: .boolean, defaultValue: .integer(0)))
    }
    if score {
      attributes.append(ManagedAttribute(name: "score", type: .double, isOptional: stars))
    }
    return ManagedModel(
      entities: [
        ManagedEntity(
          name: "Note", attributes: attributes,
          relationships: [
            ManagedRelationship(
              name: "folder", destination: "Folder", inverse: "notes", isToMany: false),
            ManagedRelationship(
              name: "tags", destination: "Tag", inverse: "notes", isToMany: true),
          ]),
        ManagedEntity(
          name: "Folder", attributes: [ManagedAttribute(name: "name", type: .string)],
          relationships: [
            ManagedRelationship(
              name: "notes", destination: "Note", inverse: "folder", isToMany: true)
          ], uniqueness: [["name"]]),
        ManagedEntity(
          name: "Tag", attributes: [ManagedAttribute(name: "name", type: .string)],
          relationships: [
            ManagedRelationship(
              name: "notes", destination: "Note", inverse: "tags", isToMany: true)
          ]),
      ], versionIdentifier: version)
  }

  /// Makes a store of a version with notes in two folders, every third of them with a tag, and with three snippets if
  /// the version has them.
  static func make(_ url: URL, _ model: ManagedModel = v1, notes: Int = 40) throws {
    let file = try StoreFile(at: .file(url))
    try file.create(model)
    var changes = StoreChanges()
    func insert(_ entity: String, _ count: Int, _ values: (Int64) -> [String: StoredValue]) throws {
      for key in try file.allocateKeys(of: entity, count: count) {
        let values = values(key)
        changes.inserted.append(
          StoreRow(
            id: ObjectID(entity: entity, key: key),
            values: file.layout(of: entity).slots.map { values[$0.path] ?? .null }))
      }
    }
    try insert("Folder", 2) { ["name": .text("Folder \($0)")] }
    try insert("Tag", 1) { _ in ["name": .text("Tag")] }
    try insert("Note", notes) { key in
      [
        "text": .text("Note \(key)"), "stars": .integer(key), "isPinned": .integer(0),
        "score": .real(Double(key)), "date": .real(Double(key)), "folder": .integer(1 + key % 2),
        "data": .blob(Data(repeating: UInt8(key % 251), count: 700)),
      ]
    }
    if model.entitiesByName["Snippet"] != nil {
      try insert("Snippet", 3) { ["words": .text("Snippet \($0)")] }
    }
    for key in stride(from: Int64(1), through: Int64(notes), by: 3) {
      changes.links.append(
        StoreChanges.Link(
          source: ObjectID(entity: "Note", key: key), relationship: "tags",
          destinations: [ObjectID(entity: "Tag", key: 1)]))
    }
    try file.apply(changes)
  }

  /// A stand-in for `ModelContainer`.
  final class Container: @unchecked Sendable {
    let file: StoreFile

    init(_ file: StoreFile) { self.file = file }
  }

  /// The ways in which Core Data may migrate a store to the current version of its model.
  enum CoreDataMigration: String {
    case inPlace
    /// In a new file that then replaces the store.
    case asCopy
    /// Within the store, which has the new model's hashes before it has all values.
    case inSteps
  }

  /// The generated step: brings a store of an older Core Data version to `v1`, and leaves any other alone.
  static func runCoreDataStep(
    _ url: URL, _ way: CoreDataMigration, reached: (String) throws -> Void = { _ in }
  ) throws {
    let file = try StoreFile(at: .file(url))
    guard let found = coreData.map(\.1).first(where: { file.matches($0) }) else { return }
    try reached("before Core Data's migration")
    switch way {
    case .inPlace:
      try file.adopt(found)
      try file.migrate(to: v1)
    case .asCopy: try replace(url, found, reached)
    case .inSteps: try migrateInSteps(file, found, reached)
    }
    try reached("after Core Data's migration")
  }

  private static func migrateInSteps(
    _ file: StoreFile, _ found: ManagedModel, _ reached: (String) throws -> Void
  ) throws {
    try file.adopt(found)
    func write(_ values: [(ObjectID, StoredValue)]) throws {
      guard let slot = file.layout(of: "Note").index["text"] else { return }
      var changes = StoreChanges()
      changes.patched = values.map { StoreChanges.Patch(id: $0, slots: [slot], values: [$1]) }
      try file.apply(changes)
    }
    guard let slot = file.layout(of: "Note").index["text"] else { return }
    let values = try file.rows(of: "Note").map { ($0.id, $0.values[slot]) }
    try write(values.map { ($0.0, .text("")) })
    try reached("took the values")
    try file.migrate(to: v1)
    try reached("changed the model")
    try write(values)
  }

  /// In the worst possible order: the old log meets the new database.
  private static func replace(
    _ url: URL, _ found: ManagedModel, _ reached: (String) throws -> Void
  ) throws {
    let new = url.appendingPathExtension("new")
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(atPath: new.path + suffix)
      if FileManager.default.fileExists(atPath: url.path + suffix) {
        // Not as one system call, which could not be observed.
        let data = try Data(contentsOf: URL(fileURLWithPath: url.path + suffix))
        try data.write(to: URL(fileURLWithPath: new.path + suffix))
      }
    }
    try reached("copied the store")
    do {
      let file = try StoreFile(at: .file(new))
      try file.adopt(found)
      try file.migrate(to: v1)
    }
    try reached("migrated the copy")
    guard rename(new.path, url.path) == 0 else {
      throw StoreError(.sqlite, "the copy cannot take the store's place")
    }
    try reached("replaced the database")
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)
    }
  }

  /// Opens a store as an app with all versions would.
  ///
  /// - Parameters:
  ///   - isStashing: Whether the custom stage keeps values in memory while it drops their columns.
  ///   - reached: Is told of every place at which a kill would leave something else behind.
  static func open(
    _ url: URL, isStashing: Bool = false, reached: (String) throws -> Void = { _ in }
  ) throws -> Container {
    let file = try StoreFile(at: .file(url))
    if file.contents == .empty {
      try file.create(v3)
      return Container(file)
    }
    guard let found = chain.first(where: { file.matches($0) }) else {
      throw StoreError(.incompatibleModel, "unknown model version")
    }
    try file.adopt(found)
    guard found != v3 else { return Container(file) }
    if found != bridge {
      try file.migrate(to: bridge)
      try reached("at the bridge")
    }
    MigrationActivity.began(title: customTitle)
    do {
      if isStashing {
        try stash(file, reached)
      } else {
        try carry(file, reached)
        try file.migrate(to: v3)
      }
    } catch {
      MigrationActivity.failed(title: customTitle, error: error)
      throw error
    }
    MigrationActivity.ended(title: customTitle)
    try reached("migrated")
    return Container(file)
  }

  private static func carry(_ file: StoreFile, _ reached: (String) throws -> Void) throws {
    var done = 0
    var last: Int64 = 0
    while true {
      let rows = try file.rows(of: "Note", after: last, limit: 10)
      guard let end = rows.last?.id.key else { return }
      let layout = file.layout(of: "Note")
      guard let stars = layout.index["stars"], let score = layout.index["score"] else { return }
      var changes = StoreChanges()
      for row in rows {
        guard case .integer(let value) = row.values[stars] else { continue }
        changes.patched.append(
          StoreChanges.Patch(id: row.id, slots: [score], values: [.real(Double(value))]))
      }
      try file.apply(changes)
      last = end
      done += rows.count
      MigrationActivity.rows(done, entity: "Note")
      try reached("carried rows")
    }
  }

  /// Reads old values, drops their column and then writes the new ones; a kill in between loses the values.
  private static func stash(_ file: StoreFile, _ reached: (String) throws -> Void) throws {
    let layout = file.layout(of: "Note")
    guard let stars = layout.index["stars"], let score = layout.index["score"] else { return }
    var stash: [(ObjectID, Double)] = []
    var changes = StoreChanges()
    for row in try file.rows(of: "Note") {
      if case .integer(let value) = row.values[stars] { stash.append((row.id, Double(value))) }
      changes.patched.append(
        StoreChanges.Patch(id: row.id, slots: [stars, score], values: [.integer(-1), .real(-1)]))
    }
    try file.apply(changes)
    try reached("took the values")
    try file.migrate(to: v3)
    try reached("dropped the column")
    changes = StoreChanges()
    let place = file.layout(of: "Note").index["score"] ?? 0
    for (id, value) in stash {
      changes.patched.append(StoreChanges.Patch(id: id, slots: [place], values: [.real(value)]))
    }
    try file.apply(changes)
  }
}

extension ManagedModel {
  /// The hash of each entity in base64.
  var base64Hashes: [String: String] {
    versionHashes.entities.mapValues { $0.base64EncodedString() }
  }
}

extension MigrationPlanDescription.Version {
  /// The description that is generated for a model.
  init(
    _ model: ManagedModel, name: String, isBridge: Bool = false, hashes: [String: String] = [:]
  ) {
    self.init(
      number: StoreVersion(model.versionIdentifier) ?? StoreVersion(0, 0, 0), name: name,
      isBridge: isBridge, entities: model.entities.map(MigrationPlanDescription.Entity.init),
      knownHashes: hashes)
  }
}

extension MigrationPlanDescription.Entity {
  init(_ entity: ManagedEntity) {
    self.init(
      entity.name, parent: entity.superentity,
      attributes: entity.attributes.map(Self.attribute),
      relationships: entity.relationships.map { relationship in
        MigrationPlanDescription.Relationship(
          relationship.name, to: relationship.destination, inverse: relationship.inverse,
          isOptional: relationship.isOptional, isToMany: relationship.isToMany)
      }, uniques: entity.uniqueness)
  }

  private static func attribute(
    _ attribute: ManagedAttribute
  ) -> MigrationPlanDescription.Attribute {
    let (name, isOptional) = (attribute.name, attribute.isOptional)
    if attribute.type == .composite, attribute.rawValueElement == nil {
      return MigrationPlanDescription.Attribute(
        name, isOptional: isOptional, columns: attribute.elements.flatMap(columns))
    }
    let type = attribute.rawValueElement?.type ?? attribute.type
    return MigrationPlanDescription.Attribute(name, isOptional: isOptional, type: Self.type(type))
  }

  private static func columns(of element: ManagedAttribute) -> [String] {
    element.elements.isEmpty ? [element.name] : element.elements.flatMap(columns)
  }

  private static func type(_ type: AttributeType) -> MigrationPlanDescription.ColumnType {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: .integer
    case .decimal: .decimal
    case .double, .float: .float
    case .string, .uri: .varchar
    case .date: .timestamp
    case .binary, .uuid, .transformable, .composite, .undefined: .blob
    }
  }
}
