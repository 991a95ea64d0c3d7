package import SwiftSyntax

/// A name in code, with the members after it: `SchemaV8.UserProfileModel.self`.
///
/// Names in expressions, types and key paths count. Names in comments, strings, labels and declarations do not.
package struct NameReference {
  package struct Member {
    package var name: String
    /// The offset of the name's end, in UTF-8 units.
    var end: Int
  }

  package var name: String
  /// The range from the name, or from the module before it, to the end of the name, in UTF-8 units.
  package var range: Range<Int>
  package var members: [Member]
  package var node: Syntax

  package func range(members count: Int) -> Range<Int> {
    count == 0 ? range : range.lowerBound..<members[count - 1].end
  }
}

package final class NameReferences: SyntaxVisitor {
  private let names: Set<String>
  private let modules: Set<String>
  private(set) var found: [NameReference] = []

  /// The references to the names, in order.
  ///
  /// - Parameter modules: Modules that may qualify the names.
  package static func find(
    _ names: Set<String>, in node: some SyntaxProtocol, modules: Set<String> = []
  ) -> [NameReference] {
    let visitor = NameReferences(names, modules)
    visitor.walk(node)
    return visitor.found
  }

  private init(_ names: Set<String>, _ modules: Set<String>) {
    self.names = names
    self.modules = modules
    super.init(viewMode: .sourceAccurate)
  }

  package override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.baseName.plain
    guard names.contains(name) else { return .visitChildren }
    guard let access = node.parent?.as(MemberAccessExprSyntax.self), access.declName.id == node.id
    else {
      // A component of a key path is a member of another type.
      if node.parent?.is(KeyPathPropertyComponentSyntax.self) ?? false { return .visitChildren }
      add(name, from: Syntax(node), Syntax(node))
      return .visitChildren
    }
    if let module = access.base?.as(DeclReferenceExprSyntax.self),
      modules.contains(module.baseName.plain)
    {
      add(name, from: Syntax(module), Syntax(access))
    }
    return .visitChildren
  }

  package override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    // A name after `#if` is a flag.
    if let elements = node.elements { walk(elements) }
    return .skipChildren
  }

  package override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    if names.contains(node.name.plain) {
      add(node.name.plain, from: Syntax(node), Syntax(node), end: node.name)
    }
    return .visitChildren
  }

  package override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
    if names.contains(node.name.plain),
      let module = node.baseType.as(IdentifierTypeSyntax.self),
      modules.contains(module.name.plain)
    {
      add(node.name.plain, from: Syntax(module), Syntax(node), end: node.name)
    }
    return .visitChildren
  }

  private func add(_ name: String, from first: Syntax, _ node: Syntax, end: TokenSyntax? = nil) {
    let last = end.map { Syntax($0) } ?? node
    found.append(
      NameReference(
        name: name,
        range: first.positionAfterSkippingLeadingTrivia
          .utf8Offset..<last
          .endPositionBeforeTrailingTrivia.utf8Offset,
        members: Self.members(of: node), node: node))
  }

  private static func members(of node: Syntax) -> [NameReference.Member] {
    var members: [NameReference.Member] = []
    var node = node
    while let parent = node.parent {
      if let access = parent.as(MemberAccessExprSyntax.self), access.base?.id == node.id {
        members.append(member(access.declName.baseName))
      } else if let type = parent.as(MemberTypeSyntax.self), type.baseType.id == node.id {
        members.append(member(type.name))
      } else if let path = parent.as(KeyPathExprSyntax.self), path.root?.id == node.id {
        for component in path.components {
          guard let property = component.component.as(KeyPathPropertyComponentSyntax.self) else {
            break
          }
          members.append(member(property.declName.baseName))
        }
        break
      } else {
        break
      }
      node = parent
    }
    return members
  }

  private static func member(_ token: TokenSyntax) -> NameReference.Member {
    NameReference.Member(
      name: token.plain, end: token.endPositionBeforeTrailingTrivia.utf8Offset)
  }
}
