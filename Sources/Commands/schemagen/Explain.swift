import ArgumentParser
import CommandLineSupport
import SchemaEvolution
import SchemaModel
import SchemaWorkspace

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a rule or a kind of change; without an argument, list them all.")

  @Argument(
    help: ArgumentHelp(
      "A rule, such as missing-default, or a kind of change, such as attribute-renamed.",
      valueName: "id"),
    completion: .list(RuleCatalog.all.map(\.id)))
  var id: String?

  @Option(
    help: ArgumentHelp(
      "Write classification.md and the rules' pages to this folder.", valueName: "folder",
      visibility: .hidden),
    completion: .directory)
  var write: String?

  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    if let write { return try writePages(to: write) }
    guard let id else {
      Output.write(RuleIndex.text(on: Output.terminal(.output)))
      return Output.summary(
        "\(RuleCatalog.descriptions.count) rules, \(ClassificationTable.rows.count) kinds of change; "
          + "schemagen explain ID explains one")
    }
    guard let text = RuleIndex.page(id) else {
      Output.error("schemagen: no rule and no kind of change is called '\(id)'")
      let nearest = Suggestion.nearest(to: id, among: RuleCatalog.all.map(\.id))
      Output.error(nearest.map { "did you mean '\($0)'?" } ?? "'schemagen explain' lists them")
      throw ExitCode(2)
    }
    Output.write(text)
  }

  private func writePages(to folder: String) throws {
    let pages = RuleIndex.files.map { (name: "rules/" + $0.name, text: $0.text) }
    do throws(FileSystemError) {
      for page in pages + [("classification.md", ClassificationTable.markdown)] {
        try Disk().write(Array(page.text.utf8), to: Path.join(folder, page.name))
      }
      Output.summary("\(folder): \(pages.count + 1) files")
    } catch {
      Output.report(error)
      throw ExitCode(2)
    }
  }
}
