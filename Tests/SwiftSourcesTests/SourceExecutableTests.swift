import Foundation
import TestSupport
import Testing

/// `schemagen adopt` and its sisters, which another executable runs.
@Suite struct SourceExecutableTests {
  @Test(arguments: ["adopt", "detect", "lint-code", "affected"])
  func commandsAreHandedOver(command: String) throws {
    let direct = try run(Checkout.products + "/schemagen-sources", [command, "--help"])
    let handed = try run(Checkout.schemagen, [command, "--help"])
    #expect(direct.status == 0)
    #expect(handed.status == 0)
    #expect(handed.output == direct.output)
    #expect(handed.output.contains("schemagen-sources \(command)"))
  }

  @Test func statusAndOutputAreTheOthers() throws {
    try withTemporaryFolder { folder in
      let finished = try run(Checkout.schemagen, ["adopt", folder, "--root", folder])
      #expect(finished.status == 2)
      #expect(finished.output.contains("there is no '@Model' class"))
    }
  }

  @Test func withoutTheOtherItSaysHowToGetIt() throws {
    try withTemporaryFolder { folder in
      let alone = folder + "/schemagen"
      // Not by this process: another test may start a program while the copy is open for writing, and keep it open.
      #expect(try run("cp", [Checkout.schemagen, alone]).status == 0)
      let finished = try run(alone, ["detect"], environment: ["PATH": "/usr/bin:/bin"])
      #expect(finished.status == 2)
      #expect(finished.errors.contains("swift build --product schemagen-sources"))
    }
  }

  @Test func anotherReleaseIsRefused() throws {
    let finished = try run(
      Checkout.products + "/schemagen-sources", ["detect"],
      environment: ["SCHEMAGEN_CALLER_VERSION": "0.0.1"])
    #expect(finished.status == 2)
    #expect(finished.errors.contains("is version"))
  }
}
