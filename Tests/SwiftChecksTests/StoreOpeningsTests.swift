import SchemaManifest
import SchemaModel
import TestSupport
import Testing

@testable import SwiftChecks
@testable import SwiftSources

@Suite("Stores that the app's code opens")
struct StoreOpeningsTests {
  private static let version: SchemaVersion = {
    let text = """
      version: 3.0.0
      models:
        Trip: { properties: { name: String, days: "[Day]" } }
        Day: { properties: { trip: { type: Trip?, inverse: days } } }
        Note: { properties: { text: String } }
      """
    return ManifestReader().read(SourceFile(path: "V3.yaml", text: text)).version!
  }()

  /// The differences between two states of the stores that an app's code opens.
  ///
  /// - Parameter code: Files by path; without a path: `App/Store.swift`.
  private func changes(
    _ base: [String: String], _ code: [String: String], entitled: (String, String) = ("", "")
  ) -> [String] {
    func openings(_ files: [String: String], _ entitlements: String) -> StoreOpenings {
      let key =
        "<key>\(entitlements.hasPrefix("group") ? Entitlements.keys[1] : Entitlements.keys[0])</key>"
      let file = SourceFile(
        path: "App/App.entitlements",
        bytes: Array("\(key)<array><string>\(entitlements)</string></array>".utf8))
      return StoreOpenings(Entitlements(entitlements.isEmpty ? [] : [file])) { texts in
        files.sorted { $0.key < $1.key }.filter { file in
          texts.contains { file.value.contains($0) }
        }.map { SourceFile(path: $0.key, bytes: Array("import SwiftData\n\($0.value)\n".utf8)) }
      }
    }
    let now = openings(code, entitled.1)
    return
      (now.findings(Self.version) + now.numbered
      + now.changes(
        from: openings(base, entitled.0), "main", Self.version, since: nil,
        plan: "MigrationPlan"))
      .map(\.message)
  }

  private func changes(_ base: String, _ code: String) -> [String] {
    changes(["App/Store.swift": base], ["App/Store.swift": code])
  }

  private static let container = "ModelContainer(for: Trip.self, Note.self"

  @Test(
    "Code that opens the same store in another way is not reported",
    arguments: [
      #"let c = ModelConfiguration("Trips")"#,
      #"let name = "Trips"; let c = ModelConfiguration(name)"#,
      #"enum Names { static var store: String { "Trips" } }; let c = ModelConfiguration(Names.store)"#,
      #"enum Names: String { case store = "Trips" }; let c = ModelConfiguration(Names.store.rawValue)"#,
      #"struct S { static func name() -> String { print("x"); return "Trips" }; let c = ModelConfiguration(Self.name()) }"#,
      #"func open(_ name: String = "Trips") { _ = ModelConfiguration(name) }"#,
      #"func open(named name: String) { _ = ModelConfiguration(name) }; let c = open(named: "Trips")"#,
      #"struct S { let name: String; init() { name = "Trips" }; func c() { _ = ModelConfiguration(name) } }"#,
      #"let c = ModelConfiguration("Trips", isStoredInMemoryOnly: false, allowsSave: true)"#,
      #"func c(memory: Bool = false) { _ = ModelConfiguration("Trips", isStoredInMemoryOnly: memory) }"#,
      #"struct Config { var name = "Trips" }; struct Other { var name = "B" }; func c(_ config: Config = Config()) { _ = ModelConfiguration(config.name) }"#,
      #"struct Config { static let live: Config = make(); var name: String { "Trips" } }; struct Other { var name = "B" }; let c = ModelConfiguration(Config.live.name)"#,
      "var name: String {\n#if DEBUG\n\"Debug\"\n#else\n\"Trips\"\n#endif\n}\nlet c = ModelConfiguration(name)",
    ])
  func samePlace(_ code: String) {
    #expect(changes(#"let c = ModelConfiguration("Trips")"#, code) == [])
    #expect(changes(code, #"let c = ModelConfiguration("Trips")"#) == [])
  }

  @Test(
    "Code that opens another store is reported, however it is written",
    arguments: [
      (#"let c = ModelConfiguration("Tours")"#, "the store 'Tours'"),
      (
        #"enum Names { static var store: String { "Tours" } }; let c = ModelConfiguration(Names.store)"#,
        "the store 'Tours'"
      ),
      (
        #"enum Names: String { case store = "Tours" }; let c = ModelConfiguration(Names.store.rawValue)"#,
        "the store 'Tours'"
      ),
      (
        #"struct S { static func name() -> String { let name = "Tours"; return name }; let c = ModelConfiguration(Self.name()) }"#,
        "the store 'Tours'"
      ),
      (
        #"func open(_ name: String = "Tours") { _ = ModelConfiguration(name) }"#,
        "the store 'Tours'"
      ),
      (
        #"func open(named name: String) { _ = ModelConfiguration(name) }; let c = open(named: "Tours")"#,
        "the store 'Tours'"
      ),
      (
        #"let c = ModelConfiguration("Trips", groupContainer: .none)"#,
        "the store 'Trips' outside of any group"
      ),
      (#"let c = ModelConfiguration("Trips", isStoredInMemoryOnly: true)"#, "a store in memory"),
      (
        #"let test = true; let c = ModelConfiguration("Trips", isStoredInMemoryOnly: test)"#,
        "a store in memory"
      ),
      (
        #"enum F { static let test = true }; let c = ModelConfiguration("Trips", isStoredInMemoryOnly: F.test)"#,
        "a store in memory"
      ),
      (
        #"let c = ModelConfiguration(url: URL.documentsDirectory.appending(path: "Trips"))"#,
        "the store at 'Trips', documents"
      ),
      (#"let c = ModelConfiguration("Trips".lowercased())"#, "the store 'Trips', lowercased"),
      (#"let c = ModelConfiguration(String(localized: "Trips"))"#, "the store 'Trips', localized"),
      (
        #"var name = "Trips"; name.append("2"); let c = ModelConfiguration(name)"#,
        "the store '2', 'Trips'"
      ),
    ])
  func otherPlace(_ code: String, _ place: String) {
    #expect(
      changes(#"let c = ModelConfiguration("Trips")"#, code) == [
        "the app opens \(place), and in main it opens the store 'Trips': unless the app moves the files, an update shows an empty store, and the rows stay where they are"
      ])
  }

  @Test(
    "Changing a constant that selects the store is reported",
    arguments: [
      #"let c = F.demo ? ModelConfiguration("Demo") : ModelConfiguration("Trips")"#,
      #"let c = ModelConfiguration(F.demo ? "Demo" : "Trips")"#,
      #"let c = if F.demo { ModelConfiguration("Demo") } else { ModelConfiguration("Trips") }"#,
      #"func c() { if F.demo { return demo() }; return ModelConfiguration("Trips") }; func demo() { ModelConfiguration("Demo") }"#,
      #"func c() { guard !F.demo else { return ModelConfiguration("Demo") }; return ModelConfiguration("Trips") }"#,
      #"func c() { switch F.demo { case true: ModelConfiguration("Demo"); default: ModelConfiguration("Trips") } }"#,
      #"let name: String; if F.demo { name = "Demo" } else { name = "Trips" }; let c = ModelConfiguration(name)"#,
    ])
  func choices(_ code: String) {
    func files(_ demo: Bool) -> [String: String] {
      ["App/Store.swift": code, "App/F.swift": "enum F { static let demo = \(demo) }"]
    }
    #expect(changes(files(false), files(false)) == [])
    #expect(
      changes(files(false), files(true)) == [
        "'F.demo' decides which store the app opens: it is 'true', and in main it is 'false': an update may show an empty store, and the rows stay where they are"
      ])
  }

  @Test("Changing a constant that selects something else is not reported")
  func otherChoices() {
    func files(_ log: Bool) -> [String: String] {
      [
        "App/Store.swift":
          #"func c() { if F.log { print(1) }; return ModelConfiguration("Trips") }"#,
        "App/F.swift": "enum F { static let log = \(log) }",
      ]
    }
    #expect(changes(files(false), files(true)) == [])
  }

  @Test("A store that moves to another system folder is reported")
  func folders() {
    let code =
      #"let c = ModelConfiguration(url: URL.documentsDirectory.appending(path: "a.store"))"#
    #expect(changes(code, code) == [])
    #expect(
      changes(
        code,
        #"let c = ModelConfiguration(url: FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0].appending(path: "a.store"))"#
      ) == [])
    #expect(
      changes(code, code.replacing("documentsDirectory", with: "applicationSupportDirectory"))
        .count == 1)
  }

  @Test("A changed place of a store is ignored in debug builds, but not in testers' builds")
  func debugPlaces() {
    func code(_ condition: String) -> String {
      """
      enum Names {
        #if \(condition)
        static let folder = "Beta"
        #else
        static let folder = "A"
        #endif
      }
      let c = ModelConfiguration(Names.folder)
      """
    }
    let base = #"let c = ModelConfiguration("A")"#
    #expect(changes(base, code("DEBUG")) == [])
    #expect(changes(base, code("DEBUG || targetEnvironment(simulator)")) == [])
    #expect(changes(base, code("DEBUG && BETA")) == [])
    #expect(changes(base, code("DEBUG || BETA")).count == 1)
    #expect(changes(base, code("BETA")).count == 1)
  }

  @Test("Changing an enum case that names or selects a store is reported")
  func cases() {
    let place =
      "enum Place { case live, test; static let current: Place = .live; var name: String { switch self { case .live: \"A\" case .test: \"B\" } } }"
    let code = "let c = ModelConfiguration(Place.current.name)\n" + place
    #expect(changes(#"let c = ModelConfiguration("A")"#, code) == [])
    #expect(changes(code, code.replacing("Place = .live", with: "Place = .test")).count == 1)
    #expect(changes(code, code.replacing("\"A\"", with: "\"C\"")).count == 1)
    let raw =
      #"enum Raw: String { case live = "A", demo = "B" }; func open(_ raw: Raw) { _ = ModelConfiguration(raw.rawValue) }; let x: Void = open(.live)"#
    #expect(changes(#"let c = ModelConfiguration("A")"#, raw) == [])
    #expect(changes(raw, raw.replacing("(.live)", with: "(.demo)")).count == 1)
    let alias =
      #"enum Live { static let name = "A" }; enum Test { static let name = "B" }; typealias Names = Live; let c = ModelConfiguration(Names.name)"#
    #expect(changes(#"let c = ModelConfiguration("A")"#, alias) == [])
    #expect(changes(alias, alias.replacing("= Live", with: "= Test")).count == 1)
    let part =
      #"struct Parts { var name: String }; extension Parts { static let live = Parts(name: "A"); static let test = Parts(name: "B") }; func open(_ parts: Parts) { _ = ModelConfiguration(parts.name) }; let x: Void = open(.live)"#
    #expect(changes(#"let c = ModelConfiguration("A")"#, part) == [])
    #expect(changes(part, part.replacing("(.live)", with: "(.test)")).count == 1)
    let url = [
      "App/Store.swift":
        "struct S { var url: URL { .trips }; func f() { _ = ModelConfiguration(url: url) } }"
    ]
    func extended(_ name: String) -> [String: String] {
      url.merging([
        "App/URL.swift": "extension URL { static var trips: URL { .init(filePath: \"\(name)\") } }"
      ]) { $1 }
    }
    #expect(
      changes(
        ["App/Store.swift": #"let c = ModelConfiguration(url: .init(filePath: "A"))"#],
        extended("A")) == [])
    #expect(changes(extended("A"), extended("B")).count == 1)
    let mode = """
      struct Store {
        enum Mode { case live, preview }
        static func open(_ mode: Mode) throws -> ModelContainer {
          let configuration = switch mode {
          case .live: ModelConfiguration("A")
          case .preview: ModelConfiguration(isStoredInMemoryOnly: true)
          }
          return try ModelContainer(for: Trip.self, configurations: configuration)
        }
      }
      let store = try Store.open(.live)
      """
    let plain =
      "struct Store { static func open() throws -> ModelContainer { try ModelContainer(for: Trip.self, configurations: ModelConfiguration(\"A\")) } }; let store = try Store.open()"
    #expect(changes(plain, mode) == [])
    #expect(changes(mode, mode + "\n#Preview { Store.open(.preview) }") == [])
    #expect(changes(mode, mode.replacing("open(.live)", with: "open(.preview)")).count == 1)
  }

  @Test("A container used only by previews is not reported")
  func previewData() {
    let store =
      "let c = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(\"A\"))"
    let sample = """
      enum Sample {
        static let container: ModelContainer = {
          let container = try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
          return container
        }()
      }
      struct V { func f(container: ModelContainer) { use(container) } }
      #Preview { Sample.container }
      """
    #expect(changes(store, store + "\n" + sample) == [])
    #expect(changes(store, store + "\n" + sample + "\nlet x = Sample.container").count == 1)
  }

  @Test("A sandbox that is added to a Mac app is reported, since it moves the store")
  func sandbox() {
    func openings(_ value: String, _ opened: String) -> StoreOpenings {
      let file = SourceFile(
        path: "App/App.entitlements",
        text: "<key>com.apple.security.app-sandbox</key>\n\t<\(value)/>")
      return StoreOpenings(Entitlements([file])) { _ in
        [SourceFile(path: "App/A.swift", text: "let c = ModelConfiguration(\(opened))")]
      }
    }
    func found(_ base: String, _ now: String, _ opened: String = "\"A\"") -> Int {
      openings(now, opened).changes(
        from: openings(base, opened), "main", Self.version, since: nil, plan: "MigrationPlan"
      ).count
    }
    #expect(found("false", "true") == 1)
    #expect(found("true", "true") == 0)
    #expect(found("true", "false") == 0)
    #expect(found("false", "true", "groupContainer: .identifier(\"group.a\")") == 0)
  }

  @Test("A store's name is compared even if it is a constant in another file")
  func otherFiles() {
    let store = "let c = ModelConfiguration(Names.store)"
    let base = ["Store.swift": store, "Names.swift": "enum Names { static let store = \"a\" }"]
    var moved = base
    moved["Names.swift"] = "enum Names { static let store = other }"
    moved["Other.swift"] = "let other = \"a\""
    #expect(changes(base, moved) == [])
    moved["Other.swift"] = "let other = \"b\""
    #expect(changes(base, moved).count == 1)
  }

  @Test("Changed app groups and CloudKit containers in entitlements are reported as another place")
  func entitlements() {
    let plain = ["App/Store.swift": "let c = \(Self.container))"]
    #expect(changes(plain, plain, entitled: ("group.a", "group.a")) == [])
    for (old, new) in [("", "group.a"), ("group.a", ""), ("group.a", "group.b")] {
      #expect(changes(plain, plain, entitled: (old, new)).count == 1)
    }
    // A removed CloudKit container of a file that names none in code.
    let services = changes(
      plain, plain, entitled: ("iCloud.a</string><string>iCloud.b", "iCloud.a"))
    #expect(services.count == 1)
    #expect(services[0].contains("lack 'iCloud.b'"))
    // Code that names the group needs no entitlements.
    let said = [
      "App/Store.swift":
        "let c = \(Self.container), configurations: ModelConfiguration(groupContainer: .identifier(\"group.a\")))"
    ]
    #expect(changes(plain, said, entitled: ("group.a", "group.a")) == [])
    let synced = changes(plain, plain, entitled: ("iCloud.a", "iCloud.b"))
    #expect(synced.count == 2)
    #expect(synced[0].contains("syncs with 'iCloud.b', and in main with 'iCloud.a'"))
  }

  @Test("A different CloudKit container is reported, even behind a constant")
  func cloudContainers() {
    func code(_ name: String) -> String {
      "enum K { static let c = \"\(name)\" }; let c = ModelConfiguration(cloudKitDatabase: .private(K.c))"
    }
    #expect(changes(code("iCloud.a"), code("iCloud.a")) == [])
    #expect(changes(code("iCloud.a"), code("iCloud.b")).count == 1)
  }

  @Test("Models moved to another configuration's store are reported")
  func otherStores() {
    func code(_ first: String, _ second: String) -> String {
      """
      let c = \(Self.container), configurations:
        ModelConfiguration("A", schema: Schema([\(first)])), ModelConfiguration("B", schema: Schema([\(second)])))
      """
    }
    let base = code("Trip.self", "Note.self")
    #expect(changes(base, base) == [])
    let all = "let c = \(Self.container), configurations: ModelConfiguration(\"A\"))"
    let moved =
      "rows of 'Note' are in the store 'A', and in main they are in the store 'B': unless the app copies them, an update shows none"
    #expect(changes(base, all) == [moved])
    #expect(changes(base, code("Trip.self, Note.self", "Other.self")) == [moved])
    let swapped = changes(base, code("Note.self", "Trip.self"))
    #expect(swapped.count == 2)
    #expect(
      swapped.allSatisfy {
        $0.contains("the engine drops its table") || $0.contains("their tables")
      })
    // A configuration without a list has the models that no other one has.
    let open = code("Trip.self", "Note.self").replacing(
      "ModelConfiguration(\"A\", schema: Schema([Trip.self]))", with: "ModelConfiguration(\"A\")")
    #expect(changes(base, open) == [])
  }

  @Test("A second container of a store must have the same models")
  func secondContainer() {
    let base = ["App/Store.swift": "let c = \(Self.container))"]
    func second(_ code: String, _ path: String = "App/Other.swift") -> [String] {
      var files = base
      files[path] = code
      return changes(base, files)
    }
    let gone =
      "this container opens the default store without 'Note': the engine drops its table with all rows"
    #expect(second("let d = ModelContainer(for: Trip.self)") == [gone])
    #expect(second("let v = Text(\"a\").modelContainer(for: [Day.self])") == [gone])
    #expect(second("let d = ModelContainer(for: Note.self, Day.self)") == [])
    #expect(
      second(
        "let d = ModelContainer(for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))"
      ) == [])
    #expect(
      second("let d = ModelContainer(for: Other.self, configurations: ModelConfiguration(\"Own\"))")
        == [])
    #expect(second("let d = ModelContainer(for: Elsewhere.self)") == [])
    #expect(second("#Preview { Text(\"a\").modelContainer(for: Trip.self) }") == [])
    #expect(second("#if os(watchOS)\nlet d = ModelContainer(for: Trip.self)\n#endif") == [])
    #expect(second("let d = ModelContainer(for: Trip.self)", "AppWatch/Other.swift") == [])
    // An extension has a folder of its own, except for a group's.
    #expect(second("let d = ModelContainer(for: Trip.self)", "TripWidget/Other.swift") == [])
    let grouped = { (models: String) in
      "let c = ModelContainer(for: \(models), configurations: ModelConfiguration(groupContainer: .identifier(\"group.a\")))"
    }
    let shared = ["App/Store.swift": grouped("Trip.self, Note.self")]
    var widget = shared
    widget["TripWidget/Store.swift"] = grouped("Trip.self")
    #expect(changes(shared, widget).count == 1)
    let at = { (models: String, folder: String) in
      "let c = ModelContainer(for: \(models), configurations: ModelConfiguration(url: \(folder).appending(path: \"a\")))"
    }
    for (folder, count) in [
      (
        "FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: \"TEAM.trips\")!",
        1
      ),
      ("URL.applicationSupportDirectory", 0),
    ] {
      let app = ["App/Store.swift": at("Trip.self, Note.self", folder)]
      var both = app
      both["TripWidget/Store.swift"] = at("Trip.self", folder)
      #expect(changes(app, both).count == count, "\(folder)")
    }
    widget["TripWidget/Store.swift"] = grouped("Note.self, Trip.self")
    #expect(changes(shared, widget) == [])
    // The generated container has all models of the manifests.
    let generated = [
      "App/Store.swift":
        "let c = try ActiveSchema.container(configurations: [ModelConfiguration()])"
    ]
    var beside = generated
    beside["App/Other.swift"] =
      "let d = ModelContainer(for: Trip.self, migrationPlan: MigrationPlan.self)"
    #expect(changes(generated, beside) == [gone])
  }

  @Test(
    "A second store for existing models is reported; one for new models is not")
  func anotherPlace() {
    let store = "let c = \(Self.container), configurations: ModelConfiguration(\"A\"))"
    let base = ["App/Store.swift": store]
    func beside(_ code: String) -> [String] {
      changes(base, ["App/Store.swift": store, "App/View.swift": code])
    }
    #expect(
      beside("let v = Text(\"a\").modelContainer(for: Note.self)") == [
        "rows of 'Note' are in the store 'A', and the app now opens the default store for it as well: users' rows are not in the default store"
      ])
    #expect(beside("let v = Text(\"a\").modelContainer(for: Other.self)") == [])
    #expect(beside("let v = Text(\"a\").modelContainer(for: Note.self, inMemory: true)") == [])
  }

  @Test("A configuration that no container uses is not taken for a store")
  func unusedConfiguration() {
    func code(_ given: String, _ more: String = "") -> [String: String] {
      [
        "App/Store.swift": """
        func open() throws -> ModelContainer {
          let configuration = ModelConfiguration("A")
          return try ActiveSchema.container(configurations: [\(given)])
        }
        """, "App/More.swift": more,
      ]
    }
    let memory =
      "extension ModelConfiguration { static var app: ModelConfiguration { ModelConfiguration(isStoredInMemoryOnly: true) } }"
    #expect(changes(code("configuration"), code(".app", memory)).count == 1)
    #expect(
      changes(
        code("configuration"),
        code(".app", memory.replacing("isStoredInMemoryOnly: true", with: "\"A\""))) == [])
  }

  @Test("An extension that shadows a Foundation folder is reported as another place")
  func shadowedFolder() {
    let store =
      "let c = ModelConfiguration(url: URL.documentsDirectory.appending(path: \"a.store\"))"
    let shadow = "extension URL { static var documentsDirectory: URL { URL.cachesDirectory } }"
    let base = ["App/Store.swift": store]
    #expect(changes(base, ["App/Store.swift": store, "App/URL.swift": shadow]).count == 1)
  }

  @Test("A container with another plan, or none, is reported")
  func plans() {
    func code(_ plan: String) -> String { "let c = \(Self.container), migrationPlan: \(plan))" }
    let base = code("MigrationPlan.self")
    #expect(changes(base, base) == [])
    #expect(changes(code("OldPlan.self"), base) == [])
    #expect(changes(base, "let plan = MigrationPlan.self\n" + code("plan")) == [])
    for plan in ["OtherPlan.self", "nil"] {
      #expect(changes(base, code(plan)).count == 1, "\(plan)")
      let variable = "let plan: (any SchemaMigrationPlan.Type)? = \(plan)\n" + code("plan")
      #expect(changes(base, variable).count == 1, "\(plan)")
    }
    #expect(changes(base, "let c = \(Self.container))").count == 1)
    #expect(changes("let c = \(Self.container))", "let c = \(Self.container))") == [])
    let generated = "let c = try ActiveSchema.container(configurations: [ModelConfiguration()])"
    #expect(changes(base, generated) == [])
    #expect(changes(generated, base) == [])
    #expect(changes(generated, "let c = \(Self.container))").count == 1)
    // An unknown plan is not reported.
    #expect(
      changes(
        base,
        "func f(plan: (any SchemaMigrationPlan.Type)?) { _ = \(Self.container), migrationPlan: plan) }"
      ) == [])
  }

  private static let kept =
    "enum Store { static func open() throws -> ModelContainer { try ModelContainer(for: Trip.self, Note.self, configurations: ModelConfiguration(\"A\")) } }"
  private static let memory =
    "try ModelContainer(for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))"
  private static let app = "struct A: App { init() { try Store.open() } }"

  @Test(
    "An in-memory container that users get is reported",
    arguments: [
      ("", "struct A: App { init() { if Flags.demo { \(memory) } else { try Store.open() } } }"),
      (
        "",
        "struct A: App { init() { guard Flags.full else { return \(memory) }; try Store.open() } }"
      ),
      ("", "struct A: App { init() {\n#if !DEBUG\n\(memory)\n#endif\ntry Store.open() } }"),
      (
        "",
        "struct A: App { init() { if !CommandLine.arguments.contains(\"-x\") { \(memory) }; try Store.open() } }"
      ),
      (
        "",
        "struct V: View { var body: some View { List().modelContainer(for: Trip.self, inMemory: true) } }"
      ),
      (
        "enum Store2 { static func preview() throws { \(memory) } }",
        "struct A: App { init() { try Store2.preview() } }"
      ),
      (
        "enum PreviewData { static let box = \(memory) }",
        "struct A: App { init() { PreviewData.box } }"
      ),
      ("func demo() throws { \(memory) }", "struct A: App { init() { try demo() } }"),
      (
        "func open(preview: Bool = false) throws { if preview { \(memory) } else { try Store.open() } }",
        "enum P { static let on = true }; struct A: App { let box: ModelContainer; init() { box = try open(preview: P.on) } }"
      ),
    ])
  func inMemory(_ base: String, _ code: String) {
    let before = [
      "App/Store.swift": Self.kept, "App/More.swift": base,
      "App/A.swift": base.contains("func open(")
        ? "struct A: App { init() { try open() } }" : Self.app,
    ]
    var after = before
    after["App/A.swift"] = code
    #expect(changes(before, after).count == 1)
    #expect(changes(after, after) == [])
  }

  @Test(
    "An in-memory container for previews, tests or developers is not reported",
    arguments: [
      "#Preview { List().modelContainer(for: Trip.self, inMemory: true) }",
      "enum PreviewData { static let box = \(memory) }\n#Preview { List().modelContainer(PreviewData.box) }",
      "func demo() throws { \(memory) }",
      "func demo() throws { \(memory) }\n#Preview { try demo() }",
      "struct Sample: PreviewModifier { func context() throws { \(memory) } }",
      "#if DEBUG\nstruct B { init() { \(memory) } }\n#endif",
      "struct B { init() { if ProcessInfo.processInfo.arguments.contains(\"-test\") { \(memory) } } }",
      "struct B { init() { \(memory.replacing("Trip", with: "Cache")) } }",
    ])
  func forDevelopers(_ code: String) {
    let before = ["App/Store.swift": Self.kept, "App/A.swift": Self.app]
    var after = before
    after["App/B.swift"] = code
    #expect(changes(before, after) == [])
  }

  @Test("A document scene that opens other files is reported")
  func documents() {
    let scene =
      "struct A: App { var body: some Scene { DocumentGroup(editing: Trip.self) { List() } } }"
    let base = ["App/Store.swift": Self.kept, "App/A.swift": Self.app]
    #expect(changes(base, ["App/Store.swift": Self.kept, "App/A.swift": scene]).count == 1)
    #expect(changes(["App/A.swift": scene], ["App/A.swift": scene]) == [])
    let text = scene.replacing("Trip", with: "Text")
    #expect(changes(base, ["App/Store.swift": Self.kept, "App/A.swift": text]) == [])
  }

  @Test("If a store's only container lists fewer models than in the base, it is reported")
  func narrowed() {
    let base = "let c = \(Self.container))"
    #expect(
      changes(base, "let c = ModelContainer(for: Trip.self)") == [
        "this container opens the default store without 'Note', but in main with it: the engine drops its table with all rows"
      ])
    #expect(changes("let c = ModelContainer(for: Trip.self)", base) == [])
  }

  @Test("A store that stops syncing is reported, even behind a constant")
  func localOnly() {
    func code(_ database: String, _ more: String = "") -> String {
      "let c = ModelConfiguration(\"A\", cloudKitDatabase: \(database)); \(more)"
    }
    let base = code(".private(\"iCloud.a\")")
    let choice = "F.sync ? .private(\"iCloud.a\") : .none"
    #expect(changes(base, code(".none")).count == 1)
    #expect(changes(base, code(choice, "enum F { static let sync = false }")).count == 1)
    #expect(changes(base, code("!" + choice, "enum F { static let sync = true }")).count == 1)
    #expect(changes(base, code(choice, "enum F { static let sync = true }")) == [])
    // If a setting decides, some users no longer sync.
    for sometimes in [
      code(choice, "enum F { static var sync = false }"),
      code("settings.sync ? .private(\"iCloud.a\") : .none"),
    ] {
      #expect(
        changes(base, sometimes).map { $0.contains("syncs only where a condition holds") } == [true]
      )
      #expect(changes(sometimes, sometimes) == [])
      #expect(changes(sometimes, base) == [])
    }
  }

  @Test("A declaration that shadows a generated name is reported")
  func hiddenNames() {
    func hidden(_ base: String, _ code: String) -> [String] {
      func openings(_ text: String) -> StoreOpenings {
        StoreOpenings(Entitlements()) { texts in
          texts.contains { text.contains($0) } ? [SourceFile(path: "App/A.swift", text: text)] : []
        }
      }
      return openings(code).hiding(["ActiveSchema", "Plan"], since: openings(base), "main")
        .compactMap(\.element)
    }
    let own = "extension Store { enum ActiveSchema {} }"
    #expect(hidden("", own) == ["Store.ActiveSchema"])
    #expect(hidden(own, own) == [])
    #expect(hidden("", "func ModelConfiguration(url: URL) {}") == ["ModelConfiguration"])
    #expect(hidden("", "typealias Plan = OtherPlan") == ["Plan"])
    #expect(hidden("", "enum Planner {}; func open() { Plan.self }") == [])
  }

  @Test("A store that becomes read-only is reported")
  func readOnly() {
    let base = "let c = ModelConfiguration(\"A\")"
    #expect(changes(base, "let c = ModelConfiguration(\"A\", allowsSave: false)").count == 1)
    #expect(changes("let c = ModelConfiguration(\"A\", allowsSave: false)", base) == [])
    // A widget may only read.
    #expect(
      changes(
        ["App/Store.swift": base],
        [
          "App/Store.swift": base,
          "W/S.swift": "let c = ModelConfiguration(\"A\", allowsSave: false)",
        ])
        == [])
  }

  // MARK: Files of stores

  private static let store = """
    enum Names { static let folder = "Stores"; static let file = "trips.store" }
    enum Store {
      static var folder: URL { URL.applicationSupportDirectory.appending(path: Names.folder) }
      static var url: URL { folder.appending(path: Names.file) }
      static let c = ModelConfiguration(url: url)
    }
    """

  private func handled(_ code: String, in base: String = "") -> [String] {
    changes(
      ["App/Store.swift": Self.store, "App/Clean.swift": base],
      ["App/Store.swift": Self.store, "App/Clean.swift": code])
  }

  @Test(
    "New code that removes or moves a store's files is reported",
    arguments: [
      "func f() { try? FileManager.default.removeItem(at: Store.folder) }",
      "func f() { try? FileManager.default.removeItem(at: Store.url) }",
      "func f() { try? FileManager.default.moveItem(at: Store.url, to: Store.folder.appending(path: \"old\")) }",
      "func f() { try? FileManager.default.trashItem(at: Store.c.url, resultingItemURL: nil) }",
      "func f() { unlink(Store.url.path) }",
      "func f() { [Store.url, Names.other].forEach { try? FileManager.default.removeItem(at: $0) } }",
      "func remove(_ url: URL) { try? FileManager.default.removeItem(at: url) }; func f() { remove(Store.url); remove(.cachesDirectory) }",
      "func f() { removefile(Store.url.path, nil, 1) }",
      "func f() { try? FileManager.default.setUbiquitous(true, itemAt: Store.url, destinationURL: u) }",
      "func f() { unlink(Store.url.path + \"-wal\") }",
      "func f() { for u in FileManager.default.contentsOfDirectory(at: Store.folder) { try? FileManager.default.removeItem(at: u) } }",
      "func f() { try? Data().write(to: Store.url) }",
      "func f() { try? FileHandle(forWritingTo: Store.url).truncate(atOffset: 0) }",
      "func f() { FileHandle(forUpdatingAtPath: Store.url.path) }",
      "func f() { fopen(Store.url.path, \"w\") }",
      "func f() { fopen(Store.url.path, \"r+\") }",
      "func f() { rename(Store.folder.path, \"/tmp/x\") }",
      "func f() { rename(\"/tmp/x\", Store.url.path) }",
      "func f() { creat(Store.url.path, 0o600) }",
      "func f() { open(Store.url.path, O_WRONLY | O_TRUNC) }",
      "func f() { OutputStream(url: Store.url, append: false) }",
      "func f() { OutputStream(toFileAtPath: Store.url.path, append: false) }",
      "func f() { try? \"\".write(toFile: Store.url.path, atomically: true, encoding: .utf8) }",
      "func f() { var db: OpaquePointer?; sqlite3_open(Store.url.path, &db) }",
      "func f() { NSPersistentStoreDescription(url: Store.url) }",
      "func f() { try c.destroyPersistentStore(at: Store.url, type: .sqlite) }",
      "func f() { try c.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: Store.url) }",
      "let queue = try DatabaseQueue(path: Store.url.path)",
      "let u = URL.applicationSupportDirectory; func f() { try? FileManager.default.removeItem(at: u) }",
      "func f() { try? FileManager.default.removeItem(at: URL.applicationSupportDirectory.appending(path: \"Stores/trips.store\")) }",
      "extension URL { func wipe() { try? FileManager.default.removeItem(at: self) } }; func f() { Store.url.wipe() }",
      "func f() { for u in FileManager.default.contentsOfDirectory(at: Store.folder) where u.pathExtension != \"json\" { try? FileManager.default.removeItem(at: u) } }",
      "func f() { NSFileCoordinator().coordinate(writingItemAt: Store.url, options: .forDeleting, error: nil) { _ in } }",
      "func f() { try? FileManager.default.removeItem(atPath: NSHomeDirectory() + \"/Library/Application Support/Stores\") }",
      "func f() { try? FileManager.default.removeItem(at: .libraryDirectory) }",
    ])
  func handling(_ code: String) {
    let found = handled(code)
    #expect(found.count == 1)
    #expect(found.first?.contains("handles the file of the store at 'Stores'") == true)
    // Existing code may stay, and may be moved.
    #expect(handled(code, in: code) == [])
    #expect(handled(code.replacing("func f", with: "func g"), in: code) == [])
    #expect(handled("", in: code) == [])
    #expect(handled("#Preview { \(code) }") == [])
    #expect(handled("#if DEBUG\n\(code)\n#endif") == [])
  }

  @Test(
    "Code that leaves a store's files in place is not reported",
    arguments: [
      "func f() { try? FileManager.default.removeItem(at: Store.folder.appending(path: \"old.store\")) }",
      "func f(_ name: String) { try? FileManager.default.removeItem(at: Store.folder.appending(path: name)) }",
      "func f(_ url: URL) { try? FileManager.default.removeItem(at: url) }",
      "func f(_ path: String) { unlink(path + \"-wal\") }",
      "extension URL { func wipe() { try? FileManager.default.removeItem(at: self) } }; func f() { URL.cachesDirectory.wipe() }",
      "func f() { for u in FileManager.default.contentsOfDirectory(at: Store.folder) where u.pathExtension == \"tmp\" { try? FileManager.default.removeItem(at: u) } }",
      "func f() { NSFileCoordinator().coordinate(writingItemAt: Store.url, options: [], error: nil) { _ in } }",
      "func f() { try? FileManager.default.removeItem(atPath: NSHomeDirectory() + \"/Library/Caches\") }",
      "func f() { try? FileManager.default.moveItem(at: URL.cachesDirectory.appending(path: \"new\"), to: Store.url) }",
      "func f() { try? FileManager.default.copyItem(at: Store.url, to: URL.cachesDirectory.appending(path: \"copy\")) }",
      "func f() { for u in FileManager.default.contentsOfDirectory(at: URL.applicationSupportDirectory) { try? FileManager.default.removeItem(at: u) } }",
      "func f() { sqlite3_open_v2(Store.url.path, &db, SQLITE_OPEN_READONLY, nil) }",
      "func f() { fopen(Store.url.path, \"rb\") }",
      "func f() { open(Store.url.path, O_RDONLY) }",
      "func f() { FileHandle(forReadingFrom: Store.url) }",
      "func f() { fopen(URL.cachesDirectory.appending(path: \"log\").path, \"w\") }",
      "func f() { try? Data().write(to: URL.cachesDirectory.appending(path: \"trips.store\")) }",
    ])
  func otherHandling(_ code: String) { #expect(handled(code) == []) }

  @Test("A default store's path is recognised in code that handles files")
  func handlingOfDefaultStore() {
    func found(_ opened: String, _ path: String) -> Int {
      let base = "let c = ModelConfiguration(\(opened))"
      let code =
        "\(base)\nfunc f() { try? FileManager.default.removeItem(at: URL.applicationSupportDirectory.appending(path: \"\(path)\")) }"
      return changes(base, code).count
    }
    #expect(found("", "default.store") == 1)
    #expect(found("\"Trips\"", "Trips.store-shm") == 1)
    #expect(found("\"Trips\"", "default.store") == 0)
    #expect(found("isStoredInMemoryOnly: true", "default.store") == 0)
  }

  @Test(
    "A store's path that contains the version number is reported",
    arguments: [
      "\"\\(ActiveSchema.Version.versionIdentifier)\"", "\"\\(ActiveSchema.versionIdentifier)\"",
      "\"\\(MigrationPlan.schemas.count).store\"", "\"\\(TripPlan.stages.count)\"",
      "String(describing: ActiveSchema.Version.self)", "String(describing: SchemaV2.self)", "name",
      "\"\\(ActiveSchema.schema.version)\"",
      "Bundle.main.infoDictionary![\"CFBundleShortVersionString\"] as! String",
    ])
  func numbered(_ name: String) {
    let code = """
      let number = ActiveSchema.versionIdentifier
      let name = "\\(number).store"
      let c = ModelConfiguration(\(name))
      let d = ModelConfiguration(url: URL.documentsDirectory.appending(path: \(name)))
      """
    let found = changes(code, code)
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.contains("with each new version the app opens an empty store") })
  }

  @Test("A store's fixed name in an extension of the active schema is not reported")
  func unnumbered() {
    let code = """
      extension ActiveSchema { static let fileName = "Trips" }
      let c = ModelConfiguration(ActiveSchema.fileName, schema: ActiveSchema.schema)
      """
    #expect(changes(code, code) == [])
  }

  @Test("The store that an overload of the generated function opens is found")
  func overload() {
    let base = [
      "App/Store.swift":
        "func open(_ c: ModelConfiguration = ModelConfiguration(\"A\")) throws { _ = try ActiveSchema.container(configurations: [c]) }"
    ]
    func own(_ parameters: String, _ body: String, _ call: String, _ type: String = "ActiveSchema")
      -> [String]
    {
      var code = base
      code["App/Store.swift"] = base["App/Store.swift"]!.replacing(
        "configurations: [c]", with: "configurations: \(call)")
      code["App/More.swift"] =
        "extension \(type) { static func container(configurations: \(parameters)) throws -> ModelContainer { \(body) } }"
      return changes(base, code)
    }
    let memory =
      "try ModelContainer(for: Schema(versionedSchema: Version.self), configurations: ModelConfiguration(isStoredInMemoryOnly: true))"
    let list = "[ModelConfiguration], quiet: Bool = false"
    #expect(own(list, memory, "[c], quiet: true").count == 1)
    #expect(own("ModelConfiguration...", memory, "c").count == 1)
    let other = memory.replacing("isStoredInMemoryOnly: true", with: "\"B\"")
    #expect(own(list, other, "[c], quiet: true").count == 1)
    // An overload may only pass its arguments on.
    #expect(
      own(list, "try ActiveSchema.container(configurations: configurations)", "[c], quiet: true")
        == [])
    #expect(own("Int", memory, "[c], quiet: true") == [])
    #expect(own(list, memory, "[c]", "Other") == [])
  }

  // MARK: Value transformers

  @Test("A value transformer that is no longer registered is reported")
  func transformers() {
    let text = """
      version: 1.0.0
      models:
        Trip: { properties: { tint: { type: NSObject?, transformable: Tint } } }
      """
    let version = ManifestReader().read(SourceFile(path: "V1.yaml", text: text)).version!
    func found(
      _ base: String, _ code: String, _ shipped: SchemaVersion? = version
    ) -> Int {
      func openings(_ code: String) -> StoreOpenings {
        StoreOpenings(Entitlements()) { texts in
          texts.contains { code.contains($0) } ? [SourceFile(path: "App/A.swift", text: code)] : []
        }
      }
      return openings(code).unregistered(version, shipped, since: openings(base), "main").count
    }
    let set = "ValueTransformer.setValueTransformer(Tint(), forName: Name(\"Tint\"))"
    let free = "func register() { \(set) }\n"
    let called = free + "struct A: App { init() { open() }; private func open() { register() } }"
    #expect(found(called, called) == 0)
    let scene =
      free
      + "struct A: App { var body: some Scene { let _ = register(); WindowGroup { Text(\"\") } } }"
    #expect(found(scene, scene + "\nfunc send(_ mail: Mail) -> String { mail.body() }") == 0)
    #expect(found(called, called.replacing("{ register() }", with: "{}")) == 1)
    #expect(found(called, called.replacing("{ open() }", with: "{}")) == 1)
    #expect(found(called, called.replacing("Tint\"", with: "Other\"") + "\n" + Self.store) == 1)
    #expect(
      found(called, called.replacing("{ register() }", with: "{\n#if DEBUG\nregister()\n#endif\n}"))
        == 1)
    for late in [
      "Text(\"\").onAppear { register() }",
      "if UserDefaults.standard.bool(forKey: \"a\") { register() }",
      "let c = try! ModelContainer(for: Trip.self); register()",
      "let c = try! ActiveSchema.container(configurations: []); register()",
    ] {
      #expect(found(called, called.replacing("{ register() }", with: "{ \(late) }")) == 1)
    }
    let early = "if !isDone { register() }; let c = try! ModelContainer(for: Trip.self)"
    #expect(found(called, called.replacing("{ register() }", with: "{ \(early) }")) == 0)
    var older = version
    older.models[0].properties = []
    #expect(found("", called, older) == 0)
    #expect(found("", free, older) == 1)
    #expect(found(free, free) == 0)
    #expect(found(called, "struct A: App { init() { \(set) } }") == 0)
    #expect(found(called, "class D: NSObject { func launched(_ app: App) { \(set) } }") == 0)
    let lazy = "enum T { static let once: Void = { \(set) }() }\n"
    #expect(found(lazy + "struct A: App { init() { T.once } }", lazy + "struct A: App {}") == 1)
    #expect(found(lazy + "struct A: App { init() { T.once } }", lazy + "let x = U.once") == 1)
  }
}
