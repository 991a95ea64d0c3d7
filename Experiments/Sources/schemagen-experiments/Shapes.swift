import Foundation
import SwiftData

// What many experiments share.

/// A version numbered 1.
protocol First: VersionedSchema {}
/// A version numbered 2.
protocol Second: VersionedSchema {}
/// A version numbered 3.
protocol Third: VersionedSchema {}

extension First {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
}

extension Second {
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
}

extension Third {
  static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
}

/// Two versions and one lightweight stage.
enum Upgrade<From: VersionedSchema, To: VersionedSchema>: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [From.self, To.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: From.self, toVersion: To.self)]
  }
}

/// Three versions and two lightweight stages.
enum Run<From: VersionedSchema, Middle: VersionedSchema, To: VersionedSchema>: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [From.self, Middle.self, To.self] }
  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: From.self, toVersion: Middle.self),
      .lightweight(fromVersion: Middle.self, toVersion: To.self),
    ]
  }
}

/// A version that a bridge leads to: the step to the bridge adds, work is done where old and new are both on disk, and
/// the step from it drops.
protocol Bridged: VersionedSchema {
  associatedtype Old: VersionedSchema
  associatedtype Bridge: VersionedSchema
  /// What `willMigrate` does; the plan saves.
  static func work(_ context: ModelContext) throws
}

/// Expand, migrate, contract.
enum Bridging<New: Bridged>: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [New.Old.self, New.Bridge.self, New.self] }
  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: New.Old.self, toVersion: New.Bridge.self),
      .custom(
        fromVersion: New.Bridge.self, toVersion: New.self,
        willMigrate: { context in
          try New.work(context)
          try context.save()
        }, didMigrate: nil),
    ]
  }
}

/// A version that a custom stage leads to.
protocol Prepared: VersionedSchema {
  associatedtype Old: VersionedSchema
  /// What `willMigrate` does; the plan saves.
  static func work(_ context: ModelContext) throws
}

/// One custom stage, with `willMigrate` alone.
enum Preparing<New: Prepared>: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [New.Old.self, New.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: New.Old.self, toVersion: New.self,
        willMigrate: { context in
          try New.work(context)
          try context.save()
        }, didMigrate: nil)
    ]
  }
}

/// One custom stage without closures.
enum Stopping<From: VersionedSchema, To: VersionedSchema>: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [From.self, To.self] }
  static var stages: [MigrationStage] {
    [.custom(fromVersion: From.self, toVersion: To.self, willMigrate: nil, didMigrate: nil)]
  }
}

/// A model with a name.
protocol Named: PersistentModel {
  var name: String { get }
}

/// A model with a name, which most experiments begin with.
enum Plain {
  enum V1: First {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item: Named {
      var name: String
      init(name: String) { self.name = name }
    }
  }

  /// Two rows.
  static func fill(_ context: ModelContext) throws {
    for name in ["a", "b"] { context.insert(V1.Item(name: name)) }
  }

  static func nothing(_ context: ModelContext) throws {}
}

/// A plan of versions that no store here is of. A store opens under it if its hashes are the container's: then no plan is
/// looked at. Otherwise the container's version is unknown to it.
enum Strangers: SchemaMigrationPlan {
  enum V1: First {
    static var models: [any PersistentModel.Type] { [Stranger.self] }
    @Model final class Stranger {
      var one: String = ""
      init() {}
    }
  }
  enum V2: Second {
    static var models: [any PersistentModel.Type] { [Stranger.self] }
    @Model final class Stranger {
      var one: String = ""
      var two: String = ""
      init() {}
    }
  }
  static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: V1.self, toVersion: V2.self)]
  }
}

/// What a step looks at.
typealias Sight = (ModelContext, Folder) throws -> [String]

extension Experiment {
  /// A store of one version is opened with the next, by a lightweight stage.
  static func upgrade<From: VersionedSchema, To: VersionedSchema>(
    _ id: String, _ claim: String, rows: [String] = [], facts: [String] = [],
    partly: [String] = [], limits: [Limit] = [], from: From.Type, to: To.Type,
    fill: @escaping (ModelContext) throws -> Void, _ expectation: Expectation,
    see: @escaping Sight
  ) -> Experiment {
    Experiment(
      id: id, claim: claim, rows: rows, facts: facts, partly: partly,
      steps: [
        writing(from, fill),
        step("open with the next version", expectation) { folder in
          try see(folder.open(to, plan: Upgrade<From, To>.self), folder)
        },
      ], limits: limits)
  }

  /// A store is brought to a version through a bridge.
  static func bridging<New: Bridged>(
    _ id: String, _ claim: String, rows: [String] = [], facts: [String] = [],
    partly: [String] = [], to: New.Type, fill: @escaping (ModelContext) throws -> Void,
    sees lines: [String], see: @escaping Sight
  ) -> Experiment {
    Experiment(
      id: id, claim: claim, rows: rows, facts: facts, partly: partly,
      steps: [
        writing(New.Old.self, fill),
        step("open with the next version", .sees(lines)) { folder in
          try see(folder.open(to, plan: Bridging<New>.self), folder)
        },
      ])
  }

  /// A lightweight stage fails, and the store is as it was.
  static func failure<From: VersionedSchema, To: VersionedSchema>(
    _ id: String, _ claim: String, rows: [String] = [], facts: [String] = [],
    partly: [String] = [], limits: [Limit] = [], from: From.Type, to: To.Type,
    fill: @escaping (ModelContext) throws -> Void, code: Int, saying words: String? = nil,
    decisive: Bool = false
  ) -> Experiment {
    Experiment(
      id: id, claim: claim, rows: rows, facts: facts, partly: partly,
      steps: [
        writing(from, fill),
        step("note what the file holds", .sees([])) { folder in
          try folder.note(contents(folder.store))
          return []
        },
        step(
          "open with the next version", .fails(code: code, saying: words, decisive: decisive)
        ) { folder in
          _ = try folder.open(to, plan: Upgrade<From, To>.self)
          return ["it opened"]
        },
        step("the file is as it was, and of its version", .sees("as it was")) { folder in
          let isSame = folder.notes == [try contents(folder.store)]
          _ = try folder.open(from, plan: Strangers.self)
          return [isSame ? "as it was" : "changed"]
        },
      ], limits: limits)
  }

  /// Two versions are one to the framework: a store of the first opens with the second, and no plan is looked at.
  static func neutral<From: VersionedSchema, To: VersionedSchema>(
    _ id: String, _ claim: String, rows: [String] = [], facts: [String] = [],
    partly: [String] = [], limits: [Limit] = [], from: From.Type, to: To.Type,
    fill: @escaping (ModelContext) throws -> Void, sees lines: [String], see: @escaping Sight
  ) -> Experiment {
    Experiment(
      id: id, claim: claim, rows: rows, facts: facts, partly: partly,
      steps: [
        writing(from, fill),
        step("open with the other, under a plan that has neither", .sees(lines)) { folder in
          try see(folder.open(to, plan: Strangers.self), folder)
        },
        step("compare with a new store of the other", .sees("same")) { folder in
          try relation(folder, to)
        },
      ], limits: limits)
  }

  /// Two versions differ to the framework, and a lightweight stage leads from the one to the other.
  static func distinct<From: VersionedSchema, To: VersionedSchema>(
    _ id: String, _ claim: String, rows: [String] = [], facts: [String] = [],
    partly: [String] = [], limits: [Limit] = [], from: From.Type, to: To.Type,
    fill: @escaping (ModelContext) throws -> Void, sees lines: [String], see: @escaping Sight
  ) -> Experiment {
    Experiment(
      id: id, claim: claim, rows: rows, facts: facts, partly: partly,
      steps: [
        writing(from, fill),
        step("open with the other, under a plan that has neither", .fails(code: 134504)) { folder in
          _ = try folder.open(to, plan: Strangers.self)
          return ["it opened"]
        },
        step("compare with a new store of the other", .sees("different")) { folder in
          try relation(folder, to, otherwise: "different")
        },
        step("open with the other by a stage", .sees(lines)) { folder in
          try see(folder.open(to, plan: Upgrade<From, To>.self), folder)
        },
      ], limits: limits)
  }

  /// A store of one row.
  static func one<Model: PersistentModel>(
    _ model: @autoclosure @escaping () -> Model
  ) -> (ModelContext) throws -> Void { { $0.insert(model()) } }

  /// The names of all rows of a model.
  static func names<Model: Named>(_ type: Model.Type) -> Sight {
    { context, _ in try context.rows(type) { $0.name } }
  }

  /// How many rows a model has, without a look at their values.
  static func count<Model: PersistentModel>(_ type: Model.Type) -> Sight {
    { context, _ in ["rows: \(try context.fetchCount(FetchDescriptor<Model>()))"] }
  }

  /// A further step, in which reading a value ends the process.
  func trapping(_ name: String, _ read: @escaping (Folder) throws -> [String]) -> Experiment {
    var experiment = self
    experiment.steps.append(Self.step(name, .traps(), read))
    return experiment
  }

  /// A further step.
  func then(
    _ name: String, _ expectation: Expectation, _ run: @escaping (Folder) throws -> [String]
  ) -> Experiment {
    var experiment = self
    experiment.steps.append(Self.step(name, expectation, run))
    return experiment
  }

  static func writing(
    _ version: any VersionedSchema.Type, _ fill: @escaping (ModelContext) throws -> Void
  ) -> Step {
    step("write a store", .sees([])) { folder in
      try folder.write(version, fill)
      return []
    }
  }

  /// Whether a new store of a version has the hashes of the one that is there. A store without hashes does not tell, and
  /// the step before has decided.
  private static func relation(
    _ folder: Folder, _ version: any VersionedSchema.Type, otherwise: String = "same"
  ) throws -> [String] {
    try folder.write(version, at: folder.other, Plain.nothing)
    guard let hashes = try? StoreFile(folder.store).hashes(),
      let others = try? StoreFile(folder.other).hashes()
    else { return [otherwise] }
    return [hashes == others ? "same" : "different"]
  }

  /// The tables of models and all their rows, in one line.
  private static func contents(_ url: URL) throws -> String {
    let file = try StoreFile(url)
    return try
      (file.structure().filter { !$0.hasPrefix("CREATE TABLE A") }
      + file.tables().flatMap { table in
        try file.query("SELECT * FROM \(table) ORDER BY 1").map { "\(table) \($0)" }
      }).joined(separator: "; ").replacingOccurrences(of: "\n", with: " ")
  }
}
