import Foundation
import TestSupport
import Testing

/// `--against`, `--staged` and `release --from-tag` in real repositories, with the real binary.
@Suite struct BaseCommandTests {
  static let v1 = """
    version: 1.0.0
    models:
      Trip:
        properties:
          id: { type: UUID, unique: true }
          # What people call it.
          name: String = ""

    """
  static let v2 = v1.replacing("1.0.0", with: "2.0.0") + "      note: String?\n"

  /// A repository on the branch `topic`, with V1 generated, released and tagged on `main`.
  private func withRepository(_ work: (Repository) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try repository.write(Self.v1, "Schemas/V1.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      #expect(try repository.schemagen("release").status == 0)
      try repository.commit("one")
      try repository.git("tag", "v1.0.0")
      try repository.git("checkout", "--quiet", "-b", "topic")
      try work(repository)
    }
  }

  @Test("A diff with a base shows a new version, its data effects and the next steps")
  func newVersion() throws {
    try withRepository { repository in
      let same = try repository.schemagen("diff", "--against", "main")
      #expect(same.status == 0 && same.output.contains("\nno step changes\n"))
      try repository.write(
        Self.v2 + "  Day:\n    properties:\n      number: Int = 0\n", "Schemas/V2.yaml")
      let found = try repository.schemagen("diff", "--against", "main")
      #expect(found.status == 0, "\(found.errors)")
      for line in [
        "Schemas, compared with main (merge base ", "\n\nV1 → V2 (lightweight)\n",
        "  defaulted  lightweight  Trip.note  add an optional attribute: String? [",
        "  kept       lightweight  Day        add a model [",
        "\n\nnext: run 'schemagen generate': ", "\nSchemas: 1 version, 2 changes since main (",
      ] {
        #expect(found.output.contains(line), "\(line) in \(found.output)")
      }
      let markdown = try repository.schemagen("diff", "--against", "main", "--format", "markdown")
      #expect(markdown.output.contains("| kept | `Day` | add a model"), "\(markdown.output)")
      let json = try repository.schemagen("diff", "--against", "main", "--format", "json")
      let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
      let versions = try #require(object?["versions"] as? [[String: Any]])
      #expect(versions.count == 1 && versions[0]["state"] as? String == "added")
      let pair = try #require((object?["pairs"] as? [[String: Any]])?.first)
      #expect(pair["to"] as? String == "2.0.0" && (pair["changes"] as? [Any])?.count == 2)
      #expect((object?["base"] as? [String: Any])?["isRelease"] as? Bool == false)
    }
  }

  @Test("A diff with a base shows an edited draft before and after, without an error")
  func draft() throws {
    try withRepository { repository in
      try repository.write(
        Self.v2.replacing("note: String?", with: "note: { type: Int, fill: 1 }"), "Schemas/V2.yaml")
      _ = try repository.schemagen("generate")
      try repository.commit("a draft")
      try repository.write(
        Self.v2.replacing("note: String?", with: "note: { type: Int, fill: 2 }\n      more: Int?"),
        "Schemas/V2.yaml")
      let found = try repository.schemagen("diff", "--against", "HEAD")
      #expect(found.status == 0, "\(found.output)")
      for line in [
        "\nV2, edited: Trip.more: add an optional attribute: Int?\n",
        "\nV2, edited: Trip.note: what the step to this version does\n", ", no errors\n",
      ] {
        #expect(found.output.contains(line), "\(line) in \(found.output)")
      }
    }
  }

  @Test("A diff with a branch, tag or folder reports an edited shipped version with status 1")
  func shipped() throws {
    try withRepository { repository in
      try repository.write(Self.v1.replacing("String = \"\"", with: "String?"), "Schemas/V1.yaml")
      for base in ["main", "v1.0.0", "HEAD"] {
        let found = try repository.schemagen("diff", "--against", base)
        #expect(found.status == 1 && found.output.contains("[shipped-version-edited]"))
        #expect(found.output.contains("help: changed: Trip.name: "), "\(found.output)")
        #expect(found.output.components(separatedBy: "[shipped-version-edited]").count == 2)
        #expect(found.output.contains("Schemas: no changes since "), "\(found.output)")
      }
      try repository.git("worktree", "add", "--quiet", "../before", "main")
      for folder in ["../before", "../before/Schemas"] {
        let found = try repository.schemagen("diff", "--against", folder)
        #expect(found.status == 1 && found.output.contains("restore V1.yaml from ../before"))
      }
      let below = try repository.schemagen(
        "diff", "--schemas", "../../Schemas", "--against", "main", in: "Schemas/Generated")
      #expect(below.status == 1 && below.output.contains("../../Schemas/V1.yaml:7:7: error:"))
      // A comment is not an edit. What others have changed on the base since then is not this branch's change.
      try repository.write("# shipped\n" + Self.v1, "Schemas/V1.yaml")
      #expect(try repository.schemagen("diff", "--against", "main").status == 0)
    }
  }

  @Test("A diff with an invalid base exits with 2 and suggests what to do")
  func failures() throws {
    try withRepository { repository in
      for (base, fragment) in [
        ("maim", "did you mean 'main'?"), ("../nowhere", "there is no folder '../nowhere'"),
        ("-x", "Missing value"),
      ] {
        let found = try repository.schemagen("diff", "--against", base)
        #expect(found.status == 2 && found.errors.contains(fragment), "\(base): \(found.errors)")
        #expect(found.output.isEmpty)
      }
      let option = try repository.schemagen("diff", "--against=--output=x")
      #expect(option.status == 2 && option.errors.contains("is not a git reference"))
      let both = try repository.schemagen("diff", "--against", "main", "--from", "V1")
      #expect(both.status == 2)
      #expect(try repository.schemagen("generate", "--staged").status == 2)
      let nowhere = try repository.schemagen("diff", "--root", "/", "--against", "main")
      #expect(nowhere.status == 2 && nowhere.errors.contains("is not in a git repository"))
      let gitless = try run(
        Checkout.schemagen, ["diff", "--against", "main"], in: repository.folder,
        environment: ["PATH": "/nowhere"])
      #expect(gitless.status == 2 && gitless.errors.contains("git is not installed"))
    }
  }

  @Test("'--staged' reads the index, not the working tree")
  func staged() throws {
    try withRepository { repository in
      try repository.write(Self.v2, "Schemas/V2.yaml")
      let none = try repository.schemagen("generate", "--check", "--staged")
      #expect(none.status == 0, "nothing is staged: \(none.output)")
      try repository.git("add", "--all")
      let stale = try repository.schemagen("generate", "--check", "--staged")
      #expect(
        stale.status == 1 && stale.output.contains("would create Schemas/Generated/SchemaV2.swift"))
      #expect(stale.output.contains("then 'git add' manifests and generated files"))
      _ = try repository.schemagen("generate")
      #expect(try repository.schemagen("generate", "--check", "--staged").status == 1)
      try repository.git("add", "--all")
      #expect(try repository.schemagen("generate", "--check", "--staged").status == 0)
      // Later edits in the working tree are not part of the commit.
      try repository.write("version: [", "Schemas/V2.yaml")
      #expect(try repository.schemagen("generate", "--check", "--staged").status == 0)
      #expect(try repository.schemagen("generate", "--check").status == 2)
      let diff = try repository.schemagen("diff", "--against", "main", "--staged")
      #expect(diff.status == 0 && diff.output.contains("V1 → V2"))
      #expect(try repository.schemagen("diff", "--staged").output.contains("V1 → V2"))
    }
  }

  @Test(
    "A hook sees the committed files, even with 'git commit FILE', with '-a' and in a worktree",
    arguments: [false, true])
  func hook(isWorktree: Bool) throws {
    try withRepository { main in
      var repository = main
      if isWorktree {
        try main.git("worktree", "add", "--quiet", "-b", "other", "../tree")
        repository = Repository(existing: main.folder + "/../tree")
      }
      let hook = main.folder + "/.git/hooks/pre-commit"
      let script = "#!/bin/sh\nexec \(Checkout.schemagen) diff --against main --staged\n"
      try script.write(toFile: hook, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook)
      let edited = Self.v1.replacing("String = \"\"", with: "String?")
      // The edit is in the working tree and not in the commit.
      try repository.write(edited, "Schemas/V1.yaml")
      try repository.write("x", "README")
      try repository.git("add", "README")
      let other = try repository.attempt(["commit", "--message", "other"])
      #expect(other.status == 0, "\(other.output)\(other.errors)")
      // It is part of a commit that names the file or commits everything, though it was never staged.
      for arguments in [["--", "Schemas/V1.yaml"], ["--all"], ["--only", "Schemas/V1.yaml"]] {
        let stopped = try repository.attempt(["commit", "--message", "edit"] + arguments)
        #expect(stopped.status == 1, "\(arguments)")
        let text = stopped.output + stopped.errors
        #expect(text.contains("[shipped-version-edited]"), "\(arguments): \(text)")
      }
      // One edit is staged, and a commit names another file.
      try repository.git("add", "--all")
      try repository.write("y", "README")
      let partial = try repository.attempt(["commit", "--message", "partial", "--", "README"])
      #expect(partial.status == 0, "\(partial.output)\(partial.errors)")
    }
  }

  @Test("A hook of the outer repository uses a submodule's own index")
  func submodule() throws {
    try withRepository { repository in
      let outer = try Repository(repository.folder + "/../outer")
      try outer.git("submodule", "--quiet", "add", repository.folder, "module")
      let found = try run(
        Checkout.schemagen, ["generate", "--check", "--staged", "--schemas", "module/Schemas"],
        in: outer.folder,
        environment: [
          "GIT_DIR": outer.folder + "/.git", "GIT_INDEX_FILE": outer.folder + "/.git/index",
          "GIT_PREFIX": "", "GIT_WORK_TREE": outer.folder,
        ])
      #expect(found.status == 0 && found.output.contains("up to date"), "\(found)")
    }
  }

  @Test("'release --from-tag' marks a version once the tag proves that it is unchanged")
  func fromTag() throws {
    try withRepository { repository in
      try repository.write(Self.v2, "Schemas/V2.yaml")
      _ = try repository.schemagen("generate")
      try repository.commit("two")
      try repository.git("tag", "v2.0.0")
      try repository.write(
        Self.v2.replacing("2.0.0", with: "3.0.0") + "      more: Int?\n", "Schemas/V3.yaml")
      _ = try repository.schemagen("generate")
      let branch = try repository.schemagen("release", "--from-tag", "main")
      #expect(branch.status == 2 && branch.errors.contains("'main' is not a tag"))
      try repository.write(Self.v2.replacing("note", with: "notes"), "Schemas/V2.yaml")
      _ = try repository.schemagen("generate")
      let edited = try repository.schemagen("release", "--from-tag", "v2.0.0")
      #expect(edited.status == 2 && edited.output.contains("[shipped-version-edited]"))
      #expect(
        edited.output.contains(
          "then mark the version as shipped: schemagen release --from-tag v2.0.0"))
      // A later generation does not affect the tag's version.
      try repository.write(Self.v2, "Schemas/V2.yaml")
      let released = try repository.schemagen("release", "--from-tag", "v2.0.0")
      #expect(released.status == 0 && released.output == "Schemas: released V2\n")
      #expect(try repository.text("Schemas/schema.lock").contains("3.0.0\n    state: draft"))
      #expect(try repository.schemagen("generate").status == 0)
      let lint = try repository.schemagen("lint", "--against", "v2.0.0")
      #expect(lint.status == 0, "\(lint.output)")
    }
  }

  @Test("Removing a folder with a shipped version is reported, staged or not")
  func removedFolder() throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      for name in ["A", "B", "C"] { try repository.write(Self.v1, "Schemas/\(name)/V1.yaml") }
      #expect(try repository.schemagen("generate").status == 0)
      #expect(try repository.schemagen("release", "--schemas", "Schemas/B").status == 0)
      try repository.commit("one")
      try FileManager.default.removeItem(atPath: repository.folder + "/Schemas/C")
      let draft = try repository.schemagen("diff", "--against", "HEAD")
      #expect(
        draft.status == 0 && draft.output.contains("Schemas/C, compared with"), "\(draft.output)")
      #expect(draft.output.contains("V1: the draft is removed"))
      try FileManager.default.removeItem(atPath: repository.folder + "/Schemas/B")
      let shipped = try repository.schemagen("diff", "--against", "HEAD")
      #expect(shipped.status == 1 && shipped.output.contains("[shipped-version-missing]"))
      #expect(try repository.schemagen("diff", "--against", "HEAD", "--staged").status == 0)
      try repository.git("add", "--all")
      let staged = try repository.schemagen("diff", "--against", "HEAD", "--staged")
      #expect(staged.status == 1 && staged.output.contains("git checkout"), "\(staged.output)")
      try repository.git("worktree", "add", "--quiet", "../before", "HEAD")
      #expect(try repository.schemagen("diff", "--against", "../before").status == 1)
    }
  }

  @Test("A moved folder is compared with its old location, and edits are reported")
  func movedFolder() throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try repository.write("output: ../../Generated\n", "Schemas/schemagen.yaml")
      try repository.write(Self.v1, "Schemas/V1.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      #expect(try repository.schemagen("release").status == 0)
      try repository.commit("one")
      for (place, arguments) in [("Schemas/App", []), ("Models", ["--schemas", "Models"])] {
        try repository.git("reset", "--quiet", "--hard")
        try repository.git("mv", "Schemas", "Moved")
        try FileManager.default.createDirectory(
          atPath: repository.folder + "/Schemas", withIntermediateDirectories: true)
        try repository.git("mv", "Moved", place)
        for command in [["lint", "--against", "HEAD", "--staged"], ["diff", "--against", "HEAD"]] {
          let found = try repository.schemagen(command + arguments)
          #expect(found.status == 0, "\(found.output)")
          let note = "'\(place)' is compared with 'Schemas', its name in HEAD (merge base "
          #expect(found.output.contains(note), "\(found.output)")
        }
        try repository.write(Self.v1.replacing("name:", with: "title:"), place + "/V1.yaml")
        let edited = try repository.schemagen(["lint", "--against", "HEAD"] + arguments)
        #expect(edited.status == 1 && edited.output.contains("[shipped-version-edited]"))
        #expect(
          edited.output.contains(":./Schemas/V1.yaml > \(place)/V1.yaml"), "\(edited.output)")
        #expect(!edited.output.contains("[shipped-version-missing]"))
      }
      let unnamed = try repository.schemagen("diff", "--against", "HEAD", "--staged")
      #expect(unnamed.status != 0)
      #expect(unnamed.output.contains("moved to 'Models', name the new folder: --schemas Models"))
    }
  }

  @Test(
    "During an unfinished merge the hook neither reports a removed version nor names a current one")
  func unfinishedMerge() throws {
    try withRepository { repository in
      try repository.write(Self.v2, "Schemas/V2.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      #expect(try repository.schemagen("release").status == 0)
      try repository.commit("two")
      try repository.write(Self.v2.replacing("models:", with: "models\n"), "Schemas/V2.yaml")
      try repository.git("add", "--all")
      let broken = try repository.schemagen("hook", "run")
      #expect(broken.status == 2 && !broken.output.contains("Current schema version"))
      try repository.git("reset", "--quiet", "--hard")

      let v3 = Self.v2.replacing("2.0.0", with: "3.0.0")
      try repository.write(v3 + "      a: Int?\n", "Schemas/V3.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      try repository.commit("three")
      try repository.git("checkout", "--quiet", "-b", "other", "HEAD~1")
      try repository.write(v3 + "      b: Int?\n", "Schemas/V3.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      #expect(try repository.schemagen("release").status == 0)
      try repository.commit("another three")
      #expect(try repository.attempt(["merge", "topic"]).status == 1)
      let unmerged = try repository.schemagen("hook", "run")
      #expect(unmerged.status == 2 && unmerged.output.contains("conflicts of a merge"))
      #expect(!unmerged.output.contains("shipped-version-missing"), "\(unmerged.output)")
      #expect(!unmerged.output.contains("Current schema version"), "\(unmerged.output)")
      try repository.git("checkout", "--ours", "--", "Schemas/V3.yaml")
      try repository.git("add", "--all")
      let marked = try repository.schemagen("hook", "run")
      #expect(marked.status == 2 && marked.output.contains("[lock-conflict]"))
      #expect(!marked.output.contains("Current schema version"), "\(marked.output)")
    }
  }

  @Test("Lint reports a manifest that links to a file outside the repository")
  func linkOut() throws {
    try withRepository { repository in
      try repository.write(Self.v2, "../V2.yaml")
      try FileManager.default.createSymbolicLink(
        atPath: repository.folder + "/Schemas/V2.yaml", withDestinationPath: "../../V2.yaml")
      #expect(try repository.schemagen("generate").status == 0)
      try repository.git("add", "--all")
      #expect(try repository.schemagen("hook", "run").status == 2)
      for arguments in [["lint"], ["lint", "--against", "main"]] {
        let found = try repository.schemagen(arguments)
        #expect(found.status == 1, "\(found.output)")
        #expect(found.output.contains("is a symbolic link out of the repository"))
      }
      // A link that stays inside the repository is read like any file.
      try repository.write(Self.v2, "Shared/V2.yaml")
      try FileManager.default.removeItem(atPath: repository.folder + "/Schemas/V2.yaml")
      try FileManager.default.createSymbolicLink(
        atPath: repository.folder + "/Schemas/V2.yaml", withDestinationPath: "../Shared/V2.yaml")
      #expect(try repository.schemagen("lint").status == 0)
    }
  }

  @Test("'new-version' requires a folder if there are several")
  func newVersionOfOne() throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      for name in ["A", "B"] { try repository.write(Self.v1, "Schemas/\(name)/V1.yaml") }
      let both = try repository.schemagen("new-version")
      #expect(both.status == 2, "\(both.output)")
      #expect(both.errors.contains("schemagen new-version --schemas Schemas/A, or: "))
      #expect(throws: (any Error).self) { try repository.text("Schemas/A/V2.yaml") }
      #expect(try repository.schemagen("new-version", "--schemas", "Schemas/B").status == 0)
      #expect(try repository.text("Schemas/B/V2.yaml").contains("2.0.0"))
    }
  }

  @Test("A lost lock is an error and is not replaced by a new one")
  func lostLock() throws {
    try withRepository { repository in
      try repository.write(nil, "Schemas/schema.lock")
      let lint = try repository.schemagen("lint")
      #expect(lint.status == 1 && lint.output.contains("[missing-lock]"), "\(lint.output)")
      #expect(lint.output.contains("git checkout HEAD -- Schemas/schema.lock"))
      let generate = try repository.schemagen("generate")
      #expect(generate.status == 1, "\(generate.output)")
      #expect(throws: (any Error).self) { try repository.text("Schemas/schema.lock") }
      try repository.write("rules: { missing-lock: off }\n", "Schemas/schemagen.yaml")
      #expect(try repository.schemagen("generate").status == 1)
      // The help's other answer.
      try repository.write(nil, "Schemas/schemagen.yaml")
      try repository.write(nil, "Schemas/Generated")
      #expect(try repository.schemagen("generate").status == 0)
      #expect(try repository.text("Schemas/schema.lock").contains("draft"))
    }
  }

  @Test("'report' warns if git does not ignore its file")
  func reportIsUntracked() throws {
    try withRepository { repository in
      let first = try repository.schemagen("report")
      #expect(first.errors.contains("git does not ignore this file"), "\(first.errors)")
      try repository.write("report.html\n", ".gitignore")
      #expect(try repository.schemagen("report").errors.contains("ignore") == false)
    }
  }

  @Test("A broken manifest does not hide an edit of another manifest that has shipped")
  func brokenBeside() throws {
    try withRepository { repository in
      try repository.write(Self.v1.replacing("String = \"\"", with: "String?"), "Schemas/V1.yaml")
      try repository.write("version: [", "Schemas/V2.yaml")
      let found = try repository.schemagen("diff", "--against", "main")
      #expect(found.status == 2 && found.output.contains("[shipped-version-edited]"))
      #expect(found.output.contains("[yaml-syntax]"))
      try repository.write("version: [", "Schemas/V1.yaml")
      let broken = try repository.schemagen("diff", "--against", "main")
      #expect(broken.status == 2 && !broken.output.contains("[shipped-version-"))
    }
  }
}
