internal import SwiftSyntax

/// What a source tree declares, as far as its checks ask.
package struct TreeFacts: Sendable {
  /// Names of classes, structs, enums, actors and protocols at the top level: others mean something where they stand only.
  private(set) var declared: Set<String> = []
  /// Versions that were written by hand, with the classes in them.
  private(set) var versions: [String: Set<String>] = [:]
  private(set) var plans: Set<String> = []

  /// - Parameter sources: The app's own files; what is generated is not among them.
  package init(_ sources: [SwiftSource] = []) {
    for source in sources { add(TypeDeclarations(source)) }
  }

  private mutating func add(_ types: TypeDeclarations) {
    declared.formUnion(types.names)
    plans.formUnion(types.plans)
    for (version, classes) in types.versions { versions[version, default: []].formUnion(classes) }
  }
}

/// The declarations of types in a file.
private final class TypeDeclarations: SyntaxVisitor {
  private(set) var names: Set<String> = []
  private(set) var versions: [String: Set<String>] = [:]
  private(set) var plans: Set<String> = []
  private var enclosing: [String] = []

  init(_ source: SwiftSource) {
    super.init(viewMode: .sourceAccurate)
    walk(source.syntax)
  }

  private func enter(
    _ name: String, _ inheritance: InheritanceClauseSyntax?
  ) -> SyntaxVisitorContinueKind {
    if inheritance.names("VersionedSchema") { versions[name, default: []].formUnion([]) }
    if inheritance.names("SchemaMigrationPlan") { plans.insert(name) }
    enclosing.append(name)
    return .visitChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    if enclosing.isEmpty { names.insert(node.name.plain) }
    // Whether what is around is a version may be said in another file.
    if let last = enclosing.last { versions[last]?.insert(node.name.plain) }
    return enter(node.name.plain, node.inheritanceClause)
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    if enclosing.isEmpty { names.insert(node.name.plain) }
    return enter(node.name.plain, node.inheritanceClause)
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    if enclosing.isEmpty { names.insert(node.name.plain) }
    return enter(node.name.plain, node.inheritanceClause)
  }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    if enclosing.isEmpty { names.insert(node.name.plain) }
    return enter(node.name.plain, node.inheritanceClause)
  }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    if enclosing.isEmpty { names.insert(node.name.plain) }
    return enter(node.name.plain, nil)
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.extendedType.lastName, node.inheritanceClause)
  }

  // A type in a body is the body's.
  override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visitPost(_ node: ClassDeclSyntax) { enclosing.removeLast() }
  override func visitPost(_ node: StructDeclSyntax) { enclosing.removeLast() }
  override func visitPost(_ node: EnumDeclSyntax) { enclosing.removeLast() }
  override func visitPost(_ node: ActorDeclSyntax) { enclosing.removeLast() }
  override func visitPost(_ node: ProtocolDeclSyntax) { enclosing.removeLast() }
  override func visitPost(_ node: ExtensionDeclSyntax) { enclosing.removeLast() }
}

extension InheritanceClauseSyntax? {
  /// Whether a type is inherited or conformed to, in whatever module and with whatever attributes.
  func names(_ name: String) -> Bool {
    self?.inheritedTypes.contains { $0.type.lastName == name } ?? false
  }
}

extension TokenSyntax {
  /// The name without backticks.
  var plain: String { identifier?.name ?? text }
}
