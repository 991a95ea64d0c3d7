internal import SwiftSources
internal import SwiftSyntax

struct ContainerMakers {
  /// `ModelContainer(…)` and `ActiveSchema.container(…)`, except in previews.
  let calls: [FunctionCallExprSyntax]
  let values: FileValues
  /// Code that creates a container directly or by a function of the same file.
  private let making: Set<SyntaxIdentifier>
  private let makingOnDisk: Set<SyntaxIdentifier>
  let scopesOnDisk: Set<SyntaxIdentifier>

  init(_ context: CheckContext) {
    let active = Set(context.names.folders.map(\.activeSchema))
    let all = context.source.syntax.all(FunctionCallExprSyntax.self)
    let calls = all.filter { call in
      (call.makesContainer || call.isContainer(of: active)) && !context.isPreview(call)
    }
    let values = context.values
    let onDisk = calls.filter { !$0.isInMemory(values) }
    func making(
      _ calls: [FunctionCallExprSyntax], orBy others: ContainerFunctions? = nil
    ) -> Set<SyntaxIdentifier> {
      var functions: [String: Set<String>] = [:]
      for call in calls {
        guard let function = values.scope(of: call)?.as(FunctionDeclSyntax.self) else { continue }
        functions[function.name.plain, default: []]
          .formUnion(ContainerFunctions.memoryLabels(of: function))
      }
      return Set(
        around: calls
          + all.filter { call in
            if let labels = call.calledName.flatMap({ functions[$0] }) {
              return others == nil || !call.isInMemory(byOneOf: labels)
            }
            return others?.isMade(by: call) ?? false
          })
    }
    self.calls = calls
    self.values = values
    self.making = making(calls)
    makingOnDisk = making(onDisk, orBy: context.facts.containers)
    scopesOnDisk = Set(around: onDisk)
  }

  func isMade(in node: some SyntaxProtocol) -> Bool { making.contains(node.id) }

  func isMadeOnDisk(in node: some SyntaxProtocol) -> Bool { makingOnDisk.contains(node.id) }

  /// The code that runs if creating a container fails: in `catch`, after the `else` of a condition that creates the
  /// container, and after an `if` that returns the container.
  static func recoveries(
    in source: SwiftSource, where isMade: (Syntax) -> Bool
  ) -> [Syntax] {
    let finder = Recoveries(viewMode: .sourceAccurate)
    finder.walk(source.syntax)
    return finder.found.filter { $0.attempts.contains(where: isMade) }.flatMap(\.code)
  }
}

/// Finds code that may fail, with the code that runs if it fails.
private final class Recoveries: SyntaxVisitor {
  private(set) var found: [(attempts: [Syntax], code: [Syntax])] = []

  override func visit(_ node: DoStmtSyntax) -> SyntaxVisitorContinueKind {
    found.append(([Syntax(node.body)], node.catchClauses.map { Syntax($0.body) }))
    return .visitChildren
  }

  override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
    found.append(([Syntax(node.conditions)], [Syntax(node.body)]))
    return .visitChildren
  }

  override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
    if case .codeBlock(let block)? = node.elseBody {
      found.append(([Syntax(node.conditions)], [Syntax(block)]))
    } else if node.elseBody == nil,
      node.body.statements.last?.item.is(ReturnStmtSyntax.self) == true,
      !node.conditions.all(TryExprSyntax.self).isEmpty,
      let item = node.parent?.parent?.as(CodeBlockItemSyntax.self),
      let items = item.parent?.as(CodeBlockItemListSyntax.self)
    {
      let next = items.drop { $0.id != item.id }.dropFirst()
      found.append(([Syntax(node.conditions)], next.map { Syntax($0) }))
    }
    return .visitChildren
  }
}

extension FunctionCallExprSyntax {
  fileprivate func isContainer(of active: Set<String>) -> Bool {
    guard let access = calledExpression.as(MemberAccessExprSyntax.self),
      access.declName.baseName.text == "container",
      let base = access.base?.as(DeclReferenceExprSyntax.self)
    else { return false }
    return active.contains(base.baseName.plain)
  }
}
