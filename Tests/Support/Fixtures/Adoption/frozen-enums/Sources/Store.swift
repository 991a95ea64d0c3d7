import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Job.self] }

  /// The state as it was.
  enum FrozenState: String, Codable {
    case open, done
  }

  @Model final class Job {
    var name: String = ""
    var state: FrozenState = FrozenState.open
    var priority: JobPriorityV1 = JobPriorityV1.low
    var level: Level = Level.one
    init() {}
  }

  enum Level: Int, Codable {
    case one = 1, two
  }
}

/// Stores what the first version stores: its enum has another name.
enum SchemaV1a: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 1, 0)
  static var models: [any PersistentModel.Type] { [Job.self] }

  @Model final class Job {
    var name: String = ""
    var state: JobState = JobState.open
    var priority: JobPriorityV1 = JobPriorityV1.low
    var level: SchemaV1.Level = SchemaV1.Level.one
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Job.self] }

  @Model final class Job {
    var name: String = ""
    var state: JobState = JobState.open
    var priority: JobPriority = JobPriority.low
    var level: Level = Level.one
    var labels: Set<String> = []
    var votes: [String: Int] = [:]
    var steps: [JobStep] = []
    var words: [String] = []
    var prices: [JobState: Int] = [:]
    init() {}
  }
}

enum JobPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV1a.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV1a.self),
      .lightweight(fromVersion: SchemaV1a.self, toVersion: SchemaV2.self),
    ]
  }
}
