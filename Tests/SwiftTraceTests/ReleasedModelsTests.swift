import Foundation
import SchemaGit
import TestSupport
import Testing

/// The versions that the tags of releases give: the real binaries on repositories.
@Suite struct ReleasedModelsTests {
  private static func model(_ properties: String...) -> String {
    "import Foundation\nimport SwiftData\n@Model final class Trip {\n"
      + properties.map { "  var \($0)\n" }.joined() + "  init() { fatalError() }\n}\n"
  }

  /// An app without versions that has shipped 1.0 with `name`, v1.1 with `days`, and 1.2 with `notes`.
  private static func withApp(_ work: (Repository) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try repository.write(
        "let container = try ModelContainer(for: Trip.self)\n", "App/Main.swift")
      for (tag, model) in [
        ("1.0", model("name: String")), ("v1.1", model("name: String", "days: Int = 1")),
        ("1.2", model("name: String", "days: Int = 1", "notes: String?")),
      ] {
        try repository.write(model, "App/Trip.swift")
        try repository.commit(tag)
        try repository.git("tag", tag)
      }
      try repository.git("tag", "nightly")
      try work(repository)
    }
  }

  @Test("An adoption has a version for each release and names its tags")
  func adopted() throws {
    try Self.withApp { repository in
      let adopted = try repository.schemagen("adopt", "App")
      #expect(adopted.status == 0, "\(adopted.errors)\(adopted.output)")
      for line in [
        "V1: the models of 1.0 (", "    then Trip.days: add an attribute with a default; inferred",
        "V2: the models of v1.1 (", "V3: the app's models, 1 model, shipped in 1.2 (",
        "3 releases read", "tags that are not taken for releases: nightly", "schemagen release V3",
        "records that the version and all before it have shipped",
      ] { #expect(adopted.output.contains(line), "\(line)\n\(adopted.output)") }
      for arguments in [["release", "V3"], ["generate"], ["check"]] {
        let done = try repository.schemagen(arguments)
        #expect(!"\(done.output)\(done.errors)".contains("release-without-version"))
      }
    }
  }

  @Test("An adoption that would overwrite manifests is refused")
  func besideManifests() throws {
    try Self.withApp { repository in
      for number in 1...5 {
        try repository.write(
          "version: \(number).0.0\nmodels:\n  Trip:\n    properties:\n      p\(number): Int?\n",
          "Schemas/V\(number).yaml")
      }
      let adopted = try repository.schemagen("adopt", "App")
      #expect(adopted.status == 2)
      #expect(adopted.errors.contains("it exists already"), "\(adopted.errors)")
    }
  }

  @Test("With '--since', older releases have no version and no check asks for them")
  func since() throws {
    try Self.withApp { repository in
      let adopted = try repository.schemagen("adopt", "App", "--since", "v1.1")
      #expect(adopted.output.contains("V1: the models of v1.1 ("), "\(adopted.output)")
      #expect(adopted.output.contains("left out: what is older than v1.1."), "\(adopted.output)")
      #expect(adopted.output.contains("2 releases read"), "\(adopted.output)")
      let configuration = try repository.text("Schemas/schemagen.yaml")
      #expect(configuration.contains("oldestRelease: v1.1\n"), "\(configuration)")
      for arguments in [["release", "V2"], ["generate"]] {
        #expect(try repository.schemagen(arguments).status == 0)
      }
      let checked = try repository.schemagen("check")
      #expect(!checked.output.contains("release-without-version"), "\(checked.output)")
      // An earlier tag makes the older releases count again.
      try repository.write(
        configuration.replacing("v1.1", with: "1.0"), "Schemas/schemagen.yaml")
      let earlier = try repository.schemagen("check")
      #expect(earlier.output.contains("1.0 ("), "\(earlier.output)")
      #expect(earlier.output.contains("[release-without-version]"), "\(earlier.output)")
      try repository.write(configuration.replacing("v1.1", with: "v9"), "Schemas/schemagen.yaml")
      let gone = try repository.schemagen("check")
      #expect(
        gone.output.contains("not every release was checked: there is no commit 'v9'"),
        "\(gone.output)")
      let unknown = try repository.schemagen("adopt", "App", "--since", "3.0", "--schemas", "Other")
      #expect(unknown.status == 2)
      #expect(unknown.errors.contains("there is no commit '3.0'"), "\(unknown.errors)")
    }
  }

  @Test("Without tags, '--history' writes a version for each set of models up to HEAD")
  func history() throws {
    try Self.withApp { repository in
      for tag in ["1.0", "v1.1", "1.2"] { try repository.git("tag", "-d", tag) }
      let plain = try repository.schemagen("adopt", "App", "--dry-run")
      #expect(plain.output.contains("no tag looks like a release's (nightly)"), "\(plain.output)")
      #expect(!plain.output.contains("V2:"), "\(plain.output)")
      let adopted = try repository.schemagen("adopt", "App", "--history")
      #expect(adopted.output.contains("V3: the app's models"), "\(adopted.output)")
      #expect(adopted.output.contains("3 commits read"), "\(adopted.output)")
    }
  }

  @Test(
    "A release without a version is an error, and one command writes its version"
  )
  func missing() throws {
    try Self.withApp { repository in
      // Adopted without the older releases.
      _ = try repository.schemagen("adopt", "App", "--since", "1.2")
      try repository.write(
        repository.text("Schemas/schemagen.yaml").replacing("oldestRelease: \"1.2\"\n", with: ""),
        "Schemas/schemagen.yaml")
      for arguments in [["release", "V1"], ["generate"]] {
        #expect(try repository.schemagen(arguments).status == 0)
      }
      try repository.write(
        "let container = try ModelContainer(for: Trip.self, migrationPlan: MigrationPlan.self)\n",
        "App/Main.swift")
      try repository.commit("Adopt")
      let checked = try repository.schemagen("check")
      #expect(checked.status == 1)
      #expect(checked.output.contains("stored models that no version has"), "\(checked.output)")
      let linted = try repository.schemagen("lint", "--against", "1.0")
      #expect(linted.status == 1)
      for line in [
        "1.0 (", "its stores do not open (error 134504) [release-without-version]",
        "from 1.0 to V1: Trip.days: add an attribute with a default, Trip.notes: add an optional",
        "schemagen release --from-tag 1.0",
      ] { #expect(linted.output.contains(line), "\(line)\n\(linted.output)") }
      #expect(!linted.output.contains("everything is new"), "\(linted.output)")
      let same = try repository.schemagen("lint", "--against", "1.2")
      #expect(!same.output.contains("release-without-version"), "\(same.output)")
      #expect(!same.output.contains("everything is new"), "\(same.output)")
      for tag in ["1.0", "v1.1"] {
        let marked = try repository.schemagen("release", "--from-tag", tag)
        #expect(marked.status == 0, "\(marked.errors)\(marked.output)")
        #expect(marked.errors.contains("wrote Schemas/V0."), "\(marked.errors)")
      }
      #expect(try repository.schemagen("generate").status == 0)
      let clean = try repository.schemagen("check")
      #expect(clean.status == 0, "\(clean.output)")
      #expect(!clean.output.contains("release-without-version"), "\(clean.output)")
    }
  }

  @Test("A version that lists today's classes is written as its release stored it")
  func liveClasses() throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      func schema(_ numbers: Int...) -> String {
        "import SwiftData\n"
          + numbers.map {
            """
            enum SchemaV\($0): VersionedSchema {
              static let versionIdentifier = Schema.Version(\($0), 0, 0)
              static var models: [any PersistentModel.Type] { [Trip.self] }
            }

            """
          }.joined() + """
            enum Plan: SchemaMigrationPlan {
              static var schemas: [any VersionedSchema.Type] { [\(numbers.map { "SchemaV\($0).self" }.joined(separator: ", "))] }
              static var stages: [MigrationStage] { [] }
            }

            """
      }
      try repository.write(schema(1), "App/Schema.swift")
      try repository.write(Self.model("name: String"), "App/Trip.swift")
      try repository.commit("One")
      try repository.git("tag", "1.0")
      try repository.write(schema(1, 2), "App/Schema.swift")
      try repository.write(Self.model("name: String", "notes: String?"), "App/Trip.swift")
      try repository.commit("Two")
      let adopted = try repository.schemagen("adopt", "App")
      #expect(adopted.output.contains("V1: SchemaV1, as in 1.0 ("), "\(adopted.output)")
      #expect(!adopted.output.contains("live-model"), "\(adopted.output)")
      #expect(try !repository.text("Schemas/V1.yaml").contains("notes"))
      #expect(try repository.text("Schemas/V2.yaml").contains("notes"))
    }
  }

  /// A plan whose V1 has a copy under a numbered name, and whose V2 lists the app's class.
  private static let numbered = """
    import SwiftData
    enum SchemaV1: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [V1Trip.self] }
      @Model final class V1Trip {
        var name: String
        init(name: String) { self.name = name }
      }
    }
    enum SchemaV2: VersionedSchema {
      static let versionIdentifier = Schema.Version(2, 0, 0)
      static var models: [any PersistentModel.Type] { [Trip.self] }
    }
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
      static var stages: [MigrationStage] {
        [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
      }
    }

    """

  @Test(
    "A class with a numbered name is recognised as the copy of its release",
    arguments: [true, false])
  func numberedCopy(isTagged: Bool) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try repository.write(
        """
        import SwiftData
        enum SchemaV1: VersionedSchema {
          static let versionIdentifier = Schema.Version(1, 0, 0)
          static var models: [any PersistentModel.Type] { [Trip.self] }
        }
        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [SchemaV1.self] }
          static var stages: [MigrationStage] { [] }
        }

        """, "App/Schema.swift")
      try repository.write(Self.model("name: String"), "App/Trip.swift")
      try repository.commit("One")
      if isTagged { try repository.git("tag", "1.0") }
      try repository.write(Self.numbered, "App/Schema.swift")
      try repository.write(Self.model("name: String", "notes: String?"), "App/Trip.swift")
      try repository.commit("Two")
      let adopted = try repository.schemagen("adopt", "App")
      let v1 = try repository.text("Schemas/V1.yaml")
      #expect(v1.contains("  Trip:\n") == isTagged, "\(v1)")
      #expect(v1.contains("  V1Trip:\n") != isTagged, "\(v1)")
      let premise = "stores contain 'V1Trip' only if a shipped class had that name"
      #expect(adopted.output.contains(premise) != isTagged, "\(adopted.output)")
      let v2 = try repository.text("Schemas/V2.yaml")
      #expect(v2.contains(premise) != isTagged, "\(v2)")
    }
  }

  @Test("Questions about an old version come before those about what it drops")
  func doubtfulDrop() throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try repository.write(
        Self.numbered.replacing("V1Trip", with: "Trip")
          .replacing("var name: String\n", with: "var name: String\n    var days: Int = 1\n")
          .replacing(
            "enum Plan",
            with: """
              enum SchemaV3: VersionedSchema {
                static let versionIdentifier = Schema.Version(3, 0, 0)
                static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
              }
              @Model final class Stop {
                var place: String
                init(place: String) { self.place = place }
              }
              enum Plan
              """
          )
          .replacing(
            "SchemaV2.self] }\n  static var stages",
            with: "SchemaV2.self, SchemaV3.self] }\n  static var stages"),
        "App/Schema.swift")
      try repository.write(Self.model("name: String"), "App/Trip.swift")
      try repository.commit("Three")
      let adopted = try repository.schemagen("adopt", "App")
      let doubt =
        "'SchemaV2' lists today's 'Trip': if a class changed after V2 had shipped, this may not be a removal"
      #expect(
        adopted.output.contains("[unconfirmed-drop]")
          && adopted.output.contains("  help: " + doubt), "\(adopted.output)")
      #expect(try repository.text("Schemas/V2.yaml").contains("# " + doubt))
    }
  }

  @Test("A tag with unreadable models is named with the reason")
  func unclear() throws {
    try Self.withApp { repository in
      try repository.write(
        Self.model("name: String", "mystery = makeSomething()"), "App/Trip.swift")
      try repository.commit("Broken")
      try repository.git("tag", "1.3")
      try repository.write(Self.model("name: String"), "App/Trip.swift")
      try repository.commit("Whole")
      let adopted = try repository.schemagen("adopt", "App")
      #expect(
        adopted.output.contains("schemagen cannot tell what these releases stored"),
        "\(adopted.output)")
      #expect(adopted.output.contains("  1.3 ("), "\(adopted.output)")
    }
  }

  @Test("A report shows the releases of each version, and the releases without a version")
  func report() throws {
    try Self.withApp { repository in
      _ = try repository.schemagen("adopt", "App")
      #expect(try repository.schemagen("report", "-o", "report.html").status == 0)
      let page = try repository.text("report.html")
      for release in ["in 1.0 (", "in v1.1 (", "in 1.2 ("] {
        #expect(page.contains(release), "\(release)")
      }
      try repository.git("rm", "-q", "--cached", "-r", ".")
      try FileManager.default.removeItem(atPath: repository.folder + "/Schemas/V1.yaml")
      #expect(try repository.schemagen("report", "-o", "report.html").status == 0)
      #expect(try repository.text("report.html").contains("stored models that no version has"))
    }
  }

  @Test("In a shallow clone, 'check' reports that releases are missing")
  func shallow() throws {
    try Self.withApp { repository in
      for arguments in [["adopt", "App"], ["release", "V3"], ["generate"]] {
        #expect(try repository.schemagen(arguments).status == 0)
      }
      try repository.commit("Adopt")
      try repository.git(
        "clone", "-q", "--depth", "1", "file://" + repository.folder, repository.folder + "-shallow"
      )
      let checked = try repository.schemagen("check", in: "../app-shallow")
      #expect(
        checked.output.contains("not every release was checked: this clone is shallow"),
        "\(checked.output)\(checked.errors)")
      #expect(checked.output.contains("git fetch --unshallow"), "\(checked.output)")
    }
  }

  @Test("A release includes a model that its version lists by an alias from another file")
  func alias() throws {
    try Self.withApp { repository in
      func write(_ property: String) throws {
        try repository.write(
          """
          import SwiftData
          enum SchemaV1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Trip.self, Note.self] }
          }
          enum Notes {
            @Model final class Note {
              var text: String
              var \(property)
              init() { fatalError() }
            }
          }

          """, "App/Schema.swift")
      }
      try repository.write("typealias Note = Notes.Note\n", "App/Note.swift")
      try write("old: Int?")
      try repository.commit("Alias")
      try repository.git("tag", "1.3")
      try write("new: Int?")
      try repository.commit("Another property")
      let adopted = try repository.schemagen("adopt", "App")
      #expect(adopted.output.contains(": the models of 1.3 ("), "\(adopted.output)")
      let manifests = try FileManager.default.contentsOfDirectory(
        atPath: repository.folder + "/Schemas"
      ).filter { $0.hasPrefix("V") }.map { try repository.text("Schemas/\($0)") }
      #expect(manifests.contains { $0.contains("Note:") && $0.contains("old: Int?") })
    }
  }

  /// Releases two states of a type that a model stores, adopts the app, and checks it after each manifest is written.
  private static func withType(
    _ first: String, _ second: String, named name: String = "Kind",
    _ work: (Repository, _ adopted: String) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      for (tag, type) in [("1.0", first), ("1.1", second)] {
        try repository.write(Self.model("kind: \(name)?") + type + "\n", "App/Trip.swift")
        try repository.commit(tag)
        try repository.git("tag", tag)
      }
      try work(repository, try repository.schemagen("adopt", "App").output)
    }
  }

  private static let decoding =
    "init(from decoder: any Decoder) throws { self = try Self.read(decoder.singleValueContainer()) }"

  @Test(
    "Adding custom decoding to a type makes no new version",
    arguments: [
      ("enum Kind: String, Codable { case hike, ride }", "enum: String, cases: [hike, ride]"),
      ("struct Kind: Codable { var name: String }", "struct: { name: String }"),
    ])
  func decoding(_ type: String, _ parts: String) throws {
    let decoded = type.replacing(" }", with: "; \(Self.decoding) }")
    try Self.withType(type, decoded) { repository, adopted in
      #expect(adopted.contains("shipped in 1.0 and 1.1"), "\(adopted)")
      let yaml = try repository.text("Schemas/V1.yaml")
      #expect(yaml.contains("Kind: { \(parts), own: true, coding: "), "\(yaml)")
      _ = try repository.schemagen("generate")
      let check = try repository.schemagen("check")
      #expect(!check.output.contains("error"), "\(check.output)")
    }
  }

  @Test(
    "A version of a release whose type had other columns has a copy of that type",
    arguments: [
      ("enum Kind: String, Codable { case hike }", "enum Kind: Int, Codable { case hike }", "Kind"),
      ("enum Kind: Codable { case hike }", "enum Kind: Codable { case hike(Int) }", "Kind"),
      (
        "enum App { struct Kind: Codable { var a: Int } }",
        "enum App { struct Kind: Codable { var a: Int; var b: Int? } }", "App.Kind"
      ),
      (
        "enum Form: String, Codable { case hike }\nstruct Kind: Codable { var form: Form }",
        "enum Form: Int, Codable { case hike }\nstruct Kind: Codable { var form: Form }", "Kind"
      ),
    ])
  func copies(_ first: String, _ second: String, _ name: String) throws {
    try Self.withType(first, second, named: name) { repository, adopted in
      #expect(adopted.contains("V1: the models of 1.0"), "\(adopted)")
      let released = try repository.schemagen("release", "V2")
      #expect(released.status == 0, "\(released.output)")
      _ = try repository.schemagen("generate")
      let copy = "Former\(name.replacing(".", with: ""))V1"
      #expect(try repository.text("App/Generated/SchemaV1.swift").contains("kind: \(copy)?"))
      let check = try repository.schemagen("check")
      #expect(check.status == 0, "\(check.output)")
    }
  }

  @Test("A release that was tagged without a snapshot gets its version")
  func forgotten() throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      func commit(_ tag: String, _ properties: String...) throws {
        try repository.write(
          "import SwiftData\n@Model final class Trip {\n"
            + properties.map { "  var \($0)\n" }.joined() + "  init() {}\n}\n", "App/Trip.swift")
        try repository.commit(tag)
        try repository.git("tag", tag)
      }
      try commit("1.0", "name: String = \"\"")
      for command in ["adopt App", "release V1", "generate"] {
        _ = try repository.schemagen(command.split(separator: " ").map(String.init))
      }
      try commit("1.1", "name: String = \"\"", "days: Int?")
      try commit("1.2", "name: String = \"\"", "days: Int?", "goal: Int?")
      let asked = try repository.schemagen("check").output
      #expect(asked.contains("release --from-tag 1.1"), "\(asked)")
      let released = try repository.schemagen("release", "--from-tag", "1.1")
      #expect(released.output.contains("released V1.1"), "\(released.output)")
      _ = try repository.schemagen("snapshot")
      let check = try repository.schemagen("check")
      #expect(check.status == 0, "\(check.output)")
    }
  }

  @Test("A release whose models differ between systems is an error")
  func systems() throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try repository.write(
        "let package = Package(name: \"A\", platforms: [.iOS(.v17), .macOS(.v14)])\n",
        "Package.swift")
      let conditional = "#if os(iOS)\n  var days: Int?\n  #endif"
      for (tag, days) in [("1.0", conditional), ("1.1", "var days: Int?")] {
        try repository.write(
          Self.model("name: String").replacing("  init", with: "  \(days)\n  init"),
          "App/Trip.swift")
        try repository.commit(tag)
        try repository.git("tag", tag)
      }
      for arguments in [["adopt", "App"], ["release", "V1"], ["generate"]] {
        #expect(try repository.schemagen(arguments).status == 0)
      }
      let check = try repository.schemagen("check").output
      #expect(check.contains("error: 1.0 ("), "\(check)")
      #expect(check.contains("its models on macOS were different"), "\(check)")
    }
  }

  @Test("A release whose stores have other columns for an opaque type is an error")
  func opaqueColumns() throws {
    try Self.withType(
      "enum Kind: Codable { case hike(Int), ride }",
      "enum Kind: Codable { case hike(Int), ride, run }"
    ) { repository, adopted in
      #expect(adopted.contains("V1: the app's models, 1 model, shipped in 1.1"), "\(adopted)")
      let reason = "'Kind' had other columns, which no manifest can list"
      #expect(adopted.contains(reason))
      _ = try repository.schemagen("generate")
      let check = try repository.schemagen("check").output
      #expect(check.contains("error: 1.0 ("), "\(check)")
      #expect(check.contains(reason) && check.contains("oldestRelease: TAG"))
    }
  }

  @Test(
    "A release of an unknown version is placed before every later release")
  func orderOfTaken() throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      func version(_ name: String, _ number: Int, _ models: String = "Trip.self") -> String {
        """
        enum \(name): VersionedSchema {
          static let versionIdentifier = Schema.Version(\(number), 0, 0)
          static var models: [any PersistentModel.Type] { [\(models)] }
        }

        """
      }
      let (old, new) = (version("SchemaV1", 1), version("SchemaV2", 2, "Trip.self, Extra.self"))
      for (tag, versions, plan, properties) in [
        ("1.0", version("SchemaV9", 9), "SchemaV9.self", ["a: Int?"]),
        // Of versions that store the same, today's plan decides which one it is.
        ("1.1", version("Schema0", 1) + old, "SchemaV1.self", ["a: Int?", "b: Int?"]),
        ("1.2", old + new, "SchemaV1.self, SchemaV2.self", ["a: Int?", "b: Int?", "c: Int?"]),
      ] {
        try repository.write(
          "import SwiftData\n" + versions
            + """
            @Model final class Trip {
            \(properties.map { "  var \($0)\n" }.joined())  init() { fatalError() }
            }
            @Model final class Extra {
              var text: String
              init() { fatalError() }
            }
            enum Plan: SchemaMigrationPlan {
              static var schemas: [any VersionedSchema.Type] { [\(plan)] }
              static var stages: [MigrationStage] { [] }
            }

            """, "App/Schema.swift")
        try repository.commit(tag)
        try repository.git("tag", tag)
      }
      let adopted = try repository.schemagen("adopt", "App", "--dry-run")
      let lines = adopted.output.split(separator: "\n").filter { $0.hasPrefix("V") }
      #expect(
        lines.map { String($0.prefix { $0 != "(" }) } == [
          "V0.1: the models of 1.0 ", "V1: SchemaV1, as in 1.1 ",
          "V2: SchemaV2, 2 models, shipped in 1.2 ",
        ], "\(lines)")
    }
  }

  @Test("A 'modelContainer' call without a dot, in an extension of View, lists the store's models")
  func modifierWithoutDot() throws {
    try Self.withApp { repository in
      try repository.write(
        "import SwiftUI\nextension View {\n  func kept() -> some View { modelContainer(for: Trip.self) }\n}\n",
        "App/Main.swift")
      try repository.write(
        "import SwiftData\n@Model final class Unused {\n  var text: String\n  init() { fatalError() }\n}\n",
        "App/Unused.swift")
      try repository.commit("Modifier")
      let adopted = try repository.schemagen("adopt", "App", "--dry-run")
      #expect(
        adopted.output.contains("V3: the app's models, 1 model, shipped in 1.2 ("),
        "\(adopted.output)")
    }
  }

  // MARK: Which tags count

  @Test("Releases after the current commit are left out, and releases on another branch are named")
  func afterAndBeside() throws {
    try Self.withApp { repository in
      try repository.git("checkout", "--quiet", "v1.1")
      let adopted = try repository.schemagen("adopt", "App", "--dry-run")
      #expect(adopted.output.contains("V2: the app's models, 1 model, shipped in v1.1 ("))
      #expect(adopted.output.contains("left out: 1.2, which came after this commit"))
      #expect(!adopted.output.contains("V3:"), "\(adopted.output)")
      try repository.git("checkout", "--quiet", "--orphan", "squashed")
      try repository.commit("Everything at once")
      let squashed = try repository.schemagen("adopt", "App", "--dry-run")
      let lines = squashed.output.split(separator: "\n")
      for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("V") {
        #expect(
          next.hasPrefix("    from another branch, and newer than all") == !line.hasPrefix("V3"),
          "\(line)\n\(next)")
      }
    }
  }

  @Test("A later release on another branch is a warning, or an error if the versions differ")
  func otherBranch() throws {
    try Self.withApp { repository in
      func run(_ commands: [String]...) throws {
        for command in commands {
          let done = try repository.schemagen(command)
          #expect(done.status == 0, "\(command): \(done.errors)\(done.output)")
        }
      }
      try run(["adopt", "App"], ["release", "V3"], ["generate"])
      try repository.write(
        "let container = try ModelContainer(for: Trip.self, migrationPlan: MigrationPlan.self)\n",
        "App/Main.swift")
      try repository.commit("Adopt")
      try repository.git("branch", "feature")
      try repository.write(
        Self.model("name: String", "days: Int = 1", "notes: String?", "more: String?"),
        "App/Trip.swift")
      try run(["snapshot"], ["release", "V4"], ["generate"])
      try repository.commit("More")
      try repository.git("tag", "2.0")
      try repository.git("checkout", "--quiet", "feature")
      try repository.write("// A feature\n", "App/Feature.swift")
      try repository.commit("Feature")
      let behind = try repository.schemagen("check")
      #expect(behind.status == 0, "\(behind.output)")
      #expect(
        behind.output.contains(
          "shipped from another branch, with all versions of this branch and one more"),
        "\(behind.output)")
      #expect(behind.output.contains("git merge 2.0"), "\(behind.output)")
      try repository.write(
        Self.model("name: String", "days: Int = 1", "notes: String?", "other: Int?"),
        "App/Trip.swift")
      try run(["snapshot"], ["generate"])
      let forked = try repository.schemagen("check")
      #expect(forked.status == 1)
      #expect(forked.output.contains("stored models that no version has"), "\(forked.output)")
    }
  }

  @Test("A tag of a tag counts, a tag of a tree does not, and a tag without its commit is named")
  func kindsOfTags() throws {
    try Self.withApp { repository in
      try repository.git("tag", "-am", "x", "inner", "1.0")
      try repository.git("tag", "-am", "x", "1.0.0", "inner")
      try repository.git("tag", "-d", "1.0", "inner")
      try repository.git("tag", "9.0", "HEAD^{tree}")
      try repository.write(
        "0123456789012345678901234567890123456789\n", ".git/refs/tags/8.0")
      let adopted = try repository.schemagen("adopt", "App", "--dry-run")
      for line in [
        "V1: the models of 1.0.0 (", "V2: the models of v1.1 (", "V3: the app's models",
        "tags that are not taken for releases: 9.0, nightly",
        "  8.0: git does not have the tag's commit;",
      ] { #expect(adopted.output.contains(line), "\(line)\n\(adopted.output)\(adopted.errors)") }
    }
  }

  @Test("Invisible characters in a tag's name are shown, and the suggested command has their bytes")
  func hiddenNames() throws {
    try Self.withApp { repository in
      try repository.git("tag", "1.0\u{202E}", "1.0")
      try repository.git("tag", "-d", "1.0")
      try repository.git("tag", "\u{200B}x")
      let dry = try repository.schemagen("adopt", "App", "--dry-run")
      #expect(dry.output.contains("V1: the models of 1.0\\u{202E} ("), "\(dry.output)")
      #expect(dry.output.contains("# Adopted from the models of 1.0\\u{202E} ("))
      #expect(!dry.output.unicodeScalars.contains { ["\u{202E}", "\u{200B}"].contains($0) })
      let unknown = try repository.schemagen("adopt", "App", "--since", "1.0\u{200B}")
      #expect(!unknown.errors.unicodeScalars.contains { ["\u{202E}", "\u{200B}"].contains($0) })
      for arguments in [["adopt", "App", "--since", "1.2"], ["release", "V1"], ["generate"]] {
        _ = try repository.schemagen(arguments)
      }
      try repository.write(
        repository.text("Schemas/schemagen.yaml").replacing("oldestRelease: \"1.2\"\n", with: ""),
        "Schemas/schemagen.yaml")
      let checked = try repository.schemagen("check")
      #expect(
        checked.output.contains("--from-tag $'1.0\\xE2\\x80\\xAE',"), "\(checked.output)")
      let named = try repository.schemagen("lint", "--against", "refs/tags/1.0\u{202E}")
      #expect(named.output.contains("stored models that no version has"), "\(named.output)")
    }
  }

  // MARK: What cannot be read

  @Test(
    "Releases whose models cannot be read are grouped by the reason",
    arguments: [
      (
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
        "its text is in Git LFS"
      ),
      (
        "import SwiftData\n@Model final class Trip {\n<<<<<<< ours\n  var a: Int\n}\n",
        "does not parse"
      ),
    ])
  func unreadable(_ text: String, _ reason: String) throws {
    try Self.withApp { repository in
      for tag in ["1.3", "1.4"] {
        try repository.write(text, "App/Trip.swift")
        try repository.write("// \(tag)\n", "App/Other.swift")
        try repository.commit(tag)
        try repository.git("tag", tag)
      }
      try repository.write(Self.model("name: String", "end: Int?"), "App/Trip.swift")
      try repository.commit("Whole")
      let adopted = try repository.schemagen("adopt", "App", "--dry-run")
      let line = adopted.output.split(separator: "\n").first { $0.hasPrefix("  1.3 and 1.4 (") }
      #expect(line?.contains("App/Trip.swift") ?? false, "\(adopted.output)")
      #expect(line?.contains(reason) ?? false, "\(adopted.output)")
    }
  }

  @Test("Files that are not UTF-8, files that git lacks, and submodules are reported")
  func lostFiles() throws {
    try Self.withApp { repository in
      let wide = Self.model("name: String").data(using: .utf16)
      try wide?.write(to: URL(filePath: repository.folder + "/App/Trip.swift"))
      try repository.commit("Wide")
      try repository.git("tag", "1.3")
      try repository.write(Self.model("gone: Int"), "App/Trip.swift")
      try repository.commit("Gone")
      try repository.git("tag", "1.4")
      let id = try repository.git("rev-parse", "HEAD:App/Trip.swift").output
        .trimmingCharacters(in: .whitespacesAndNewlines)
      try repository.write(Self.model("name: String", "end: Int?"), "App/Trip.swift")
      try repository.commit("Whole")
      try FileManager.default.removeItem(
        atPath: repository.folder + "/.git/objects/\(id.prefix(2))/\(id.dropFirst(2))")
      let adopted = try repository.schemagen("adopt", "App", "--dry-run")
      for (tag, reason) in [
        ("1.3", "App/Trip.swift: it is not UTF-8"),
        ("1.4", "App/Trip.swift: git does not have it"),
      ] {
        let line = adopted.output.split(separator: "\n").first { $0.hasPrefix("  \(tag) (") }
        #expect(line?.hasSuffix(reason) ?? false, "\(tag)\n\(adopted.output)")
      }
    }
    try withTemporaryFolder { folder in
      let models = try Repository(folder + "/models")
      try models.write(Self.model("name: String"), "Trip.swift")
      try models.commit("Models")
      let repository = try Repository(folder + "/app")
      try repository.write(
        "let container = try ModelContainer(for: Trip.self)\n", "App/Main.swift")
      try repository.git("submodule", "--quiet", "add", "../models", "App/Models")
      try repository.commit("One")
      try repository.git("tag", "1.0")
      let adopted = try repository.schemagen("adopt", "App", "--dry-run")
      #expect(adopted.output.contains("'App/Models' is a submodule"), "\(adopted.output)")
    }
  }

  @Test("No models are guessed for a release whose container list cannot be read")
  func unreadContainer() throws {
    try Self.withApp { repository in
      try repository.write(
        "let container = try ModelContainer(for: Trip.self, Tag.self)\n", "App/Main.swift")
      try repository.write(
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "App/Tag.swift")
      try repository.write(Self.model("name: String", "end: Int?"), "App/Trip.swift")
      try repository.commit("Half")
      try repository.git("tag", "1.3")
      try repository.write(nil, "App/Tag.swift")
      try repository.write(
        "let container = try ModelContainer(for: Trip.self)\n", "App/Main.swift")
      try repository.write(Self.model("name: String"), "App/Trip.swift")
      try repository.commit("Whole")
      let adopted = try repository.schemagen("adopt", "App", "--dry-run")
      #expect(
        adopted.output.contains("what the container at App/Main.swift:1 stores cannot be read"),
        "\(adopted.output)")
      #expect(!adopted.output.contains("the models of 1.3"), "\(adopted.output)")
    }
  }

  @Test("A class that a container lists twice is one model")
  func listedTwice() throws {
    try Self.withApp { repository in
      try repository.write(
        "let container = try ModelContainer(for: Trip.self, Trip.self)\n", "App/Main.swift")
      try repository.write(Self.model("name: String", "end: Int?"), "App/Trip.swift")
      try repository.commit("Twice")
      try repository.git("tag", "1.3")
      try repository.write(Self.model("name: String", "end: Int?", "more: Int?"), "App/Trip.swift")
      try repository.commit("More")
      let adopted = try repository.schemagen("adopt", "App", "--dry-run")
      #expect(adopted.output.contains("V4: the models of 1.3 ("), "\(adopted.output)")
    }
  }

  @Test("If git refuses the repository, adoption reports why, and what helps")
  func refused() throws {
    try Self.withApp { repository in
      let refused = try run(
        Checkout.schemagen, ["adopt", "App", "--dry-run"], in: repository.folder,
        environment: Repository.environment.merging([
          "NO_COLOR": "1", "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1",
        ]) { $1 })
      #expect(refused.output.contains("what earlier releases stored is not known"))
      let top = try repository.git("rev-parse", "--show-toplevel").output
        .trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(
        refused.output.contains("git config --global --add safe.directory \(top)\n"),
        "\(refused.output)")
      try repository.git("checkout", "--quiet", "--orphan", "empty")
      let unborn = try repository.schemagen("adopt", "App", "--history")
      #expect(unborn.status == 2)
      #expect(unborn.errors.contains("the branch has no commit yet"), "\(unborn.errors)")
    }
  }

  // MARK: Numbers and words

  @Test("Versions are renumbered if no number is free for a release")
  func noNumberFree() throws {
    try Self.withPlan(["1, 0, 9", "1, 0, 10"], stages: true) { repository in
      let adopted = try repository.schemagen("adopt", "App", "--dry-run")
      #expect(adopted.status == 0, "\(adopted.errors)\(adopted.output)")
      for line in [
        "V1: SchemaA, 1 model", "V2: the models of 1.0 (", "V3: SchemaB, 1 model",
        "the plan's version numbers leave no number free for the releases between them: all versions are renumbered V1 to V3",
        "not in the plan until now, so its stores did not open (error 134504)",
      ] { #expect(adopted.output.contains(line), "\(line)\n\(adopted.output)") }
    }
  }

  @Test("A plan without stages is not reported to have refused older stores")
  func withoutStages() throws {
    try Self.withPlan(["1, 0, 0", "2, 0, 0"], stages: false) { repository in
      let adopted = try repository.schemagen("adopt", "App", "--dry-run")
      #expect(adopted.output.contains("V1.1: the models of 1.0 ("), "\(adopted.output)")
      #expect(!adopted.output.contains("134504"), "\(adopted.output)")
    }
  }

  /// An app with a plan of two versions with these numbers, and a release 1.0 that stored something else.
  private static func withPlan(
    _ numbers: [String], stages: Bool, _ work: (Repository) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      func schema(_ name: String, _ number: String, _ property: String) -> String {
        """
        enum \(name): VersionedSchema {
          static let versionIdentifier = Schema.Version(\(number))
          static var models: [any PersistentModel.Type] { [Trip.self] }
          @Model final class Trip {
            var \(property)
            init() { fatalError() }
          }
        }

        """
      }
      func write(_ old: String, _ new: String) throws {
        let stage =
          "MigrationStage.lightweight(fromVersion: SchemaA.self, toVersion: SchemaB.self)"
        try repository.write(
          "import SwiftData\n" + schema("SchemaA", numbers[0], old)
            + schema("SchemaB", numbers[1], new) + """
              enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [SchemaA.self, SchemaB.self] }
                static var stages: [MigrationStage] { [\(stages ? stage : "")] }
              }

              """, "App/Schema.swift")
      }
      try write("name: String", "name: String\n    var end: Int?")
      try repository.commit("One")
      try repository.git("tag", "1.0")
      try write("name: String", "name: String\n    var end: Int?\n    var more: Int?")
      try repository.commit("Two")
      try work(repository)
    }
  }

  @Test("Only tagged commits are reported as shipped")
  func untaggedCommits() throws {
    try Self.withApp { repository in
      try repository.write("// Later\n", "App/Later.swift")
      try repository.commit("Later")
      let tagged = try repository.schemagen("adopt", "App", "--history", "--dry-run")
      #expect(
        tagged.output.contains("V3: the app's models, 1 model, shipped in 1.2 ("),
        "\(tagged.output)")
      for tag in ["1.0", "v1.1", "1.2"] { try repository.git("tag", "-d", tag) }
      let adopted = try repository.schemagen("adopt", "App", "--history", "--dry-run")
      #expect(adopted.output.contains("V3: the app's models, 1 model, as of "), "\(adopted.output)")
      #expect(!adopted.output.contains("shipped in"), "\(adopted.output)")
    }
  }

  @Test("A reserved name that has shipped can be adopted")
  func shippedName() throws {
    try Self.withApp { repository in
      try repository.write(Self.model("name: String", "deleted: Bool = false"), "App/Trip.swift")
      try repository.commit("Deleted")
      try repository.git("tag", "1.3")
      try repository.write(
        Self.model("name: String", "isUnavailable: Bool = false"), "App/Trip.swift")
      try repository.commit("Renamed")
      let adopted = try repository.schemagen("adopt", "App")
      #expect(!adopted.output.contains("as a draft"), "\(adopted.output)")
      #expect(
        adopted.output.contains(
          "warning: Core Data's managed objects have 'deleted' themselves: each save would reset the property's value"
        ),
        "\(adopted.output)")
    }
  }

  @Test("A release is reported as shipped after its manifest was written from its tag")
  func fromTag() throws {
    try Self.withApp { repository in
      for arguments in [["adopt", "App", "--since", "1.2"], ["release", "V1"], ["generate"]] {
        _ = try repository.schemagen(arguments)
      }
      let marked = try repository.schemagen("release", "--from-tag", "1.0")
      #expect(
        marked.output.contains("V0.1 has shipped, as later versions have; run: schemagen generate"),
        "\(marked.output)")
    }
  }
}
