import Foundation
import SwiftData

/// An app's two schemas as the model caches of its stores have them.
enum FreezeRayV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [FreezeRayV1.User.self] }

  @Model
  final class User {
    var createdAt: Date?
    var name: String?

    init(name: String?, createdAt: Date?) {
      self.name = name
      self.createdAt = createdAt
    }
  }
}

enum FreezeRayV2: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  static var models: [any PersistentModel.Type] { [FreezeRayV2.User.self] }

  @Model
  final class User {
    var createdAt: Date?
    var email: String?
    var name: String?

    init(name: String?, email: String?, createdAt: Date?) {
      self.name = name
      self.email = email
      self.createdAt = createdAt
    }
  }
}

enum FreezeRayPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [FreezeRayV1.self, FreezeRayV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: FreezeRayV1.self, toVersion: FreezeRayV2.self)]
  }
}
