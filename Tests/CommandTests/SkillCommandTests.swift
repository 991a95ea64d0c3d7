import Foundation
import TestSupport
import Testing

/// The 'skill' command, and whether its text is true of this tool.
@Suite struct SkillCommandTests {
  private func schemagen(_ arguments: String..., in folder: String) throws -> Finished {
    try run(Checkout.schemagen, arguments, in: folder, environment: ["NO_COLOR": "1"])
  }

  /// A command as `--experimental-dump-help` has it.
  private struct Command: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable { var name: String }
      var names: [Name]?
    }
    var commandName: String
    var subcommands: [Command]?
    var arguments: [Argument]?
  }

  private struct Help: Decodable { var command: Command }

  @Test("Every command and option in the skill file exists")
  func commands() throws {
    try withTemporaryFolder { folder in
      let dump = try schemagen("--experimental-dump-help", in: folder).output
      let root = try JSONDecoder().decode(Help.self, from: Data(dump.utf8)).command
      let text = try schemagen("skill", in: folder).output
      var isCode = false
      var uses: [Substring] = []
      for line in text.split(separator: "\n") {
        if line.hasPrefix("```") {
          isCode.toggle()
        } else if isCode {
          uses += line.hasPrefix("schemagen ") ? [line] : []
        } else {
          uses += line.matches(of: /`(?<use>schemagen [^`]+)`/).map(\.use)
        }
      }
      #expect(uses.count > 20)
      for use in uses {
        var command = root
        for word in use.split(separator: " ").dropFirst() {
          if word.hasPrefix("--") {
            let options = command.arguments?.flatMap { $0.names ?? [] }.map { "--" + $0.name } ?? []
            #expect(options.contains(String(word)), "\(use)")
          } else if let next = command.subcommands?.first(where: { $0.commandName == word }) {
            command = next
          } else {
            // A missing command is checked here, not its arguments; a name alone stands for all subcommands.
            #expect(command.commandName != "schemagen", "\(use)")
          }
        }
      }
    }
  }

  @Test("'skill' writes its file, prints what to add to AGENTS.md and edits nothing else")
  func writes() throws {
    try withTemporaryFolder { folder in
      let path = ".claude/skills/schemagen/SKILL.md"
      func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      }
      func write(_ text: String, _ name: String) throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
      }
      let first = try schemagen("skill", "--into", ".claude/skills", in: folder)
      #expect(first.status == 0 && first.output.hasPrefix("add to AGENTS.md"), "\(first.errors)")
      #expect(first.output.contains("read `\(path)`"))
      #expect(try text(path) == schemagen("skill", in: folder).output)
      #expect(filesBelow(folder) == [path])

      try write("# Mine\n", "CLAUDE.md")
      let again = try schemagen("skill", "--into", ".claude/skills", in: folder)
      #expect(again.status == 0 && again.output.hasPrefix("add to CLAUDE.md"))
      #expect(again.output.hasSuffix("up to date, for schemagen 0.1.0\n"), "\(again.output)")
      #expect(try text("CLAUDE.md") == "# Mine\n")
      try write("Read \(path).\n", "AGENTS.md")
      let known = try schemagen("skill", "--into", ".claude/skills", in: folder)
      #expect(known.output == "\(path): up to date, for schemagen 0.1.0\n")

      try write("# Mine\n", path)
      let refused = try schemagen("skill", "--into", ".claude/skills", in: folder)
      #expect(refused.status == 2 && refused.output.isEmpty)
      #expect(refused.errors.contains(path) && refused.errors.contains("help: move it away"))
      #expect(try text(path) == "# Mine\n")
      // No folder can be created below a file.
      let below = try schemagen("skill", "--into", "AGENTS.md", in: folder)
      #expect(below.status == 2 && below.errors.contains("AGENTS.md"), "\(below.errors)")
    }
  }

  @Test("'init' and 'adopt' mention the skill file")
  func offered() throws {
    try withTemporaryFolder { folder in
      let offer = "with a coding agent: schemagen skill --into .claude/skills"
      #expect(try schemagen("init", in: folder).output.contains(offer))
      let sources = "\(Checkout.root)/Examples/Plants/App"
      let adopted = try schemagen("adopt", sources, "--schemas", "A", "--output", "O", in: folder)
      #expect(adopted.output.contains(offer), "\(adopted.output)\(adopted.errors)")
      let store = "\(Checkout.root)/Examples/Plants/Stores/plants.store"
      #expect(
        try schemagen("adopt", "--store", store, "--schemas", "B", in: folder).output.contains(
          offer))
    }
  }
}
