package import ArgumentParser
package import SchemaReporting

/// The options that choose how a command shows its result.
package struct ShowingOptions: ParsableArguments {
  package enum Format: String, CaseIterable, Sendable, ExpressibleByArgument {
    case text, json
  }

  @Option(
    help: "The output format: \(Format.allCases.map(\.rawValue).joined(separator: ", ")).")
  package var format: Format = .text

  package init() {}

  /// Writes the result as JSON, or as text whose last line is the headline.
  ///
  /// - Parameter more: Writes further text after the document.
  package func show(
    _ result: some Encodable, _ document: @autoclosure () -> Document, headline: String,
    more: () throws -> Void = {}
  ) throws {
    guard format == .text else { return Output.write(JSONText.encode(result)) }
    Output.write(document())
    try more()
    Output.summary(headline)
  }
}
