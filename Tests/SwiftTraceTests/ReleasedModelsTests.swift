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

  @Test("An adoption has a version for each release, and names its tags")
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

  @Test("An adoption beside more manifests than it would write is refused, and nothing is lost")
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

  @Test("With --since, older releases have no version, and that is said")
  func since() throws {
    try Self.withApp { repository in
      let adopted = try repository.schemagen("adopt", "App", "--since", "v1.1")
      #expect(adopted.output.contains("V1: the models of v1.1 ("), "\(adopted.output)")
      #expect(adopted.output.contains("left out: what is older than v1.1."), "\(adopted.output)")
      let unknown = try repository.schemagen("adopt", "App", "--since", "3.0", "--schemas", "Other")
      #expect(unknown.status == 2)
      #expect(unknown.errors.contains("there is no commit '3.0'"), "\(unknown.errors)")
    }
  }

  @Test("Without tags, --history makes a version of each set of models on the way to HEAD")
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
    "A release that no version has is an error of check and lint, and one command writes its version"
  )
  func missing() throws {
    try Self.withApp { repository in
      // Adopted as if nobody had looked at the older releases.
      _ = try repository.schemagen("adopt", "App", "--since", "1.2")
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

  @Test("A tag whose models cannot be read is named with the reason")
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
}
