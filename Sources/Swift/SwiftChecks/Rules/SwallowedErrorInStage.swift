internal import SchemaLint
internal import SchemaModel
internal import SwiftSources
internal import SwiftSyntax

/// Finds `try?` and `try!` in stages.
struct SwallowedErrorInStage: SourceCheck {
  let rule = Rule.swallowedErrorInStage

  func findings(in context: CheckContext) -> [SourceFinding] {
    context.migrations.bodies.flatMap { body in
      body.nodes.flatMap { $0.all(TryExprSyntax.self) }.compactMap { node in
        guard let mark = node.questionOrExclamationMark else { return nil }
        let start = node.offsets.lowerBound
        let end = mark.offsets.upperBound
        return SourceFinding(
          diagnostic: Diagnostic(
            rule,
            mark.text == "?"
              ? "'try?' hides a failure: the stage continues, and the store gets the new version"
              : "'try!' crashes the app at every launch while the stage fails",
            element: body.side.label, at: context.source.location(start..<end),
            help: ["write 'try': an error that '\(body.side.label)' throws stops the migration"]))
      }
    }
  }
}
