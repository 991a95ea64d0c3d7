import SwiftData
import Synchronization

/// For classes whose rows are only read.
func onlyRead() -> Never { fatalError("no test makes a model of this class") }

/// From OpenASO's first schema to its fourth.
///
/// The app's own plan goes by its versions 2 and 3, of which there is no store to tell their shape. What they
/// hold cannot matter for the outcome as long as they are lightweight: V4 is V1 with four entities more, which
/// is one inference from V1 straight to V4 (docs/facts/migration.md#lightweight-run-is-one-inference), and that is
/// what this plan says.
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
