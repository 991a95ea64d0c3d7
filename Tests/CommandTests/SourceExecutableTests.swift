import Foundation
import TestSupport
import Testing

/// `schemagen adopt` and its sisters, which another executable runs.
@Suite struct SourceExecutableTests {
  @Test(
    "'schemagen COMMAND --help' shows the options of 'schemagen-sources', but not its name",
    arguments: [
      "adopt", "check", "status", "detect", "lint-code", "affected", "trace", "serve",
    ])
  func helpIsTheSame(command: String) throws {
    let direct = try run(Checkout.products + "/schemagen-sources", [command, "--help"])
    let own = try run(Checkout.schemagen, [command, "--help"])
    #expect(direct.status == 0 && own.status == 0)
    #expect(own.output.contains("USAGE: schemagen \(command) "), "\(own.output)")
    #expect(!own.output.contains("schemagen-sources"))
    let options = direct.output.matches(of: /--[a-z-]+/).map { String($0.output) }
    #expect(options.contains("--root"))
    for option in options { #expect(own.output.contains(option)) }
  }

  @Test func statusAndOutputAreTheOthers() throws {
    try withTemporaryFolder { folder in
      let finished = try run(Checkout.schemagen, ["adopt", folder, "--root", folder])
      #expect(finished.status == 2)
      #expect(finished.output.contains("there is no '@Model' class"))
      #expect(!finished.output.contains("there are models"))
      try FileManager.default.createDirectory(
        atPath: folder + "/App", withIntermediateDirectories: true)
      for name in ["Models Kit", "Models KitTests"] {
        let place = "\(folder)/\(name)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try "@Model class Trip { var name = \"\" }\n".write(
          toFile: place + "/Trip.swift", atomically: true, encoding: .utf8)
      }
      // An actor is not a model, although its macro begins like a model's.
      try "@ModelActor actor Importer {}\n".write(
        toFile: folder + "/App/Importer.swift", atomically: true, encoding: .utf8)
      let elsewhere = try run(Checkout.schemagen, ["adopt", "App", "--root", folder])
      #expect(elsewhere.status == 2)
      #expect(elsewhere.output.contains("there are models below: schemagen adopt "))
      #expect(elsewhere.output.contains("/Models Kit'\n"), "\(elsewhere.output)")
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
