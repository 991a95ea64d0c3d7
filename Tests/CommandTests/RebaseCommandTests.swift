import Foundation
import TestSupport
import Testing

/// `schemagen rebase` in real repositories: two branches that each added a version.
@Suite struct RebaseCommandTests {
  private static let v1 = """
    version: 1.0.0
    # What both branches start from.
    models:
      Trip:
        properties:
          id: { type: UUID, unique: true }
          # What people call it.
          name: String = ""
          start: Date?
          stops: { relationship: "[Stop]", inverse: trip, deleteRule: cascade }

      Stop:
        properties:
          id: { type: UUID, unique: true }
          place: String = ""
          trip: { relationship: "Trip?" }

      Note:
        properties:
          a: Int?
          b: Int?
          c: Int?
          d: Int?

    """

  /// The next version's manifest with lines replaced.
  private static func next(
    _ edits: [(String, String)], number: Int = 2, of text: String = v1
  ) -> String {
    var text = text.replacing("version: \(number - 1).0.0", with: "version: \(number).0.0")
    for (old, new) in edits { text = text.replacing(old, with: new) }
    return text
  }

  /// Branches `main` and `topic`, each with its own files beside V1; `topic` is checked out.
  private func withBranches(
    configuration: String? = nil, from base: String = v1, main: [String: String],
    topic: [String: String], _ work: (Repository) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try repository.write(base, "Schemas/V1.yaml")
      if let configuration { try repository.write(configuration, "Schemas/schemagen.yaml") }
      try generate(repository)
      try repository.commit("one")
      for (branch, files) in [("theirs", main), ("topic", topic)] {
        try repository.git("checkout", "--quiet", "-b", branch, "main")
        for (name, text) in files where name.hasSuffix(".yaml") {
          try repository.write(text, "Schemas/\(name)")
        }
        try generate(repository)
        for (name, text) in files where !name.hasSuffix(".yaml") {
          try repository.write(text, "Schemas/\(name)")
        }
        try repository.commit(branch)
      }
      try repository.git("branch", "--force", "main", "theirs")
      try repository.git("branch", "--delete", "--force", "theirs")
      try work(repository)
    }
  }

  private func generate(_ repository: Repository) throws {
    let generated = try repository.schemagen("generate")
    #expect(generated.status == 0, "\(generated.output)")
  }

  private func check(_ repository: Repository) throws {
    let check = try repository.schemagen("generate", "--check")
    #expect(check.status == 0, "\(check.output)")
  }

  private static let day = "\n  Day:\n    properties:\n      id: { type: UUID, unique: true }\n"
  private static let guest = "\n  Guest:\n    properties:\n      id: { type: UUID, unique: true }\n"

  @Test(
    "A rebase keeps hashes that a store proved on one branch",
    .enabled(if: AppleStores.folder != nil, Comment(rawValue: AppleStores.missing)),
    arguments: ["topic", "main"])
  func provenHashes(_ branch: String) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      let store = AppleStores.original("freezeray-1").path
      #expect(try repository.schemagen("adopt", "--store", store).status == 0)
      try generate(repository)
      try repository.commit("one")
      let v1 = try repository.text("Schemas/V1.yaml")
      for (name, line) in [("main", "      age: Int?\n"), ("topic", "      home: String?\n")] {
        let start = try repository.git("rev-list", "--max-parents=0", "main").output
        try repository.git(
          "checkout", "--quiet", "-B", name, start.replacing("\n", with: ""))
        if name == branch {
          let released = try repository.schemagen("release", "V1", "--store", store)
          #expect(released.status == 0, "\(released.errors)")
        }
        let v2 = v1.replacing("1.0.0", with: "2.0.0").replacing("identity: shipped\n", with: "")
          .replacing("      name:", with: line + "      name:")
        try repository.write(v2, "Schemas/V2.yaml")
        try generate(repository)
        try repository.commit(name)
      }
      _ = try repository.attempt(["merge", "main"])
      let rebase = try repository.schemagen("rebase")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      let lock = try repository.text("Schemas/schema.lock")
      #expect(lock.contains("    proof: store\n") && lock.contains("      User: "), "\(lock)")
      try check(repository)
    }
  }

  @Test("A rebase completes a stopped merge and puts our version after theirs")
  func merging() throws {
    let ours =
      Self.next([("\n  Stop:\n", Self.day + "\n  Stop:\n")])
      + Self.day.replacing("Day", with: "Evening")
    try withBranches(
      main: ["V2.yaml": Self.next([]) + Self.guest], topic: ["V2.yaml": ours]
    ) { repository in
      let merge = try repository.attempt(["merge", "main"])
      #expect(merge.status == 1)
      let torn = try repository.schemagen("generate", "--check")
      #expect(torn.status == 2 && torn.output.contains("[lock-conflict]"))
      #expect(torn.output.contains("help: run 'schemagen rebase'"))
      let rebase = try repository.schemagen("rebase")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      #expect(rebase.output.contains("Schemas: from main: V2\nSchemas: V2 of this branch is V3\n"))
      #expect(try repository.text("Schemas/V2.yaml") == Self.next([]) + Self.guest)
      #expect(
        try repository.text("Schemas/V3.yaml")
          == ours.replacing("2.0.0", with: "3.0.0").replacing(
            "\n  Evening:", with: Self.guest + "\n  Evening:"))
      try check(repository)
      try repository.commit("merged")
      #expect(try repository.git("merge", "main").output.contains("Already up to date"))
      let gate = try repository.schemagen("diff", "--against", "main")
      #expect(gate.status == 0 && gate.output.contains("\nV2 → V3"))
      #expect(
        try repository.schemagen("rebase", "--onto", "main").output.contains("nothing to rebase"))
    }
  }

  @Test(
    "A rebase before a merge leaves only generated files to conflict"
  )
  func beforeMerging() throws {
    try withBranches(
      main: [
        "V2.yaml": Self.next([("      start: Date?\n", "      start: Date?\n      end: Date?\n")])
      ],
      topic: [
        "V2.yaml": Self.next([("      start: Date?\n", "      start: Date?\n      note: String?\n")]
        )
      ]
    ) { repository in
      let before = filesBelow(repository.folder + "/Schemas")
      let planned = try repository.schemagen("rebase", "--onto", "main", "--dry-run")
      #expect(planned.status == 0 && planned.output.contains("would create Schemas/V3.yaml"))
      #expect(filesBelow(repository.folder + "/Schemas") == before)
      let rebase = try repository.schemagen("rebase", "--onto", "main")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      #expect(
        try repository.text("Schemas/V3.yaml").contains(
          "      start: Date?\n      end: Date?\n      note: String?\n      stops:"))
      try check(repository)
      try repository.commit("rebased")
      let merge = try repository.attempt(["merge", "main"])
      if merge.status != 0 {
        let unmerged = try repository.git("diff", "--name-only", "--diff-filter=U").output
        #expect(!unmerged.contains(".yaml"), "\(unmerged)")
        let again = try repository.schemagen("rebase")
        #expect(again.status == 0, "\(again.output)\(again.errors)")
        try repository.commit("merged")
      }
      try check(repository)
    }
  }

  @Test("Without '--onto' a rebase uses the remote's default branch, from any folder")
  func remote() throws {
    try withBranches(
      main: ["V2.yaml": Self.next([]) + Self.guest], topic: ["V2.yaml": Self.next([]) + Self.day]
    ) { repository in
      try repository.git("checkout", "--quiet", "main")
      try repository.git("clone", "--quiet", repository.folder, "../clone")
      let clone = Repository(existing: repository.folder + "/../clone")
      try clone.git("checkout", "--quiet", "topic")
      let rebase = try clone.schemagen("rebase", "--schemas", ".", in: "Schemas")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      #expect(rebase.output.contains(": from origin/main: V2"))
      try check(clone)
    }
  }

  @Test(
    "Conflicting edits get conflict markers and are not overwritten once resolved",
    arguments: [false, true])
  func conflicts(_ isMerging: Bool) throws {
    try withBranches(
      main: ["V2.yaml": Self.next([("place: String = \"\"", "place: String?")])],
      topic: [
        // The default of a property alone would not begin a new version.
        "V2.yaml": Self.next([("place: String = \"\"", "place: String = \"home\"")]) + Self.day
      ]
    ) { repository in
      if isMerging { _ = try repository.attempt(["merge", "main"]) }
      let rebase = try repository.schemagen("rebase", "--onto", "main")
      #expect(rebase.status == 1)
      for fragment in [
        "Schemas/V3.yaml:15:1: error: this branch and main changed the same thing differently [rebase-conflict]",
        "help: keep what is right from both sides\n",
        "next:\n  resolve Schemas/V3.yaml\n  schemagen generate\n  git add --all -- Schemas",
      ] {
        #expect(rebase.output.contains(fragment), "\(fragment) in \(rebase.output)")
      }
      let torn = try repository.text("Schemas/V3.yaml")
      let both = """
        <<<<<<< this branch
              place: String = "home"
        =======
              place: String?
        >>>>>>> main

        """
      #expect(torn.contains(both) && torn.hasSuffix(Self.day), "\(torn)")
      #expect(!filesBelow(repository.folder + "/Schemas").contains("Generated/SchemaV3.swift"))
      // If the file is as git left it, the conflict is written again; a resolution is kept.
      if isMerging {
        #expect(try repository.schemagen("rebase").status == 1)
        #expect(try repository.text("Schemas/V3.yaml") == torn)
      }
      let resolved = torn.replacing(both, with: "      place: String?\n")
      try repository.write(resolved, "Schemas/V3.yaml")
      if isMerging {
        let again = try repository.schemagen("rebase")
        #expect(
          again.status == 2 && again.output.contains("'Schemas/V3.yaml' was edited after the last"),
          "\(again.output)")
        #expect(again.output.contains("help: continue: schemagen generate\n"))
        #expect(try repository.text("Schemas/V3.yaml") == resolved)
      }
      try generate(repository)
      try check(repository)
    }
  }

  @Test("A draft that follows one with conflicts is left unchanged and named")
  func following() throws {
    let ours = Self.next([("place: String = \"\"", "place: String = \"home\"")]) + Self.day
    let draft = ours.replacing("2.0.0", with: "2.1.0") + "      number: Int?\n"
    try withBranches(
      main: ["V2.yaml": Self.next([("place: String = \"\"", "place: String?")])],
      topic: ["V2.yaml": ours, "V2.1.yaml": draft]
    ) { repository in
      let rebase = try repository.schemagen("rebase", "--onto", "main")
      #expect(rebase.status == 1)
      #expect(
        rebase.output.contains("'Schemas/V3.1.yaml' follows 'Schemas/V3.yaml', which must be"),
        "\(rebase.output)")
      #expect(rebase.output.contains("  resolve Schemas/V3.1.yaml\n  resolve Schemas/V3.yaml\n"))
      #expect(
        try repository.text("Schemas/V3.1.yaml") == draft.replacing("2.1.0", with: "3.1.0"))
    }
  }

  @Test("A key that both branches added is reported at both of its lines")
  func twice() throws {
    // Git finds no conflict in these edits.
    let draft = Self.next([]) + Self.guest
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try repository.write(Self.v1, "Schemas/V1.yaml")
      try repository.write(draft, "Schemas/V2.yaml")
      try generate(repository)
      try repository.commit("one")
      let edits = [
        "topic": "      e: { type: Int, fill: 1 }\n      a: Int?\n",
        "main":
          "      a: Int?\n      b: Int?\n      c: Int?\n      d: Int?\n      e: { type: Int, fill: 2 }\n",
      ]
      for (branch, lines) in edits.sorted(by: { $0.key > $1.key }) {
        try repository.git("checkout", "--quiet", "-B", branch, "main")
        let old =
          branch == "topic"
          ? "      a: Int?\n" : "      a: Int?\n      b: Int?\n      c: Int?\n      d: Int?\n"
        try repository.write(draft.replacing(old, with: lines), "Schemas/V2.yaml")
        try generate(repository)
        try repository.commit(branch)
      }
      try repository.git("checkout", "--quiet", "topic")
      _ = try repository.attempt(["merge", "main"])
      let rebase = try repository.schemagen("rebase")
      #expect(rebase.status == 1)
      #expect(
        rebase.output.contains(
          "  correct the errors above\n  schemagen generate\n"),
        "\(rebase.output)")
      let text = try repository.text("Schemas/V2.yaml")
      #expect(text.contains("fill: 1") && text.contains("fill: 2"), "\(text)")
      let generated = try repository.schemagen("generate")
      #expect(generated.status != 0 && generated.output.contains("'e'"), "\(generated.output)")
    }
  }

  @Test("An identical addition of both drafts is kept once, with our other changes")
  func same() throws {
    let both = [("      a: Int?\n", "      a: Int?\n      aa: Date?\n")]
    let more = both + [("      d: Int?\n", "      d: Int?\n      e: Bool?\n")]
    try withBranches(
      main: ["V2.yaml": Self.next(both)], topic: ["V2.yaml": Self.next(more)]
    ) { repository in
      let rebase = try repository.schemagen("rebase", "--onto", "main")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      #expect(
        try repository.text("Schemas/V3.yaml")
          == Self.next(more).replacing("2.0.0", with: "3.0.0"))
      try check(repository)
    }
    try withBranches(
      main: ["V2.yaml": Self.next(both) + Self.guest], topic: ["V2.yaml": Self.next(both)]
    ) { repository in
      _ = try repository.attempt(["merge", "main"])
      let rebase = try repository.schemagen("rebase")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      #expect(rebase.output.contains("main already has everything in V2 of this branch\n"))
      #expect(!FileManager.default.fileExists(atPath: repository.folder + "/Schemas/V3.yaml"))
      try check(repository)
    }
  }

  @Test("In code first, the classes decide an edit that both branches made differently")
  func classesDecide() throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      func classes(_ property: String) -> String {
        "import SwiftData\n@Model\nfinal class Trip {\n  var title: String = \"\"\n\(property)  init() {}\n}\n"
      }
      func succeed(_ arguments: String...) throws -> String {
        let run = try repository.schemagen(arguments)
        #expect(run.status == 0, "\(arguments): \(run.output)\(run.errors)")
        return run.output
      }
      try repository.write(classes(""), "App/Models.swift")
      _ = try succeed("adopt", "App")
      _ = try succeed("release", "V1")
      _ = try succeed("generate")
      try repository.commit("one")
      try repository.git("branch", "topic")
      let kinds = [
        "main": "// schemagen:fill 0\n  var cost: Int",
        "topic": "// schemagen:fill 1\n  var cost: Double",
      ]
      for (branch, property) in kinds.sorted(by: { $0.key < $1.key }) {
        try repository.git("checkout", "--quiet", branch)
        try repository.write(classes("  \(property)\n"), "App/Models.swift")
        _ = try succeed("snapshot")
        try repository.commit(branch)
      }
      _ = try repository.attempt(["merge", "main"])
      let said = try succeed("rebase")
      for fragment in [
        "Schemas/V2.yaml:1:1: warning: the changes of this branch and main conflict: the manifests are now those of main, "
          + "and the classes decide what of this branch still applies [rebase-conflict]",
        "help: answers that are in no class's comments are in this branch's commit: git show HEAD:Schemas/V2.yaml\n",
        ": V2 of this branch is left out: the classes decide what of it still applies\n",
        "git add --all -- Schemas App\n",
        "next:\n  resolve the conflict in App/Models.swift so that",
      ] {
        #expect(said.contains(fragment), "\(fragment) in \(said)")
      }
      #expect(
        try repository.text("Schemas/V2.yaml").contains("cost: { type: Int, fill: 0 }"))
      // This branch's class is right, and main's draft has not shipped.
      try repository.write(classes("  \(kinds["topic"] ?? "")\n"), "App/Models.swift")
      _ = try succeed("snapshot")
      #expect(
        try repository.text("Schemas/V2.yaml").contains("cost: { type: Double, fill: 1 }"))
      _ = try succeed("snapshot", "--check")
    }
  }

  @Test(
    "Two different answers for one property conflict, in separate drafts and in a shared one",
    arguments: [
      ("e: { type: Bool, fill: false }", "e: { type: Bool, fill: true }"),
      ("aa: { type: 'Int?', renamedFrom: a }", "ab: { type: 'Int?', renamedFrom: a }"),
      ("aa: { type: 'Int?', renamedFrom: a }", ""),
      ("", "aa: { type: 'Int?', renamedFrom: a }"),
      (
        "a: Int?\n      n: { type: Int, from: a, convert: $0 ?? 0 }",
        "a: { type: String, from: a, convert: '\"\\($0 ?? 0)\"' }"
      ),
    ])
  func answers(_ our: String, _ their: String) throws {
    func edited(_ line: String) -> [(String, String)] {
      let isNew = line.hasPrefix("e:")
      let drops = line.isEmpty ? "drops: { Note.a: gone }\n" : ""
      return [
        ("models:\n", drops + "models:\n"),
        (
          "      a: Int?\n",
          (isNew ? "      a: Int?\n" : "") + (line.isEmpty ? "" : "      \(line)\n")
        ),
      ]
    }
    // A draft that both branches share, and a draft on each.
    for isOfBoth in [true, false] {
      let end = isOfBoth ? Self.guest : ""
      try withTemporaryFolder { folder in
        let repository = try Repository(folder + "/app")
        try repository.write(Self.v1, "Schemas/V1.yaml")
        if isOfBoth { try repository.write(Self.next([]) + end, "Schemas/V2.yaml") }
        try generate(repository)
        try repository.commit("one")
        for (branch, line) in [("topic", our), ("main", their)] {
          try repository.git("checkout", "--quiet", "-B", branch, "main")
          try repository.write(Self.next(edited(line)) + end, "Schemas/V2.yaml")
          try generate(repository)
          try repository.commit(branch)
        }
        try repository.git("checkout", "--quiet", "topic")
        _ = try repository.attempt(["merge", "main"])
        let rebase = try repository.schemagen("rebase")
        #expect(rebase.status == 1, "\(rebase.output)\(rebase.errors)")
        #expect(rebase.output.contains("error: "), "\(rebase.output)")
      }
    }
  }

  @Test("A draft that both branches answered keeps the answers of both")
  func answersOfBoth() throws {
    let draft = Self.next([]) + Self.guest
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try repository.write(Self.v1, "Schemas/V1.yaml")
      try repository.write(draft, "Schemas/V2.yaml")
      try generate(repository)
      try repository.commit("one")
      let edits = [
        "topic": ("      a: Int?\n", "      aa: { type: 'Int?', renamedFrom: a }\n"),
        "main": ("      d: Int?\n", "      d: { type: Int, fill: 7 }\n"),
      ]
      for (branch, edit) in edits.sorted(by: { $0.key > $1.key }) {
        try repository.git("checkout", "--quiet", "-B", branch, "main")
        try repository.write(draft.replacing(edit.0, with: edit.1), "Schemas/V2.yaml")
        try generate(repository)
        try repository.commit(branch)
      }
      try repository.git("checkout", "--quiet", "topic")
      _ = try repository.attempt(["merge", "main"])
      let rebase = try repository.schemagen("rebase")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      let both = edits.values.reduce(draft) { $0.replacing($1.0, with: $1.1) }
      #expect(try repository.text("Schemas/V2.yaml") == both)
      try check(repository)
    }
  }

  @Test("During a stopped cherry-pick, revert or stash, following the help of 'rebase' succeeds")
  func otherOperations() throws {
    for kind in ["cherry-pick", "revert", "stash"] {
      try withBranches(
        main: ["V2.yaml": Self.next([]) + Self.guest], topic: ["V2.yaml": Self.next([]) + Self.day]
      ) { repository in
        switch kind {
        case "cherry-pick": _ = try repository.attempt(["cherry-pick", "main"])
        case "revert":
          try repository.write(Self.next([]) + Self.day + "      n: Int?\n", "Schemas/V2.yaml")
          try generate(repository)
          try repository.commit("more")
          _ = try repository.attempt(["revert", "--no-edit", "HEAD~1"])
        default:
          try repository.write(Self.next([]) + Self.day + "      n: Int?\n", "Schemas/V2.yaml")
          try generate(repository)
          try repository.git("stash")
          try repository.write(Self.next([]) + Self.day + "      m: Int?\n", "Schemas/V2.yaml")
          try generate(repository)
          try repository.commit("other")
          _ = try repository.attempt(["stash", "pop"])
        }
        let refused = try repository.schemagen("rebase", "--onto", "main")
        #expect(
          refused.status == 2 && refused.errors.contains("left a conflict in"), "\(refused.errors)")
        #expect(
          refused.errors.contains(
            "git restore --source=HEAD --staged --worktree -- Schemas ':(exclude)Schemas/Migrations'\n"
          ), "\(refused.errors)")
        // What the app's author wrote for a step is kept.
        try repository.write("// mine\n", "Schemas/Migrations/V1ToV2.swift")
        try repository.git(
          "restore", "--source=HEAD", "--staged", "--worktree", "--", "Schemas",
          ":(exclude)Schemas/Migrations")
        try check(repository)
        #expect(
          try repository.git("status", "--porcelain").output.hasPrefix("?? Schemas/Migrations/"))
      }
    }
  }

  @Test(
    "In code first, a rebase completes whether or not both branches change the same property",
    arguments: [
      (
        "enum Mood: String, Codable { case good, bad }",
        "enum Mood: String, Codable { case good, bad, sad }", "var place: String?\n  var y: Int?"
      ),
      (
        "var place: String?", "@Attribute(originalName: \"place\") var town: String?",
        "@Attribute(originalName: \"place\") var city: String?"
      ),
      (
        "var place: String?", "@Attribute(originalName: \"place\") var town: String?",
        "// schemagen:fill \"\"\n  var place: String"
      ),
    ])
  func noDeadEnds(_ line: String, _ ours: String, _ theirs: String) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      let classes = """
        import SwiftData
        @Model
        final class Trip {
          var place: String?

          var mood: Mood = Mood.good
          init() {}
        }

        enum Mood: String, Codable { case good, bad }

        """
      func succeed(_ arguments: String...) throws -> String {
        let run = try repository.schemagen(arguments)
        #expect(run.status == 0, "\(arguments): \(run.output)\(run.errors)")
        return run.output
      }
      try repository.write(classes, "App/Models.swift")
      _ = try succeed("adopt", "App")
      _ = try succeed("release", "V1")
      _ = try succeed("generate")
      try repository.commit("one")
      try repository.git("branch", "topic")
      let edited = [
        "main": classes.replacing("var place: String?", with: theirs),
        "topic": classes.replacing(line, with: ours),
      ]
      for branch in ["main", "topic"] {
        try repository.git("checkout", "--quiet", branch)
        try repository.write(edited[branch] ?? "", "App/Models.swift")
        _ = try succeed("snapshot")
        try repository.commit(branch)
      }
      _ = try repository.attempt(["merge", "main"])
      _ = try succeed("rebase")
      try repository.write(
        (edited["main"] ?? "").replacing(line, with: line.hasPrefix("enum") ? ours : line),
        "App/Models.swift")
      _ = try succeed("snapshot")
      _ = try succeed("snapshot", "--check")
    }
  }

  @Test(
    "A rebase keeps a rename from either branch, and our version declares only our branch's renames"
  )
  func renames() throws {
    let renamed = (
      "name: String = \"\"", "title: { type: String, default: '\"\"', renamedFrom: name }"
    )
    let added = (
      "      trip: { relationship: \"Trip?\" }\n",
      "      trip: { relationship: \"Trip?\" }\n      order: Int?\n"
    )
    for theirsRenames in [true, false] {
      try withBranches(
        main: ["V2.yaml": Self.next([theirsRenames ? renamed : added])],
        topic: ["V2.yaml": Self.next([theirsRenames ? added : renamed])]
      ) { repository in
        let rebase = try repository.schemagen("rebase", "--onto", "main")
        #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
        let text = try repository.text("Schemas/V3.yaml")
        #expect(text.contains("order: Int?") && text.contains("title: "), "\(text)")
        #expect(text.contains("renamedFrom: name") == !theirsRenames)
        #expect(text.contains("# What people call it."))
        try check(repository)
      }
    }
  }

  @Test(
    "A step's user files are renamed with it, and so are the type names in them")
  func userFiles() throws {
    let converted = Self.next([
      (
        "      start: Date?\n",
        "      start: Date?\n      length: { type: Int, from: start, convert: f() }\n"
      )
    ])
    let owned = """
      // V1 → V2: by hand. V1.5 is none.
      enum V1ToV2 {
        static func f(_ start: Date?) -> Int { App_V2_Schema.Trip.f(start) }
        static func g(_ value: Int) -> Date? { nil }
        static let old: App_V1_Schema.Trip.Type? = nil
        static let alias: Trip_2.Type? = nil
        static let other = V1ToV2Rows.self
        static let key = "App_V2_Schema // V2 \\" V2"  // V2
      }

      """
    let names = "names: { schema: 'App_V{version}_Schema', alias: '{model}_{version}' }\n"
    let theirs = owned.replacing("by hand", with: "theirs")
    try withBranches(
      configuration: names,
      main: [
        "V2.yaml": converted.replacing("length", with: "span"), "Migrations/V1ToV2.swift": theirs,
      ],
      topic: ["V2.yaml": converted, "Migrations/V1ToV2.swift": owned]
    ) { repository in
      _ = try repository.attempt(["merge", "main"])
      let rebase = try repository.schemagen("rebase")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      #expect(try repository.text("Schemas/Migrations/V1ToV2.swift") == theirs)
      #expect(
        try repository.text("Schemas/Migrations/V2ToV3.swift") == """
          // V2 → V3: by hand. V1.5 is none.
          enum V2ToV3 {
            static func f(_ start: Date?) -> Int { App_V3_Schema.Trip.f(start) }
            static func g(_ value: Int) -> Date? { nil }
            static let old: App_V2_Schema.Trip.Type? = nil
            static let alias: Trip_3.Type? = nil
            static let other = V2ToV3Rows.self
            static let key = "App_V2_Schema // V2 \\" V2"  // V3
          }

          """)
      try check(repository)
      #expect(!filesBelow(repository.folder + "/Schemas").contains { $0.contains("orig") })
    }
  }

  @Test("A rebase refuses to overwrite an edit made during a merge")
  func editedInMerge() throws {
    try withBranches(
      main: ["V2.yaml": Self.next([]) + Self.guest], topic: ["V2.yaml": Self.next([]) + Self.day]
    ) { repository in
      _ = try repository.attempt(["merge", "main"])
      let before = try repository.text("Schemas/V1.yaml")
      try repository.write("# mine\n" + before, "Schemas/V1.yaml")
      let refused = try repository.schemagen("rebase")
      #expect(refused.status == 2 && refused.output.contains("'Schemas/V1.yaml' was edited after"))
      #expect(try repository.text("Schemas/V1.yaml") == "# mine\n" + before)
      try repository.write(before, "Schemas/V1.yaml")
      #expect(try repository.schemagen("rebase").status == 0)
    }
  }

  @Test("A replayed commit that edits a renamed user file is refused")
  func editedUserFile() throws {
    let converted = Self.next([
      (
        "      start: Date?\n",
        "      start: Date?\n      length: { type: Int, from: start, convert: { function: length } }\n"
      )
    ])
    let main = ["V2.yaml": Self.next([]) + Self.day]
    try withBranches(main: main, topic: ["V2.yaml": converted]) { repository in
      let file = "Schemas/Migrations/V1ToV2.swift"
      // Rewritten, so that git does not recognise it as the renamed file.
      let lines = (0..<40).map { "// \($0 * 7919)\n" }.joined()
      try repository.write(
        "enum V1ToV2 {\n  static func length(_ start: Date?) throws -> Int { 0 }\n}\n" + lines, file
      )
      try repository.commit("two")
      _ = try repository.attempt(["rebase", "main"])
      #expect(try repository.schemagen("rebase").status == 0)
      try repository.git("add", "--all")
      _ = try repository.attempt(["-c", "core.editor=true", "rebase", "--continue"])
      let second = try repository.schemagen("rebase")
      #expect(second.status != 0, "\(second.output)")
      #expect(
        (second.output + second.errors).contains("the commit that git replays edits '\(file)'"),
        "\(second.output)\(second.errors)")
    }
  }

  @Test("Several versions of both sides are put in sequence, and a minor version stays minor")
  func several() throws {
    let theirs2 = Self.next([("      start: Date?\n", "      start: Date?\n      end: Date?\n")])
    let theirs3 = Self.next([], number: 3, of: theirs2) + Self.guest
    let ours2 = Self.next([
      (
        "      trip: { relationship: \"Trip?\" }\n",
        "      trip: { relationship: \"Trip?\" }\n      order: Int?\n"
      )
    ])
    let ours21 = ours2.replacing("2.0.0", with: "2.1.0") + Self.day
    try withBranches(
      main: ["V2.yaml": theirs2, "V3.yaml": theirs3],
      topic: ["V2.yaml": ours2, "V2.1.yaml": ours21]
    ) { repository in
      let rebase = try repository.schemagen("rebase", "--onto", "main")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      #expect(
        rebase.output.contains("V2 of this branch is V4\nSchemas: V2.1 of this branch is V4.1\n"))
      let files = filesBelow(repository.folder + "/Schemas").filter { $0.hasPrefix("V") }
      #expect(files == ["V1.yaml", "V2.yaml", "V3.yaml", "V4.1.yaml", "V4.yaml"])
      let last = try repository.text("Schemas/V4.1.yaml")
      for name in ["end: Date?", "Guest:", "order: Int?", "Day:", "version: 4.1.0"] {
        #expect(last.contains(name), "\(name)")
      }
      try check(repository)
    }
  }

  @Test("'schemagen rebase' continues a stopped 'git rebase'")
  func rebasing() throws {
    try withBranches(
      main: ["V2.yaml": Self.next([]) + Self.guest], topic: ["V2.yaml": Self.next([]) + Self.day]
    ) { repository in
      try repository.write("x", "README")
      try repository.commit("more")
      #expect(try repository.attempt(["rebase", "main"]).status != 0)
      let rebase = try repository.schemagen("rebase")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      #expect(rebase.output.contains("git rebase --continue"))
      try repository.git("add", "--all")
      let next = try repository.attempt(["-c", "core.editor=true", "rebase", "--continue"])
      #expect(next.status == 0, "\(next.output)\(next.errors)")
      try check(repository)
      #expect(try repository.text("Schemas/V3.yaml").contains(Self.guest + Self.day))
    }
  }

  @Test(
    "A commit that edits our version is not replayed onto their version of the same number")
  func rebasingEdits() throws {
    try withBranches(
      main: ["V2.yaml": Self.next([]) + Self.guest], topic: ["V2.yaml": Self.next([]) + Self.day]
    ) { repository in
      try repository.write(
        Self.next([]) + Self.day + "      number: Int?\n", "Schemas/V2.yaml")
      try generate(repository)
      try repository.commit("more")
      _ = try repository.attempt(["rebase", "main"])
      #expect(try repository.schemagen("rebase").status == 0)
      try repository.git("add", "--all")
      let next = try repository.attempt(["-c", "core.editor=true", "rebase", "--continue"])
      #expect(next.status != 0)
      let refused = try repository.schemagen("rebase")
      #expect(
        refused.status == 2 && refused.output.contains("edits 'Schemas/V2.yaml', which"),
        "\(refused.output)")
    }
  }

  @Test("Uncommitted, shipped or broken files stop a rebase with advice")
  func refusals() throws {
    try withBranches(
      main: ["V2.yaml": Self.next([]) + Self.guest], topic: ["V2.yaml": Self.next([]) + Self.day]
    ) { repository in
      try repository.write("# edited\n" + Self.next([]) + Self.day, "Schemas/V2.yaml")
      let dirty = try repository.schemagen("rebase", "--onto", "main")
      #expect(dirty.status == 2 && dirty.output.contains("'Schemas/V2.yaml' is not committed"))
      try repository.git("checkout", "--", ".")
      let nowhere = try repository.schemagen("rebase")
      #expect(nowhere.status == 2 && nowhere.errors.contains("--onto main"))
      _ = try repository.schemagen("release")
      try repository.commit("released")
      let shipped = try repository.schemagen("rebase", "--onto", "main")
      #expect(shipped.status == 2 && shipped.output.contains("V2 has shipped from this branch"))
      try repository.git("reset", "--quiet", "--hard", "HEAD~1")
      try repository.write("version: [", "Schemas/V2.yaml")
      try repository.commit("broken")
      let broken = try repository.schemagen("rebase", "--onto", "main")
      #expect(broken.status == 2 && broken.output.contains("has errors at HEAD"))
    }
  }

  /// Two branches that have each released a V2 with lines of its own; `topic` is merging `main`.
  private func withReleases(
    main: [(String, String)], topic: [(String, String)], _ work: (Repository) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      for (branch, edits) in [("main", []), ("topic", topic), ("main", main)] {
        if branch == "topic" { try repository.git("checkout", "--quiet", "-b", "topic") }
        if !edits.isEmpty, branch == "main" { try repository.git("checkout", "--quiet", "main") }
        let isFirst = edits.isEmpty
        try repository.write(
          isFirst ? Self.v1 : Self.next(edits), "Schemas/V\(isFirst ? 1 : 2).yaml")
        try generate(repository)
        let released = try repository.schemagen("release")
        #expect(released.status == 0, "\(released.output)\(released.errors)")
        try repository.commit(branch)
      }
      try repository.git("checkout", "--quiet", "topic")
      _ = try repository.attempt(["merge", "main"])
      try work(repository)
    }
  }

  private static func adding(_ lines: String...) -> [(String, String)] {
    [("      start: Date?\n", "      start: Date?\n" + lines.map { "      \($0)\n" }.joined())]
  }

  private func checkJoined(_ repository: Repository) throws {
    try check(repository)
    try repository.commit("merged")
    for branch in ["topic~1", "main"] {
      let lint = try repository.schemagen("lint", "--against", branch)
      #expect(lint.status == 0, "\(branch): \(lint.output)\(lint.errors)")
    }
  }

  @Test("If both branches shipped a V2, our V2 comes second if it keeps everything in theirs")
  func bothShipped() throws {
    let ours = Self.adding("end: Date?", "note: String?")
    try withReleases(main: Self.adding("end: Date?"), topic: ours) { repository in
      let rebase = try repository.schemagen("rebase")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      #expect(rebase.output.contains("V2 of this branch is V3\n"))
      #expect(
        try repository.text("Schemas/V3.yaml")
          == Self.next(ours).replacing("version: 2.0.0", with: "version: 3.0.0"))
      let lock = try repository.text("Schemas/schema.lock")
      #expect(lock.split(separator: "\n").count { $0.contains("state: released") } == 3)
      try checkJoined(repository)
      let note = try repository.schemagen("lint", "--against", "topic~1").output
      #expect(note.contains("is called V3 now: the lock has another shipped V2"))
      #expect(note.contains("Schemas/V3.yaml:1:1: warning: V2 has shipped according to topic~1"))
    }
  }

  @Test(
    "If both branches shipped a V2 and theirs keeps everything in ours, the help rebases their branch"
  )
  func bothShippedBefore() throws {
    try withReleases(
      main: Self.adding("end: Date?", "note: String?"), topic: Self.adding("end: Date?")
    ) { repository in
      let refused = try repository.schemagen("rebase")
      #expect(
        refused.status == 2
          && refused.output.contains(
            "put that version last: git merge --abort; git switch main; schemagen rebase"),
        "\(refused.output)")
      try repository.git("merge", "--abort")
      try repository.git("switch", "--quiet", "main")
      _ = try repository.attempt(["merge", "topic"])
      let rebase = try repository.schemagen("rebase", "--onto", "topic")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      #expect(rebase.output.contains("V2 of this branch is V3\n"))
      try check(repository)
      try repository.commit("merged")
      for branch in ["main~1", "topic"] {
        let lint = try repository.schemagen("lint", "--against", branch)
        #expect(lint.status == 0, "\(branch): \(lint.output)\(lint.errors)")
      }
    }
  }

  @Test(
    "If neither branch's shipped V2 keeps the other's data, the rebase is refused and lists the loss"
  )
  func bothShippedApart() throws {
    try withReleases(main: Self.adding("end: Date?"), topic: Self.adding("note: String?")) {
      repository in
      let refused = try repository.schemagen("rebase")
      #expect(refused.status == 2)
      for fragment in [
        "V2 of this branch and V2 of main have both shipped",
        "if V2 of this branch came last, data in the other branch's stores would be lost",
        "help: V2's 'Trip.end' is gone in V3",
        "cookbook/bad-release.md#may-i-take-the-release-back",
        "list the elements under 'drops:' in 'Schemas/V2.yaml'",
        "Schemas: nothing was written",
      ] {
        #expect(refused.output.contains(fragment), "\(fragment) in \(refused.output)")
      }
      // The last help is followed to its end.
      try repository.git("merge", "--abort")
      let own = try repository.text("Schemas/V2.yaml")
      try repository.write(own + "drops: { Trip.end: only testers had it }\n", "Schemas/V2.yaml")
      try repository.commit("given up")
      _ = try repository.attempt(["merge", "main"])
      let rebase = try repository.schemagen("rebase")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      #expect(rebase.output.contains("V2 of this branch is V3\n"))
      try checkJoined(repository)
    }
  }

  @Test("The next steps of a rebase list each place that was written and each class in conflict")
  func nextSteps() throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      let model = { (lines: String) in
        """
        import SwiftData

        @Model final class Trip {
          var name: String = ""
        \(lines)
          init() {}
        }

        """
      }
      try repository.write(model(""), "App/Models.swift")
      let adopted = try repository.schemagen("adopt", "App")
      #expect(adopted.status == 0, "\(adopted.output)\(adopted.errors)")
      try generate(repository)
      #expect(try repository.schemagen("release").status == 0)
      try repository.commit("one")
      for (branch, line) in [("topic", "  var note: String?"), ("main", "  var end: Int?")] {
        try repository.git("checkout", "--quiet", "-B", branch, "main")
        try repository.write(model(line), "App/Models.swift")
        try generate(repository)
        try repository.commit(branch)
      }
      try repository.git("checkout", "--quiet", "topic")
      _ = try repository.attempt(["merge", "main"])
      let rebase = try repository.schemagen("rebase")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      #expect(
        rebase.output.contains(
          """
          next:
            resolve the conflict in App/Models.swift so that it has the changes of both branches, in the form of V3
            schemagen snapshot
            git add --all -- Schemas App/Generated App/Migrations App/Models.swift
            git commit

          """), "\(rebase.output)")
      try repository.write(
        model("  var end: Int?\n  var note: String?"), "App/Models.swift")
      let snapshot = try repository.schemagen("snapshot")
      #expect(snapshot.status == 0, "\(snapshot.output)\(snapshot.errors)")
      try repository.git("add", "--all", "--", "Schemas", "App/Generated", "App/Models.swift")
      try repository.git("commit", "--quiet", "-m", "merged")
      #expect(try repository.git("status", "--porcelain").output.isEmpty)
      try check(repository)
    }
  }

  @Test(
    "If a merged manifest is invalid, it is written, but nothing is generated from it"
  )
  func meaning() throws {
    // Theirs removes a property that ours makes unique with another: each line merges, but the result is invalid.
    try withBranches(
      main: [
        "V2.yaml": Self.next([
          ("models:\n", "drops: { Stop.place: \"nobody reads it\" }\nmodels:\n"),
          ("      place: String = \"\"\n", ""),
        ])
      ],
      topic: [
        "V2.yaml": Self.next([
          (
            "    properties:\n      id: { type: UUID, unique: true }\n      place",
            "    index: [[place]]\n    properties:\n      id: { type: UUID, unique: true }\n      place"
          )
        ])
          + Self.day
      ]
    ) { repository in
      let rebase = try repository.schemagen("rebase", "--onto", "main")
      #expect(rebase.status == 1)
      #expect(rebase.output.contains("has no property 'place'"), "\(rebase.output)")
      #expect(
        rebase.output.contains("next:\n  correct the errors above\n  schemagen generate\n"),
        "\(rebase.output)")
      #expect(try repository.text("Schemas/V3.yaml").contains("index: [[place]]"))
      #expect(!filesBelow(repository.folder + "/Schemas").contains("Generated/SchemaV3.swift"))
    }
  }

  @Test(
    "Properties that both branches add at one place are merged unless new models follow them")
  func interleaved() throws {
    let property = { (name: String) in "      \(name): Int?\n" }
    for more in ["", Self.guest] {
      let theirs = Self.next([]) + property("theirs") + more
      let ours = Self.next([]) + property("ours") + (more.isEmpty ? "" : Self.day)
      try withBranches(main: ["V2.yaml": theirs], topic: ["V2.yaml": ours]) { repository in
        let rebase = try repository.schemagen("rebase", "--onto", "main")
        let v3 = try repository.text("Schemas/V3.yaml")
        guard more.isEmpty else {
          // Put one after the other, the property 'ours' would belong to Guest.
          #expect(rebase.status == 1 && v3.contains("\n=======\n"), "\(v3)")
          return
        }
        #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
        #expect(v3.hasSuffix(property("d") + property("theirs") + property("ours")), "\(v3)")
        try check(repository)
      }
    }
  }

  @Test("A draft edited on both branches is merged, and the versions after it get the result")
  func drafts() throws {
    let theirs = Self.v1.replacing("1.0.0", with: "1.0.0\nsummary: First").replacing(
      "      start: Date?\n", with: "      start: Date?\n      end: Date?\n")
    let ours = Self.v1 + "      e: Int?\n"
    try withBranches(
      main: ["V1.yaml": theirs],
      topic: ["V1.yaml": ours, "V2.yaml": Self.next([], of: ours) + Self.day]
    ) { repository in
      _ = try repository.attempt(["merge", "main"])
      let rebase = try repository.schemagen("rebase")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      #expect(rebase.output.contains("V2 of this branch keeps its number"))
      #expect(try repository.text("Schemas/V1.yaml") == theirs + "      e: Int?\n")
      let next = try repository.text("Schemas/V2.yaml")
      #expect(next.contains("      end: Date?\n") && !next.contains("summary"))
      try check(repository)
    }
  }

  @Test("Configuration changes of both branches are kept")
  func configurations() throws {
    try withBranches(
      configuration: "access: public\n\n\npolicy: standard\n",
      main: [
        "V2.yaml": Self.next([]) + Self.guest,
        "schemagen.yaml": "access: internal\n\n\npolicy: standard\n",
      ],
      topic: [
        "V2.yaml": Self.next([]) + Self.day,
        "schemagen.yaml": "access: public\n\n\npolicy: strict\n",
      ]
    ) { repository in
      let rebase = try repository.schemagen("rebase", "--onto", "main")
      #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
      #expect(
        try repository.text("Schemas/schemagen.yaml") == "access: internal\n\n\npolicy: strict\n")
      try check(repository)
    }
  }

  @Test("An acceptance on either side is kept in our version after the rebase")
  func acceptances() throws {
    let accept =
      "\naccept:\n  - rule: missing-inverse\n    element: Trip.stops\n    reason: seen\n"
    for isTheirs in [true, false] {
      try withBranches(
        main: ["V2.yaml": (isTheirs ? accept : "") + Self.next([]) + Self.guest],
        topic: ["V2.yaml": (isTheirs ? "" : accept) + Self.next([]) + Self.day]
      ) { repository in
        let rebase = try repository.schemagen("rebase", "--onto", "main")
        #expect(rebase.status == 0, "\(rebase.output)\(rebase.errors)")
        let text = try repository.text("Schemas/V3.yaml")
        #expect(text.hasSuffix(accept), "\(text)")
        #expect(text.contains(Self.guest) && text.contains(Self.day), "\(text)")
      }
    }
  }
}
