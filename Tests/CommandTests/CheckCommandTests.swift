import Foundation
import TestSupport
import Testing

/// `check`, `status` and other commands that must fail if the app's classes differ from the manifest: the real binary.
@Suite struct CheckCommandTests {
  /// An app with classes, version 1 of which has shipped.
  private static let classes = """
    import SwiftData

    @Model final class Trip {
      var name: String
      var note: String?

      init(name: String, note: String? = nil) {
        self.name = name
        self.note = note
      }
    }

    """

  /// The same without the note.
  private static let cut = classes.replacing("  var note: String?\n", with: "")
    .replacing(", note: String? = nil", with: "").replacing("    self.note = note\n", with: "")

  private func withApp(_ work: (Repository) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try repository.write(Self.classes, "App/Trip.swift")
      #expect(try repository.schemagen("adopt", "App").status == 0)
      #expect(try repository.schemagen("generate").status == 0)
      #expect(try repository.schemagen("release", "V1").status == 0)
      try repository.commit("one")
      try work(repository)
    }
  }

  private func withManifests(_ work: (Repository) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try repository.write(BaseCommandTests.v1, "Schemas/V1.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      #expect(try repository.schemagen("release").status == 0)
      try repository.commit("one")
      try work(repository)
    }
  }

  /// The last line of an output: the verdict.
  private func verdict(_ finished: Finished) -> String {
    finished.output.split(separator: "\n").last.map(String.init) ?? ""
  }

  private func count(_ text: String, in finished: Finished) -> Int {
    (finished.output + finished.errors).components(separatedBy: text).count - 1
  }

  @Test("'check', the hook and 'release' fail if classes differ from the manifest")
  func moved() throws {
    try withApp { repository in
      let clean = try repository.schemagen("check", "--against", "main")
      #expect(clean.status == 0, "\(clean.output)\(clean.errors)")
      #expect(verdict(clean).hasPrefix("Schemas V1, 5 generated files, "), "\(clean.output)")
      try repository.write(
        Self.cut, "App/Trip.swift")
      for arguments in [[], ["--against", "main"], ["--quiet"]] {
        let found = try repository.schemagen(["check"] + arguments)
        #expect(found.status == 1, "\(found.output)")
        #expect(count("[unacknowledged-drop]", in: found) == 1)
        #expect(found.output.contains("App/Trip.swift:3:"), "\(found.output)")
        #expect(verdict(found) == "1 error; run: schemagen snapshot")
      }
      let generated = try repository.schemagen("generate", "--check")
      #expect(generated.status == 1)
      #expect(
        verdict(generated)
          == "Schemas: the generated files match the manifests, but the classes do not: run 'schemagen snapshot'"
      )
      let release = try repository.schemagen("release")
      #expect(release.status == 2 && release.errors.contains("run 'schemagen snapshot'"))
      let status = try repository.schemagen("status")
      #expect(status.status == 0)
      #expect(
        status.output.contains("not yet in the newest manifest: Trip.note: remove"),
        "\(status.output)")
      #expect(verdict(status) == "  next: schemagen snapshot")
      let diff = try repository.schemagen("diff", "--against", "main")
      #expect(diff.status == 0 && diff.errors.contains("this comparison leaves them out"))
      // The commit's contents count, not the working tree.
      #expect(try repository.schemagen("check", "--staged").status == 0)
      try repository.git("add", "--all")
      try repository.write(Self.classes, "App/Trip.swift")
      let staged = try repository.schemagen("check", "--staged", "--quiet")
      #expect(staged.status == 1)
      #expect(staged.output.contains("App/Trip.swift:3:"), "\(staged.output)")
      #expect(
        verdict(staged)
          == "1 error; run: schemagen snapshot, then 'git add' manifests and generated files")
      // Even if git was told to ignore changes of the file.
      try repository.git("update-index", "--assume-unchanged", "App/Trip.swift")
      #expect(try repository.schemagen("check", "--staged", "--quiet").output == staged.output)
      try repository.git("update-index", "--no-assume-unchanged", "App/Trip.swift")
      let below = try repository.schemagen(
        "check", "--staged", "--quiet", "--schemas", "../Schemas", "..", in: "App")
      #expect(below.status == 1)
      #expect(below.output.contains("Trip.swift:3:"), "\(below.output)")
      let hook = try repository.schemagen("hook", "run")
      #expect(hook.status == 1)
      #expect(hook.errors == "schemagen: the commit was stopped\n", "\(hook.errors)")
    }
  }

  @Test("'--against' means the branch if a tag has the same name")
  func tagOfABranch() throws {
    try withManifests { repository in
      try repository.git("switch", "--quiet", "-c", "change")
      try repository.write(
        BaseCommandTests.v1.replacing("String = \"\"", with: "Int = 0"), "Schemas/V1.yaml")
      try repository.write(nil, "Schemas/schema.lock")
      try repository.commit("two")
      try repository.git("tag", "main")
      let found = try repository.schemagen("check", "--against", "main")
      #expect(count("[shipped-version-edited]", in: found) == 1, "\(found.output)")
      #expect(count("a tag has the branch's name, 'main'", in: found) == 1, "\(found.output)")
      // A command that asks for a tag gets the tag.
      let tagged = try repository.schemagen("release", "--from-tag", "main")
      #expect(!tagged.errors.contains("is not a tag"), "\(tagged.errors)")
    }
  }

  @Test("An edit of Swift code that makes the app open another store is reported")
  func swiftOfTheBase() throws {
    try withManifests { repository in
      let store =
        "import SwiftData\nlet c = ModelConfiguration(\"Trips\", cloudKitDatabase: .none)\n"
      try repository.write(store, "App/Store.swift")
      try repository.commit("store")
      try repository.git("switch", "--quiet", "-c", "change")
      func told() throws -> Int {
        count(
          "an update shows an empty store",
          in: try repository.schemagen("check", "--against", "main"))
      }
      #expect(try told() == 0)
      // The store's place is the same if its name is written differently.
      try repository.write(
        "import SwiftData\nlet name = \"Trips\"\nlet c = ModelConfiguration(name, cloudKitDatabase: .none)\n",
        "App/Other.swift")
      try repository.write(nil, "App/Store.swift")
      #expect(try told() == 0)
      for moved in [
        "\"Trips\", groupContainer: .identifier(\"group.a\")", "\"Tours\"",
        "url: URL.documentsDirectory.appending(path: \"a.store\")",
      ] {
        try repository.write(
          store.replacing("\"Trips\"", with: moved), "App/Other.swift")
        #expect(try told() == 1, "\(moved)")
      }
      // It is an error, which the author can answer.
      let found = try repository.schemagen("check", "--against", "main")
      #expect(found.status == 1 && count("[store-moved]", in: found) == 1, "\(found.output)")
      try repository.write(
        "// schemagen:accept store-moved: the app moves the files at its start\n"
          + store.replacing("\"Trips\"", with: "\"Tours\"")
          .replacing("import SwiftData\n", with: ""), "App/Other.swift")
      #expect(try told() == 0)
      // The name may be in a file of its own.
      try repository.write(store.replacing("\"Trips\"", with: "Names.store"), "App/Other.swift")
      try repository.write("enum Names { static let store = \"Trips\" }\n", "App/Names.swift")
      #expect(try told() == 0)
      try repository.write("enum Names { static let store = \"Tours\" }\n", "App/Names.swift")
      #expect(try told() == 1)
      // A second store is not a move of the first.
      try repository.write(
        store + "let d = ModelConfiguration(\"Tours\", cloudKitDatabase: .none)\n",
        "App/Other.swift")
      #expect(try told() == 0)
    }
  }

  @Test("Removing the declaration of a stored type is reported")
  func declarationOfTheBase() throws {
    try withManifests { repository in
      try repository.git("switch", "--quiet", "-c", "types")
      let manifest =
        "version: 1.0.0\nmodels: { Trip: { properties: { mood: Mood? } } }\n"
        + "types: { Mood: { enum: String, cases: [good], own: true } }\n"
      try repository.write(manifest, "Types/V1.yaml")
      let options = ["--schemas", "Types"]
      #expect(try repository.schemagen(["generate"] + options).status == 0)
      try repository.write("enum Mood: String, Codable { case good }\n", "App/Mood.swift")
      try repository.commit("types")
      try repository.git("switch", "--quiet", "-c", "change")
      func told() throws -> Int {
        count(
          "'Mood' is declared in types, but no file declares it any more",
          in: try repository.schemagen(["check", "--against", "types"] + options))
      }
      #expect(try told() == 0)
      try repository.write("enum Mood: String, Codable {\n  case good\n}\n", "Kit/Mood.swift")
      try repository.write(nil, "App/Mood.swift")
      #expect(try told() == 0)
      try repository.write("import Kit\n", "Kit/Mood.swift")
      #expect(try told() == 1)
    }
  }

  @Test("'check' does not repeat an error that a comment in the class already answers")
  func answered() throws {
    try withApp { repository in
      try repository.write(Self.cut, "App/Trip.swift")
      #expect(try repository.schemagen("snapshot").status == 1)
      let open = try repository.schemagen("check", "--quiet")
      #expect(open.status == 1)
      #expect(count("[unacknowledged-drop]", in: open) == 1)
      #expect(open.output.contains("App/Trip.swift:3:"), "\(open.output)")
      try repository.write(
        Self.cut.replacing("@Model", with: "// schemagen:drop note: nobody wrote one\n@Model"),
        "App/Trip.swift")
      let answered = try repository.schemagen("check", "--quiet")
      #expect(answered.status == 1)
      #expect(count("[unacknowledged-drop]", in: answered) == 0, "\(answered.output)")
      #expect(verdict(answered).hasSuffix("run: schemagen snapshot"))
      #expect(try repository.schemagen("snapshot").status == 0)
      let done = try repository.schemagen("check", "--quiet")
      #expect(done.status == 0, "\(done.output)")
      let status = try repository.schemagen("status")
      #expect(status.output.contains("  since V1: Trip.note dropped\n"), "\(status.output)")
      #expect(verdict(status).hasSuffix("schemagen release V2"))
    }
  }

  @Test("Generated files left in the old output folder are reported")
  func leftBehind() throws {
    try withManifests { repository in
      try repository.git("switch", "--quiet", "--create", "move")
      let old = try repository.text("Schemas/Generated/SchemaV1.swift")
      let configuration = (try? repository.text("Schemas/schemagen.yaml")) ?? ""
      try repository.write(configuration + "\noutput: ../Other\n", "Schemas/schemagen.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      let moved = try repository.schemagen("check", "--against", "main", "--quiet")
      #expect(count("[edited-generated-file]", in: moved) == 0, "\(moved.output)")
      try repository.write(old, "Schemas/Generated/SchemaV1.swift")
      let left = try repository.schemagen("check", "--against", "main", "--quiet")
      #expect(left.status == 1)
      #expect(
        left.output.contains("'Schemas/Generated/SchemaV1.swift' is still there as in main"),
        "\(left.output)")
    }
  }

  @Test("A stale generated file is one error, without errors that follow from it")
  func stale() throws {
    try withManifests { repository in
      try repository.write(
        BaseCommandTests.v2 + "  Day:\n    properties:\n      number: Int = 0\n", "Schemas/V2.yaml")
      let found = try repository.schemagen("check", "--quiet")
      #expect(found.status == 1)
      #expect(count(": error: ", in: found) == 1, "\(found.output)")
      #expect(count("[edited-generated-file]", in: found) == 1)
      #expect(verdict(found) == "1 error; run: schemagen generate")
      #expect(try repository.schemagen("generate").status == 0)
      let clean = try repository.schemagen("check", "--against", "main", "--quiet")
      #expect(clean.status == 0 && clean.output.isEmpty, "\(clean.output)")
      let whole = try repository.schemagen("check", "--against", "main")
      #expect(verdict(whole).hasSuffix("run: schemagen release V2"), "\(whole.output)")
      try repository.write(
        try repository.text("Schemas/Generated/SchemaV2.swift")
          .replacing("var number: Int = 0", with: "var number: Int = 1"),
        "Schemas/Generated/SchemaV2.swift")
      let edited = try repository.schemagen("check", "--quiet")
      #expect(edited.status == 1 && count(": error: ", in: edited) == 1, "\(edited.output)")
    }
  }

  @Test("'check' reports new models, migration mistakes and broken files in Swift code")
  func swift() throws {
    try withManifests { repository in
      try repository.write(
        "import SwiftData\n@Model final class Mic { var name: String = \"\"; init() {} }\n",
        "App/Mic.swift")
      let found = try repository.schemagen("check", "--quiet")
      #expect(found.status == 1 && count("[new-model]", in: found) == 1, "\(found.output)")
      try repository.write("let schema = SchemaV1.self\n", "App/Mic.swift")
      let named = try repository.schemagen("check", "--quiet", "--strict")
      #expect(named.status == 1 && count("[hardcoded-version]", in: named) == 1, "\(named.output)")
      #expect(try repository.schemagen("check", "--quiet", "Schemas").status == 0)
      try repository.write("models: [", "Schemas/V2.yaml")
      let broken = try repository.schemagen("check")
      #expect(broken.status == 2)
      #expect(count("[yaml-syntax]", in: broken) == 1, "\(broken.output)")
      #expect(verdict(broken).hasSuffix("run again: schemagen check"))
      #expect(try repository.schemagen("check", "--against", "nothing").status == 2)
    }
  }

  @Test("The hook and a merge report a shipped version that was removed")
  func shipped() throws {
    try withManifests { repository in
      try repository.git("rm", "-r", "--quiet", "Schemas")
      let gone = try repository.schemagen("hook", "run")
      #expect(gone.status == 2)
      #expect(count("[shipped-version-missing]", in: gone) == 1, "\(gone.output)")
      #expect(gone.output.contains("V1 has shipped according to HEAD ("))
      try repository.git("reset", "--quiet", "--hard")
      try repository.write(
        BaseCommandTests.v1.replacing("String = \"\"", with: "String?"), "Schemas/V1.yaml")
      let edited = try repository.schemagen("check", "--against", "main", "--quiet")
      #expect(edited.status == 1)
      #expect(count("[shipped-version-edited]", in: edited) == 1, "\(edited.output)")
    }
  }

  @Test("In a merge, a version that either parent released counts as shipped")
  func merge() throws {
    try withManifests { repository in
      try repository.write("approvals: owners\n", "Schemas/schemagen.yaml")
      try repository.commit("ask for approvals")
      try repository.git("checkout", "--quiet", "-b", "hotfix")
      let cut = BaseCommandTests.v1.replacing("1.0.0", with: "2.0.0")
        .replacing("      name: String = \"\"\n", with: "")
      try repository.write(cut + "drops:\n  Trip.name: nobody asked\n", "Schemas/V2.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      #expect(try repository.schemagen("approve", "Trip.name").status == 0)
      #expect(try repository.schemagen("release").status == 0)
      try repository.write(nil, "Schemas/approvals.json")
      try repository.commit("hotfix")
      try repository.git("checkout", "--quiet", "main")
      try repository.write("An app\n", "README.md")
      try repository.commit("main goes on")
      _ = try repository.attempt(["merge", "--no-commit", "--no-ff", "hotfix"])
      let merged = try repository.schemagen("check", "--staged", "--quiet")
      #expect(merged.status == 0 && merged.output.isEmpty, "\(merged.output)\(merged.errors)")
      // A version that only the merged branch has released has shipped too.
      try repository.git("rm", "--quiet", "--cached", "Schemas/V2.yaml")
      try repository.git("checkout", "--quiet", "HEAD", "--", "Schemas/schema.lock")
      let lost = try repository.schemagen("check", "--staged", "--quiet")
      #expect(lost.status != 0)
      #expect(
        lost.output.contains("V2 has shipped according to the merged branch ("), "\(lost.output)")
    }
  }

  @Test(
    "A version that the lock marks as shipped is not reported as unmarked if the base lacks the version"
  )
  func markedSince() throws {
    try withManifests { repository in
      try repository.git("checkout", "--quiet", "-b", "hotfix")
      for number in [2, 3] {
        let text = BaseCommandTests.v1.replacing("1.0.0", with: "\(number).0.0")
          .replacing(
            "      name: String = \"\"\n",
            with: "      name: String = \"\"\n"
              + (2...number).map { "      note\($0): String?\n" }.joined())
        try repository.write(text, "Schemas/V\(number).yaml")
        #expect(try repository.schemagen("generate").status == 0)
        if number == 2 { #expect(try repository.schemagen("release").status == 0) }
      }
      let found = try repository.schemagen("check", "--against", "main")
      #expect(!found.output.contains("is not marked as shipped"), "\(found.output)")
    }
  }

  @Test("'check --against' does not ask to release a version that the change releases")
  func releasedByTheChange() throws {
    try withApp { repository in
      try repository.write(
        Self.classes.replacing(
          "var note: String?", with: "var note: String?\n  var place: String?"), "App/Trip.swift")
      #expect(try repository.schemagen("snapshot").status == 0)
      let open = try repository.schemagen("check", "--against", "main")
      #expect(verdict(open).contains("run: schemagen release V2"), "\(open.output)")
      #expect(try repository.schemagen("release", "V2").status == 0)
      let marked = try repository.schemagen("check", "--against", "main")
      #expect(!marked.output.contains("schemagen release V2"), "\(marked.output)")
    }
  }

  /// A change names another folder of classes than the app has.
  @Test("Classes that the configuration leaves out are reported")
  func classesLeftOut() throws {
    try withApp { repository in
      let yaml = try repository.text("Schemas/schemagen.yaml")
      try repository.write(
        yaml.replacing("classes: ../App", with: "classes: ../Copies"), "Schemas/schemagen.yaml")
      try repository.write(Self.classes, "Copies/Trip.swift")
      let copied = try repository.schemagen("check", "--against", "main")
      #expect(copied.status == 1)
      #expect(copied.output.contains("App/Trip.swift:3:"), "\(copied.output)")
      #expect(copied.output.contains("'classes:' no longer names the folder of this 'Trip'"))
      // A folder that was moved leaves no classes behind.
      try repository.write(nil, "App/Trip.swift")
      let moved = try repository.schemagen("check", "--against", "main")
      #expect(!moved.output.contains("no longer names the folder"), "\(moved.output)")
    }
  }

  @Test(
    "'adopt' records the project's deployment targets, and 'check' reports a project that lowers them"
  )
  func deploymentTargets() throws {
    func project(_ settings: String) -> String {
      "AA = {isa = XCBuildConfiguration; buildSettings = { SDKROOT = macosx; \(settings) }; name = Release; };\n"
    }
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      // Code only for the Mac is part of the model, since this is a Mac app.
      let classes = Self.classes.replacing(
        "  var note: String?\n",
        with: "  #if os(macOS)\n    var note: String?\n  #endif\n  #Index<Trip>([\\.name])\n")
      try repository.write(classes, "App/Trip.swift")
      try repository.write(
        project("MACOSX_DEPLOYMENT_TARGET = 15.0;"), "A.xcodeproj/project.pbxproj")
      let adopted = try repository.schemagen("adopt", "App")
      #expect(adopted.status == 0, "\(adopted.output)\(adopted.errors)")
      let yaml = try repository.text("Schemas/schemagen.yaml")
      #expect(yaml.contains("macOS: 15") && !yaml.contains("iOS:"), "\(yaml)")
      #expect(try repository.text("Schemas/V1.yaml").contains("note: String?"))
      #expect(try repository.schemagen("generate").status == 0)
      #expect(try repository.schemagen("check").output.contains("no findings"))
      // The project's deployment target is now older than the configuration's.
      try repository.write(
        project("MACOSX_DEPLOYMENT_TARGET = 14.0;"), "A.xcodeproj/project.pbxproj")
      let older = try repository.schemagen("check")
      #expect(
        older.output.contains(
          "'platforms:' says macOS 15, but the app's project is built for macOS 14"),
        "\(older.output)")
      #expect(older.output.contains("write 'platforms: { macOS: 14 }' in schemagen.yaml"))
      // Without an entry the project decides.
      try repository.write(
        yaml.replacing(/platforms:[^\n]*\n( +[^\n]*\n)*/, with: ""), "Schemas/schemagen.yaml")
      let own = try repository.schemagen("check", "--platform", "macOS")
      #expect(own.status == 1)
      #expect(
        own.output.contains("needs macOS 15, but the app's project is built for macOS 14"),
        "\(own.output)")
    }
  }

  @Test("A class that is unavailable on the app's oldest system is reported")
  func unavailableClass() throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      let newer =
        "@available(iOS 26, macOS 26, *)\n@Model final class Ride { var name = \"\"; init() {} }\n"
      try repository.write(Self.classes + newer, "App/Trip.swift")
      try repository.write(
        "let package = Package(name: \"A\", platforms: [.iOS(.v17)])\n", "Package.swift")
      let adopted = try repository.schemagen("adopt", "App")
      #expect(
        adopted.output.contains("'Ride' is available from iOS 26, and the app runs on iOS 17"),
        "\(adopted.output)")
      let yaml = try repository.text("Schemas/schemagen.yaml")
      #expect(yaml.contains("iOS: 17"), "\(yaml)")
      let snapshot = try repository.schemagen("snapshot").output
      #expect(snapshot.contains("'Ride' is available from iOS 26"), "\(snapshot)")
      try repository.write(yaml.replacing("iOS: 17", with: "iOS: 26"), "Schemas/schemagen.yaml")
      #expect(!(try repository.schemagen("snapshot").output.contains("is available from")))
    }
  }

  @Test("Build settings and entitlements are compared with the base")
  func builds() throws {
    try withApp { repository in
      func project(_ file: String) -> String {
        "AA = {isa = XCBuildConfiguration; buildSettings = { CODE_SIGN_ENTITLEMENTS = \(file); }; name = Release; };\n"
      }
      try repository.write(project("App/App.entitlements"), "App.xcodeproj/project.pbxproj")
      try repository.write(
        "<key>com.apple.security.application-groups</key><array><string>group.a</string></array>",
        "App/App.entitlements")
      try repository.write(
        "import SwiftData\nlet c = try ActiveSchema.container(configurations: [ModelConfiguration()])\n",
        "App/Store.swift")
      try repository.write("let package = Package(name: \"A\")\n", "Package.swift")
      try repository.commit("a project")
      #expect(try repository.schemagen("check", "--against", "main").status == 0)
      try repository.write(project("App/Other.entitlements"), "App.xcodeproj/project.pbxproj")
      let other = try repository.schemagen("check", "--against", "main")
      #expect(other.status == 1)
      #expect(other.output.contains("in main it opens the default store in the group 'group.a'"))
      try repository.write(project("App/App.entitlements"), "App.xcodeproj/project.pbxproj")
      // A condition, and a build setting that fulfils it.
      let yaml = try repository.text("Schemas/schemagen.yaml")
      try repository.write(yaml + "define: { LITE: false }\n", "Schemas/schemagen.yaml")
      try repository.write(
        Self.classes.replacing(
          "  var note: String?\n", with: "  #if !LITE\n    var note: String?\n  #endif\n"),
        "App/Trip.swift")
      #expect(try repository.schemagen("check", "--against", "main").status == 0)
      try repository.commit("a condition")
      try repository.write(
        "let package = Package(name: \"A\", settings: [.define(\"LITE\")])\n", "Package.swift")
      let flag = try repository.schemagen("check", "--against", "main")
      #expect(flag.status == 1 && flag.output.contains("[store-moved]"), "\(flag.output)")
      // A comment can state that users lose nothing.
      let text = try repository.text("App/Trip.swift")
      try repository.write(
        text.replacing(
          "  #if !LITE", with: "  // schemagen:accept store-moved: another app\n  #if !LITE"),
        "App/Trip.swift")
      let accepted = try repository.schemagen("check", "--against", "main")
      #expect(accepted.status == 0, "\(accepted.output)")
    }
  }

  @Test("'status' makes no claim that depends on a broken file")
  func statusWithErrors() throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try repository.write(BaseCommandTests.v1, "Schemas/V1.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      #expect(try repository.schemagen("release", "V1").status == 0)
      try repository.write(nil, "Schemas/schema.lock")
      let status = try repository.schemagen("status").output
      #expect(
        status.contains(
          ": V1 is the newest version; without the lock it is unknown what has shipped\n"),
        "\(status)")
      try repository.write(
        BaseCommandTests.v1.replacing("models:", with: "# hashes\nmodels: ["), "Schemas/V1.yaml")
      #expect(!(try repository.schemagen("status").output.contains("up to date")))
    }
  }

  @Test("'status' prints at most ten lines, however many folders there are")
  func folders() throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      #expect(try repository.schemagen("status").status == 2)
      for number in 1...12 {
        try repository.write(BaseCommandTests.v1, "Schemas/S\(number)/V1.yaml")
        try repository.write("names: { prefix: S\(number) }\n", "Schemas/S\(number)/note.txt")
      }
      let many = try repository.schemagen("status")
      let lines = many.output.split(separator: "\n")
      #expect(many.status == 0 && lines.count == 10, "\(many.output)\(many.errors)")
      #expect(lines.last == "and 3 more; name one of them: --schemas FOLDER")
      #expect(lines[0].hasPrefix("Schemas/S1: V1 is the newest version; no version is marked"))
      #expect(lines[0].hasSuffix("next: schemagen generate --schemas Schemas/S1"))
      let one = try repository.schemagen("status", "--schemas", "Schemas/S2")
      #expect(one.output.split(separator: "\n").count <= 10)
    }
  }

  @Test("Without the program that reads Swift, 'check' lists what it has not checked")
  func alone() throws {
    try withManifests { repository in
      let alone = repository.folder + "/../bin/schemagen"
      try FileManager.default.createDirectory(
        atPath: repository.folder + "/../bin", withIntermediateDirectories: true)
      // Not by this process: another test may start a program while the copy is open for writing.
      #expect(try TestSupport.run("cp", [Checkout.schemagen, alone]).status == 0)
      func run(_ arguments: String...) throws -> Finished {
        try TestSupport.run(
          alone, arguments, in: repository.folder,
          environment: Repository.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 })
      }
      let manifests = try run("check")
      #expect(manifests.status == 0, "\(manifests.output)\(manifests.errors)")
      #expect(manifests.output.contains("no Swift was read: no findings"), "\(manifests.output)")
      #expect(manifests.errors.contains("swift build --product schemagen-sources"))
      try repository.write("classes: ../App\n", "Schemas/schemagen.yaml")
      _ = try run("generate")
      let classes = try run("check")
      #expect(classes.status == 2)
      #expect(classes.errors.contains("unchecked: the classes of Schemas, "), "\(classes.errors)")
      #expect(try run("status").output.contains("classes: not read"))
    }
  }

  @Test("'release' refuses a version that loses data until it is approved")
  func approvals() throws {
    try withManifests { repository in
      try repository.write("approvals: owners\n", "Schemas/schemagen.yaml")
      try repository.write(
        BaseCommandTests.v1.replacing("1.0.0", with: "2.0.0")
          .replacing("      name: String = \"\"\n", with: "")
          + "drops:\n  Trip.name: nobody asked\n", "Schemas/V2.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      let lock = try repository.text("Schemas/schema.lock")
      let refused = try repository.schemagen("release")
      #expect(refused.status == 2, "\(refused.output)\(refused.errors)")
      #expect(refused.errors.contains("to run: schemagen approve Trip.name"), "\(refused.errors)")
      #expect(try repository.text("Schemas/schema.lock") == lock)
      let status = try repository.schemagen("status")
      #expect(status.output.contains("  awaits an approval: V2 Trip.name\n"), "\(status.output)")
      #expect(verdict(status).hasSuffix("schemagen approve"))
      #expect(try repository.schemagen("approve", "Trip.name").status == 0)
      #expect(try repository.schemagen("release").output == "Schemas: released V2\n")
    }
  }

  @Test("The main branch must be named if it cannot be determined")
  func mainBranch() throws {
    try withManifests { repository in
      try repository.write("approvals: base\n", "Schemas/schemagen.yaml")
      try repository.commit("ask for approvals")
      try repository.git("branch", "--move", "trunk")
      try repository.git("checkout", "--quiet", "-b", "topic")
      try repository.write(
        BaseCommandTests.v1.replacing("1.0.0", with: "2.0.0")
          .replacing("      name: String = \"\"\n", with: "")
          + "drops:\n  Trip.name: nobody asked\n", "Schemas/V2.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      #expect(try repository.schemagen("approve", "Trip.name").status == 0)
      try repository.commit("drop, and approve it")
      let unknown = try repository.schemagen("release")
      #expect(unknown.status == 2)
      #expect(unknown.errors.contains("schemagen cannot tell which approvals count"))
      try repository.git("config", "init.defaultBranch", "trunk")
      // The repository's configuration overrides that of the environment.
      func schemagen(_ command: String) throws -> Finished {
        try run(
          Checkout.schemagen, [command], in: repository.folder,
          environment: Repository.environment.merging(["GIT_CONFIG_COUNT": "0"]) { $1 })
      }
      let open = try schemagen("release")
      #expect(open.status == 2, "\(open.output)")
      #expect(open.errors.contains("commit the file to trunk"), "\(open.errors)")
      let status = try schemagen("status")
      #expect(status.output.contains("  awaits an approval: V2 Trip.name\n"), "\(status.output)")
    }
  }

  @Test("Versions that leave the plan are listed, with or without required approvals")
  func retired() throws {
    try withManifests { repository in
      try repository.write(BaseCommandTests.v2, "Schemas/V2.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      #expect(try repository.schemagen("release").status == 0)
      try repository.commit("two")
      #expect(try repository.schemagen("retire", "--below", "V2").status == 0)
      #expect(try repository.schemagen("generate").status == 0)
      for command in ["check", "diff"] {
        let found = try repository.schemagen(command, "--against", "main")
        #expect(found.status == 0, "\(found.output)")
        #expect(count("V1 leaves the plan: stores of it", in: found) == 1, "\(found.output)")
      }
    }
  }

  @Test("A warning about a shipped step does not suggest changing it")
  func shippedWarning() throws {
    try withManifests { repository in
      let v2 = try repository.text("Schemas/V1.yaml")
        .replacing("version: 1.0.0", with: "version: 2.0.0")
        .replacing("properties:\n", with: "properties:\n      seen: Date = Date.now\n")
      try repository.write(v2, "Schemas/V2.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      let open = try repository.schemagen("check").output
      #expect(open.contains("[shared-default]") && open.contains("help: write 'fill:'"), "\(open)")
      #expect(try repository.schemagen("release").status == 0)
      let shipped = try repository.schemagen("check").output
      #expect(shipped.contains("[shared-default]") && !shipped.contains("'fill:'"), "\(shipped)")
      #expect(shipped.contains("only a later step can change") && shipped.contains("to accept it"))
    }
  }

  @Test("A property that CloudKit does not allow is reported at its class")
  func cloud() throws {
    try withApp { repository in
      try repository.write(
        try repository.text("Schemas/schemagen.yaml") + "cloudKit: private\n",
        "Schemas/schemagen.yaml")
      let found = try repository.schemagen("check", "--quiet")
      #expect(
        found.output.contains("App/Trip.swift:4:7: error: 'Trip.name' is not optional"),
        "\(found.output)")
    }
  }

  @Test("An unresolved merge is reported whichever file has conflict markers")
  func conflicts() throws {
    try withApp { repository in
      let marks = "<<<<<<< HEAD\nfoo: 1\n=======\nfoo: 2\n>>>>>>> main\n"
      for file in ["V1.yaml", "schemagen.yaml", "schema.lock"] {
        let text = try repository.text("Schemas/" + file)
        try repository.write(text + marks, "Schemas/" + file)
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).count
        for command in ["snapshot", "check"] {
          let found = try repository.schemagen(command)
          #expect(found.status == 2, "\(command) \(file): \(found.output)")
          #expect(
            found.output.contains(
              "Schemas/\(file):\(line):1: error: a merge left two sides here: 'HEAD' and 'main'"),
            "\(command) \(file): \(found.output)")
        }
        try repository.write(text, "Schemas/" + file)
      }
      try repository.write(
        try repository.text("Schemas/schema.lock") + marks, "Schemas/schema.lock")
      #expect(verdict(try repository.schemagen("status")) == "  next: schemagen rebase")
    }
  }

  @Test("The hook reports a commit that removes required approvals, and lets it pass")
  func withdrawn() throws {
    try withManifests { repository in
      try repository.write("approvals: base\n", "Schemas/schemagen.yaml")
      try repository.commit("ask for approvals")
      try repository.write("approvals: none\n", "Schemas/schemagen.yaml")
      try repository.git("add", "--all")
      let found = try repository.schemagen("hook", "run")
      #expect(found.status == 0, "\(found.output)\(found.errors)")
      #expect(count("[unapproved-loss]", in: found) == 1, "\(found.output)")
      #expect(
        found.output.contains("the configuration says 'approvals: none', and the base says 'base'"))
    }
  }

  @Test("Help groups the commands, and the bare command lists the everyday ones")
  func help() throws {
    let help = try run(Checkout.schemagen, ["help"])
    for group in ["BEGIN", "CHANGE", "CHECK", "SHIP", "HELP A USER", "KEEP AND SHOW", "SET UP"] {
      #expect(help.output.contains("\n\(group) SUBCOMMANDS:\n"), "\(help.output)")
    }
    try withTemporaryFolder { folder in
      let bare = try run(Checkout.schemagen, [], in: folder)
      for command in ["snapshot", "check", "status"] {
        #expect(bare.output.contains("schemagen \(command)"), "\(bare.output)")
      }
    }
  }
}
