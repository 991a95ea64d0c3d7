import SwiftData
import Synchronization

/// For classes whose rows are only read.
func onlyRead() -> Never { fatalError("no test makes a model of this class") }

/// From OpenASO's first schema to its fourth.
///
/// The app's own plan also has versions 2 and 3, whose structure no available store shows. As long as their stages are
/// lightweight they cannot affect the result: V4 is V1 with four more entities, so the migration is one inference from
/// V1 to V4 (docs/facts/migration.md#lightweight-run-is-one-inference), as in this plan.
enum OpenASOPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [OpenASOV1.self, OpenASOV4.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: OpenASOV1.self, toVersion: OpenASOV4.self)]
  }
}

/// The same migration with a custom stage that reads the old rows and writes the new ones.
enum OpenASOCustomPlan: SchemaMigrationPlan {
  /// What the closures read from the rows, in order.
  static let log = Mutex<[String]>([])

  static var schemas: [any VersionedSchema.Type] { [OpenASOV1.self, OpenASOV4.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: OpenASOV1.self, toVersion: OpenASOV4.self,
        willMigrate: { context in
          let app = try context.only(OpenASOV1.StoreApp.self)
          log.withLock { $0.append("will: \(app.supportedLanguageCodes), \(app.reviews.count)") }
          app.subtitle = "from will"
          try context.save()
        },
        didMigrate: { context in
          let app = try context.only(OpenASOV4.StoreApp.self)
          log.withLock { $0.append("did: \(app.subtitle ?? ""), \(app.reviews.count)") }
        })
    ]
  }
}
