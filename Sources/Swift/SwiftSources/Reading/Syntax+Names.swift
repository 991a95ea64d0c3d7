package import SwiftSyntax

extension TokenSyntax {
  package var plain: String { identifier?.name ?? text }
}

extension Syntax {
  /// The names of the enclosing types, outermost first. An extension of a nested type has several.
  package var enclosingParts: [[String]] {
    var types: [[String]] = []
    var node = parent
    while let current = node {
      if let added = current.as(ExtensionDeclSyntax.self) {
        types.insert(added.extendedType.nameParts, at: 0)
      } else if current.asProtocol((any DeclGroupSyntax).self) != nil,
        let named = current.asProtocol((any NamedDeclSyntax).self)
      {
        types.insert([named.name.plain], at: 0)
      }
      node = current.parent
    }
    return types
  }

  package var enclosingTypes: [String] { enclosingParts.flatMap(\.self) }
}

extension SyntaxProtocol {
  /// All nodes of a kind, in order, including this node.
  package func all<Node: SyntaxProtocol>(_ kind: Node.Type) -> [Node] {
    var found: [Node] = []
    // There is no recursion, because code may be deeply nested.
    var open = [Syntax(self)]
    while let node = open.popLast() {
      if let node = node.as(kind) { found.append(node) }
      open += node.children(viewMode: .sourceAccurate).reversed()
    }
    return found
  }

  package var outermostPaths: [[String]] {
    let finder = PathFinder(viewMode: .sourceAccurate)
    finder.walk(self)
    return finder.paths
  }
}

private final class PathFinder: SyntaxVisitor {
  private(set) var paths: [[String]] = []

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    guard let path = ExprSyntax(node).memberPath else { return .visitChildren }
    paths.append(path)
    return .skipChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    paths.append([node.baseName.plain])
    return .skipChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    paths.append([node.name.plain])
    return .visitChildren
  }
}
