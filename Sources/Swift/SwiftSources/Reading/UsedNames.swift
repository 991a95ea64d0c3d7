package import SwiftSyntax

/// Collects the names that code uses, whatever they mean.
package final class UsedNames: SyntaxVisitor {
  /// Unqualified names, and names after `Self`.
  package private(set) var values: Set<String> = []
  package private(set) var members: Set<String> = []

  package var all: Set<String> { values.union(members) }

  package static func find(in node: some SyntaxProtocol) -> UsedNames {
    let names = UsedNames(viewMode: .sourceAccurate)
    names.walk(node)
    return names
  }

  package override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.baseName.plain
    if let access = node.parent?.as(MemberAccessExprSyntax.self), access.declName.id == node.id {
      members.insert(name)
      if access.base?.memberPath == ["Self"] { values.insert(name) }
    } else if node.parent?.is(KeyPathPropertyComponentSyntax.self) ?? false {
      members.insert(name)
    } else {
      values.insert(name)
    }
    return .visitChildren
  }

  package override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    values.insert(node.name.plain)
    return .visitChildren
  }

  package override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
    if node.baseType.trimmedDescription == "Self" { values.insert(node.name.plain) }
    return .visitChildren
  }
}

extension DeclSyntax {
  package var isType: Bool {
    self.is(ClassDeclSyntax.self) || self.is(StructDeclSyntax.self) || self.is(EnumDeclSyntax.self)
      || self.is(ActorDeclSyntax.self)
  }

  /// The declared names. A variable declaration may have several, and a case declaration has none.
  package var declaredNames: [String] {
    if let variable = self.as(VariableDeclSyntax.self) {
      return variable.bindings.compactMap {
        $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.plain
      }
    }
    if let named = asProtocol((any NamedDeclSyntax).self) { return [named.name.plain] }
    return []
  }
}
