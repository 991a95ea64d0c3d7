import ArgumentParser
import CommandLineSupport
import Foundation
import SwiftSources

@main
struct SchemagenSources: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schemagen-sources",
    abstract: "Compares Swift sources with schema manifests.",
    discussion: """
      Exit status: 0 clean; 1 findings; 2 wrong usage, broken manifests or configuration, or a file that cannot be \
      read or written.
      """,
    version: Tool.version,
    subcommands: [
      AdoptCommand.self, SnapshotCommand.self, CheckCommand.self, StatusCommand.self,
      LintCode.self, AffectedCommand.self, DetectCommand.self, TraceCommand.self, ServeCommand.self,
      NeededCommand.self, ReleasesCommand.self,
    ])

  static func main() {
    // Code can nest more deeply than a normal stack allows.
    _ = DeepStack.run { () -> Bool in Tool.main(Self.self) }
  }
}

extension ParsableCommand {
  /// Reads a request of `schemagen` as JSON from standard input, and writes the answer as JSON.
  func answer<Request: Decodable>(_ work: (Request) throws -> some Encodable) throws {
    let input = FileHandle.standardInput.readDataToEndOfFile()
    let answer = try work(JSONDecoder().decode(Request.self, from: input))
    FileHandle.standardOutput.write(try JSONEncoder().encode(answer))
  }
}

extension ConditionOptions {
  var build: BuildConditions { BuildConditions(platform: platform, defines: Set(define)) }
}
