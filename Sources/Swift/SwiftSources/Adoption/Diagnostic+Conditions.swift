internal import SchemaLint
internal import SchemaModel
internal import SchemaWorkspace

extension Diagnostic {
  /// What stands inside `#if`, said of a model or of a version.
  static func buildCondition(_ what: String, element: String, at place: Place) -> Diagnostic {
    Diagnostic(
      .buildCondition, "\(what) depend on '#if'", element: element, at: place,
      help: [
        "code for the chosen platform was read; '--platform' and '--define' choose another",
        "a store that one build writes is unknown to a build whose models differ",
      ])
  }
}
