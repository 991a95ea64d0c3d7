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

  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    guard let id else {
      Output.write(RuleIndex.document)
      Output.write("\n")
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
}
