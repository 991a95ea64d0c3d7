import SchemaModel
import SchemaReporting
import SwiftChecks
import TestSupport
import Testing

/// The forms of code that the checks report, and similar ones that they must not.
@Suite struct SourceFormTests {
  @Test(
    "Each form of Swift code is reported where its example marks it, and nowhere else",
    arguments: SourceForm.all)
  func form(_ form: SourceForm) {
    let text = form.text.hasPrefix("=== ") ? form.text : "=== App/App.swift\n" + form.text
    let example = Example(text)
    let lint = SourceLint(
      files: example.files, manifests: form.manifests ?? Example.appManifests,
      folder: Example.appFolder, today: CalendarDay("2026-01-01")!)
    let report = TextReport(sources: lint.sources).render(lint.findings)
    #expect(lint.findings.compactMap(\.location) == example.places, "\(report)")
    let rules = Set(lint.findings.map(\.rule.id))
    #expect(rules == (example.places.isEmpty ? [] : [form.rule]), "\(report)")
  }
}

/// Swift code with the places of one rule's findings.
struct SourceForm: Sendable, CustomTestStringConvertible {
  var rule: String
  var name: String
  var text: String
  var manifests: [SourceFile]?

  var testDescription: String { "\(rule): \(name)" }

  init(_ rule: String, _ name: String, _ text: String, manifests: String? = nil) {
    self.rule = rule
    self.name = name
    self.text = text
    self.manifests = manifests.map { Example($0).files }
  }

  static let all: [SourceForm] =
    hardcoded + lookalikes + active + versions + stages + stashes + containers + deletions
    + comments

  private static let hardcoded: [SourceForm] = [
    .init("hardcoded-version", "a type annotation", "var trip: ‹SchemaV2.Trip›?"),
    .init("hardcoded-version", "an alias", "func show(_ trips: [‹TripV2›]) {}"),
    .init("hardcoded-version", "an initialiser", "let trip = ‹SchemaV1.Trip›(name: \"A\")"),
    .init("hardcoded-version", "a metatype", "let types = [‹TripV1›.self, ‹SchemaV1.Ticket›.self]"),
    .init("hardcoded-version", "a key path", "let path = \\‹SchemaV2.Trip›.name"),
    .init("hardcoded-version", "a key path of an alias", "let path = \\‹TripV2›.name"),
    .init("hardcoded-version", "a generic argument", "let all = FetchDescriptor<‹TripV1›>()"),
    .init("hardcoded-version", "a cast", "if let trip = value as? ‹SchemaV2.Trip› { print(trip) }"),
    .init("hardcoded-version", "a check", "print(value is ‹TripV1›)"),
    .init("hardcoded-version", "a macro", "let old = #Predicate<‹TripV1›> { $0.name == \"\" }"),
    .init("hardcoded-version", "an alias of the app's", "typealias Trip = ‹SchemaV2.Trip›"),
    .init("hardcoded-version", "the active name itself", "typealias ActiveTrip = ‹SchemaV2.Trip›"),
    .init(
      "hardcoded-version", "in a text's code", "let text = \"SchemaV1 \\(‹TripV1›.self) TripV1\""),
    .init(
      "hardcoded-version", "in a long text", "let a = \"\"\"\n  TripV1 \\(‹TripV1›.self)\n  \"\"\""),
    .init(
      "hardcoded-version", "a name that another file's type has inside",
      """
      === App/Route.swift
      struct Route { struct TripV1 {} }
      func f() { struct TripV2 {} }
      === App/App.swift
      let trips: [‹TripV1›] = [], others: [‹TripV2›] = []
      """),
    .init("hardcoded-version", "in a condition of the build", "#if DEBUG\nvar a: ‹TripV1›\n#endif"),
    .init("hardcoded-version", "a schema", "let schema = Schema(versionedSchema: ‹SchemaV1›.self)"),
    .init("hardcoded-version", "a bridge", "let a = ‹SchemaV1ToV2›.models"),
    .init("hardcoded-version", "a bridge's model", "let a = ‹SchemaV1ToV2.Trip›.self"),
    .init("hardcoded-version", "a version's own type", "let kind: ‹SchemaV1›.Kind"),
    .init("hardcoded-version", "with a module", "import Models\nlet a: ‹Models.SchemaV1.Trip›"),
    .init(
      "hardcoded-version", "with a module, a value", "import Models\nlet a = ‹Models.TripV1›()"),
    .init("hardcoded-version", "in backticks", "let a: ‹`TripV1`›"),
    .init("hardcoded-version", "over two lines", "let a: ‹SchemaV1›\n  .Trip"),
    .init("hardcoded-version", "behind letters of other scripts", "/* 旅 */ let é: ‹TripV1›"),
    .init("hardcoded-version", "two in a line", "let a: [‹TripV1›: ‹SchemaV2.Trip›]"),
    .init(
      "hardcoded-version", "of names of one's own",
      "let a: ‹Store1_1.Trip›, b: ‹OldTrip1_1›, c: ‹Store2›.Type, d: SchemaV1.Trip",
      manifests: """
        === Schemas/schemagen.yaml
        names:
          schema: Store{version}
          alias: Old{model}{version}
        === Schemas/V1.1.yaml
        version: 1.1.0
        models: { Trip: { properties: { name: String } } }
        === Schemas/V2.yaml
        version: 2.0.0
        models: { Trip: { properties: { name: String } } }
        """),
  ]

  private static let lookalikes: [SourceForm] = [
    .init(
      "hardcoded-version", "a parameter",
      "func f(TripV1 x: Int, SchemaV1: Int) -> Int { SchemaV1 + x }"),
    .init("hardcoded-version", "a variable", "func f() { let SchemaV1 = 3; print(SchemaV1) }"),
    .init("hardcoded-version", "a loop", "func f() { for TripV1 in [1] { print(TripV1) } }"),
    .init("hardcoded-version", "a closure's parameter", "let f = { (TripV1: Int) in TripV1 + 1 }"),
    .init(
      "hardcoded-version", "a closure's name", "let f: (Int) -> Int = { TripV1 in TripV1 + 1 }"),
    .init(
      "hardcoded-version", "a generic parameter", "func f<TripV1>(_ x: TripV1) -> TripV1 { x }"),
    .init(
      "hardcoded-version", "an associated type",
      "protocol P { associatedtype TripV1; var t: TripV1 { get } }"),
    .init("hardcoded-version", "a build flag", "#if SchemaV1\nlet a = 1\n#endif"),
    .init(
      "hardcoded-version", "a type inside", "struct Route { struct TripV1 {}; var trip: TripV1 }"),
    .init(
      "hardcoded-version", "in a method that a stage is given",
      """
      struct Helper {
        func after(_ context: ModelContext) throws { _ = try context.fetch(FetchDescriptor<TripV2>()) }
      }
      let stage = MigrationStage.custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil,
        didMigrate: Helper().after)
      """),

    .init(
      "", "comments and texts", "// TripV1\n/* SchemaV1.Trip */ /// TripV2\nlet a = \"TripV1\""),
    .init("", "a raw text", "let a = #\"\\(TripV1)\"#"),
    .init(
      "", "names that look like it", "let a: ParserV2, b: IPV4Address, c: TripV3, d: SchemaV22"),
    .init(
      "", "a type of the app's", "enum Old { final class TripV1 {} }\nlet a: Old.TripV1 = TripV1()"),
    .init(
      "", "a type in another file",
      "=== App/A.swift\nactor TripV1 {}\n=== App/B.swift\nlet a: TripV1"),
    .init(
      "", "members of that name",
      "let a = old.SchemaV1, b = \\Old.TripV1, c: Other.TripV1 = .TripV1"),
    .init(
      "", "declared names", "enum A { case TripV1(SchemaV1: Int) }\nfunc TripV1(TripV2: Int) {}"),
    .init("", "labels", "call(TripV1: 1, SchemaV2: 2)"),
    .init(
      "", "a generated file", "// Generated by schemagen from V1.yaml. Do not edit.\nlet a: TripV1"),
    .init("", "a folder of generated files", "=== Schemas/Generated/A.swift\nlet a: TripV1"),
    .init("", "a folder of migrations", "=== Schemas/Migrations/A.swift\nlet a: TripV1"),
    .init("", "a test", "@testable import Models\nimport XCTest\nlet a: TripV1"),
    .init("", "a test of Swift Testing", "import Testing\nlet a: TripV1"),
    .init(
      "", "an extension of a version", "extension SchemaV1 { static let a: SchemaV1.Trip? = nil }"),
    .init(
      "", "an extension of a model",
      "extension SchemaV1.Trip { func a() -> SchemaV1.Trip { self } }"),
    .init(
      "", "a plan and what it calls",
      """
      enum Plan: SwiftData.SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
        static var stages: [MigrationStage] { [stage] }
      }
      let stage = MigrationStage.custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: clean, didMigrate: nil)
      func clean(_ context: ModelContext) throws { try remove(context) }
      private func remove(_ context: ModelContext) throws {
        try context.delete(model: SchemaV1.Ticket.self)
      }
      """),
    .init(
      "hardcoded-version", "a version that stands where the app wrote it",
      "=== App/A.swift\nenum SchemaV1: @preconcurrency VersionedSchema {}\n=== App/B.swift\nlet a = ‹SchemaV1.Trip›()"
    ),
    .init(
      "hardcoded-version", "a version that is one by an extension",
      "=== App/A.swift\nenum SchemaV1 {}\n=== App/B.swift\nextension SchemaV1: VersionedSchema {}\nlet a = ‹SchemaV1.Trip›()"
    ),
  ]

  private static let active: [SourceForm] = [
    .init("", "in app code", "let a: ActiveTrip = ActiveTrip(name: \"\")"),
    .init(
      "active-in-migration", "in a plan",
      "enum Plan: SchemaMigrationPlan { static var schemas: [any VersionedSchema.Type] { [‹ActiveSchema.Version›.self] } }"
    ),
    .init(
      "active-in-migration", "in a stage",
      """
      let stage = MigrationStage.custom(
        fromVersion: SchemaV1.self, toVersion: ‹ActiveSchema.Version›.self,
        willMigrate: { context in try context.delete(model: ‹ActiveTrip›.self) }, didMigrate: nil)
      """),
    .init(
      "active-in-migration", "anywhere in a user file",
      "=== Schemas/Migrations/A.swift\nlet a: ‹ActiveTrip›"),
  ]

  /// The meaning of names in versions still written by hand, where models have their classes' names.
  private static let versions: [SourceForm] = [
    .init(
      "", "a version's own model",
      """
      enum SchemaV1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model final class Trip { var next: Trip?; init(next: Trip?) { self.next = next } }
      }
      """, manifests: plainNames),
    .init(
      "", "a version's model in an extension elsewhere",
      """
      === App/A.swift
      enum SchemaV1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Trip.self] }
      }
      === App/B.swift
      extension SchemaV1 { @Model final class Trip { init() {} } }
      """, manifests: plainNames),
    .init(
      "", "an alias in the version",
      """
      enum SchemaV2: VersionedSchema {
        typealias Trip = SchemaV1.Trip
        static var models: [any PersistentModel.Type] { [Trip.self] }
      }
      """, manifests: plainNames),
    .init(
      "", "a class at the top level, in a file of its own",
      """
      === App/Plan.swift
      enum SchemaV1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Trip.self] }
      }
      let stage = MigrationStage.custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil,
        didMigrate: { context in try context.delete(model: Trip.self) })
      === App/Trip.swift
      @Model final class Trip { init() {} }
      """, manifests: plainNames),
    .init(
      "active-in-migration", "the app's alias in its plan",
      """
      typealias Trip = CurrentSchema.Trip
      let stage = MigrationStage.custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil,
        didMigrate: { context in try context.delete(model: ‹Trip›.self) })
      """, manifests: plainNames),
    .init(
      "active-in-migration", "beside a version, in an extension of what is in it",
      """
      enum SchemaV1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model final class Trip { init() {} }
      }
      extension SchemaV1.Trip { static var other: ‹Trip›? { nil } }
      """, manifests: plainNames),
    .init(
      "adopted-source", "beside what is generated, one finding says it all",
      """
      === App/Store.swift
      enum ‹SchemaV1›: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Ticket.self] }
      }
      enum MigrationPlan: SchemaMigrationPlan {
        static let stage = MigrationStage.custom(
          fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil,
          didMigrate: { context in try? context.delete(model: Trip.self) })
      }
      typealias Trip = SchemaV2.Trip
      === Schemas/Generated/SchemaV1.swift
      // Generated by schemagen from V1.yaml. Do not edit.
      """, manifests: plainNames),
    .init(
      "adopted-source", "models of an app without versions",
      """
      === App/Trip.swift
      @Model final class ‹Trip› { init() {} }
      === Schemas/Generated/SchemaV1.swift
      // Generated by schemagen from V1.yaml. Do not edit.
      """, manifests: plainNames),
  ]

  private static let plainNames = """
    === Schemas/schemagen.yaml
    names: { active: "{model}" }
    === Schemas/V1.yaml
    version: 1.0.0
    identity: shipped
    models: { Trip: { properties: { name: String } }, Ticket: { properties: { code: String } } }
    === Schemas/V2.yaml
    version: 2.0.0
    identity: shipped
    models: { Trip: { properties: { name: String } } }
    drops: { Ticket: they are in the wallet }
    """

  /// A stage with the types of the other side, in each spelling.
  private static let stages: [SourceForm] = [
    .init(
      "old-types-in-did-migrate", "with trailing closures",
      """
      let stage: MigrationStage = .custom(fromVersion: SchemaV1.self, toVersion: SchemaV2.self) { context in
        print(try context.fetchCount(FetchDescriptor<SchemaV1.Ticket>()))
      } didMigrate: { context in
        print(try context.fetchCount(FetchDescriptor<‹SchemaV1.Ticket›>()))
      }
      """),
    .init(
      "old-types-in-did-migrate", "one closure given, one trailing",
      """
      let stage = SwiftData.MigrationStage.custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil
      ) { print(try $0.fetchCount(FetchDescriptor<‹TicketV1›>())) }
      """),
    .init(
      "old-types-in-did-migrate", "functions by name",
      """
      enum Stages {
        static let stage = MigrationStage.custom(
          fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: Self.before,
          didMigrate: Stages.after(_:))
        static func before(_ context: ModelContext) throws { print(‹TripV2›.self) }
        static func after(_ context: ModelContext) throws { try count(context) }
        static func count(_ context: ModelContext) throws {
          let all = FetchDescriptor<‹SchemaV1.Ticket›>()
          print(try context.fetchCount(all))
        }
      }
      """),
    .init(
      "old-types-in-did-migrate", "closures in variables, and from a factory",
      """
      let before: (ModelContext) throws -> Void = { _ in print(‹TripV2›.self) }
      func after(_ name: String) -> (ModelContext) throws -> Void { { _ in print(‹TripV1›.self) } }
      let stage = MigrationStage.custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: before,
        didMigrate: after("A"))
      """),
    .init(
      "old-types-in-did-migrate", "versions by hand",
      """
      enum Schema1_0_0: VersionedSchema { @Model final class Note { enum Kind { case a } } }
      enum Schema1_1_0: VersionedSchema { @Model final class Note {} }
      let stage = MigrationStage.custom(
        fromVersion: Schema1_0_0.self, toVersion: Schema1_1_0.self, willMigrate: nil,
        didMigrate: { context in
          print(Schema1_0_0.Kind.a, try context.fetch(FetchDescriptor<‹Schema1_0_0.Note›>()))
        })
      """),
    .init(
      "old-types-in-did-migrate", "versions that stand elsewhere",
      """
      let stage = MigrationStage.custom(
        fromVersion: Old.self, toVersion: New.self, willMigrate: nil,
        didMigrate: { context in
          print(Old.Kind.a, try context.fetch(FetchDescriptor<‹Old.Note›>()))
          try context.delete(model: ‹Old.Note›.self)
        })
      """),
    .init(
      "", "versions that are not written out",
      """
      func stage(_ from: any VersionedSchema.Type, _ to: any VersionedSchema.Type) -> MigrationStage {
        .custom(fromVersion: from, toVersion: to, willMigrate: nil, didMigrate: { print($0, TripV1.self) })
      }
      """),
    .init(
      "swallowed-error-in-stage", "in what a stage calls",
      """
      let stage = MigrationStage.custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil, didMigrate: after)
      func after(_ context: ModelContext) throws { save(context) }
      func save(_ context: ModelContext) { ‹try?› context.save() }
      func other(_ context: ModelContext) { try? context.save() }
      """),
    .init("", "outside of stages", "func save(_ context: ModelContext) { try? context.save() }"),
  ]

  private static let stashes: [SourceForm] = [
    .init(
      "stashed-values", "a variable of a function",
      """
      func stage() -> MigrationStage {
        var names: [String] = []
        return .custom(
          fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
          willMigrate: { context in
            for trip in try context.fetch(FetchDescriptor<SchemaV1.Trip>()) { ‹names›.append(trip.name) }
          },
          didMigrate: { context in for name in names { print(name) } })
      }
      """),
    .init(
      "captured-models", "a row put into a list",
      """
      func stage() -> MigrationStage {
        var kept = [String: Any]()
        return .custom(
          fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
          willMigrate: { context in
            let trips = try context.fetch(FetchDescriptor<SchemaV1.Trip>())
            for trip in trips { ‹kept›[trip.name] = trip }
          },
          didMigrate: { _ in print(kept.count) })
      }
      """),
    .init(
      "", "variables of one side",
      """
      let stage = MigrationStage.custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
        willMigrate: { context in
          var names: [String] = []
          names.append("a")
          Log.last = "before"
        },
        didMigrate: { context in
          let names = ["b"]
          print(names)
        })
      """),
  ]

  private static let containers: [SourceForm] = [
    .init(
      "container-without-plan", "with configurations",
      "let a = try ‹ModelContainer›(for: schema, configurations: [])"),
    .init(
      "container-without-plan", "with nil for a plan",
      "let a = try ‹ModelContainer›(for: schema, migrationPlan: nil, configurations: [])"),
    .init(
      "container-without-plan", "by init", "let a = try ‹ModelContainer.init›(for: ActiveTrip.self)"
    ),
    .init(
      "container-without-plan", "a modifier",
      "let a = view.‹modelContainer›(for: [ActiveTrip.self])"),
    .init("", "a modifier with a container", "let a = view.modelContainer(container)"),
    .init(
      "", "a modifier in memory",
      "let a = view.modelContainer(for: ActiveTrip.self, inMemory: true)"),
    .init(
      "", "with a plan",
      "let a = try ModelContainer(for: schema, migrationPlan: MigrationPlan.self)"),
    .init("", "a type", "let a: ModelContainer? = nil"),
    .init(
      "fatal-container", "beside one in memory whose configuration has the same name",
      """
      func make(_ inMemory: Bool) -> ModelContainer {
        if inMemory {
          do {
            let config = ModelConfiguration(isStoredInMemoryOnly: true)
            return try ModelContainer(for: ActiveTrip.self, configurations: config)
          } catch { fatalError("memory") }
        }
        do {
          let config = ModelConfiguration()
          return try ActiveSchema.container(configurations: [config])
        } catch { ‹fatalError›("disk") }
      }
      """),
    .init(
      "", "one in memory, beside another that was tried",
      """
      func make() throws -> ModelContainer {
        if let known = try? JSONDecoder().decode(A.self, from: data) { return known.container }
        return try ModelContainer(
          for: ActiveTrip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      }
      """),
    .init(
      "", "a provider of previews",
      "struct A: PreviewProvider { static var previews: some View { B().modelContainer(for: C.self) } }"
    ),
    .init("", "a test", "import XCTest\nlet a = try ModelContainer(for: schema)"),
    .init(
      "container-without-plan", "in memory as the case may be",
      "func a(_ b: Bool) throws { _ = try ‹ModelContainer›(for: s, configurations: .init(isStoredInMemoryOnly: b)) }"
    ),
    .init(
      "", "one version, no plan", "let a = try ModelContainer(for: ActiveTrip.self)",
      manifests:
        "=== Schemas/V1.yaml\nversion: 1.0.0\nmodels: { Trip: { properties: { name: String } } }"),
    .init(
      "container-without-plan", "one version, a plan by hand",
      "enum Plan: SchemaMigrationPlan {}\nlet a = try ‹ModelContainer›(for: ActiveTrip.self)",
      manifests:
        "=== Schemas/V1.yaml\nversion: 1.0.0\nmodels: { Trip: { properties: { name: String } } }"),
  ]

  private static let deletions: [SourceForm] = [
    .init(
      "store-deletion", "in the same function",
      """
      func make() -> ModelContainer? {
        if isBroken { try? FileManager.default.‹removeItem›(atPath: path) }
        return try? ActiveSchema.container(configurations: [])
      }
      """),
    .init(
      "store-deletion", "all rows, where it is opened",
      """
      func make() throws -> ModelContainer {
        let container = try ActiveSchema.container(configurations: [])
        container.‹deleteAllData›()
        return container
      }
      """),
    .init(
      "store-deletion", "by unlink",
      """
      func make() -> ModelContainer? {
        ‹unlink›(storePath)
        return try? ActiveSchema.container(configurations: [])
      }
      """),
    .init(
      "store-deletion", "by another file in its place",
      """
      func make() -> ModelContainer? {
        _ = try? FileManager.default.‹replaceItemAt›(storeURL, withItemAt: seed)
        return try? ActiveSchema.container(configurations: [])
      }
      """),
    .init(
      "store-deletion", "by writing over it",
      """
      func make() -> ModelContainer? {
        try? Data().‹write›(to: storeURL)
        return try? ActiveSchema.container(configurations: [])
      }
      """),
    .init(
      "", "writing beside it",
      """
      func make() -> ModelContainer? {
        try? Data().write(to: settingsURL)
        return try? ActiveSchema.container(configurations: [])
      }
      """),
    .init(
      "store-deletion", "in a variable",
      """
      struct App {
        let container: ModelContainer? = {
          do { return try ActiveSchema.container(configurations: []) } catch {
            try? FileManager.default.‹trashItem›(at: url, resultingItemURL: nil)
            return nil
          }
        }()
      }
      """),
    .init(
      "store-deletion", "when a function fails that makes one",
      """
      final class Store {
        func make() throws -> ModelContainer { try ActiveSchema.container(configurations: []) }
        func open() {
          do { container = try make() } catch { self.recover() }
        }
        func recover() {
          container.‹deleteAllData›()
          try? coordinator.destroyPersistentStore(at: url, ofType: "sqlite")
        }
        func clear() { try? FileManager.default.removeItem(at: cache) }
      }
      """),
    .init(
      "store-deletion", "by a method of another file",
      """
      === App/URL.swift
      extension URL { func discard() { erase() }; func erase() { try? FileManager.default.removeItem(at: self) } }
      === App/App.swift
      func make() -> ModelContainer? {
        do { return try ActiveSchema.container(configurations: []) } catch {
          URL.applicationSupportDirectory.appending(path: "default.store").‹discard›()
          return nil
        }
      }
      """),
    .init(
      "", "a method of another file that empties a cache",
      """
      === App/Cache.swift
      enum Images { static func clear() { try? FileManager.default.removeItem(at: cacheURL) } }
      === App/App.swift
      func make() -> ModelContainer? {
        do { return try ActiveSchema.container(configurations: []) } catch {
          Images.clear()
          return nil
        }
      }
      """),
    .init(
      "store-deletion", "by a variable of the container",
      """
      func make() -> ModelContainer? {
        var container: ModelContainer?
        do { container = try ActiveSchema.container(configurations: []) } catch {
          let c = container
          c?.‹deleteAllData›()
        }
        return container
      }
      """),
    .init(
      "store-deletion", "through an optional chain",
      """
      func make() -> ModelContainer? {
        do { return try ActiveSchema.container(configurations: []) } catch {
          try? self.modelContainer?.‹erase›()
          return nil
        }
      }
      """),
    .init(
      "store-deletion", "by a variable that holds the function",
      """
      func make() -> ModelContainer? {
        do { return try ActiveSchema.container(configurations: []) } catch {
          let wipe = container?.deleteAllData
          try? ‹wipe›?()
          return nil
        }
      }
      """),
    .init(
      "store-deletion", "by a variable that holds a function of files",
      """
      func make() -> ModelContainer? {
        let remove = FileManager.default.removeItem(atPath:)
        do { return try ActiveSchema.container(configurations: []) } catch {
          try? ‹remove›(url.path)
          return nil
        }
      }
      """),
    .init(
      "store-deletion", "all rows of a model when no container can be made",
      """
      func make() -> ModelContainer? {
        do { return try ActiveSchema.container(configurations: []) } catch {
          try? context.‹delete›(model: Trip.self)
          return nil
        }
      }
      """),
    .init(
      "store-deletion", "all rows of a model when rows cannot be read",
      """
      func trips() -> [Trip] {
        do { return try context.fetch(FetchDescriptor<Trip>()) } catch {
          try? context.‹delete›(model: Trip.self)
          return []
        }
      }
      """),
    .init(
      "store-deletion", "the rows of all models where a container is made",
      """
      func make() throws -> ModelContainer {
        let container = try ActiveSchema.container(configurations: [])
        for model in ActiveSchema.models { try ModelContext(container).‹delete›(model: model) }
        return container
      }
      """),
    .init(
      "", "some rows of a model, and a cache",
      """
      func make() throws -> ModelContainer {
        let container = try ActiveSchema.container(configurations: [])
        try container.mainContext.delete(model: Visit.self)
        return container
      }
      func trips() -> [Trip] {
        do { return try context.fetch(FetchDescriptor<Trip>()) } catch {
          try? context.delete(model: Trip.self, where: #Predicate { $0.isDraft })
          try? context.delete(model: CachedTile.self)
          return []
        }
      }
      """),
    .init(
      "store-deletion", "in a file that migrations call",
      """
      === Schemas/Migrations/MigrationLog.swift
      enum MigrationLog {
        static func write(_ line: String) {
          try? FileManager.default.‹removeItem›(at: folder.appending(path: "default.store"))
        }
      }
      """),
    .init(
      "", "an old log in a file that migrations call",
      """
      === Schemas/Migrations/MigrationLog.swift
      enum MigrationLog {
        static func write(_ line: String) { try? FileManager.default.removeItem(at: logURL) }
      }
      """),
    .init(
      "", "a list's items",
      "func make() { _ = try? ActiveSchema.container(configurations: []); list.removeItem(1) }"),
    .init(
      "", "without a container", "func clear() { try? FileManager.default.removeItem(at: url) }"),
    .init(
      "", "in a test",
      "import Testing\nfunc a() throws { _ = try ModelContainer(for: s); try FileManager.default.removeItem(at: u) }"
    ),
  ]

  private static let comments: [SourceForm] = [
    .init(
      "", "above the line",
      "// schemagen:accept hardcoded-version: reads old backups\nlet a: TripV1"),
    .init(
      "", "behind it",
      "let a: TripV1  // schemagen:accept hardcoded-version until 2027-01-31: backups"),
    .init(
      "", "above a line of a longer statement",
      "let a = view\n  // schemagen:accept container-without-plan: one version for ever\n  .modelContainer(for: ActiveTrip.self)"
    ),
    .init(
      "malformed-acceptance", "no reason, and so not accepted",
      "‹// schemagen:accept store-deletion›\nlet a = 1"),
    .init(
      "malformed-acceptance", "nothing follows",
      "let a = 1\n‹// schemagen:accept store-deletion: of no use›"),
    .init("malformed-acceptance", "another word", "‹// schemagen:ignore all›\nlet a = 1"),
    .init(
      "unused-acceptance", "nothing to accept",
      "‹// schemagen:accept hardcoded-version: backups›\nlet a = 1"),
    .init(
      "unknown-rule", "a rule that there is not",
      "‹// schemagen:accept hardcoded-versions: a›\nlet a = 1"),
    .init("", "a text", "let a = \"// schemagen:accept nothing\""),
  ]
}
