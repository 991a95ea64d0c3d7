import Foundation
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Pin.self] }

  /// Stored, and generated from now on.
  enum Mode: String, Codable {
    case off, on
  }

  /// Of the stage alone.
  struct Snapshot {
    var names: [String]

    static let none = Snapshot(names: [])
  }

  @Model final class Pin {
    var name: String = ""
    var mode: Mode = Mode.off
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Pin.self] }

  @Model final class Pin {
    var name: String = ""
    var mode: SchemaV1.Mode = SchemaV1.Mode.off
    var size: Int = 0
    init() {}
  }
}

enum PinPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] { [toV2] }

  static let toV2 = MigrationStage.custom(
    fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
    willMigrate: { context in
      var shot = SchemaV1.Snapshot.none
      for pin in try context.fetch(FetchDescriptor<SchemaV1.Pin>())
      where pin.mode == SchemaV1.Mode.on {
        shot.names.append(pin.name)
      }
      let whole: SchemaV1.Snapshot? = shot
      print(whole as Any, Kind.first)
    }, didMigrate: nil)

  enum Kind {
    case first
  }
}
