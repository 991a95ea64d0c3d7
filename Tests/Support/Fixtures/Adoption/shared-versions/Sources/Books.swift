import Foundation
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Book.self] }
  @Model final class Book { var title: String = ""; init() {} }
}
enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Book.self] }
  @Model final class Book { var title: String = ""; var pages: Int = 0; init() {} }
}
enum SchemaV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Book.self] }
}
@Model final class Book { var title: String = ""; var pages: Int = 0; var year: Int?; init() {} }

enum FullPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self, SchemaV3.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self), .lightweight(fromVersion: SchemaV2.self, toVersion: SchemaV3.self)] }
}
