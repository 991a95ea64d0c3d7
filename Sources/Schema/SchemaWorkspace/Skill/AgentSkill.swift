internal import ManagedModels
internal import SchemaModel

/// The skill that a coding agent reads before it changes a schema, in the format of agentskills.io.
///
/// The text is SKILL.md next to this file. A test runs its commands. The test's comments are left out here.
package enum AgentSkill {
  /// The name of the skill and of its folder, which the format requires to be equal.
  package static let name = "schemagen"

  package static let text: String = {
    let source = String(decoding: PackageResources.SKILL_md, as: UTF8.self)
    var lines: [Substring] = []
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("<!-- ") { continue }
      // Two empty lines around a removed comment become one.
      if line.isEmpty, lines.last?.isEmpty == true { continue }
      lines.append(line)
    }
    return signed(lines.joined(separator: "\n").replacing("{{version}}", with: Project.version))
  }()

  package static func signed(_ text: String) -> String {
    text.replacing(unsigned, with: digestLine(SHA256.hash(text).hexadecimal))
  }

  /// A paragraph that refers an agent to the skill, for the file that the agent always reads.
  package static func paragraph(_ path: String) -> String {
    """
    ## SwiftData schema

    The command `schemagen` writes this app's schema versions and migrations, and refuses what would lose users' data.
    Before you change a `@Model` class, a migration or a file in `Schemas`, read `\(path)`.
    Afterwards run `schemagen snapshot` if `Schemas/schemagen.yaml` has `classes:`, or else `schemagen generate`, and then
    `schemagen check --against BRANCH` with the branch that the change goes to. It ends with status 0, or only
    `unapproved-loss` is left, which is for people. Never edit a version that has shipped, `schema.lock`,
    `lint-baseline.json`, `approvals.json` or generated files, and never switch a rule off. `schemagen release` and
    `schemagen approve` are for people: run them only when a person tells you to.

    """
  }

  /// Whether schemagen wrote a file that is unedited since. Line endings, which git may change, do not count.
  package static func wrote(_ text: String) -> Bool {
    let text = text.replacing("\r\n", with: "\n")
    guard let line = text.firstMatch(of: /\n  digest: "(?<digest>[0-9a-f]{64})"\n/) else {
      return false
    }
    let source = text.replacing(digestLine(line.digest), with: unsigned)
    return SHA256.hash(source).hexadecimal == line.digest
  }

  package enum Outcome: Sendable {
    case written, current
  }

  /// Writes the skill's file. An existing file is replaced only if schemagen wrote all of it.
  package static func write(
    _ path: String, to fileSystem: some FileSystem
  ) throws(FileSystemError) -> Outcome {
    if let bytes = try fileSystem.read(path, limit: 1 << 20) {
      let present = String(decoding: bytes, as: UTF8.self)
      guard wrote(present) else {
        throw FileSystemError(
          path: path, reason: "schemagen did not write it, or it was edited since")
      }
      if present == text { return .current }
    }
    try fileSystem.write(Array(text.utf8), to: path)
    return .written
  }

  private static let unsigned = digestLine("{{digest}}")

  private static func digestLine(_ digest: some StringProtocol) -> String {
    "  digest: \"\(digest)\"\n"
  }
}
