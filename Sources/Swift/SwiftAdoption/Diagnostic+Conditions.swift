internal import SchemaLint
package import SchemaModel
internal import SchemaWorkspace
package import SwiftSources

extension Diagnostic {
  /// Reports a model or a version inside `#if`.
  ///
  /// - Parameter unknown: The conditions that neither the options nor the configuration decide.
  package static func buildCondition(
    _ what: String, element: String, at place: Place, unknown: [String] = []
  ) -> Diagnostic {
    if !unknown.isEmpty {
      let names = Set(unknown).sorted()
      return Diagnostic(
        .buildCondition,
        "\(what) depend on '#if \(names.joined(separator: "', '#if "))', and schemagen does not know whether this is true in the shipped app",
        element: element, at: place,
        help: [
          "declare what is stored outside of '#if', and let '#if' decide what the app does with it",
          "or, if the condition is the same wherever the app runs, write in schemagen.yaml: define: { \(names.map { "\($0.contains("(") ? "'\($0)'" : $0): true" }.joined(separator: ", ")) }, or false",
          "a store that one build writes is unknown to a build whose models differ",
        ], severity: .warning)
    }
    return Diagnostic(
      .buildCondition, "\(what) depend on '#if'", element: element, at: place,
      help: [
        "code for the chosen platform was read; '--platform' and '--define' choose another",
        "a store that one build writes is unknown to a build whose models differ",
      ])
  }
}
