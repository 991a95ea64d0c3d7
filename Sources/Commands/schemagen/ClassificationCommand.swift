import ArgumentParser
import CommandLineSupport
import SchemaEvolution

struct ClassificationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "classification",
    abstract: "Print the classification table, as docs/classification.md has it.")

  @OptionGroup var terminal: TerminalOptions

  func run() { Output.write(ClassificationTable.markdown) }
}
