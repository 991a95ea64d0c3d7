import Foundation
import SchemaWorkspace
import TestSupport
import Testing

/// `schemagen adopt --finish` on a disk: its conditions for removing files.
@Suite struct FinishCommandTests {
  private static let trip = """
    import SwiftData

    @Model final class Trip {
      var name: String = ""
      init() {}
    }

    """

  /// Adopts and generates an app, runs the given commands in its folder, and then `adopt --finish`.
  private static func finish(
    _ arguments: [String] = [], after commands: [[String]] = [],
    _ check: (Finished, String) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      try Disk().write(Array(trip.utf8), to: folder + "/App/Trip.swift")
      try Disk().write(Array("let trips: [Trip] = []\n".utf8), to: folder + "/App/App.swift")
      let environment: [String: String?] = ["GIT_CEILING_DIRECTORIES": folder + "/.."]
      let first = [
        [Checkout.schemagen, "adopt", "App", "--move-models"], [Checkout.schemagen, "generate"],
      ]
      for command in first + commands {
        let done = try run(
          command[0], Array(command.dropFirst()), in: folder, environment: environment)
        try #require(done.status == 0, "\(command): \(done.output)\(done.errors)")
      }
      try check(
        run(
          Checkout.schemagen, ["adopt", "App", "--finish"] + arguments, in: folder,
          environment: environment), folder)
    }
  }

  private static let commit: [[String]] = [
    ["git", "init", "-q"], ["git", "add", "App/Trip.swift", "App/App.swift"],
    [
      "git", "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "app",
    ],
  ]

  private static func written(in folder: String) throws -> String? {
    try Disk().read(folder + "/App/Trip.swift", limit: 1000).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test func whatGitKeepsGoes() throws {
    try Self.finish(after: Self.commit) { done, folder in
      #expect(done.status == 0, "\(done.output)\(done.errors)")
      #expect(done.output.contains("removed App/Trip.swift\n"))
      #expect(done.output.contains("git checkout HEAD -- App/Trip.swift"))
      let text = try Self.written(in: folder)
      #expect(text == nil)
      let back = try run("git", ["checkout", "HEAD", "--", "App/Trip.swift"], in: folder)
      #expect(back.status == 0)
      let again = try Self.written(in: folder)
      #expect(again == Self.trip)
    }
  }

  @Test(
    "'adopt --finish' changes nothing if the files it edits are not committed",
    arguments: [
      [], [["git", "init", "-q"]], Array(commit.dropLast()),
      commit + [["sh", "-c", "echo >> App/Trip.swift"]],
      commit + [["git", "rm", "-q", "--cached", "App/Trip.swift"]],
    ])
  func notKept(commands: [[String]]) throws {
    try Self.finish(after: commands) { done, folder in
      #expect(done.status == 2, "\(done.output)\(done.errors)")
      #expect(done.errors.contains("commit these files first: App/Trip.swift"), "\(done.errors)")
      #expect(done.errors.contains("nothing was changed"))
      let text = try Self.written(in: folder)
      #expect(text?.hasPrefix(Self.trip) == true)
    }
  }

  @Test(arguments: [(commit, 0), ([], 2)] as [([[String]], Int32)])
  func aDryRunRemovesNothing(commands: [[String]], status: Int32) throws {
    try Self.finish(["--dry-run"], after: commands) { done, folder in
      #expect(done.status == status, "\(done.output)\(done.errors)")
      #expect(done.errors.contains("commit these files first") == (status == 2))
      #expect(done.output.contains("would remove App/Trip.swift\n") == (status == 0))
      let text = try Self.written(in: folder)
      #expect(text == Self.trip)
    }
  }

  @Test func itComesAfterGenerate() throws {
    try Self.finish(after: Self.commit + [["rm", "App/Generated/SchemaV1.swift"]]) { done, folder in
      #expect(done.status == 2)
      #expect(done.output.contains("run: schemagen generate"), "\(done.output)")
      let text = try Self.written(in: folder)
      #expect(text == Self.trip)
    }
  }
}
