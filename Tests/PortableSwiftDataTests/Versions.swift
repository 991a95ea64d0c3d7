import Foundation
import SwiftData
import Synchronization

/// Models that tests fill stores with.
protocol Named: PersistentModel {
  init(name: String)
}

/// V1 → V2 adds a default, V2 → V3 is custom and renames.
enum Steps {
  static let log = Mutex<[String]>([])

  enum V1: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [V1.Item.self] }
    @Model final class Item: Named {
      var name: String
      init(name: String) { self.name = name }
    }
  }
  enum V2: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [V2.Item.self] }
    @Model final class Item: Named {
      var name: String
      var count: Int = 7
      init(name: String) { self.name = name }
    }
  }
  enum V3: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
    static var models: [any PersistentModel.Type] { [V3.Item.self] }
    @Model final class Item {
      @Attribute(originalName: "name") var title: String
      var count: Int = 8
      init(title: String) { self.title = title }
    }
  }
  /// V1 with one more property, under V1's number: an edited shipped version.
  enum Edited: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [Edited.Item.self] }
    @Model final class Item: Named {
      var name: String
      var edited: Bool = false
      init(name: String) { self.name = name }
    }
  }
  enum V1Renumbered: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(5, 0, 0) }
    static var models: [any PersistentModel.Type] { [V1Renumbered.Item.self] }
    @Model final class Item {
      var name: String = "default"
      init(name: String) { self.name = name }
    }
  }
  enum Modified: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(6, 0, 0) }
    static var models: [any PersistentModel.Type] { [Modified.Item.self] }
    @Model final class Item {
      @Attribute(hashModifier: "6") var name: String = "default"
      init(name: String) { self.name = name }
    }
  }

  static var oneToTwo: MigrationStage { .lightweight(fromVersion: V1.self, toVersion: V2.self) }
  static func twoToThree(
    will: (@Sendable (ModelContext) throws -> Void)?,
    did: (@Sendable (ModelContext) throws -> Void)?
  ) -> MigrationStage {
    .custom(fromVersion: V2.self, toVersion: V3.self, willMigrate: will, didMigrate: did)
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
    static var stages: [MigrationStage] {
      [
        oneToTwo,
        twoToThree { context in
          for item in try context.fetch(FetchDescriptor<V2.Item>()) {
            log.withLock { $0.append("will: \(item.name)") }
            item.name = "from will"
          }
          try context.save()
        } did: { context in
          for item in try context.fetch(FetchDescriptor<V3.Item>()) {
            log.withLock { $0.append("did: \(item.title)") }
            item.title = "from did"
          }
          try context.save()
        },
      ]
    }
  }
  enum FailingPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Plan.schemas }
    static var stages: [MigrationStage] {
      [
        oneToTwo,
        twoToThree { _ in
          throw Unexpected("stop")
        } did: { _ in
        },
      ]
    }
  }
  enum UnsavedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Plan.schemas }
    static var stages: [MigrationStage] {
      [
        oneToTwo,
        twoToThree { context in
          for item in try context.fetch(FetchDescriptor<V2.Item>()) { item.name = "unsaved" }
        } did: { _ in
        },
      ]
    }
  }
  enum OldTypesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Plan.schemas }
    static var stages: [MigrationStage] {
      [
        oneToTwo,
        twoToThree { _ in
        } did: {
          _ = try $0.fetch(FetchDescriptor<V2.Item>())
        },
      ]
    }
  }
  enum NewTypesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Plan.schemas }
    static var stages: [MigrationStage] {
      [
        oneToTwo,
        twoToThree {
          $0.insert(V3.Item(title: "too early"))
        } did: { _ in
        },
      ]
    }
  }
  enum RenumberedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1Renumbered.self, V2.self] }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: V1Renumbered.self, toVersion: V2.self)]
    }
  }
  enum DuplicatePlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V1Renumbered.self] }
    static var stages: [MigrationStage] {
      [oneToTwo, .lightweight(fromVersion: V2.self, toVersion: V1Renumbered.self)]
    }
  }
  enum EqualPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V1Renumbered.self] }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: V1.self, toVersion: V1Renumbered.self)]
    }
  }
  enum ModifiedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, Modified.self] }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: V1.self, toVersion: Modified.self)]
    }
  }
}

/// Plans whose stages are not one for each consecutive pair.
enum Stages {
  enum None: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, Steps.V2.self] }
    static var stages: [MigrationStage] { [] }
  }
  /// No stage ends in its last version.
  enum Unfinished: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Steps.Plan.schemas }
    static var stages: [MigrationStage] { [Steps.oneToTwo] }
  }
  enum Custom: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V2.self, Steps.V3.self] }
    static var stages: [MigrationStage] { [Steps.twoToThree(will: nil, did: nil)] }
  }
  enum LeadingBack: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, Steps.V2.self] }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: Steps.V2.self, toVersion: Steps.V1.self)]
    }
  }
  enum Unlisted: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, Steps.V2.self] }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: Steps.V2.self, toVersion: Steps.V3.self)]
    }
  }
  enum UnlistedSource: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V2.self] }
    static var stages: [MigrationStage] { [Steps.oneToTwo] }
  }
  enum UnlistedCustomSource: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: Steps.V1.self, toVersion: Steps.V2.self, willMigrate: nil, didMigrate: nil)
      ]
    }
  }
  enum EqualCustom: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Steps.EqualPlan.schemas }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: Steps.V1.self, toVersion: Steps.V1Renumbered.self, willMigrate: nil,
          didMigrate: nil)
      ]
    }
  }
  enum Repeated: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, Steps.V2.self] }
    static var stages: [MigrationStage] { [Steps.oneToTwo, Steps.oneToTwo] }
  }
  enum OneSource: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Runs.Plan.schemas }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: Steps.V1.self, toVersion: Steps.V2.self, willMigrate: nil, didMigrate: nil),
        .custom(
          fromVersion: Steps.V1.self, toVersion: Runs.V3.self, willMigrate: nil, didMigrate: nil),
      ]
    }
  }
  enum OneTarget: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Runs.Plan.schemas }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: Steps.V1.self, toVersion: Runs.V3.self, willMigrate: nil, didMigrate: nil),
        .custom(
          fromVersion: Steps.V2.self, toVersion: Runs.V3.self, willMigrate: nil, didMigrate: nil),
      ]
    }
  }
  /// The copy of V1 has a higher number, so that SwiftData does not see a backward step.
  enum ThereAndBack: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [Steps.V1.self, Steps.V2.self, Steps.V1Renumbered.self]
    }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: Steps.V1.self, toVersion: Steps.V2.self,
          willMigrate: { _ in Steps.log.withLock { $0.append("there") } }, didMigrate: nil),
        .custom(
          fromVersion: Steps.V2.self, toVersion: Steps.V1Renumbered.self,
          willMigrate: { _ in Steps.log.withLock { $0.append("back") } }, didMigrate: nil),
      ]
    }
  }
  enum Spanning: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Runs.Plan.schemas }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: Steps.V1.self, toVersion: Runs.V3.self)]
    }
  }
  enum AfterCustom: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Runs.Plan.schemas }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: Steps.V1.self, toVersion: Steps.V2.self, willMigrate: nil, didMigrate: nil),
        .lightweight(fromVersion: Steps.V2.self, toVersion: Runs.V3.self),
      ]
    }
  }
}

/// Closures that fail, and stages whose versions do not meet.
enum Handlers {
  static func record(_ context: ModelContext, _ name: String) throws {
    for item in try context.fetch(FetchDescriptor<Steps.V2.Item>()) {
      Steps.log.withLock { $0.append("\(name): \(item.name)") }
    }
  }

  enum UnsavedDid: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Steps.Plan.schemas }
    static var stages: [MigrationStage] {
      [
        Steps.oneToTwo,
        Steps.twoToThree(will: nil) { context in
          for item in try context.fetch(FetchDescriptor<Steps.V3.Item>()) { item.title = "unsaved" }
        },
      ]
    }
  }
  enum ThrowingWill: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Stages.Custom.schemas }
    static var stages: [MigrationStage] {
      [
        Steps.twoToThree(
          will: { context in
            try record(context, "will")
            throw Unexpected("stop")
          }, did: nil)
      ]
    }
  }
  enum ThrowingDid: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Stages.Custom.schemas }
    static var stages: [MigrationStage] {
      [
        Steps.twoToThree(will: nil) { context in
          for item in try context.fetch(FetchDescriptor<Steps.V3.Item>()) {
            Steps.log.withLock { $0.append("did: \(item.title)") }
          }
          throw Unexpected("stop")
        }
      ]
    }
  }
  /// Nothing leads from V2 to the second stage's source.
  enum Gap: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [Steps.V1.self, Steps.V2.self, Steps.Edited.self, Steps.V3.self]
    }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: Steps.V1.self, toVersion: Steps.V2.self, willMigrate: nil, didMigrate: nil),
        .custom(
          fromVersion: Steps.Edited.self, toVersion: Steps.V3.self,
          willMigrate: { _ in Steps.log.withLock { $0.append("will") } }, didMigrate: nil),
      ]
    }
  }
  enum GapWithoutWill: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Gap.schemas }
    static var stages: [MigrationStage] {
      [
        Gap.stages[0],
        .custom(
          fromVersion: Steps.Edited.self, toVersion: Steps.V3.self, willMigrate: nil,
          didMigrate: nil),
      ]
    }
  }
}

/// A default that changes twice, in a run of lightweight stages.
enum Runs {
  typealias V2 = Steps.V2
  enum V3: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
    static var models: [any PersistentModel.Type] { [V3.Item.self] }
    @Model final class Item: Named {
      var name: String
      var count: Int = 9
      var extra: String?
      init(name: String) { self.name = name }
    }
  }
  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, V2.self, V3.self] }
    static var stages: [MigrationStage] {
      [Steps.oneToTwo, .lightweight(fromVersion: V2.self, toVersion: V3.self)]
    }
  }
  enum StoppingPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Plan.schemas }
    static var stages: [MigrationStage] {
      [
        Steps.oneToTwo,
        .custom(fromVersion: V2.self, toVersion: V3.self, willMigrate: nil, didMigrate: nil),
      ]
    }
  }
  enum ShortPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, V2.self] }
    static var stages: [MigrationStage] { [Steps.oneToTwo] }
  }
}

/// V2 renames a property, and V3 lacks its original name.
enum Forgetful {
  enum V2: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [V2.Item.self] }
    @Model final class Item {
      @Attribute(originalName: "name") var label: String = "none"
      init() {}
    }
  }
  enum V3: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
    static var models: [any PersistentModel.Type] { [V3.Item.self] }
    @Model final class Item {
      var label: String = "none"
      var extra: Int?
      init() {}
    }
  }
  static var oneToTwo: MigrationStage {
    .lightweight(fromVersion: Steps.V1.self, toVersion: V2.self)
  }
  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, V2.self, V3.self] }
    static var stages: [MigrationStage] {
      [oneToTwo, .lightweight(fromVersion: V2.self, toVersion: V3.self)]
    }
  }
  enum ShortPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, V2.self] }
    static var stages: [MigrationStage] { [oneToTwo] }
  }
}

/// The effects of changes on old rows (docs/facts/migration.md#inference).
enum Data4 {
  enum Identified: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Identified.Item.self] }
    @Model final class Item {
      var name: String
      var id: UUID = UUID()
      init(name: String) { self.name = name }
    }
  }
  enum IdentifiedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, Identified.self] }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: Steps.V1.self, toVersion: Identified.self)]
    }
  }
  enum Trapping: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Trapping.Item.self] }
    @Model final class Item {
      var name: String
      var mood: Mood = Mood.glad
      init(name: String) { self.name = name }
    }
  }
  enum TrappingPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, Trapping.self] }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: Steps.V1.self, toVersion: Trapping.self)]
    }
  }
  enum Required: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Required.Item.self] }
    @Model final class Item {
      var name: String
      var count: Int
      init(name: String, count: Int = 1) {
        self.name = name
        self.count = count
      }
    }
  }
  enum RequiredPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, Required.self] }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: Steps.V1.self, toVersion: Required.self)]
    }
  }
  enum Unique: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Unique.Item.self] }
    @Model final class Item {
      @Attribute(.unique) var name: String
      init(name: String) { self.name = name }
    }
  }
  enum UniquePlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, Unique.self] }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: Steps.V1.self, toVersion: Unique.self)]
    }
  }
}

/// Changes of Swift types for inference.
enum Inferred {
  struct Place: Codable, Equatable {
    var street: String
    var number: Int?
  }

  enum Placed: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Placed.Item.self] }
    @Model final class Item: Named {
      var name: String
      var place: Place = Place(street: "Main")
      init(name: String) {
        self.name = name
      }
    }
  }
  enum PerhapsPlaced: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [PerhapsPlaced.Item.self] }
    @Model final class Item: Named {
      var name: String
      var place: Place?
      init(name: String) {
        self.name = name
      }
    }
  }
  enum PerhapsMoody: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [PerhapsMoody.Item.self] }
    @Model final class Item: Named {
      var name: String
      var mood: Mood?
      init(name: String) {
        self.name = name
      }
    }
  }
  enum Reused: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Reused.Item.self] }
    @Model final class Item: Named {
      @Attribute(originalName: "name") var title: String
      var name: String = ""
      init(name: String) {
        title = name
      }
    }
  }
  enum AfterReuse: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [AfterReuse.Item.self] }
    @Model final class Item: Named {
      @Attribute(originalName: "name") var title: String
      var name: String = ""
      var more: Int?
      init(name: String) {
        title = name
      }
    }
  }
  enum ExternalText: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [ExternalText.Item.self] }
    @Model final class Item: Named {
      @Attribute(.externalStorage) var name: String
      init(name: String) {
        self.name = name
      }
    }
  }
  enum ExternalData: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [ExternalData.Item.self] }
    @Model final class Item: Named {
      @Attribute(.externalStorage) var data: Data = Data()
      init(name: String) {

      }
    }
  }
  enum PlainData: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [PlainData.Item.self] }
    @Model final class Item: Named {
      var data: Data = Data()
      init(name: String) {

      }
    }
  }
  enum Kept: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Kept.Item.self] }
    @Model final class Item {
      var name: String
      var scratch: String = "none"
      init(name: String, scratch: String) {
        self.name = name
        self.scratch = scratch
      }
    }
  }
  enum Ephemeral: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Ephemeral.Item.self] }
    @Model final class Item {
      var name: String
      @Attribute(.ephemeral) var scratch: String = "none"
      init(name: String, scratch: String) {
        self.name = name
        self.scratch = scratch
      }
    }
  }
  enum ToFirst: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] {
      [ToFirst.Owner.self, ToFirst.First.self, ToFirst.Second.self]
    }
    @Model final class Owner {
      var other: ToFirst.First?
      init(other: ToFirst.First?) { self.other = other }
    }
    @Model final class First {
      var name: String
      init(name: String) { self.name = name }
    }
    @Model final class Second {
      var name: String
      init(name: String) { self.name = name }
    }
  }
  enum ToSecond: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] {
      [ToSecond.Owner.self, ToSecond.First.self, ToSecond.Second.self]
    }
    @Model final class Owner {
      var other: ToSecond.Second?
      init(other: ToSecond.Second?) { self.other = other }
    }
    @Model final class First {
      var name: String
      init(name: String) { self.name = name }
    }
    @Model final class Second {
      var name: String
      init(name: String) { self.name = name }
    }
  }
}
