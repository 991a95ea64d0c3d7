import Foundation
import SwiftData

/// Three versions of one model, whose defaults tell which way a row came.
enum Steps {
  enum V1: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      init(name: String) { self.name = name }
    }

    static func fill(_ context: ModelContext) throws { context.insert(Item(name: "a")) }
  }

  enum V2: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var count: Int = 7
      init(name: String) { self.name = name }
    }

    static func fill(_ context: ModelContext) throws { context.insert(Item(name: "a")) }
  }

  enum V3: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var count: Int = 9
      var extra: String?
      init(name: String) { self.name = name }
    }

    static func fill(_ context: ModelContext) throws { context.insert(Item(name: "a")) }

    static func words(_ item: Item) -> String { "\(item.name) \(item.count)" }
  }

  enum V4: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(4, 0, 0) }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var count: Int = 11
      var extra: String?
      var last: String?
      init(name: String) { self.name = name }
    }

    static func words(_ item: Item) -> String { "\(item.name) \(item.count)" }
  }

  /// V1 with a property more: an edited version that had shipped.
  enum Edited: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var edited: Bool = false
      init(name: String) { self.name = name }
    }

    static func fill(_ context: ModelContext) throws { context.insert(Item(name: "a")) }
  }

  /// V1 with another number and nothing else that is hashed.
  enum LikeV1: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(5, 0, 0) }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String = "default"
      init(name: String) { self.name = name }
    }
  }

  /// V2 with another number and nothing else that is hashed.
  enum LikeV2: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(6, 0, 0) }
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      var count: Int = 8
      init(name: String) { self.name = name }
    }
  }

  /// What V3 adds comes back from V1 under a name that V2 has not.
  enum NameGone: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var more: String?
      init() {}
    }
  }

  enum NameBack: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var more: String?
      var name: String = "new"
      init() {}
    }
  }

  enum NameBackOtherwise: Third {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var more: String?
      var name: Int = 1
      init() {}
    }
  }
}

/// Plans whose stages are not one lightweight stage for each pair.
enum Plans {
  static func light(
    _ from: any VersionedSchema.Type, _ to: any VersionedSchema.Type
  ) -> MigrationStage { .lightweight(fromVersion: from, toVersion: to) }

  static func custom(
    _ from: any VersionedSchema.Type, _ to: any VersionedSchema.Type
  ) -> MigrationStage {
    .custom(fromVersion: from, toVersion: to, willMigrate: nil, didMigrate: nil)
  }

  /// Versions, and nothing to do with them.
  enum NoStages: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, Steps.V2.self] }
    static var stages: [MigrationStage] { [] }
  }

  /// No stage ends in the last version.
  enum Unfinished: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [Steps.V1.self, Steps.V2.self, Steps.V3.self]
    }
    static var stages: [MigrationStage] { [light(Steps.V1.self, Steps.V2.self)] }
  }

  /// One stage over three versions.
  enum Spanning: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [Steps.V1.self, Steps.V2.self, Steps.V3.self]
    }
    static var stages: [MigrationStage] { [light(Steps.V1.self, Steps.V3.self)] }
  }

  /// A custom stage, and a lightweight one after it.
  enum AfterCustom: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [Steps.V1.self, Steps.V2.self, Steps.V3.self]
    }
    static var stages: [MigrationStage] {
      [custom(Steps.V1.self, Steps.V2.self), light(Steps.V2.self, Steps.V3.self)]
    }
  }

  /// A lightweight stage, and an empty custom one after it.
  enum BeforeCustom: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [Steps.V1.self, Steps.V2.self, Steps.V3.self]
    }
    static var stages: [MigrationStage] {
      [light(Steps.V1.self, Steps.V2.self), custom(Steps.V2.self, Steps.V3.self)]
    }
  }

  /// A custom stage between lightweight ones.
  enum AroundCustom: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [Steps.V1.self, Steps.V2.self, Steps.V3.self, Steps.V4.self]
    }
    static var stages: [MigrationStage] {
      [
        light(Steps.V1.self, Steps.V2.self), custom(Steps.V2.self, Steps.V3.self),
        light(Steps.V3.self, Steps.V4.self),
      ]
    }
  }

  /// The last stage leads back.
  enum LeadingBack: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, Steps.V2.self] }
    static var stages: [MigrationStage] { [light(Steps.V2.self, Steps.V1.self)] }
  }

  /// A stage to a version that is not listed.
  enum UnlistedTarget: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, Steps.V2.self] }
    static var stages: [MigrationStage] { [light(Steps.V2.self, Steps.V3.self)] }
  }

  /// A stage from a version that is not listed.
  enum UnlistedSource: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V2.self] }
    static var stages: [MigrationStage] { [light(Steps.V1.self, Steps.V2.self)] }
  }

  /// A custom stage from a version that is not listed.
  enum UnlistedCustomSource: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V2.self] }
    static var stages: [MigrationStage] { [custom(Steps.V1.self, Steps.V2.self)] }
  }

  /// A custom stage to a version that is not listed.
  enum UnlistedCustomTarget: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self] }
    static var stages: [MigrationStage] { [custom(Steps.V1.self, Steps.V2.self)] }
  }

  /// Nothing leads from V2 to the second stage's source.
  enum Gap: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [Steps.V1.self, Steps.V2.self, Steps.Edited.self, Steps.V3.self]
    }
    static var stages: [MigrationStage] {
      [
        custom(Steps.V1.self, Steps.V2.self),
        .custom(
          fromVersion: Steps.Edited.self, toVersion: Steps.V3.self,
          willMigrate: { _ in try Folder.current.note("will") }, didMigrate: nil),
      ]
    }
  }

  /// The same without closures.
  enum GapWithoutWill: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [Steps.V1.self, Steps.V2.self, Steps.Edited.self, Steps.V3.self]
    }
    static var stages: [MigrationStage] {
      [custom(Steps.V1.self, Steps.V2.self), custom(Steps.Edited.self, Steps.V3.self)]
    }
  }

  // MARK: Plans that raise exceptions

  /// The last list holds V1's checksum twice.
  enum EqualsInOneList: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, Steps.LikeV1.self] }
    static var stages: [MigrationStage] { [light(Steps.V1.self, Steps.LikeV1.self)] }
  }

  /// Two lists hold V1's checksum.
  enum EqualsInTwoLists: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [Steps.V1.self, Steps.V2.self, Steps.LikeV1.self]
    }
    static var stages: [MigrationStage] {
      [light(Steps.V1.self, Steps.V2.self), light(Steps.V2.self, Steps.LikeV1.self)]
    }
  }

  /// A list holds what a custom stage ends in.
  enum EqualToCustom: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [Steps.V1.self, Steps.V2.self, Steps.V3.self, Steps.LikeV1.self, Steps.V4.self]
    }
    static var stages: [MigrationStage] {
      [
        custom(Steps.V1.self, Steps.V2.self), light(Steps.V2.self, Steps.V3.self),
        light(Steps.V3.self, Steps.LikeV1.self), light(Steps.LikeV1.self, Steps.V4.self),
      ]
    }
  }

  /// Two custom stages begin alike.
  enum OneSource: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [Steps.V1.self, Steps.V2.self, Steps.V3.self]
    }
    static var stages: [MigrationStage] {
      [custom(Steps.V1.self, Steps.V2.self), custom(Steps.V1.self, Steps.V3.self)]
    }
  }

  /// Two custom stages end alike.
  enum OneTarget: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [Steps.V1.self, Steps.V2.self, Steps.V3.self, Steps.LikeV2.self]
    }
    static var stages: [MigrationStage] {
      [
        custom(Steps.V1.self, Steps.V2.self), custom(Steps.V2.self, Steps.V3.self),
        custom(Steps.V3.self, Steps.LikeV2.self),
      ]
    }
  }

  /// A custom stage from a version to one that is alike.
  enum EqualEnds: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, Steps.LikeV1.self] }
    static var stages: [MigrationStage] { [custom(Steps.V1.self, Steps.LikeV1.self)] }
  }

  /// One stage twice.
  enum Repeated: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Steps.V1.self, Steps.V2.self] }
    static var stages: [MigrationStage] {
      [light(Steps.V1.self, Steps.V2.self), light(Steps.V1.self, Steps.V2.self)]
    }
  }

  /// There and back, to a like one of a higher number.
  enum ThereAndBack: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [Steps.V1.self, Steps.V2.self, Steps.LikeV1.self]
    }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: Steps.V1.self, toVersion: Steps.V2.self,
          willMigrate: { _ in try Folder.current.note("there") }, didMigrate: nil),
        .custom(
          fromVersion: Steps.V2.self, toVersion: Steps.LikeV1.self,
          willMigrate: { _ in try Folder.current.note("back") }, didMigrate: nil),
      ]
    }
  }
}

extension Experiment {
  static var plans: [Experiment] { finding + checking + running }

  /// A store of a version is opened with a plan.
  private static func opening(
    _ id: String, _ claim: String, facts: [String] = [], partly: [String] = [],
    wrote: any VersionedSchema.Type, fill: @escaping (ModelContext) throws -> Void,
    opens version: any VersionedSchema.Type, with plan: (any SchemaMigrationPlan.Type)?,
    _ expectation: Expectation, see: @escaping Sight = { _, _ in [] }
  ) -> Experiment {
    Experiment(
      id: id, claim: claim, facts: facts, partly: partly,
      steps: [
        writing(wrote, fill),
        step("open with the plan", expectation) { folder in
          try see(folder.open(version, plan: plan), folder)
        },
      ])
  }

  private static func third(_ context: ModelContext, _ folder: Folder) throws -> [String] {
    try context.rows(Steps.V3.Item.self, Steps.V3.words)
  }

  // MARK: Which version a store is of

  private static var finding: [Experiment] {
    [
      opening(
        "version-number-is-no-identity", "a store of the same hashes opens under another number",
        facts: [
          "identity#recognised-by-hashes", "identity#version-identifier-neutral",
          "migration#equal-hashes-open", "identity#opening-compares-hashes",
        ],
        wrote: Steps.V1.self, fill: Steps.V1.fill, opens: Steps.LikeV1.self, with: Strangers.self,
        .sees("a"), see: names(Steps.LikeV1.Item.self)),
      Experiment(
        id: "stage-found-by-hashes",
        claim: "a stage is found by hashes, whatever number its version has",
        facts: ["identity#stages-are-found-by-checksum", "migration#store-found-by-checksum"],
        steps: [
          writing(Steps.V1.self, Steps.V1.fill),
          step("open with a plan that knows the version by another number", .sees("a 8")) {
            folder in
            try folder.open(
              Steps.LikeV2.self, plan: Upgrade<Steps.LikeV1, Steps.LikeV2>.self
            ).rows(Steps.LikeV2.Item.self) { "\($0.name) \($0.count)" }
          },
        ]),
      Experiment(
        id: "unversioned-store",
        claim: "a store that was written without versions is adopted where V1 matches it",
        facts: ["migration#first-version-adopts-unversioned"],
        steps: [
          step("write a store for a class, without a version", .sees([])) { folder in
            let container = try ModelContainer(
              for: Steps.V1.Item.self,
              configurations: ModelConfiguration(
                "experiment", url: folder.store, cloudKitDatabase: .none))
            let context = ModelContext(container)
            context.insert(Steps.V1.Item(name: "a"))
            try context.save()
            return []
          },
          step("open with a plan", .sees("a 9")) { folder in
            try third(
              folder.open(Steps.V3.self, plan: Run<Steps.V1, Steps.V2, Steps.V3>.self), folder)
          },
        ]),
      opening(
        "unknown-version", "a store of no version of the plan is not migrated: 134504",
        facts: ["migration#unknown-version-is-134504", "identity#edited-version-is-another"],
        partly: ["migration#unknown-version-second-look"],
        wrote: Steps.Edited.self, fill: Steps.Edited.fill, opens: Steps.V3.self,
        with: Run<Steps.V1, Steps.V2, Steps.V3>.self,
        .fails(code: 134504, saying: "unknown model version")
      ).then("its rows are there still", .sees("a")) { folder in
        try folder.open(Steps.Edited.self).rows(Steps.Edited.Item.self) { $0.name }
      },
      opening(
        "container-in-no-stage", "134504 where the container's version is in no stage",
        facts: ["migration#container-outside-stages"],
        wrote: Steps.V1.self, fill: Steps.V1.fill, opens: Steps.V3.self,
        with: Plans.Unfinished.self,
        .fails(code: 134504, saying: "unknown coordinator model version")),
      opening(
        "container-in-no-stage-first", "that is said before the store is looked at",
        facts: ["migration#container-outside-stages"],
        wrote: Steps.Edited.self, fill: Steps.Edited.fill, opens: Steps.V3.self,
        with: Plans.Unfinished.self,
        .fails(code: 134504, saying: "unknown coordinator model version")),
      opening(
        "backwards", "a version that the plan has before the store's: backwardMigration",
        facts: ["migration#backwards-is-134506", "migration#swiftdata-hides-codes"],
        wrote: Steps.V3.self, fill: Steps.V3.fill, opens: Steps.V2.self,
        with: Run<Steps.V1, Steps.V2, Steps.V3>.self, .refuses("backwardMigration")),
      opening(
        "downgrade", "an older app does not know a newer store: 134504",
        facts: ["migration#downgrade-is-134504"],
        wrote: Steps.V3.self, fill: Steps.V3.fill, opens: Steps.V2.self,
        with: Upgrade<Steps.V1, Steps.V2>.self, .fails(code: 134504)),
      opening(
        "silent-step-backwards",
        "a store at the target of the last custom stage goes back without a word",
        facts: ["migration#silent-step-backwards"],
        wrote: Steps.V3.self, fill: Steps.V3.fill, opens: Steps.V2.self,
        with: Stopping<Steps.V2, Steps.V3>.self, .sees("a 9", "ZCOUNT INTEGER", "ZNAME VARCHAR")
      ) { context, folder in
        try context.rows(Steps.V2.Item.self) { "\($0.name) \($0.count)" }
          + StoreFile(folder.store).columns("ZITEM")
      },
      opening(
        "no-plan",
        "without a plan one inference leads from the store's own model to the container's",
        facts: ["migration#no-plan-one-inference"], partly: ["migration#no-plan-source"],
        wrote: Steps.Edited.self, fill: Steps.Edited.fill, opens: Steps.V2.self, with: nil,
        .sees("a 7")
      ) { context, _ in try context.rows(Steps.V2.Item.self) { "\($0.name) \($0.count)" } },
      opening(
        "no-stages", "a plan without stages is as none", facts: ["migration#no-plan-one-inference"],
        wrote: Steps.Edited.self, fill: Steps.Edited.fill, opens: Steps.V2.self,
        with: Plans.NoStages.self, .sees("a 7")
      ) { context, _ in try context.rows(Steps.V2.Item.self) { "\($0.name) \($0.count)" } },
      opening(
        "no-plan-original-name",
        "without a plan the file's own model is the source, and an originalName in it counts",
        partly: ["migration#no-plan-source"],
        wrote: Renames.Titled.self, fill: one(Renames.Titled.Item(title: "a")),
        opens: Renames.Chained.self, with: nil, .sees("a")
      ) { context, _ in try context.rows(Renames.Chained.Item.self) { $0.heading } },
      opening(
        "no-plan-downgrade", "without a plan a downgrade drops columns",
        facts: ["migration#no-plan-downgrade"],
        wrote: Steps.V2.self, fill: Steps.V2.fill, opens: Steps.V1.self, with: nil,
        .sees("a", "ZNAME VARCHAR")
      ) { context, folder in
        try context.rows(Steps.V1.Item.self) { $0.name }
          + StoreFile(folder.store).columns("ZITEM")
      },
      opening(
        "current-store", "a store of the last version runs no stage",
        facts: ["migration#equal-hashes-open", "migration#stages-need-a-migration"],
        wrote: Closures.V2.self, fill: Closures.V2.fill, opens: Closures.V2.self,
        with: Closures.Noting.self, .sees("second")
      ) { context, folder in
        try context.rows(Closures.V2.Item.self) { $0.title } + folder.notes
      },
      Experiment(
        id: "new-store", claim: "a new store runs no stage",
        facts: ["migration#stages-need-a-migration"],
        steps: [
          step("open a new store with the plan", .sees("rows: 0")) { folder in
            let context = try folder.open(Closures.V2.self, plan: Closures.Noting.self)
            return ["rows: \(try context.all(Closures.V2.Item.self).count)"] + folder.notes
          }
        ]),
    ]
  }

  // MARK: What SwiftData checks first

  /// A plan is refused for new stores, too.
  private static func refusing(
    _ id: String, _ claim: String, _ fact: String, _ plan: any SchemaMigrationPlan.Type,
    _ expectation: Expectation
  ) -> Experiment {
    Experiment(
      id: id, claim: claim, facts: [fact],
      steps: [
        step("open a new store with the plan", expectation) { folder in
          _ = try folder.open(Steps.V2.self, plan: plan)
          return []
        }
      ])
  }

  private static var checking: [Experiment] {
    [
      refusing(
        "stage-leads-back", "a stage that leads back is refused for new stores, too",
        "migration#backward-stage", Plans.LeadingBack.self, .refuses("backwardMigration")),
      refusing(
        "stage-to-unlisted", "a lightweight stage to a version that is not listed is refused",
        "migration#unlisted-stage-version", Plans.UnlistedTarget.self, .refuses("unknownSchema")),
      refusing(
        "stage-from-unlisted", "a lightweight stage from a version that is not listed is refused",
        "migration#unlisted-stage-version", Plans.UnlistedSource.self, .refuses("unknownSchema")),
      refusing(
        "custom-from-unlisted", "a custom stage from a version that is not listed is not refused",
        "migration#unlisted-stage-version", Plans.UnlistedCustomSource.self, .sees([])),
      refusing(
        "custom-to-unlisted", "a custom stage to a version that is not listed is refused",
        "migration#unlisted-stage-version", Plans.UnlistedCustomTarget.self,
        .refuses("unknownSchema")),
    ]
  }

  // MARK: What runs

  private static var running: [Experiment] {
    [
      opening(
        "run-is-one-inference",
        "a run of lightweight stages is one inference: a middle version's default never applies",
        facts: [
          "migration#lightweight-run-is-one-inference", "migration#middle-default-never-applies",
        ],
        wrote: Steps.V1.self, fill: Steps.V1.fill, opens: Steps.V3.self,
        with: Run<Steps.V1, Steps.V2, Steps.V3>.self, .sees("a 9"), see: third),
      Experiment(
        id: "steps-are-not-a-run",
        claim: "who installs each version has the middle version's default",
        facts: ["migration#lightweight-run-is-one-inference"],
        steps: [
          writing(Steps.V1.self, Steps.V1.fill),
          step("open with the next version", .sees([])) { folder in
            _ = try folder.open(Steps.V2.self, plan: Upgrade<Steps.V1, Steps.V2>.self)
            return []
          },
          step("open with the version after", .sees("a 7")) { folder in
            try third(
              folder.open(Steps.V3.self, plan: Run<Steps.V1, Steps.V2, Steps.V3>.self), folder)
          },
        ]),
      opening(
        "dropped-name-returns",
        "a name that a middle version drops brings the first one's values back",
        facts: ["migration#dropped-name-returns"],
        wrote: Steps.V1.self, fill: Steps.V1.fill, opens: Steps.NameBack.self,
        with: Run<Steps.V1, Steps.NameGone, Steps.NameBack>.self, .sees("a")
      ) { context, _ in try context.rows(Steps.NameBack.Item.self) { $0.name } },
      opening(
        "dropped-name-returns-otherwise",
        "a name that a middle version drops fails where it comes back with another type",
        facts: ["migration#dropped-name-returns", "migration#pairs-in-a-run"],
        wrote: Steps.V1.self, fill: Steps.V1.fill, opens: Steps.NameBackOtherwise.self,
        with: Run<Steps.V1, Steps.NameGone, Steps.NameBackOtherwise>.self, .fails(code: 134140)),
      opening(
        "custom-is-a-boundary", "an empty custom stage is stopped at",
        facts: ["migration#custom-stage-is-a-boundary"],
        wrote: Steps.V1.self, fill: Steps.V1.fill, opens: Steps.V3.self,
        with: Plans.BeforeCustom.self, .sees("a 7"), see: third),
      opening(
        "lightweight-after-custom", "a lightweight stage straight after a custom one works",
        facts: ["migration#lightweight-after-custom", "migration#lightweight-list"],
        wrote: Steps.V1.self, fill: Steps.V1.fill, opens: Steps.V3.self,
        with: Plans.AfterCustom.self, .sees("a 7"), see: third),
      opening(
        "lightweight-after-custom-begins", "it works for stores that stand at its beginning",
        facts: ["migration#lightweight-after-custom", "migration#store-found-by-checksum"],
        wrote: Steps.V2.self, fill: Steps.V2.fill, opens: Steps.V3.self,
        with: Plans.AfterCustom.self, .sees("a 7"), see: third),
      opening(
        "custom-between", "a custom stage between lightweight ones is reached and left",
        facts: ["migration#custom-stage-is-a-boundary"],
        wrote: Steps.V1.self, fill: Steps.V1.fill, opens: Steps.V4.self,
        with: Plans.AroundCustom.self, .sees("a 7")
      ) { context, _ in try context.rows(Steps.V4.Item.self, Steps.V4.words) },
      opening(
        "spanning-stage", "one lightweight stage over several versions knows its first",
        facts: ["migration#lightweight-list"],
        wrote: Steps.V1.self, fill: Steps.V1.fill, opens: Steps.V3.self,
        with: Plans.Spanning.self, .sees("a 9"), see: third),
      opening(
        "spanning-stage-between", "it knows those between as well",
        facts: ["migration#lightweight-list", "migration#store-found-by-checksum"],
        wrote: Steps.V2.self, fill: Steps.V2.fill, opens: Steps.V3.self,
        with: Plans.Spanning.self, .sees("a 7"), see: third),
      opening(
        "migrated-store-has-its-version", "a migrated store has the container's hashes",
        partly: ["migration#reopened-afterwards"],
        wrote: Steps.V1.self, fill: Steps.V1.fill, opens: Steps.V3.self,
        with: Run<Steps.V1, Steps.V2, Steps.V3>.self, .sees("a 9"), see: third
      ).then("open it under a plan that has no version of it", .sees("a 9")) { folder in
        try third(folder.open(Steps.V3.self, plan: Strangers.self), folder)
      },
    ]
  }
}
