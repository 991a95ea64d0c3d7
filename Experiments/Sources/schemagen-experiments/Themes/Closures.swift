import Foundation
import SwiftData

/// What closures of custom stages see, and what of their work stays.
enum Closures {
  enum V1: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      var name: String
      init(name: String) { self.name = name }
    }

    static func fill(_ context: ModelContext) throws { context.insert(Item(name: "first")) }
  }

  enum V2: Second {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item {
      @Attribute(originalName: "name") var title: String
      init(title: String) { self.title = title }
    }

    static func fill(_ context: ModelContext) throws { context.insert(Item(title: "second")) }
  }

  struct Stop: Error {}

  typealias Closure = (ModelContext) throws -> Void

  /// Says what it finds, and writes something else.
  static func will(_ context: ModelContext) throws {
    for item in try context.all(V1.Item.self) {
      try Folder.current.note("will: \(item.name)")
      item.name = "from will"
    }
  }

  static func did(_ context: ModelContext) throws {
    for item in try context.all(V2.Item.self) {
      try Folder.current.note("did: \(item.title)")
      item.title = "from did"
    }
  }

  /// Both closures work and save.
  enum Noting: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self,
          willMigrate: { context in
            try will(context)
            try context.save()
          },
          didMigrate: { context in
            try did(context)
            try context.save()
          })
      ]
    }
  }

  /// `willMigrate` does not save.
  enum WillUnsaved: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self, willMigrate: { try will($0) },
          didMigrate: nil)
      ]
    }
  }

  /// `didMigrate` does not save.
  enum DidUnsaved: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self, willMigrate: nil,
          didMigrate: { try did($0) })
      ]
    }
  }

  /// `willMigrate` saves, and fails.
  enum WillFails: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self,
          willMigrate: { context in
            try will(context)
            throw Stop()
          }, didMigrate: nil)
      ]
    }
  }

  /// `didMigrate` fails.
  enum DidFails: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self, willMigrate: nil,
          didMigrate: { context in
            try did(context)
            throw Stop()
          })
      ]
    }
  }

  /// `didMigrate` asks for the old version's rows.
  enum OldTypes: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self, willMigrate: nil,
          didMigrate: { _ = try $0.all(V1.Item.self) })
      ]
    }
  }

  /// `willMigrate` inserts a row of the new version.
  enum NewTypes: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self,
          willMigrate: { context in
            context.insert(V2.Item(title: "too early"))
            try context.save()
          }, didMigrate: nil)
      ]
    }
  }

  // MARK: Kills

  /// Killed in `willMigrate`, before it saves.
  enum KilledBeforeSaving: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self,
          willMigrate: { context in
            try will(context)
            die()
          }, didMigrate: nil)
      ]
    }
  }

  /// Killed in `willMigrate`, after it has saved.
  enum KilledAfterSaving: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self,
          willMigrate: { context in
            try will(context)
            try context.save()
            die()
          }, didMigrate: nil)
      ]
    }
  }

  /// Killed in `didMigrate`, before it saves.
  enum KilledInDid: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self, willMigrate: nil,
          didMigrate: { context in
            try did(context)
            die()
          })
      ]
    }
  }

  /// Killed in `didMigrate`, after it has saved.
  enum KilledAfterDid: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self, willMigrate: nil,
          didMigrate: { context in
            try did(context)
            try context.save()
            die()
          })
      ]
    }
  }

  /// Keeps values in memory from the one closure to the other.
  enum Stashing: SchemaMigrationPlan {
    nonisolated(unsafe) static var kept: [String] = []
    nonisolated(unsafe) static var isKilled = false
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self,
          willMigrate: { context in
            kept = try context.all(V1.Item.self).map(\.name)
            for item in try context.all(V1.Item.self) { item.name = "empty" }
            try context.save()
          },
          didMigrate: { context in
            if isKilled { die() }
            for (item, name) in zip(try context.all(V2.Item.self), kept) { item.title = name }
            try context.save()
          })
      ]
    }
  }

  /// Killed in the second of two custom stages.
  enum Between: SchemaMigrationPlan {
    nonisolated(unsafe) static var isKilled = false
    static var schemas: [any VersionedSchema.Type] {
      [Steps.V1.self, Steps.V2.self, Steps.V3.self]
    }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: Steps.V1.self, toVersion: Steps.V2.self,
          willMigrate: { _ in try Folder.current.note("first") }, didMigrate: nil),
        .custom(
          fromVersion: Steps.V2.self, toVersion: Steps.V3.self,
          willMigrate: { _ in
            try Folder.current.note("second")
            if isKilled { die() }
          }, didMigrate: nil),
      ]
    }
  }

  /// A bridge whose work is killed half way, after it has saved.
  enum HalfFilled: SchemaMigrationPlan {
    nonisolated(unsafe) static var isKilled = false
    static var schemas: [any VersionedSchema.Type] {
      [Plain.V1.self, Attributes.Counting.self, Attributes.Counted.self]
    }
    static var stages: [MigrationStage] {
      [
        .lightweight(fromVersion: Plain.V1.self, toVersion: Attributes.Counting.self),
        .custom(
          fromVersion: Attributes.Counting.self, toVersion: Attributes.Counted.self,
          willMigrate: { context in
            for item in try context.all(Attributes.Counting.Item.self) where item.count == nil {
              item.count = item.name.count
              try context.save()
              if isKilled { die() }
            }
          }, didMigrate: nil),
      ]
    }
  }
}

extension Experiment {
  static var closures: [Experiment] {
    [
      closure(
        "closures-see-their-versions", "willMigrate sees the old rows, didMigrate the new ones",
        facts: [
          "migration#each-side-sees-its-own-types", "migration#will-migrate-runs",
        ], partly: ["migration#stage-resolves-models"], Closures.Noting.self,
        .sees("from did", "will: first", "did: from will")),
      closure(
        "will-unsaved", "what willMigrate does not save is gone without an error",
        facts: ["migration#unsaved-is-lost", "migration#save-and-rethrow"],
        Closures.WillUnsaved.self, .sees("first", "will: first")),
      closure(
        "did-unsaved", "what didMigrate does not save is gone without an error",
        facts: ["migration#unsaved-is-lost", "migration#save-and-rethrow"],
        Closures.DidUnsaved.self, .sees("first", "did: first")),
      closure(
        "will-fails", "an error of willMigrate fails the opening",
        facts: ["migration#closure-errors", "migration#save-and-rethrow"],
        Closures.WillFails.self, .refuses("")
      ).then("the store is of its old version", .sees("first")) { folder in
        try folder.open(Closures.V1.self, plan: Strangers.self).rows(Closures.V1.Item.self) {
          $0.name
        }
      }.then("the next launch repeats it", .refuses("")) { folder in
        _ = try folder.open(Closures.V2.self, plan: Closures.WillFails.self)
        return ["it opened"]
      }.then("the closure ran twice", .sees("will: first", "will: first")) { $0.notes },
      closure(
        "did-fails", "an error of didMigrate fails the opening once",
        facts: ["migration#closure-errors", "migration#did-migrate-runs-once"],
        Closures.DidFails.self, .refuses("")
      ).then("the next launch opens as if all were well", .sees("first", "did: first")) { folder in
        try folder.open(Closures.V2.self, plan: Closures.DidFails.self)
          .rows(Closures.V2.Item.self) { $0.title } + folder.notes
      },
      closure(
        "old-types-in-did", "old types cannot be fetched in didMigrate",
        facts: ["migration#each-side-sees-its-own-types"],
        partly: ["swiftdata#migrations-name-their-versions"], Closures.OldTypes.self, .stops),
      closure(
        "new-types-in-will", "a row of the new version that willMigrate inserts ends the app",
        facts: ["migration#inserting-new-types-traps"], Closures.NewTypes.self, .traps()),
      Experiment(
        id: "will-at-another-version",
        claim: "willMigrate on a store that is not at its source fails",
        facts: ["migration#will-migrate-needs-its-source"],
        partly: ["migration#handler-container-traps"],
        steps: [
          writing(Steps.V1.self, Steps.V1.fill),
          step("open with a plan that has a gap", .stops) { folder in
            _ = try folder.open(Steps.V3.self, plan: Plans.Gap.self)
            return ["it opened"]
          },
          step("the closure did not run, and the stage before it stays", .sees("a 7")) { folder in
            try folder.open(Steps.V2.self, plan: Strangers.self)
              .rows(Steps.V2.Item.self) { "\($0.name) \($0.count)" } + folder.notes
          },
        ]),
      Experiment(
        id: "no-will-at-another-version",
        claim: "a stage without willMigrate starts from what is there",
        facts: ["migration#no-source-check-without-will-migrate"],
        steps: [
          writing(Steps.V1.self, Steps.V1.fill),
          step("open with a plan that has a gap", .sees("a 7")) { folder in
            try folder.open(Steps.V3.self, plan: Plans.GapWithoutWill.self)
              .rows(Steps.V3.Item.self, Steps.V3.words)
          },
        ]),
      Experiment(
        id: "enumerate-with-changes",
        claim: "enumerate without allowEscapingMutations throws on a context with changes",
        facts: ["swiftdata#enumerate-needs-a-clean-context"],
        steps: [
          writing(Plain.V1.self, Plain.fill),
          step("enumerate, with a row that is not saved", .sees("throws")) { folder in
            let context = try folder.open(Plain.V1.self)
            context.insert(Plain.V1.Item(name: "c"))
            do {
              try context.enumerate(FetchDescriptor<Plain.V1.Item>()) { _ in }
            } catch {
              return ["throws"]
            }
            return ["does not throw"]
          },
        ]),
      Experiment(
        id: "fetch-by-identifiers", claim: "a generic fetch by identifiers finds their rows",
        facts: ["swiftdata#fetch-by-identifiers"],
        steps: [
          writing(Plain.V1.self, Plain.fill),
          step("fetch all but the first", .sees("1 of 2, the right one")) { folder in
            let context = try folder.open(Plain.V1.self)
            let all = try context.fetchIdentifiers(FetchDescriptor<Plain.V1.Item>())
            let last: [Plain.V1.Item] = try rows(Array(all.dropFirst()), context)
            let isRight = last.map(\.persistentModelID) == Array(all.dropFirst())
            return ["\(last.count) of \(all.count), the \(isRight ? "right" : "wrong") one"]
          },
        ]),
    ]
  }

  private static func rows<Model: PersistentModel>(
    _ identifiers: [PersistentIdentifier], _ context: ModelContext
  ) throws -> [Model] {
    try context.fetch(
      FetchDescriptor<Model>(
        predicate: #Predicate { identifiers.contains($0.persistentModelID) }))
  }

  /// A store of V1 is opened with a plan of one custom stage; its row, then what closures noted.
  private static func closure(
    _ id: String, _ claim: String, facts: [String], partly: [String] = [],
    _ plan: any SchemaMigrationPlan.Type, _ expectation: Expectation
  ) -> Experiment {
    Experiment(
      id: id, claim: claim, facts: facts, partly: partly,
      steps: [
        writing(Closures.V1.self, Closures.V1.fill),
        step("open with the plan", expectation) { folder in
          try second(folder.open(Closures.V2.self, plan: plan)) + folder.notes
        },
      ])
  }

  private static func second(_ context: ModelContext) throws -> [String] {
    try context.rows(Closures.V2.Item.self) { $0.title }
  }

  // MARK: Kills

  static var kills: [Experiment] {
    [
      closure(
        "killed-before-saving", "killed in willMigrate before it saves, the stage is repeated",
        facts: ["migration#will-migrate-runs"], Closures.KilledBeforeSaving.self, .kills
      ).then(
        "launch again", .sees("from did", "will: first", "will: first", "did: from will")
      ) { folder in
        try second(folder.open(Closures.V2.self, plan: Closures.Noting.self)) + folder.notes
      },
      closure(
        "killed-after-saving",
        "killed after willMigrate has saved, what it saved stays and the stage is repeated",
        facts: ["migration#will-migrate-runs", "migration#stage-is-one-transaction"],
        Closures.KilledAfterSaving.self, .kills
      ).then(
        "launch again", .sees("from did", "will: first", "will: from will", "did: from will")
      ) { folder in
        try second(folder.open(Closures.V2.self, plan: Closures.Noting.self)) + folder.notes
      },
      closure(
        "killed-in-did", "killed in didMigrate, it never runs again",
        facts: ["migration#did-migrate-runs-once", "migration#stage-is-one-transaction"],
        Closures.KilledInDid.self, .kills
      ).then("launch again", .sees("first", "did: first")) { folder in
        try second(folder.open(Closures.V2.self, plan: Closures.Noting.self)) + folder.notes
      },
      closure(
        "killed-after-did", "killed after didMigrate has saved, what it saved stays",
        facts: ["migration#did-migrate-runs-once"], Closures.KilledAfterDid.self, .kills
      ).then("launch again", .sees("from did", "did: first")) { folder in
        try second(folder.open(Closures.V2.self, plan: Closures.Noting.self)) + folder.notes
      },
      Experiment(
        id: "stash-kept",
        claim: "values that are kept in memory between the closures are there if nothing happens",
        partly: ["migration#stashed-values-are-lost"],
        steps: [
          writing(Closures.V1.self, Closures.V1.fill),
          step("open with the plan", .sees("first")) { folder in
            try second(folder.open(Closures.V2.self, plan: Closures.Stashing.self))
          },
        ]),
      Experiment(
        id: "stash-lost",
        claim:
          "values that are kept in memory between the closures are lost where the app is killed",
        facts: ["migration#stashed-values-are-lost"],
        steps: [
          writing(Closures.V1.self, Closures.V1.fill),
          step("open with the plan, killed in didMigrate", .kills) { folder in
            Closures.Stashing.isKilled = true
            _ = try folder.open(Closures.V2.self, plan: Closures.Stashing.self)
            return ["it opened"]
          },
          step("launch again", .sees("empty")) { folder in
            try second(folder.open(Closures.V2.self, plan: Closures.Stashing.self))
          },
        ]),
      Experiment(
        id: "killed-between-stages",
        claim: "killed in the second stage, the first is not run again",
        facts: ["migration#stage-is-one-transaction", "migration#store-found-by-checksum"],
        steps: [
          writing(Steps.V1.self, Steps.V1.fill),
          step("open with the plan, killed in the second stage", .kills) { folder in
            Closures.Between.isKilled = true
            _ = try folder.open(Steps.V3.self, plan: Closures.Between.self)
            return ["it opened"]
          },
          step("launch again", .sees("a 7", "first", "second", "second")) { folder in
            try folder.open(Steps.V3.self, plan: Closures.Between.self)
              .rows(Steps.V3.Item.self, Steps.V3.words) + folder.notes
          },
        ]),
      Experiment(
        id: "killed-half-way",
        claim: "a bridge that is killed half way is filled by the next launch",
        facts: ["migration#bridge-copies-on-disk"],
        steps: [
          writing(Plain.V1.self, Plain.fill),
          step("open with the plan, killed after the first row", .kills) { folder in
            Closures.HalfFilled.isKilled = true
            _ = try folder.open(Attributes.Counted.self, plan: Closures.HalfFilled.self)
            return ["it opened"]
          },
          step("the file is of the bridge", .sees("1 row has a value")) { folder in
            let filled = try folder.open(Attributes.Counting.self, plan: Strangers.self)
              .all(Attributes.Counting.Item.self).count { $0.count != nil }
            return ["\(filled) row has a value"]
          },
          step("launch again", .sees("a 1", "b 1")) { folder in
            try folder.open(Attributes.Counted.self, plan: Closures.HalfFilled.self)
              .rows(Attributes.Counted.Item.self) { "\($0.name) \($0.count)" }
          },
        ]),
      Experiment(
        id: "killed-at-any-moment",
        claim: "a migration that is killed at any moment is whole or has not happened",
        facts: ["migration#stage-is-one-transaction"], partly: ["migration#one-transaction"],
        steps: [
          step("write a store of 10,000 rows", .sees([])) { folder in
            try folder.write(Plain.V1.self) { context in
              for number in 1...10_000 { context.insert(Plain.V1.Item(name: "\(number)")) }
            }
            return []
          }
        ]
          + [1, 4, 8, 12, 16, 24, 32, 64, 128].flatMap { milliseconds in
            [
              step("copy it", .sees([])) { folder in
                try folder.copyStore()
                return []
              },
              step(
                "migrate the copy, killed after \(milliseconds) ms", .endsOrIsKilled,
                killedAfter: .milliseconds(milliseconds)
              ) { folder in
                try folder.sayReady()
                _ = try folder.open(
                  Attributes.Empty.self, plan: Upgrade<Plain.V1, Attributes.Empty>.self,
                  at: folder.other)
                return []
              },
              step("look at it", .sees("whole")) { folder in
                let file = try StoreFile(folder.other)
                let columns = try file.columns("ZITEM")
                let count = try file.values("SELECT COUNT(*) FROM ZITEM")
                let isSound = try file.values("PRAGMA integrity_check") == ["'ok'"]
                let isOneOf = [["ZNAME VARCHAR"], ["ZMORE VARCHAR"]].contains(columns)
                return [
                  isSound && isOneOf && count == ["10000"]
                    ? "whole" : "sound: \(isSound), \(columns), \(count) rows"
                ]
              },
              step("launch again", .sees("rows: 10000")) { folder in
                let context = try folder.open(
                  Attributes.Empty.self, plan: Upgrade<Plain.V1, Attributes.Empty>.self,
                  at: folder.other)
                return [
                  "rows: \(try context.fetchCount(FetchDescriptor<Attributes.Empty.Item>()))"
                ]
              },
            ]
          }),
    ]
  }
}

extension Folder {
  /// The store once more under the other's name, with its log.
  fileprivate func copyStore() throws {
    for suffix in ["-shm", "-wal", ""] {
      let (from, to) = (store.path + suffix, other.path + suffix)
      try? FileManager.default.removeItem(atPath: to)
      if FileManager.default.fileExists(atPath: from) {
        try FileManager.default.copyItem(atPath: from, toPath: to)
      }
    }
  }
}
