import Foundation
import SwiftData

extension Experiment {
  /// A plan ends the app where a store is to be migrated, and opens stores that are new or current.
  private static func raising(
    _ id: String, _ claim: String, _ fact: String, says words: String,
    wrote: any VersionedSchema.Type, fill: @escaping (ModelContext) throws -> Void,
    opens version: any VersionedSchema.Type, _ plan: any SchemaMigrationPlan.Type
  ) -> Experiment {
    Experiment(
      id: id, claim: claim,
      facts: ["migration#\(fact)", "migration#exceptions-need-an-old-store"],
      partly: ["identity#equal-checksums-are-one-version"],
      steps: [
        step("open a new store with the plan", .sees([])) { folder in
          _ = try folder.open(version, plan: plan, at: folder.other)
          return []
        },
        step("open it again, now that it is current", .sees([])) { folder in
          _ = try folder.open(version, plan: plan, at: folder.other)
          return []
        },
        writing(wrote, fill),
        step("open a store that is to be migrated", .traps(saying: words)) { folder in
          _ = try folder.open(version, plan: plan)
          return ["it opened"]
        },
      ])
  }

  static var exceptions: [Experiment] {
    [
      raising(
        "equals-in-one-list", "a list whose last two versions are alike ends the app",
        "duplicate-in-one-list", says: "Duplicate version checksums detected.",
        wrote: Steps.V2.self, fill: Steps.V2.fill, opens: Steps.V1.self,
        Plans.EqualsInOneList.self),
      raising(
        "equals-in-two-lists", "a checksum in two lightweight stages ends the app",
        "duplicate-across-stages",
        says: "Duplicate version checksums across stages detected.",
        wrote: Steps.V2.self, fill: Steps.V2.fill, opens: Steps.LikeV1.self,
        Plans.EqualsInTwoLists.self),
      raising(
        "equal-to-custom", "a checksum in a lightweight and a custom stage ends the app",
        "duplicate-across-stages",
        says: "Duplicate version checksums across stages detected.",
        wrote: Steps.V2.self, fill: Steps.V2.fill, opens: Steps.V4.self, Plans.EqualToCustom.self),
      raising(
        "customs-begin-alike", "two custom stages with one source end the app",
        "duplicate-across-stages",
        says: "Duplicate version checksums across stages detected.",
        wrote: Steps.V1.self, fill: Steps.V1.fill, opens: Steps.V3.self, Plans.OneSource.self),
      raising(
        "customs-end-alike", "two custom stages with one target end the app",
        "duplicate-across-stages",
        says: "Duplicate version checksums across stages detected.",
        wrote: Steps.V1.self, fill: Steps.V1.fill, opens: Steps.LikeV2.self,
        Plans.OneTarget.self),
      raising(
        "stage-twice", "a lightweight stage that is there twice ends the app", "duplicate-stages",
        says: "Duplicate lightweight migration stages detected.",
        wrote: Steps.V1.self, fill: Steps.V1.fill, opens: Steps.V2.self, Plans.Repeated.self),
      raising(
        "equal-custom-ends", "a custom stage between versions of one checksum ends the app",
        "equal-custom-endpoints",
        says: "The current model reference and the next model reference cannot be equal.",
        wrote: Steps.V2.self, fill: Steps.V2.fill, opens: Steps.LikeV1.self, Plans.EqualEnds.self),
      Experiment(
        id: "opposite-customs",
        claim: "custom stages there and back are not refused: a store is taken for the first",
        facts: ["migration#opposite-custom-stages"],
        steps: [
          writing(Steps.V1.self, Steps.V1.fill),
          step("open with the plan", .sees("a 7", "there")) { folder in
            try folder.open(Steps.V2.self, plan: Plans.ThereAndBack.self)
              .rows(Steps.V2.Item.self) { "\($0.name) \($0.count)" } + folder.notes
          },
        ]),
      Experiment(
        id: "same-classes-twice",
        claim: "two versions that list the same live classes end the app",
        facts: ["identity#equal-checksums-are-one-version"],
        partly: ["migration#duplicate-across-stages"],
        steps: [
          writing(Steps.Edited.self, Steps.Edited.fill),
          step(
            "open with a plan of such versions",
            .traps(saying: "Duplicate version checksums detected.")
          ) { folder in
            _ = try folder.open(Live.V2.self, plan: Live.Plan.self)
            return ["it opened"]
          },
        ]),
    ]
  }
}

/// Versions of an app that has its models once, outside of versions.
enum Live {
  enum V1: First {
    static var models: [any PersistentModel.Type] { [Steps.V1.Item.self] }
  }
  enum V2: Second {
    static var models: [any PersistentModel.Type] { [Steps.V1.Item.self] }
  }
  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: V1.self, toVersion: V2.self)]
    }
  }
}
