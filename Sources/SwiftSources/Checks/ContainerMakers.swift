internal import SwiftSyntax

/// Where a file makes containers.
struct ContainerMakers {
  /// `ModelContainer(…)` and `ActiveSchema.container(…)`, outside of previews.
  let calls: [FunctionCallExprSyntax]
  private let functions: Set<String>

  init(_ context: CheckContext) {
    let active = Set(context.names.folders.map(\.activeSchema))
    calls = Calls.find(in: context.source.syntax).filter { call in
      (call.makesContainer || call.isContainer(of: active)) && !Syntax(call).isPreview
    }
    functions = Set(calls.compactMap { Syntax($0).scope?.functionName })
  }

  /// Whether a container is made in a piece of code, by itself or by a function of the same file.
  func isMade(in node: some SyntaxProtocol) -> Bool {
    let offsets = node.offsets
    if calls.contains(where: { offsets.contains($0.offsets.lowerBound) }) { return true }
    return Calls.find(in: node).contains { call in
      call.calledName.map(functions.contains) ?? false
    }
  }
}

extension FunctionCallExprSyntax {
  /// Whether it is `ModelContainer(…)` or `ModelContainer.init(…)`.
  var makesContainer: Bool {
    if let access = calledExpression.as(MemberAccessExprSyntax.self) {
      if access.declName.baseName.text == "init" {
        return access.base?.as(DeclReferenceExprSyntax.self)?.baseName.plain == "ModelContainer"
      }
      return access.declName.baseName.plain == "ModelContainer"
    }
    return calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.plain == "ModelContainer"
  }

  /// Whether it is `ActiveSchema.container(…)`.
  fileprivate func isContainer(of active: Set<String>) -> Bool {
    guard let access = calledExpression.as(MemberAccessExprSyntax.self),
      access.declName.baseName.text == "container",
      let base = access.base?.as(DeclReferenceExprSyntax.self)
    else { return false }
    return active.contains(base.baseName.plain)
  }
}

extension Syntax {
  /// The function, initialiser, accessor or variable with a closure that a piece of code runs in; nil at the top.
  var scope: Syntax? {
    var node = parent
    while let current = node {
      switch current.kind {
      case .functionDecl, .initializerDecl, .accessorDecl, .accessorBlock: return current
      case .patternBinding:
        // A variable of a type, not one in a function.
        if current.parent?.parent?.parent?.is(MemberBlockItemSyntax.self) ?? false {
          return current
        }
      default: break
      }
      node = current.parent
    }
    return nil
  }

  fileprivate var functionName: String? { self.as(FunctionDeclSyntax.self)?.name.plain }

  /// Whether it stands in `#Preview` or in a `PreviewProvider`.
  var isPreview: Bool {
    var node: Syntax? = self
    while let current = node {
      if current.as(MacroExpansionExprSyntax.self)?.macroName.text == "Preview"
        || current.as(MacroExpansionDeclSyntax.self)?.macroName.text == "Preview"
        || current.as(StructDeclSyntax.self)?.inheritanceClause.names("PreviewProvider") ?? false
      {
        return true
      }
      node = current.parent
    }
    return false
  }
}
