internal import SwiftSources
internal import SwiftSyntax

/// Collects the names that code redefines: variables, parameters, generic parameters, nested types. A name counts as
/// redefined in the whole code, because scopes are not distinguished.
final class BoundNames: TypeVisitor {
  private var names: Set<String> = []

  static func find(in node: some SyntaxProtocol) -> Set<String> {
    let visitor = BoundNames(viewMode: .sourceAccurate)
    visitor.walk(node)
    return visitor.names
  }

  private func add(_ token: TokenSyntax?) -> SyntaxVisitorContinueKind {
    if let token { names.insert(token.plain) }
    return .visitChildren
  }

  override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
    add(node.identifier)
  }
  override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
    add(node.secondName ?? node.firstName)
  }
  override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
    add(node.secondName ?? node.firstName)
  }
  override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
    add(node.name)
  }
  override func visit(_ node: ClosureCaptureSyntax) -> SyntaxVisitorContinueKind {
    // A capture without a value keeps the outer meaning.
    add(node.initializer == nil ? nil : node.name)
  }
  override func visit(_ node: GenericParameterSyntax) -> SyntaxVisitorContinueKind {
    add(node.name)
  }
  override func visit(_ node: AssociatedTypeDeclSyntax) -> SyntaxVisitorContinueKind {
    add(node.name)
  }

  // A top-level type is the same in the whole tree.
  override func enter(_ node: any DeclGroupSyntax, _ name: TokenSyntax?) {
    if let name, isNested(node) { names.insert(name.plain) }
  }

  private func isNested(_ node: some SyntaxProtocol) -> Bool {
    var parent = node.parent
    while let current = parent {
      if current.is(MemberBlockSyntax.self) || current.is(CodeBlockSyntax.self)
        || current.is(ClosureExprSyntax.self)
      {
        return true
      }
      parent = current.parent
    }
    return false
  }
}
