import Foundation
import TestSupport
import Testing

/// The real binary, as a user runs it: exit statuses, what is printed where, what is written.
@Suite struct CommandTests {
  /// Runs the command in a folder, with nothing of the terminal's in its environment.
  private func schemagen(
    _ arguments: String..., in folder: String, environment: [String: String?] = [:]
  ) throws -> Finished {
    try run(
      Checkout.schemagen, arguments, in: folder,
      environment: ["NO_COLOR": "1"].merging(environment) { $1 })
  }

  private func write(_ text: String, _ path: String) throws {
    let url = URL(filePath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: url, atomically: true, encoding: .utf8)
  }

  private func copy(_ example: String, to folder: String) throws {
    for name in filesBelow("\(Checkout.root)/Schemas/\(example)") where !name.contains("/") {
      let text = try String(
        contentsOfFile: "\(Checkout.root)/Schemas/\(example)/\(name)", encoding: .utf8)
      try write(text, "\(folder)/\(name)")
    }
  }

  @Test("A newcomer gets from an empty folder to code that compiles")
  func newcomer() throws {
    try withTemporaryFolder { folder in
      let empty = try schemagen("generate", in: folder)
      #expect(empty.status == 2 && empty.output.contains("schemagen init"))
      let started = try schemagen("init", in: folder)
      #expect(started.status == 0, "\(started.errors)")
      #expect(try schemagen("init", in: folder).status == 2, "nothing is overwritten")
      let first = try schemagen(in: folder)
      #expect(
        first.status == 0 && first.output.contains("1 version (V1), 2 models"), "\(first.output)")
      let next = try schemagen("new-version", "--part", "minor", in: folder)
      #expect(next.status == 0, "\(next.output)\(next.errors)")
      #expect(filesBelow(folder).contains("Schemas/V1.1.yaml"))
      // The copy stores what V1 stores, which would crash the app at launch.
      let same = try schemagen("generate", in: folder)
      #expect(same.status == 1 && same.output.contains("[empty-version]"), "\(same.output)")
      let path = folder + "/Schemas/V1.1.yaml"
      try write(
        String(contentsOfFile: path, encoding: .utf8)
          .replacing("startDate: Date?", with: "startDate: Date?\n      endDate: Date?"), path)
      let check = try schemagen("generate", "--check", in: folder)
      #expect(
        check.status == 1
          && check.output.contains("would create Schemas/Generated/SchemaV1_1.swift"))
      #expect(try schemagen("generate", in: folder).status == 0)
      #expect(try schemagen("generate", "--check", in: folder).status == 0)
      let files = filesBelow(folder).filter { $0.hasSuffix(".swift") }.map { folder + "/" + $0 }
      let compiled = try compile(files, .strictest)
      #expect(compiled.status == 0, "\(compiled.output)\(compiled.errors)")
    }
  }

  @Test(
    "The bare command shows how to begin, and a misspelt command is corrected")
  func bare() throws {
    try withTemporaryFolder { folder in
      let empty = try schemagen(in: folder)
      #expect(empty.status == 0 && empty.errors.isEmpty)
      for command in [
        "schemagen init", "schemagen adopt Sources\n", "schemagen adopt --store FILE",
      ] {
        #expect(empty.output.contains(command), "\(empty.output)")
      }
      #expect(filesBelow(folder).isEmpty)
      try write("import SwiftData\n@Model final class Trip {}\n", folder + "/My App/Trip.swift")
      #expect(
        try schemagen(in: folder).output.contains(
          "schemagen adopt 'My App'   # My App/Trip.swift:2 has a '@Model' class\n"))
      #expect(try schemagen("init", in: folder).status == 0)
      #expect(try schemagen(in: folder + "/Schemas").output.contains("but above: cd ..\n"))
      // Every command points to 'adopt', and none proposes a second schema.
      try write("", folder + "/My App/Views/Main.swift")
      for words in [["lint"], ["generate"], ["diff"], ["release", "V1"], ["rehearse"], ["report"]] {
        let below = try run(Checkout.schemagen, words, in: folder + "/My App/Views")
        let said = below.output + below.errors
        #expect(below.status == 2 && !said.contains("init"), "\(words): \(said)")
        let help = "there is '../../Schemas': cd ../.., or add --root ../.."
        #expect(said.contains(help), "\(words): \(said)")
      }
      let generated = try schemagen(in: folder)
      #expect(generated.output.contains("1 version (V1)"), "\(generated.output)")
      for words in [["initt"], ["help", "initt"]] {
        let wrong = try run(Checkout.schemagen, words, in: folder)
        #expect(wrong.status == 2 && wrong.errors.contains("did you mean 'init'?"))
      }
    }
  }

  @Test("'export' writes all or the named versions, and nothing if there are errors")
  func export() throws {
    try withTemporaryFolder { folder in
      let v1 = "models: { Trip: { properties: { name: String } } }\n"
      try write("version: 1.0.0\n" + v1, folder + "/Schemas/V1.yaml")
      try write(
        "version: 2.0.0\nsummary: Two\n" + v1.replacing("name:", with: "note: Int?, name:"),
        folder + "/Schemas/V2.yaml")
      func names(_ words: String...) throws -> [String] {
        let done = try run(Checkout.schemagen, ["export"] + words, in: folder)
        #expect(done.status == 0 && done.errors.isEmpty, "\(done.errors)")
        return done.output.matches(of: /\n      "name" : "(V[0-9]+)"/).map { String($0.output.1) }
      }
      #expect(try names() == ["V1", "V2"] && names("V1") == ["V1"])
      #expect(try names("V2", "V1", "V2") == ["V1", "V2"])
      let file = try schemagen("export", "-o", "all.json", in: folder)
      #expect(file.output == "wrote   all.json: 2 versions\n")
      let unknown = try schemagen("export", "V3", "V1", in: folder)
      #expect(unknown.status == 2 && unknown.output.isEmpty)
      #expect(unknown.errors == "schemagen: Schemas has no version V3; it has V1, V2\n")
      #expect(try schemagen("export", "-o", "Schemas", in: folder).status == 2)
      try write(
        "version: 2.0.0\n" + v1.replacing("name", with: "title"), folder + "/Schemas/V2.yaml")
      let broken = try schemagen("export", "-o", "broken.json", in: folder)
      #expect(broken.status == 2 && broken.output.isEmpty)
      #expect(broken.errors.contains("[unacknowledged-drop]"), "\(broken.errors)")
      #expect(!filesBelow(folder).contains("broken.json"))
    }
  }

  @Test("'adopt --store' refuses options for Swift before it reads anything")
  func adoptStoreOptions() throws {
    try withTemporaryFolder { folder in
      let wrong = try schemagen("adopt", "App", "--store", "x", "--plan", "P", in: folder)
      #expect(
        wrong.status == 2
          && wrong.errors.contains("'--store' reads no Swift: leave out 'App', '--plan'"),
        "\(wrong.errors)")
      let container = try schemagen("adopt", "--store", "x", "--container", "A.swift", in: folder)
      #expect(container.status == 2 && container.errors.contains("leave out '--container'"))
      let help = try schemagen("help", "detect", in: folder)
      #expect(help.status == 0 && help.output.contains("--platform"))
    }
  }

  @Test("'init' suggests 'adopt' if the app has models")
  func initBesideModels() throws {
    try withTemporaryFolder { folder in
      let model = "import SwiftData\n\n@Model\nfinal class Trip {\n  var name = \"\"\n}\n"
      try write(model, folder + "/App/Models/Trip.swift")
      try write(model, folder + "/.build/checkouts/Other/Trip.swift")
      let started = try schemagen("init", in: folder)
      #expect(started.status == 0)
      #expect(
        started.errors == """
          schemagen: App/Models/Trip.swift:3 has a '@Model' class, and the manifests written here do not know it
            help: to write the manifests of the app's models instead, remove Schemas and run: schemagen adopt App

          """, "\(started.errors)")
    }
  }

  @Test(
    "'new-version' warns if the newest version is a draft, and refuses if it is an unchanged copy")
  func nextVersionOfADraft() throws {
    try withTemporaryFolder { folder in
      #expect(try schemagen("init", in: folder).status == 0)
      let draft = try schemagen("new-version", in: folder)
      #expect(draft.status == 0)
      #expect(
        draft.errors.contains("V1 is not marked as shipped")
          && draft.errors.contains("schemagen release V1"), "\(draft.errors)")
      let again = try schemagen("new-version", in: folder)
      #expect(again.status == 2)
      #expect(
        again.errors.contains(
          "'Schemas/V2.yaml': V2 is still the same as V1: make the change in V2"),
        "\(again.errors)")
      #expect(!filesBelow(folder).contains("Schemas/V3.yaml"))
      #expect(try schemagen("generate", in: folder).status == 1)
      try FileManager.default.removeItem(atPath: folder + "/Schemas/V2.yaml")
      #expect(try schemagen("generate", in: folder).status == 0)
      #expect(try schemagen("release", in: folder).status == 0)
      let next = try schemagen("new-version", in: folder)
      #expect(next.status == 0 && next.errors.isEmpty, "\(next.errors)")
    }
  }

  @Test(
    "'new-version' copies a reserved name of a shipped version")
  func nextVersionWithAReservedName() throws {
    try withTemporaryFolder { folder in
      let first = """
        version: 1.0.0
        models: { Trip: { properties: { name: String, isDeleted: Bool } } }
        identity: shipped

        """
      try write(first, folder + "/Schemas/V1.yaml")
      let next = try schemagen("new-version", in: folder)
      #expect(next.status == 1)
      #expect(filesBelow(folder).contains("Schemas/V2.yaml"))
      // The values exist under that name, so it stays, with a warning.
      let lint = try schemagen("lint", in: folder)
      #expect(lint.output.contains("Schemas/V2.yaml:6:"), "\(lint.output)")
      #expect(lint.output.contains("warning: a property cannot be called 'isDeleted'"))
    }
  }

  @Test("A removed shipped manifest is reported instead of errors in the next version's step")
  func firstManifestIsGone() throws {
    try withTemporaryFolder { folder in
      let first = "version: 1.0.0\nmodels: { Trip: { properties: { name: String } } }\n"
      let second = """
        version: 2.0.0
        models: { Trip: { properties: { name: String, days: { type: Int, fill: 1 } } } }

        """
      let path = folder + "/Schemas/V1.yaml"
      try write(first, path)
      try write(second, folder + "/Schemas/V2.yaml")
      #expect(try schemagen("generate", in: folder).status == 0)
      #expect(try schemagen("release", in: folder).status == 0)
      try FileManager.default.removeItem(atPath: path)
      for command in ["generate", "lint"] {
        let found = try schemagen(command, in: folder)
        #expect(found.status == 2)
        #expect(found.output.contains("V1 has shipped and its manifest is gone"), "\(found.output)")
        #expect(!found.output.contains("step-key-in-first-version"))
      }
      // An unreadable manifest exists, so versions after it are not checked yet.
      try write("version: 1.0.0\nmodels: {", path)
      let broken = try schemagen("generate", in: folder)
      #expect(broken.status == 2 && !broken.output.contains("is gone"), "\(broken.output)")
      try write(first, path)
      try write(second.replacing("fill", with: "fil"), folder + "/Schemas/V2.yaml")
      for command in ["generate", "lint"] {
        let found = try schemagen(command, in: folder)
        #expect(
          found.status == 2
            && found.output.contains(
              "changes between versions are checked once these errors are corrected"),
          "\(found.output)")
      }
    }
  }

  @Test(
    "Wrong usage exits with 2 and explains the right usage",
    arguments: [
      ["--chekc"], ["generate", "--check", "--dry-run"], ["diff", "--from", "nine"],
      ["diff", "--format", "xml"], ["diff", "--from", "V9", "--to", "V8"], ["nonsense"],
      ["new-version", "--part", "middle"], ["generate", "--schemas"],
    ])
  func usage(_ arguments: [String]) throws {
    let result = try run(Checkout.schemagen, arguments, in: Checkout.root)
    #expect(result.status == 2, "\(arguments): \(result.status) \(result.output)")
    #expect(result.output.isEmpty && !result.errors.isEmpty)
  }

  @Test("Help and version exit with 0", arguments: ["--help", "--version", "help"])
  func help(_ argument: String) throws {
    let result = try run(Checkout.schemagen, [argument])
    #expect(result.status == 0 && !result.output.isEmpty && result.errors.isEmpty)
  }

  @Test("'help COMMAND' prints the command's help", arguments: ["adopt", "detect", "lint"])
  func commandHelp(_ command: String) throws {
    let help = try run(Checkout.schemagen, ["help", command])
    #expect(try help.output == run(Checkout.schemagen, [command, "--help"]).output)
    #expect(help.status == 0 && help.output.contains("--schemas"), "\(help)")
  }

  @Test("One run reports all problems with their places and writes nothing")
  func allProblems() throws {
    try withTemporaryFolder { folder in
      try write(
        "version: 1.0.0\nmodels:\n  Type:\n    properties:\n      a: Strin\n",
        folder + "/Schemas/V1.yaml")
      try write("version: 2.0.0\nmodels:\n\tTrip: {}\n", folder + "/Schemas/V2.yaml")
      try write("acess: public\n", folder + "/Schemas/schemagen.yaml")
      let result = try schemagen("generate", in: folder)
      #expect(result.status == 2)
      for fragment in [
        "Schemas/V1.yaml:3:3: error:", "Schemas/V1.yaml:5:10: error:", "did you mean 'String'?",
        "Schemas/V2.yaml:3:1: error:", "Schemas/schemagen.yaml:1:1: error:",
        "did you mean 'access'?",
        "nothing was written",
      ] {
        #expect(result.output.contains(fragment), "\(fragment) in\n\(result.output)")
      }
      #expect(filesBelow(folder).count == 3)
    }
  }

  @Test("'diff --format json' prints only JSON, and text begins with the data effects")
  func diff() throws {
    let text = try schemagen(
      "diff", "--schemas", "Schemas/Ritualist", "--from", "V8", in: Checkout.root)
    #expect(text.status == 0)
    let lines = text.output.split(separator: "\n")
    #expect(lines[0] == "V8 → V9: Three-timezone model (custom, through a bridge)")
    #expect(lines[2].hasPrefix("  converted  custom"))
    #expect(!text.output.contains("\u{1B}"))
    let json = try schemagen(
      "diff", "--schemas", "Schemas/Ritualist", "--format", "json", in: Checkout.root)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let pairs = try #require(object?["pairs"] as? [[String: Any]])
    #expect(object?["format"] as? Int == 2 && pairs.count == 8)
    let change = try #require((pairs[7]["changes"] as? [[String: Any]])?.first)
    for key in [
      "rule", "element", "mechanism", "effect", "reason", "basis", "location",
    ] {
      #expect(change[key] != nil, "\(key)")
    }
    let markdown = try schemagen(
      "diff", "--schemas", "Schemas/Ritualist", "--format", "markdown", "--to", "V2",
      in: Checkout.root)
    #expect(markdown.output.hasPrefix("## V1 → V2: Notification preferences"))
    let unknown = try schemagen(
      "diff", "--schemas", "Schemas/Ritualist", "--from", "V77", in: Checkout.root)
    #expect(unknown.status == 2 && unknown.errors.contains("V1, V2"))
  }

  @Test("A diff with findings exits with 1 and keeps them out of the JSON")
  func diffFindings() throws {
    try withTemporaryFolder { folder in
      try copy("Travel", to: folder + "/Schemas")
      let path = folder + "/Schemas/V2.yaml"
      try write(
        String(contentsOfFile: path, encoding: .utf8).replacing(", fill: Date.now", with: ""), path)
      let text = try schemagen("diff", in: folder)
      #expect(text.status == 1 && text.output.contains("[missing-default]"))
      let json = try schemagen("diff", "--format", "json", in: folder)
      #expect(json.status == 1 && json.errors.contains("[missing-default]"))
      _ = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
    }
  }

  @Test("Output depends on neither locale, time zone, working directory nor colour")
  func isDeterministic() throws {
    try withTemporaryFolder { folder in
      try copy("Ritualist", to: folder + "/a/Schemas")
      try copy("Ritualist", to: folder + "/b/Schemas")
      #expect(try schemagen("generate", in: folder + "/a").status == 0)
      let other = try schemagen(
        "generate", "--root", folder + "/b", in: "/",
        environment: ["LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu", "NO_COLOR": nil])
      #expect(other.status == 0)
      let names = filesBelow(folder + "/a")
      #expect(names == filesBelow(folder + "/b") && names.count > 30)
      for name in names {
        let same = FileManager.default.contentsEqual(
          atPath: "\(folder)/a/\(name)", andPath: "\(folder)/b/\(name)")
        #expect(same, "\(name)")
      }
    }
  }

  @Test("An unchanged generated file keeps its modification time")
  func keepsTimes() throws {
    try withTemporaryFolder { folder in
      try copy("Travel", to: folder + "/Schemas")
      _ = try schemagen("generate", in: folder)
      let path = folder + "/Schemas/Generated/TravelMigrationPlan.swift"
      let old = Date(timeIntervalSince1970: 1_000_000)
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
      _ = try schemagen("generate", in: folder)
      let now = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
      #expect(now == old)
    }
  }

  @Test("An output folder that cannot be written exits with 2 and leaves no files")
  func readOnly() throws {
    try withTemporaryFolder { folder in
      try copy("Travel", to: folder + "/Schemas")
      // A file where a folder belongs stops even root, which permissions do not.
      try write("", folder + "/Schemas/Generated")
      let before = filesBelow(folder)
      let result = try schemagen("generate", in: folder)
      #expect(result.status == 2 && !result.errors.isEmpty, "\(result.status) \(result.output)")
      #expect(filesBelow(folder) == before)
    }
  }

  @Test("One run generates several folders, and the worst status wins")
  func severalFolders() throws {
    try withTemporaryFolder { folder in
      try copy("Travel", to: folder + "/Schemas/A")
      try copy("KeepTrack", to: folder + "/Schemas/B")
      let result = try schemagen("generate", in: folder)
      #expect(
        result.status == 0 && result.output.contains("Schemas/A:")
          && result.output.contains("Schemas/B:"))
      try write("version: [", folder + "/Schemas/B/V2.yaml")
      let broken = try schemagen("generate", "--check", in: folder)
      #expect(broken.status == 2 && broken.output.contains("Schemas/A: up to date"))
    }
  }
}
