internal import SchemaLint
internal import SchemaModel
internal import SwiftSources
internal import SwiftSyntax

/// Finds code that crashes the app if the container on disk cannot be created.
struct FatalContainer: SourceCheck {
  let rule = Rule.fatalContainer

  func findings(in context: CheckContext) -> [SourceFinding] {
    let source = context.source
    let makers = ContainerMakers(context)
    let tries = source.syntax.all(TryExprSyntax.self).compactMap { node -> (Range<Int>, Syntax)? in
      guard let mark = node.questionOrExclamationMark, mark.text == "!",
        makers.isMadeOnDisk(in: node.expression)
      else { return nil }
      return (node.offsets.lowerBound..<mark.offsets.upperBound, Syntax(node))
    }
    // A container that is created inside a recovery belongs to the innermost recovery.
    let all = Set(ContainerMakers.recoveries(in: source) { _ in true }.map(\.id))
    let innermost = Ancestors { all.contains($0.id) ? $0.id : nil }
    let recoveries = Set(
      ContainerMakers.recoveries(in: source) { makers.isMadeOnDisk(in: $0) }.map(\.id))
    var seen: Set<SyntaxIdentifier> = []
    let calls = source.syntax.all(FunctionCallExprSyntax.self)
    let ends = calls.compactMap { call -> (Range<Int>, Syntax)? in
      guard let path = call.calledExpression.memberPath, Self.ends.contains(path),
        let code = innermost.value(around: call), recoveries.contains(code),
        seen.insert(code).inserted
      else { return nil }
      return (call.calledExpression.offsets, Syntax(call))
    }
    return (tries + ends).filter { !context.isPreview($0.1) && !context.isDevelopment($0.1) }.map {
      range, _ in
      let text = context.text(range)
      return SourceFinding(
        diagnostic: Diagnostic(
          rule,
          "'\(text)' crashes the app at every launch while its store does not open",
          element: text, at: source.location(range),
          help: [
            "tell the user that the data could not be opened, and keep the store for a fixed version of the app",
            "'MigrationCoordinator' of SchemaMigrationKit does that",
          ]))
    }
  }

  private static let ends: Set<[String]> = [
    ["fatalError"], ["preconditionFailure"], ["Swift", "fatalError"], ["exit"], ["abort"],
  ]
}
