internal import SchemaLint
internal import SchemaModel
internal import SwiftSyntax

/// Containers whose failure ends the app.
struct FatalContainer: SourceCheck {
  let rule = Rule.fatalContainer

  func findings(in context: CheckContext) -> [SourceFinding] {
    let source = context.source
    let makers = ContainerMakers(context)
    guard !makers.calls.isEmpty else { return [] }
    let tries: [(Range<Int>, Syntax)] = ForcedTries.find(in: source.syntax).compactMap { node in
      guard makers.isMadeOnDisk(in: node.expression), let mark = node.questionOrExclamationMark
      else { return nil }
      return (node.offsets.lowerBound..<mark.offsets.upperBound, Syntax(node))
    }
    // What is tried inside of a recovery is a way out of its own.
    let all = ContainerMakers.recoveries(in: source) { _ in true }
    let recoveries = Set(
      ContainerMakers.recoveries(in: source) { makers.isMadeOnDisk(in: $0) }.map(\.id))
    var seen: Set<SyntaxIdentifier> = []
    let ends = Calls.find(in: source.syntax).compactMap { call -> (Range<Int>, Syntax)? in
      guard Self.ends.contains(call.calledExpression.trimmedDescription),
        let code = all.filter({ $0.offsets.contains(call.offsets.lowerBound) })
          .min(by: { $0.offsets.count < $1.offsets.count }), recoveries.contains(code.id),
        seen.insert(code.id).inserted
      else { return nil }
      return (call.calledExpression.offsets, Syntax(call))
    }
    return (tries + ends).filter { !$0.1.isPreview && !$0.1.isDevelopment }.map { range, _ in
      let text = context.text(range)
      return SourceFinding(
        diagnostic: Diagnostic(
          rule,
          "'\(text)' ends the app at each launch, as long as its store cannot be opened",
          element: text, at: source.location(range),
          help: [
            "show that the data could not be opened, and keep the store: a fixed app opens it",
            "'MigrationCoordinator' of SchemaMigrationKit does that",
          ]))
    }
  }

  private static let ends: Set<String> = [
    "fatalError", "preconditionFailure", "Swift.fatalError", "exit", "abort",
  ]
}

/// Finds `try!`.
private final class ForcedTries: SyntaxVisitor {
  private var found: [TryExprSyntax] = []

  static func find(in node: some SyntaxProtocol) -> [TryExprSyntax] {
    let visitor = ForcedTries(viewMode: .sourceAccurate)
    visitor.walk(node)
    return visitor.found
  }

  override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind {
    if node.questionOrExclamationMark?.text == "!" { found.append(node) }
    return .visitChildren
  }
}
