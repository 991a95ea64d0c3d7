import SwiftData
import XCTest

/// A plan that fails on purpose.
enum BrokenPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [OtherSchema.self] }
  static var stages: [MigrationStage] { [] }
}

enum OtherSchema: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Probe.self] }

  @Model final class Probe {
    var name: String = ""
    init() {}
  }
}

final class BrokenPlanTests: XCTestCase {}
