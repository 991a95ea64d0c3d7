internal import SchemaLint
internal import SchemaModel
internal import SwiftSyntax

/// Errors in a stage of which nobody hears.
struct SwallowedErrorInStage: SourceCheck {
  let rule = Rule.swallowedErrorInStage

  func findings(in context: CheckContext) -> [SourceFinding] {
    context.migrations.bodies.flatMap { body in
      body.nodes.flatMap { SilentTries.find(in: $0) }.map { node in
        let mark = node.questionOrExclamationMark?.text ?? ""
        let start = node.offsets.lowerBound
        let end = (node.questionOrExclamationMark ?? node.tryKeyword).offsets.upperBound
        return SourceFinding(
          diagnostic: Diagnostic(
            rule,
            mark == "?"
              ? "'try?' hides a failure: the stage goes on, and the store has the new version"
              : "'try!' crashes the app at each launch, as long as the stage fails",
            element: body.side.label, at: context.source.location(start..<end),
            help: ["write 'try': an error that '\(body.side.label)' throws stops the migration"]))
      }
    }
  }
}

/// Finds `try?` and `try!`.
private final class SilentTries: SyntaxVisitor {
  private var found: [TryExprSyntax] = []

  static func find(in node: Syntax) -> [TryExprSyntax] {
    let visitor = SilentTries(viewMode: .sourceAccurate)
    visitor.walk(node)
    return visitor.found
  }

  override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind {
    if node.questionOrExclamationMark != nil { found.append(node) }
    return .visitChildren
  }
}
