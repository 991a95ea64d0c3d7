import Foundation
import TestSupport
import Testing

/// `hook`, in real repositories and with the real binary. `Tests/Integration/hooks.sh` commits to more of them.
@Suite struct HookCommandTests {
  private func withRepository(_ work: (Repository) throws -> Void) throws {
    try withTemporaryFolder { folder in try work(Repository(folder + "/app")) }
  }

  @Test("Before the first commit everything is new, and only HEAD is a valid base")
  func firstCommit() throws {
    try withRepository { repository in
      try repository.write(BaseCommandTests.v1, "Schemas/V1.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      try repository.git("add", "--all")
      let found = try repository.schemagen("diff", "--against", "HEAD", "--staged")
      #expect(found.status == 0, "\(found.errors)")
      #expect(found.output.contains("has no manifests in HEAD (no commit yet): everything is new"))
      #expect(found.output.contains("\nV1: the first version: "))
      #expect(try repository.schemagen("lint", "--against", "HEAD").status == 0)
      let main = try repository.schemagen("diff", "--against", "main", "--staged")
      #expect(main.status == 2 && main.errors.contains("there is no commit 'main'"))
    }
  }

  @Test("The hook reports problems in staged files and is silent otherwise")
  func run() throws {
    try withRepository { repository in
      try repository.write(BaseCommandTests.v1, "Schemas/V1.yaml")
      try repository.write("output: ../Sources/Models\n", "Schemas/schemagen.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      try repository.git("add", "--all")
      #expect(try repository.schemagen("hook", "run").status == 0)
      try repository.commit("one")
      try repository.write("An app\n", "README.md")
      try repository.git("add", "--all")
      let nothing = try repository.schemagen("hook", "run")
      #expect(nothing.status == 0 && nothing.output.isEmpty && nothing.errors.isEmpty)
      try repository.write("// edited\n", "Sources/Models/SchemaV1.swift")
      try repository.git("add", "--all")
      let drift = try repository.schemagen("hook", "run")
      #expect(drift.status != 0, "\(drift.output)")
      try repository.write(
        BaseCommandTests.v2.replacing("String?", with: "String"), "Schemas/V2.yaml")
      try repository.git("add", "--all")
      let found = try repository.schemagen("hook", "run")
      #expect(found.status == 1)
      #expect(found.output.components(separatedBy: "[missing-default]").count == 2)
      #expect(!found.output.contains("[edited-generated-file]"), "\(found.output)")
      #expect(found.errors == "schemagen: the commit was stopped\n")
    }
  }

  @Test("The hook reads an extended configuration from the index")
  func extended() throws {
    try withRepository { repository in
      try repository.write(BaseCommandTests.v1, "Schemas/V1.yaml")
      try repository.write("extends: ../policy/shared.yaml\n", "Schemas/schemagen.yaml")
      try repository.write("access: public\n", "policy/shared.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      try repository.commit("one")
      // The edit is only in the working tree, so it is not about to be committed.
      try repository.write("access: everyone\n", "policy/shared.yaml")
      #expect(try repository.schemagen("hook", "run").status == 0)
      #expect(try repository.schemagen("generate", "--check").status != 0)
      try repository.git("add", "--all")
      let found = try repository.schemagen("hook", "run")
      #expect(
        found.status != 0 && found.output.contains("policy/shared.yaml:1:"), "\(found.output)")
      // The comparison uses the commit, whose base has not changed.
      try repository.write(
        "rules: { shared-default: off }\nnames: { plan: Other }\n", "policy/shared.yaml")
      #expect(try repository.schemagen("lint", "--against", "HEAD").status == 0)
      let stale = try repository.schemagen("generate", "--check")
      #expect(stale.status != 0 && stale.output.contains("MigrationPlan"), "\(stale.output)")
    }
  }

  @Test("The hook supports folder names with apostrophes and spaces")
  func quoting() throws {
    try withRepository { repository in
      let folder = "Ada's $HOME `x` \"Schemas\""
      try repository.write(
        BaseCommandTests.v1.replacing("String = \"\"", with: "Strin"), folder + "/V1.yaml")
      #expect(try repository.schemagen("hook", "install", "--schemas", folder).status == 0)
      try repository.git("add", "--all")
      let found = try repository.attempt(["commit", "--quiet", "--message", "one"])
      #expect(found.status == 1)
      #expect((found.output + found.errors).contains(folder + "/V1.yaml:"))
    }
  }

  /// Types that the app declares itself, which the tests' commits change.
  private static let named = """
    version: 1.0.0
    models:
      Song:
        properties:
          key: Key = Key.c
    types:
      Key: { enum: String, cases: { c: C, d: D }, own: true }
    """

  @Test(
    "The hook compares staged Swift with the manifest that names its types",
    arguments: [
      (#"enum Key: String, Codable { case c = "c", d = "D" }"#, "'Key.c'"),
      (#"enum Key: String, Codable { case c = "C" }"#, "'Key.d'"),
      (
        #"enum Key: String, Codable { case c = "C", d = "D" }"#
          + "\n@Model final class Mic { var name: String = \"\"; init() {} }", "'Mic'"
      ),
    ])
  func swift(_ text: String, _ said: String) throws {
    try withRepository { repository in
      let key =
        "import SwiftData\n" + #"enum Key: String, Codable { case c = "C", d = "D" }"# + "\n"
      try repository.write(Self.named, "Schemas/V1.yaml")
      try repository.write(key, "App/Key.swift")
      try repository.write("let start = 1\n", "App/Start.swift")
      #expect(try repository.schemagen("generate").status == 0)
      try repository.git("add", "--all")
      let first = try repository.schemagen("hook", "run")
      #expect(first.status == 0, "\(first.output)\(first.errors)")
      try repository.commit("one")

      // Code that concerns no schema is not checked.
      try repository.write("let start = 2\nenum Other { case one }\n", "App/Start.swift")
      try repository.git("add", "--all")
      let nothing = try repository.schemagen("hook", "run")
      #expect(nothing.status == 0 && nothing.output.isEmpty && nothing.errors.isEmpty)
      try repository.commit("two")

      try repository.write("import SwiftData\n" + text + "\n", "App/Key.swift")
      #expect(try repository.schemagen("hook", "run").status == 0)
      try repository.git("add", "--all")
      // The working tree's contents are not committed.
      try repository.write(key, "App/Key.swift")
      let found = try repository.schemagen("hook", "run")
      #expect(found.status == 1, "\(found.output)\(found.errors)")
      #expect(found.output.contains("App/Key.swift:"), "\(found.output)")
      #expect(found.output.contains(said), "\(found.output)")
      #expect(found.errors.contains("the commit was stopped"))
      try repository.git("add", "--all")
      #expect(try repository.schemagen("hook", "run").status == 0)
    }
  }

  @Test("Without committed generated files the hook still compares enums with the manifest")
  func swiftOfPlugins() throws {
    try withRepository { repository in
      try repository.write(Self.named, "Schemas/V1.yaml")
      try repository.write(
        #"enum Key: String, Codable { case c = "C", d = "D" }"# + "\n", "App/Key.swift")
      try repository.git("add", "--all")
      try repository.commit("one")
      try repository.write(
        #"enum Key: String, Codable { case c = "C", d = "E" }"# + "\n", "App/Key.swift")
      try repository.git("add", "--all")
      let found = try repository.schemagen("hook", "run")
      #expect(found.status == 1, "\(found.output)\(found.errors)")
      #expect(found.output.contains("'Key.d'"), "\(found.output)")
      #expect(!found.output.contains("there is no '@Model' class"), "\(found.output)")
    }
  }

  @Test("Without the program that reads Swift, the hook lists what it has not checked")
  func swiftUnread() throws {
    try withRepository { repository in
      try repository.write(Self.named, "Schemas/V1.yaml")
      try repository.write(
        #"enum Key: String, Codable { case c = "C", d = "D" }"# + "\n", "App/Key.swift")
      try repository.git("add", "--all")
      let alone = repository.folder + "/../bin/schemagen"
      try FileManager.default.createDirectory(
        atPath: repository.folder + "/../bin", withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: Checkout.schemagen, toPath: alone)
      #expect(try repository.schemagen("generate").status == 0)
      try repository.git("add", "--all")
      let found = try TestSupport.run(
        alone, ["hook", "run"], in: repository.folder,
        environment: Repository.environment)
      #expect(found.status == 0, "\(found.output)\(found.errors)")
      #expect(found.errors.contains("no Swift was read"), "\(found.errors)")
    }
  }
}
