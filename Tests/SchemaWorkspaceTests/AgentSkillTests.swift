import Foundation
import SchemaModel
import SchemaWorkspace
import TestSupport
import Testing

/// `schemagen skill`: the text for coding agents, and the file with it.
///
/// Tests/Integration/pages.sh runs its commands, and CommandTests checks that they exist.
@Suite struct AgentSkillTests {
  private let lines = AgentSkill.text.split(separator: "\n", omittingEmptySubsequences: false)

  @Test("The skill file is short and contains no markers for its test")
  func length() {
    #expect(lines.count <= 312)
    #expect(!AgentSkill.text.contains("<!--") && !AgentSkill.text.contains("{{"))
    #expect(AgentSkill.text.contains("for schemagen \(Project.version)"))
  }

  /// Agents that know the format read this first; validate.py also checks it with the format's own library.
  @Test("The skill file has the front matter that the format requires")
  func head() throws {
    #expect(lines.first == "---")
    let head = lines.dropFirst().prefix { $0 != "---" }
    #expect(head.contains("name: \(AgentSkill.name)"))
    let start = "description: "
    let description = try #require(head.first { $0.hasPrefix(start) }).dropFirst(start.count)
    #expect((1...1024).contains(description.unicodeScalars.count))
  }

  /// Findings are known by their ids, so each recovery begins with one.
  @Test("Every rule in the skill file exists, and every task in it names a rule")
  func rules() {
    let known = Set(RuleCatalog.all.map(\.id))
    let id = /`(?<id>[a-z]+(?:-[a-z]+)+)`/
    let found = AgentSkill.text.matches(of: id).map { String($0.id) }
    #expect(found.count > 20)
    #expect(found.filter { !known.contains($0) } == [])
    let sections = AgentSkill.text.split(separator: "\n## " as String).dropFirst()
    #expect(sections.count == 15)
    for section in sections where !section.hasPrefix("Never\n") && !section.hasPrefix("Every ") {
      #expect(!section.matches(of: id).isEmpty, "\(section.prefix { $0 != "\n" })")
    }
  }

  @Test("Only an unedited skill file counts as written by schemagen")
  func digest() {
    #expect(AgentSkill.wrote(AgentSkill.text))
    #expect(AgentSkill.wrote(AgentSkill.text.replacing("\n", with: "\r\n")))
    for edited in [
      AgentSkill.text + "\n", AgentSkill.text.replacing("Never edit", with: "Better edit"),
      AgentSkill.text.replacing(/digest: ".{8}/, with: "digest: \"00000000"), "", "# Mine\n",
    ] { #expect(!AgentSkill.wrote(edited)) }
  }

  @Test("Writing the skill file replaces an older one of schemagen, but no other file")
  func replaces() throws {
    let disk = MemoryDisk()
    let path = "skills/schemagen/SKILL.md"
    #expect(try AgentSkill.write(path, to: disk) == .written)
    #expect(disk[path] == AgentSkill.text)
    #expect(try AgentSkill.write(path, to: disk) == .current)
    let older = AgentSkill.signed("---\nname: schemagen\n  digest: \"{{digest}}\"\n---\nOlder.\n")
    disk[path] = older
    #expect(try AgentSkill.write(path, to: disk) == .written)
    #expect(disk[path] == AgentSkill.text)
    for foreign in ["# Mine\n", older + "And mine.\n"] {
      disk[path] = foreign
      #expect(throws: FileSystemError.self) { try AgentSkill.write(path, to: disk) }
      #expect(disk[path] == foreign)
    }
  }
}
