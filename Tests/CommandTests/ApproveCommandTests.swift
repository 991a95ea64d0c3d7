import Foundation
import TestSupport
import Testing

/// `schemagen approve`, and `lint --against` in a real repository: the real binary.
@Suite struct ApproveCommandTests {
  private static let first = """
    version: 1.0.0
    models:
      Plant:
        properties:
          name: String
          note: String?
          pot: String?

    """
  private static let second = """
    version: 2.0.0
    summary: less
    models:
      Plant:
        properties:
          name: String
    drops: { Plant.note: nobody reads it, Plant.pot: all are clay }

    """

  /// A repository in which V1 has shipped on `main`, and a branch drops two properties.
  private func withBranch(
    configuration: String? = "approvals: base\n", _ work: (Repository) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/app")
      try repository.write(Self.first, "Schemas/V1.yaml")
      if let configuration { try repository.write(configuration, "Schemas/schemagen.yaml") }
      #expect(try repository.schemagen("generate").status == 0)
      #expect(try repository.schemagen("release", "V1").status == 0)
      try repository.commit("V1")
      try repository.git("branch", "trunk")
      try repository.write(Self.second, "Schemas/V2.yaml")
      try work(repository)
    }
  }

  @Test("'approve' lists pending losses and approves only those named")
  func approving() throws {
    try withBranch { repository in
      let shown = try repository.schemagen("approve")
      #expect(shown.status == 1)
      #expect(shown.output.contains("  to approve it: schemagen approve Plant.note\n"))
      #expect(shown.output.hasSuffix("Schemas: 2 losses await an approval\n"))
      let one = try repository.schemagen("approve", "Plant.note")
      #expect(one.status == 0)
      #expect(
        one.output == """
          Schemas/approvals.json: approved V2 Plant.note
          the approval counts once 'Schemas/approvals.json' is committed to the target branch, before this change

          """)
      let plain = try repository.schemagen("lint", "--quiet")
      #expect(plain.output.contains("ask whoever may change the target branch to run 'schemagen"))
      let text = try repository.text("Schemas/approvals.json")
      #expect(text.contains("\"element\" : \"Plant.note\"") && !text.contains("Plant.pot"))
      #expect(try repository.schemagen("approve", "Plant.note").status == 0)
      #expect(try repository.text("Schemas/approvals.json") == text)
      #expect(try repository.schemagen("approve").output.contains("  approved\n"))
      #expect(try repository.schemagen("approve", "Plant.pot").status == 0)
      let all = try repository.schemagen("approve")
      #expect(all.status == 0 && all.output.hasSuffix("Schemas: all losses are approved\n"))
    }
  }

  @Test("Nothing is written for a loss that cannot be approved")
  func refusals() throws {
    try withBranch { repository in
      let unknown = try repository.schemagen("approve", "Plant.nota")
      #expect(unknown.status == 2 && unknown.errors.contains("did you mean 'Plant.note'?"))
      #expect(
        try repository.schemagen("approve", "--store", "a", "--stores", "b").status == 2)
      #expect(try repository.schemagen("approve", "--stores", "nowhere").status == 2)
      #expect(try repository.schemagen("approve", "--store", "Schemas/V1.yaml").status == 2)
      #expect(try repository.schemagen("approve", "--against", "nowhere").status == 2)
      #expect(throws: (any Error).self) { try repository.text("Schemas/approvals.json") }
      try repository.write("{ \"format\": 3 }", "Schemas/approvals.json")
      let broken = try repository.schemagen("approve", "Plant.note")
      #expect(broken.status == 2 && broken.output.contains("[broken-approvals]"))
      #expect(try repository.text("Schemas/approvals.json") == "{ \"format\": 3 }")
      try repository.write("models: [", "Schemas/V2.yaml")
      #expect(try repository.schemagen("approve", "Plant.note").status == 2)
    }
    // A loss without an answer can still become another one, or none.
    try withBranch { repository in
      try repository.write(
        Self.second.replacing("name: String", with: "name: String\n      remark: String?"),
        "Schemas/V2.yaml")
      let open = try repository.schemagen("approve", "Plant.note")
      #expect(open.status == 2 && open.errors.contains("nothing called 'Plant.note' loses data"))
    }
    try withBranch(configuration: nil) { repository in
      let needless = try repository.schemagen("approve", "Plant.note")
      #expect(needless.status == 0)
      #expect(
        needless.output.contains(
          "no check requires an approval yet: write 'approvals: owners' into"))
    }
  }

  @Test(
    "Approvals on the target branch count, those on the change's branch do not")
  func tip() throws {
    try withBranch { repository in
      #expect(try repository.schemagen("generate").status == 0)
      try repository.git("checkout", "--quiet", "-b", "less")
      #expect(try repository.schemagen("approve", "Plant.note", "Plant.pot").status == 0)
      try repository.commit("less")
      let mine = try repository.schemagen("lint", "--quiet", "--against", "trunk")
      #expect(mine.status == 1)
      #expect(mine.output.contains("the approval in this change does not count"))
      let release = { try repository.schemagen("release", "V2") }
      let refused = try release()
      #expect(refused.status == 2, "\(refused.output)")
      #expect(
        (refused.output + refused.errors).contains(
          "schemagen approve Plant.note Plant.pot, and to commit the file to main\n"),
        "\(refused.output)")
      let approvals = try repository.text("Schemas/approvals.json")
      try repository.git("checkout", "--quiet", "trunk")
      try repository.write(approvals, "Schemas/approvals.json")
      try repository.commit("approve")
      try repository.git("checkout", "--quiet", "less")
      let theirs = try repository.schemagen("lint", "--quiet", "--against", "trunk")
      #expect(theirs.status == 0, "\(theirs.output)")
      try repository.git("branch", "--force", "main", "trunk")
      let released = try release()
      #expect(released.status == 0, "\(released.output)\(released.errors)")
      try repository.git("checkout", "--quiet", "Schemas/schema.lock")
      // The approval is taken back.
      try repository.git("checkout", "--quiet", "trunk")
      try repository.git("rm", "--quiet", "Schemas/approvals.json")
      try repository.commit("not at all")
      try repository.git("checkout", "--quiet", "less")
      #expect(try repository.schemagen("lint", "--quiet", "--against", "trunk").status == 1)
    }
  }

  @Test("CODEOWNERS of the target branch decides who must approve")
  func owners() throws {
    try withBranch(configuration: "approvals: owners\n") { repository in
      try repository.git("checkout", "--quiet", "trunk")
      try repository.write("/Schemas/approvals.json @data\n", ".github/CODEOWNERS")
      try repository.git("add", ".github")
      try repository.git("commit", "--quiet", "-m", "owners")
      try repository.git("checkout", "--quiet", "-b", "less")
      #expect(try repository.schemagen("lint", "--quiet", "--against", "trunk").status == 1)
      #expect(try repository.schemagen("approve", "Plant.note", "Plant.pot").status == 0)
      #expect(try repository.schemagen("lint", "--quiet", "--against", "trunk").status == 0)
      // In a folder of its own the approvals file has no owner.
      try repository.git("checkout", "--quiet", "trunk")
      try repository.write("/App/Schemas/approvals.json @data\n", ".github/CODEOWNERS")
      try repository.git("commit", "--quiet", "-am", "elsewhere")
      try repository.git("checkout", "--quiet", "less")
      #expect(try repository.schemagen("lint", "--quiet", "--against", "trunk").status == 1)
    }
  }
}
