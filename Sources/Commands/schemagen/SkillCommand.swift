import ArgumentParser
import CommandLineSupport
import SchemaModel
import SchemaWorkspace

struct SkillCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "skill",
    abstract: "Write a skill for coding agents that describes this schemagen.",
    discussion: """
      Prints SKILL.md, in the format that agents share (agentskills.io). With --into it writes the skill's folder, \
      and prints a paragraph for AGENTS.md or CLAUDE.md, which it never edits. Run it again after an update of \
      schemagen: it replaces its own file, and no other.
      Exit status: 0 written, or up to date; 2 a file that schemagen did not write is in the way, or a file cannot be \
      read or written.
      """)

  @Option(
    help: ArgumentHelp(
      "Write schemagen/SKILL.md to this folder of skills: .claude/skills, .agents/skills, .github/skills.",
      valueName: "folder"),
    completion: .directory)
  var into: String?

  @Option(
    help: ArgumentHelp("The folder that relative paths start from.", valueName: "folder"),
    completion: .directory)
  var root: String?

  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    guard let into else { return Output.write(AgentSkill.text) }
    let disk = Disk()
    let inside = Path.join(into, "\(AgentSkill.name)/SKILL.md")
    let path = FolderOptions.path(inside, below: root)
    do throws(FileSystemError) {
      let outcome = try AgentSkill.write(path, to: disk)
      let readers = try readers(disk)
      if !readers.contains(where: { $0.text.contains(inside) }) {
        let file = FolderOptions.path(readers.first?.name ?? "AGENTS.md", below: root)
        Output.write(
          "add to \(file), which agents read first:\n\n\(AgentSkill.paragraph(inside))\n")
      }
      switch outcome {
      case .written: Output.summary("wrote \(path), for schemagen \(Tool.version)")
      case .current: Output.summary("\(path): up to date, for schemagen \(Tool.version)")
      }
    } catch {
      Output.report(error)
      Output.error(
        "  help: move it away, or name another folder with --into; put what your team adds into AGENTS.md"
      )
      throw ExitCode(2)
    }
  }

  private func readers(_ disk: Disk) throws(FileSystemError) -> [(name: String, text: String)] {
    var found: [(name: String, text: String)] = []
    for name in ["AGENTS.md", "CLAUDE.md"] {
      if let bytes = try disk.read(FolderOptions.path(name, below: root), limit: 1 << 20) {
        found.append((name, String(decoding: bytes, as: UTF8.self)))
      }
    }
    return found
  }
}
