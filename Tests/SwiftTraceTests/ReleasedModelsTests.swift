import Foundation
import SchemaGit
import TestSupport
import Testing

/// What the tags of releases say of the versions: the real binaries on repositories.
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
        "3 releases looked at", "not taken for releases: nightly", "schemagen release V3",
        "records that it has shipped, and all before it",
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
      let configuration = try repository.text("Schemas/schemagen.yaml")
      #expect(configuration.contains("oldestRelease: v1.1\n"), "\(configuration)")
      for arguments in [["release", "V2"], ["generate"]] {
        #expect(try repository.schemagen(arguments).status == 0)
      }
      let checked = try repository.schemagen("check")
      #expect(!checked.output.contains("release-without-version"), "\(checked.output)")
      // An earlier tag is what makes the older releases count again.
      try repository.write(
        configuration.replacing("v1.1", with: "1.0"), "Schemas/schemagen.yaml")
      let earlier = try repository.schemagen("check")
      #expect(earlier.output.contains("1.0 ("), "\(earlier.output)")
      #expect(earlier.output.contains("[release-without-version]"), "\(earlier.output)")
      try repository.write(configuration.replacing("v1.1", with: "v9"), "Schemas/schemagen.yaml")
      let gone = try repository.schemagen("check")
      #expect(
        gone.output.contains("not every release was looked at: there is no commit 'v9'"),
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
      #expect(adopted.output.contains("3 commits looked at"), "\(adopted.output)")
    }
  }

  @Test(
    "A release without a version is an error, and one command writes its version"
  )
  func missing() throws {
    try Self.withApp { repository in
      // Adopted as if nobody had looked at the older releases.
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
      #expect(checked.output.contains("stored what no version has"), "\(checked.output)")
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
      let premise = "a store has 'V1Trip' only if a release's class was called that"
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
        "'SchemaV2' lists today's 'Trip': if that changed after V2 had shipped, this may be no drop"
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
      #expect(adopted.output.contains("what these stored cannot be told"), "\(adopted.output)")
      #expect(adopted.output.contains("  1.3 ("), "\(adopted.output)")
    }
  }

  @Test("A report shows the releases of each version and those without one")
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
      #expect(try repository.text("report.html").contains("stored what no version has"))
    }
  }

  @Test("A shallow clone reports that releases are missing")
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
        checked.output.contains("not every release was looked at: this clone is shallow"),
        "\(checked.output)\(checked.errors)")
      #expect(checked.output.contains("git fetch --unshallow"), "\(checked.output)")
    }
  }
}
