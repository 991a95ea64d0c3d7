internal import SchemaLint
internal import SchemaModel
internal import SwiftSyntax

/// Files that are deleted where a container is made, or when it cannot be.
struct StoreDeletion: SourceCheck {
  let rule = Rule.storeDeletion

  func findings(in context: CheckContext) -> [SourceFinding] {
    let makers = ContainerMakers(context)
    guard !makers.calls.isEmpty else { return [] }
    let functions = LocalFunctions(context.source)
    // What is called when a container cannot be made deletes because of that, wherever it stands.
    let recovered = DoStatements.find(in: context.source.syntax)
      .filter { makers.isMade(in: $0.body) && !Syntax($0).isPreview }
      .flatMap { functions.reachable(from: $0.catchClauses.map { Syntax($0.body) }) }
    return Calls.find(in: context.source.syntax).compactMap { call in
      guard let name = deletion(call), !Syntax(call).isPreview else { return nil }
      let start = call.offsets.lowerBound
      let isRecovery = recovered.contains { $0.offsets.contains(start) }
      guard isRecovery || Syntax(call).scope.map({ isMade(in: $0, makers) }) ?? false else {
        return nil
      }
      return finding(name, isRecovery, context)
    }
  }

  /// Whether a scope makes a container itself: that it calls who does is nothing unusual.
  private func isMade(in scope: Syntax, _ makers: ContainerMakers) -> Bool {
    makers.calls.contains { scope.offsets.contains($0.offsets.lowerBound) }
  }

  private func finding(
    _ name: TokenSyntax, _ isRecovery: Bool, _ context: CheckContext
  ) -> SourceFinding {
    let message =
      isRecovery
      ? "'\(name.text)' throws all data away when a container cannot be made"
      : "'\(name.text)' stands where a container is made: it may throw all data away"
    return SourceFinding(
      diagnostic: Diagnostic(
        rule, message, element: name.text, at: context.source.location(name.offsets),
        help: [
          "keep the store, say that it could not be opened, and fix the migration",
          "if no store is deleted: // schemagen:accept \(rule.id): REASON",
        ]))
  }

  /// What deletes, if a call does.
  private func deletion(_ call: FunctionCallExprSyntax) -> TokenSyntax? {
    guard let name = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName else {
      return nil
    }
    let first = call.arguments.first?.label?.text
    switch name.text {
    case "removeItem", "trashItem", "destroyPersistentStore":
      return first == "at" || first == "atPath" ? name : nil
    case "deleteAllData", "erase": return call.arguments.isEmpty ? name : nil
    default: return nil
    }
  }
}

/// Finds `do`.
private final class DoStatements: SyntaxVisitor {
  private var found: [DoStmtSyntax] = []

  static func find(in node: some SyntaxProtocol) -> [DoStmtSyntax] {
    let visitor = DoStatements(viewMode: .sourceAccurate)
    visitor.walk(node)
    return visitor.found
  }

  override func visit(_ node: DoStmtSyntax) -> SyntaxVisitorContinueKind {
    found.append(node)
    return .visitChildren
  }
}
