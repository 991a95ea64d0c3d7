import ArgumentParser
import CommandLineSupport
import SchemaLint
import SchemaModel
import SchemaWorkspace

struct Rules: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "List the rules; or write a page for each.")

  @Option(
    help: ArgumentHelp("Write the pages to this folder.", valueName: "folder"),
    completion: .directory)
  var write: String?

  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    guard let write else {
      Output.write(RuleIndex.text(on: Output.terminal(.output)))
      Output.summary("\(RuleCatalog.descriptions.count) rules; schemagen explain RULE explains one")
      return
    }
    let disk = Disk()
    do throws(FileSystemError) {
      for file in RuleIndex.files {
        try disk.write(Array(file.text.utf8), to: Path.join(write, file.name))
      }
      Output.summary("\(write): \(RuleIndex.files.count) files")
    } catch {
      Output.report(error)
      throw ExitCode(2)
    }
  }
}

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explain what a rule finds, why, and how to fix it.")

  @Argument(
    help: "The rule's id, such as missing-default.",
    completion: .list(RuleCatalog.all.map(\.id)))
  var rule: String

  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    guard let page = RuleIndex.page(rule) else {
      Output.error("schemagen: no rule is called '\(rule)'")
      let nearest = Suggestion.nearest(to: rule, among: RuleCatalog.all.map(\.id))
      Output.error(nearest.map { "did you mean '\($0)'?" } ?? "'schemagen rules' lists them")
      throw ExitCode(2)
    }
    Output.write(page)
  }
}
