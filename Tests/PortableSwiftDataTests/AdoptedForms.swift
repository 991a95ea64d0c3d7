import Foundation
import SwiftData

// Models as people write them, compiled here and read by `adopt`. AdoptedIdentityTests.swift compares the two.

enum FormsV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Self.Shelf.self, FormsV1.Volume.self] }

  @Model
  final class Shelf {
    #Unique<FormsV1.Shelf>([\.room, \.label])
    #Index<FormsV1.Shelf>([\.room])

    @Attribute(.unique) var id = UUID()
    var room: String = ""
    var label: String = ""
    var height = 1.5
    var count = 0
    var isOpen = false
    var created = Date.distantPast
    private(set) var visits: Int = 0
    var _internal: String = ""
    var observed: Int = 0 {
      didSet { count = observed }
    }
    var full: Bool { count > 10 }
    @Transient var cache: String = ""
    @Attribute(
      .externalStorage,
      .preserveValueOnDeletion  // comments are not arguments
    )
    var picture: Data?
    @Attribute(hashModifier: "2")
    var tint: Tint = Tint.red
    var tags: [String] = []
    var size: Size?
    @Relationship(
      deleteRule: .cascade, minimumModelCount: 0, maximumModelCount: 9, inverse: \Volume.shelf)
    var volumes: [Volume] = []

    enum Tint: String, Codable { case red, green }

    init() {}
  }
}

extension FormsV1 {
  @Model
  final class Volume {
    var title: Swift.String
    var pages: Int32 = 0
    var price: Decimal = 0
    var shelf: Shelf?
    init(title: String) { self.title = title }
  }
}

struct Size: Codable {
  var width: Double
  var depth: Double = 1
}

enum FormsV2: VersionedSchema {
  static var versionIdentifier: Schema.Version { .init(2, 0, 0) }
  static var models: [any PersistentModel.Type] { [Shelf.self, Volume.self] }

  @Model
  final class Shelf {
    @Attribute(.unique) var id = UUID()
    @Attribute(originalName: "room") var place: String = ""
    @Relationship(inverse: \FormsV2.Volume.shelf) var volumes: [FormsV2.Volume] = []
    init() {}
  }

  @Model
  final class Volume {
    var title: String
    var shelf: Shelf?
    init(title: String) { self.title = title }
  }
}

enum FormsPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [FormsV1.self, FormsV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: FormsV1.self, toVersion: FormsV2.self)]
  }
}
