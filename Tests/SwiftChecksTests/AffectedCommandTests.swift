import Foundation
import TestSupport
import Testing

/// The real command, in a folder of its own.
@Suite struct AffectedCommandTests {
  private static let tool = Checkout.products + "/schemagen-sources"

  private func inApp(_ work: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let manager = FileManager.default
      try manager.copyItem(
        atPath: Checkout.root + "/Tests/Support/Fixtures/AffectedApp", toPath: folder + "/app")
      try manager.copyItem(
        atPath: Checkout.root + "/Schemas", toPath: folder + "/app/Schemas")
      try work(folder + "/app")
    }
  }

  @Test func writesTheList() throws {
    try inApp { app in
      let ritualist = ["affected", "--schemas", "Schemas/Ritualist"]
      let shown = try run(Self.tool, ritualist, in: app)
      let recorded = try String(contentsOfFile: app + "/AFFECTED.md", encoding: .utf8)
      #expect(shown.status == 0)
      #expect(shown.output == recorded, "\(difference(from: recorded, to: shown.output))")
      #expect(shown.errors.isEmpty)
      let written = try run(
        Self.tool,
        ["affected", "--root", app, "--schemas", "Schemas/Ritualist", "-o", "new/list.md"])
      #expect(written.status == 0)
      let places = recorded.ranges(of: "\n- [ ] ").count
      #expect(written.output == "wrote \(app)/new/list.md: \(places) places to check\n")
      let list = try String(contentsOfFile: app + "/new/list.md", encoding: .utf8)
      #expect(list.split(separator: "\n").count == recorded.split(separator: "\n").count)
    }
  }

  @Test func looksOnlyWhereItIsTold() throws {
    try inApp { app in
      let shown = try run(
        Self.tool, ["affected", "AppTests", "--schemas", "Schemas/Ritualist", "--to", "V9"], in: app
      )
      let files = shown.output.split(separator: "\n").filter { $0.contains(".swift:") }
      #expect(!files.isEmpty)
      #expect(files.allSatisfy { $0.contains("AppTests/") })
    }
  }

  @Test func severalFoldersAreTold() throws {
    try inApp { app in
      let shown = try run(Self.tool, ["affected"], in: app)
      #expect(shown.status == 0)
      #expect(
        shown.output.split(separator: "\n").filter { $0.hasPrefix("# ") } == [
          "# Schemas/Habitto: V1.2 → V2: The app's own migration status goes",
          "# Schemas/KeepTrack: V1 → V2: CloudKit-compatible",
          "# Schemas/Recipes: V3 → V4: No recipe is for experts alone",
          "# Schemas/Ritualist: V8 → V9: Three-timezone model",
          "# Schemas/Travel: V1 → V2: Trips have a start",
        ])
    }
  }

  @Test(arguments: [
    (["--from", "V11"], 2, "Schemas/Ritualist has no version V11"),
    (["--from", "V9", "--to", "V8"], 2, "'--from V9' is not before '--to V8'"),
    (["nowhere"], 2, "'nowhere' cannot be read"),
    (["--from", "V9"], 0, "no pair of versions to compare"),
    (["--schemas", "Nowhere"], 2, "error"),
    (["-o", "Schemas"], 2, "it is a folder"),
  ])
  func whatCannotBeDone(_ arguments: [String], _ status: Int32, _ message: String) throws {
    try inApp { app in
      let folder = arguments.contains("--schemas") ? [] : ["--schemas", "Schemas/Ritualist"]
      let finished = try run(Self.tool, ["affected"] + arguments + folder, in: app)
      #expect(finished.status == status)
      #expect(finished.errors.contains(message), "\(finished.errors)")
      #expect(finished.output.isEmpty)
    }
  }
}
